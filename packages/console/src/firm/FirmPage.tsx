/** One firm: what it has in your area and how much beyond, and its people by what they do. */
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import { addressOf, Link } from "../app/Router.tsx"
import { Facts } from "../part/Facts.tsx"
import { Priced } from "../part/Priced.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { firstPage, nextPage, ShowMore } from "../part/ShowMore.tsx"
import { Waiting } from "../part/Waiting.tsx"
import { isWeb } from "../part/Web.ts"
import { joined, number, plural, word } from "../part/Wording.ts"
import style from "../property/PropertyPage.module.css"
import { RunStatus } from "../property/RunStatus.tsx"
import { useRun } from "../property/useRun.ts"
import { call, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useBalanceChanged, useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import { firmQuery, firmRoom } from "./firmQuery.ts"

type Firm = Output<"service_get_organization">

export const FirmPage = ({ id }: { readonly id: string }) => {
  const found = useQuery(firmQuery(id))
  const { error } = found
  const data = knownOf(found)
  if (data === undefined) {
    return (
      <main id="main" className={style["page"]}>
        <h1 tabIndex={-1}>Firm</h1>
        <Waiting error={error} />
      </main>
    )
  }
  return (
    <main id="main" className={style["page"]}>
      <h1 tabIndex={-1}>{data.organization.name}</h1>
      <p className="quiet">{joined([data.organization.roles.map(word).join(", "), data.organization.domain], " · ")}</p>
      {error !== null && <RefusalNotice error={error} />}
      <div className={style["columns"]}>
        <div>
          <About firm={data} />
          <People firm={data} />
        </div>
        <div>
          <Properties id={id} />
        </div>
      </div>
    </main>
  )
}

const About = ({ firm }: { readonly firm: Firm }) => {
  const { member, organization, prices } = useSession()
  const client = useQueryClient()
  const balanceChanged = useBalanceChanged()
  const { organization_id: id, socials } = firm.organization
  const [run, follow] = useRun({ organization_id: id }, ["research_organization"])
  const price = prices["research_organization"] ?? 0
  const start = useMutation({
    mutationFn: () => call("service_research_organization", { id, maxCredits: price }),
    onSuccess: ({ data, receipt }) => {
      balanceChanged(receipt?.remaining ?? null)
      follow(data.run_id)
    }
  })
  return (
    <section aria-labelledby="about">
      <h2 id="about">Firm</h2>
      <Facts
        facts={[
          ["Properties in your area", number(firm.property_count_in_territory)],
          ["Researched", number(firm.researched_property_count)],
          ["Open to you", number(firm.revealed_property_count)]
        ]}
      />
      <ul>
        {Object.entries(socials).map(([name, url]) =>
          isWeb(url)
            ? (
              <li key={name}>
                <a href={url} rel="noreferrer" target="_blank">
                  {name === "linkedin" ? "LinkedIn" : word(name)}
                </a>
              </li>
            )
            : null
        )}
      </ul>
      {run !== null
        ? (
          <RunStatus
            onEnd={() => {
              balanceChanged(null)
              // By whatever spelling of the id the page was opened.
              void client.invalidateQueries({ queryKey: [firmRoom] })
            }}
            run={run}
          />
        )
        : organization.features.enrichments && member.role !== "read_only" && (
          <Priced
            disabled={start.isPending}
            note="Given back when nothing new is found."
            onClick={() => start.mutate()}
            price={price}
          >
            Research
          </Priced>
        )}
      {start.error !== null && <RefusalNotice error={start.error} />}
    </section>
  )
}

/** The people of a firm, or those of them in a role. */
const peopleOf = (firm: string, role: string | null): string =>
  addressOf("people", {}, new URLSearchParams({ firm, ...role === null ? {} : { roleType: role } }))

const People = ({ firm: { contacts_by_role, organization } }: { readonly firm: Firm }) => (
  <section aria-labelledby="people">
    <h2 id="people">People</h2>
    {contacts_by_role.length === 0
      ? <p className="quiet">Nobody of it is known.</p>
      : (
        <p>
          <Link to={peopleOf(organization.organization_id, null)}>All of its people</Link>
        </p>
      )}
    <ul className={style["people"]}>
      {contacts_by_role.map(({ count, role_type }) => (
        <li key={role_type}>
          {/* People without a role cannot be asked for by themselves. */}
          {role_type === null
            ? <span>Without a role</span>
            : <Link to={peopleOf(organization.organization_id, role_type)}>{word(role_type)}</Link>}
          <span>{number(count)}</span>
        </li>
      ))}
    </ul>
  </section>
)

const Properties = ({ id }: { readonly id: string }) => {
  const found = useInfiniteQuery({
    queryKey: [firmRoom, id, "properties"],
    queryFn: async ({ pageParam, signal }) =>
      (await call("service_get_organization_properties", { id, limit: 50, ...pageParam }, signal)).data,
    initialPageParam: firstPage,
    getNextPageParam: nextPage
  })
  const { error } = found
  const data = knownOf(found)?.pages.flatMap(({ properties }) => properties)
  const inside = data?.flatMap((each) => each.in_your_territory ? [each] : []) ?? []
  const outside = Map.groupBy(
    data?.flatMap((each) => each.in_your_territory ? [] : [each]) ?? [],
    ({ county_fips, state }) => joined([state, `county ${county_fips}`])
  )
  return (
    <section aria-labelledby="properties">
      <h2 id="properties">Properties</h2>
      {error !== null && <RefusalNotice error={error} />}
      {data?.length === 0 && <p className="quiet">None that you may see.</p>}
      <ul className={style["people"]}>
        {inside.map(({ address, city, property_id, role, state }) => (
          <li key={`${property_id} ${role}`}>
            <Link to={addressOf("property", { id: property_id })}>{address ?? "A property"}</Link>
            <span className="quiet">{joined([city, state, word(role)])}</span>
          </li>
        ))}
        {Array.from(outside, ([place, { length }]) => (
          <li className="quiet" key={place}>
            Outside your area: {place}, {plural(length, "property", "properties")}
          </li>
        ))}
      </ul>
      <ShowMore of={found} />
    </section>
  )
}
