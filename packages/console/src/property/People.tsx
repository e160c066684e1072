/** The people of a property: open ones by their roles, and locked ones, each to be revealed alone. */
import { useState } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import { AddToList } from "../list/AddToList.tsx"
import { PaidButton } from "../part/PaidButton.tsx"
import { ReceiptLine } from "../part/ReceiptLine.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { joined, number, word } from "../part/Wording.ts"
import { EmailOf, PhoneOf } from "../people/Ways.tsx"
import { call, type Output, type Receipt } from "../service/Call.ts"
import { useBalanceChanged, useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import { type Detail, useDetailChanged } from "./Detail.ts"
import style from "./PropertyPage.module.css"

type Person = Detail["contacts"][number]

type Revealed = Output<"service_reveal_contact">["contact"]

type Locked = Detail["locked_contacts"][number]

export const People = ({ detail: { contacts, locked_contacts: locked } }: { readonly detail: Detail }) => {
  const { credits, member, prices } = useSession()
  const detailChanged = useDetailChanged()
  const balanceChanged = useBalanceChanged()
  const [receipt, setReceipt] = useState<Receipt | null>(null)
  // Who was free, being covered elsewhere, stays locked at this property: what was answered is shown.
  const [revealed, setRevealed] = useState<ReadonlyMap<string, Revealed>>(new Map())
  const price = prices["reveal_contact"] ?? 0
  const reveal = useMutation({
    mutationFn: (id: string) => call("service_reveal_contact", { id, maxCredits: price }),
    onSuccess: async ({ data, receipt }) => {
      balanceChanged(receipt?.remaining ?? null)
      setReceipt(receipt)
      setRevealed((before) => new Map(before).set(data.contact.id, data.contact))
      await detailChanged()
    }
  })
  const roles = Map.groupBy(contacts, ({ role }) => role ?? "other")
  return (
    <section aria-labelledby="people">
      <h2 id="people">People</h2>
      {contacts.length === 0 && locked.length === 0 && <p className="quiet">Nobody is known here.</p>}
      {Array.from(roles, ([role, people]) => (
        <div key={role}>
          <h3>{word(role)}</h3>
          <ul className={style["people"]}>{people.map((person) => <Open key={person.id} person={person} />)}</ul>
        </div>
      ))}
      {locked.length > 0 && (
        <>
          <h3>Locked</h3>
          <ul className={style["people"]}>
            {locked.map((person) => (
              <li key={person.contact_id}>
                <div>
                  <Link to={addressOf("person", { id: person.contact_id })}>
                    {revealed.get(person.contact_id)?.fullName ?? person.title ?? "Somebody"}
                  </Link>{" "}
                  <span className="quiet">
                    {joined([person.role_type === null ? null : word(person.role_type), availabilityOf(person)], " · ")}
                  </span>
                </div>
                <Details of={revealed.get(person.contact_id)} />
                {member.role !== "read_only" && !revealed.has(person.contact_id) && (
                  <PaidButton
                    className="plain"
                    disabled={reveal.isPending}
                    onPay={() => reveal.mutate(person.contact_id)}
                  >
                    Reveal for {number(price)} credits
                  </PaidButton>
                )}
              </li>
            ))}
          </ul>
          <p className="quiet">
            {price > credits
              ? `Each costs more than the balance of ${number(credits)}.`
              : `Each: balance ${number(credits)}, then ${number(credits - price)}.`}{" "}
            Free where your licence covers the person elsewhere.
          </p>
        </>
      )}
      <AddToList
        ids={[...contacts.map(({ id }) => id), ...locked.map(({ contact_id }) => contact_id)]}
        label="Add all to a list"
      />
      <ReceiptLine receipt={receipt} what="Revealed" />
      {reveal.error !== null && <RefusalNotice error={reveal.error} />}
    </section>
  )
}

const Details = ({ of }: { readonly of: Revealed | undefined }) =>
  of === undefined
    ? null
    : of.email === null && of.phone === null
    ? <span>no details are known</span>
    : (
      <>
        <EmailOf person={of} />
        <PhoneOf person={of} />
      </>
    )

const availabilityOf = ({ availability: { email, linkedin, phone } }: Locked): string =>
  joined([email ? "email" : null, phone ? "phone" : null, linkedin ? "LinkedIn" : null]) || "no details are known"

const Open = ({ person }: { readonly person: Person }) => (
  <li>
    <div>
      <Link to={addressOf("person", { id: person.id })}>{person.fullName ?? person.title ?? "Somebody"}</Link>{" "}
      <span className="quiet">{joined([person.title, person.employerName])}</span>
    </div>
    <EmailOf person={person} />
    <PhoneOf person={person} />
    {person.employerMismatch && <span className="quiet">Works elsewhere by now</span>}
  </li>
)
