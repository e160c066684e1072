/** One property: its record, what is there and locked, what opening it costs, and the people once it is open. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { call, type Output } from "../service/Call.ts"
import { useBalanceChanged, useSession } from "../service/Session.tsx"
import style from "./PropertyPage.module.css"

type Detail = Output<"app_open_property">

const detailKey = (id: string) => ["property", id]

export const PropertyPage = ({ id }: { readonly id: string }) => {
  const { data, error } = useQuery({
    queryKey: detailKey(id),
    queryFn: async ({ signal }) => (await call("app_open_property", { id }, signal)).data
  })
  if (error !== null) {
    return (
      <main id="main" className={style["page"]}>
        <h1 tabIndex={-1}>Property</h1>
        <RefusalNotice error={error} />
      </main>
    )
  }
  if (data === undefined) {
    return (
      <main id="main" className={style["page"]}>
        <p role="status">One moment…</p>
      </main>
    )
  }
  const { property } = data
  const place = [property.address, property.city, property.state, property.zip].filter((part) => part !== null)
  return (
    <main id="main" className={style["page"]}>
      <h1 tabIndex={-1}>{property.commonName ?? property.address ?? property.key}</h1>
      <p className={style["quiet"]}>{place.join(", ")} · {property.key}</p>
      <div className={style["columns"]}>
        <Record detail={data} />
        <Research detail={data} />
      </div>
    </main>
  )
}

const facts = ({ property }: Detail): ReadonlyArray<readonly [string, string | null]> => {
  const number = (value: number | null, unit = "") => value === null ? null : `${value.toLocaleString("en-US")}${unit}`
  return [
    [
      "Category",
      [property.assetCategory, property.assetSubcategory].filter((each) => each !== null).join(", ") || null
    ],
    ["Building", number(property.buildingSqft, " sqft")],
    ["Lot", number(property.lotSqft, " sqft")],
    ["Built", property.yearBuilt === null ? null : String(property.yearBuilt)],
    ["Floors", number(property.numFloors)],
    ["Units", number(property.totalUnits)],
    ["Owner of record", property.recordOwner],
    ["Last sale", property.lastSaleDate],
    ["Value", property.propertyValue === null ? null : `$${property.propertyValue.toLocaleString("en-US")}`],
    ["Parcel", property.apn]
  ]
}

const Record = ({ detail }: { readonly detail: Detail }) => (
  <section aria-labelledby="record">
    <h2 id="record">Record</h2>
    <dl className={style["facts"]}>
      {facts(detail).map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        )
      )}
    </dl>
  </section>
)

const Research = ({ detail }: { readonly detail: Detail }) => {
  const { contacts, contactsSummary, property, researchRevealed } = detail
  return (
    <section aria-labelledby="research">
      <h2 id="research">Research</h2>
      {researchRevealed
        ? (
          <dl className={style["facts"]}>
            <div>
              <dt>Beneficial owner</dt>
              <dd>{property.beneficialOwner ?? "not known"}</dd>
            </div>
            <div>
              <dt>Manager</dt>
              <dd>{property.managementCompany ?? "not known"}</dd>
            </div>
          </dl>
        )
        : <Unlock detail={detail} />}
      <h3>People</h3>
      {contacts.length === 0 && contactsSummary === null && <p className={style["quiet"]}>Nobody is known here.</p>}
      {contactsSummary !== null && (
        <ul className={style["people"]}>
          {contactsSummary.contacts.map(({ availability, title }, index) => (
            <li key={`${title} ${index}`}>
              <strong>{title ?? "Somebody"}</strong>
              <span className={style["quiet"]}>{availabilityOf(availability)}</span>
            </li>
          ))}
        </ul>
      )}
      <ul className={style["people"]}>
        {contacts.map((person) => (
          <li key={person.id}>
            <strong>{person.fullName}</strong>
            <span>{person.title}</span>
            {person.email !== null && <span>{person.email}</span>}
            {person.phone !== null && <span>{person.phone}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

const availabilityOf = (
  { email, linkedin, phone }: NonNullable<Detail["contactsSummary"]>["contacts"][number]["availability"]
): string => {
  const there = [email ? "email" : null, phone ? "phone" : null, linkedin ? "LinkedIn" : null].filter((each) =>
    each !== null
  )
  return there.length === 0 ? "no details are known" : `${there.join(", ")}: locked`
}

const Unlock = ({ detail: { coveredByPlan, property, researchState } }: { readonly detail: Detail }) => {
  const { credits, prices } = useSession()
  const client = useQueryClient()
  const balanceChanged = useBalanceChanged()
  const price = coveredByPlan ? 0 : prices["unlock_property"] ?? 0
  const unlock = useMutation({
    mutationFn: () => call("service_reveal_property", { id: property.id, maxCredits: price }),
    onSuccess: async ({ receipt }) => {
      balanceChanged(receipt?.remaining ?? null)
      await client.invalidateQueries({ queryKey: detailKey(property.id) })
    }
  })
  if (researchState === "none") return <p className={style["quiet"]}>Nothing was found out about it yet.</p>
  return (
    <div className={style["unlock"]}>
      <p>Who owns and manages it, and everyone known here, is locked.</p>
      <button disabled={unlock.isPending} onClick={() => unlock.mutate()} type="button">
        {price === 0 ? "Unlock, free in your licensed counties" : `Unlock all for ${price} credits`}
      </button>
      {price > 0 && (
        <p className={style["quiet"]}>
          Balance {credits.toLocaleString("en-US")} →{" "}
          {(credits - price).toLocaleString("en-US")}. Nothing is charged if it is refused.
        </p>
      )}
      {unlock.error !== null && <RefusalNotice error={unlock.error} />}
    </div>
  )
}
