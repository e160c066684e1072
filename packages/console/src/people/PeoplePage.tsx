/** The people of your area: by name, or by what they do, where and for whom; all of it in the address. */
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import { addressOf, Link, navigate, withParameter } from "../app/Router.tsx"
import { firmQuery } from "../firm/firmQuery.ts"
import style from "../part/Browse.module.css"
import { ChooseAll } from "../part/ChooseAll.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { firstPage, nextPage, ShowMore } from "../part/ShowMore.tsx"
import { useChosen } from "../part/useChosen.ts"
import { useSeenCounties } from "../part/useCounties.ts"
import { useNames } from "../part/useNames.ts"
import { useTyped } from "../part/useTyped.ts"
import { Waiting } from "../part/Waiting.tsx"
import { choices, numbers, WideTable } from "../part/WideTable.tsx"
import { joined, number, plural, word } from "../part/Wording.ts"
import chip from "../search/FilterChips.module.css"
import { SelectionBar } from "../search/SelectionBar.tsx"
import { call, type Input } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"

type Browse = Input<"service_browse_contacts">

const fields = ["titleText", "employerText"] as const

const labels = { titleText: "Title", employerText: "Employer" } as const

const revealedStates = ["any", "revealed", "locked"] as const satisfies ReadonlyArray<Browse["revealedState"]>

const sorts = ["propertyCount", "title", "employerName"] as const satisfies ReadonlyArray<Browse["sort"]>

const sortWords = { propertyCount: "most properties", title: "title", employerName: "employer" } as const

const roleTypes = queryOptions({
  queryKey: ["lookup", "role_types"],
  queryFn: async () => (await call("service_lookup", { kind: "role_types" })).data.values,
  staleTime: 600_000
})

/** `replace`: while somebody types, all of it is one step of the browser. */
const change = (
  search: URLSearchParams,
  name: string,
  value: string,
  { replace }: { readonly replace: boolean }
): void => navigate(addressOf("people", {}, withParameter(search, name, value)), { replace })

/** A filter with the name and the values that the service has for it. */
const Choice = ({ label, name, options, search }: {
  readonly search: URLSearchParams
  readonly name: string
  readonly label: string
  readonly options: ReadonlyArray<readonly [value: string, label: string]>
}) => (
  <label>
    {label}
    <select
      onChange={({ target }) => change(search, name, target.value, { replace: false })}
      value={search.get(name) ?? ""}
    >
      {options.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
    </select>
  </label>
)

const Text = ({ label, name, search }: {
  readonly search: URLSearchParams
  readonly name: string
  readonly label: string
}) => {
  const [text, setText] = useTyped(
    search.get(name) ?? "",
    useCallback((value) => change(search, name, value, { replace: true }), [name, search])
  )
  return (
    <label>
      {label}
      <input onChange={(event) => setText(event.target.value)} type="search" value={text} />
    </label>
  )
}

/** Name or employer are looked for from so many letters on; until then the filters are in force. */
const shortestName = 2

const isName = (words: string): boolean => words.trim().length >= shortestName

/** The firm that the people are narrowed to, which somebody came from. */
const FirmChip = ({ id, search }: { readonly id: string; readonly search: URLSearchParams }) => {
  const { data } = useQuery(firmQuery(id))
  const text = `Firm: ${data?.organization.name ?? "one alone"}`
  return (
    <ul aria-label="Filters" className={chip["chips"]}>
      <li>
        <span>{text}</span>
        <button
          aria-label={`Remove: ${text}`}
          onClick={() => change(search, "firm", "", { replace: false })}
          type="button"
        >
          ×
        </button>
      </li>
    </ul>
  )
}

export const PeoplePage = ({ search }: { readonly search: URLSearchParams }) => {
  const roles = useQuery(roleTypes)
  const { counties = [] } = useSeenCounties()
  const words = search.get("q") ?? ""
  const firm = search.get("firm")
  return (
    <main id="main" className={style["page"]}>
      <h1 tabIndex={-1}>People</h1>
      <form role="search" onSubmit={(event) => event.preventDefault()}>
        <Text label="Name or employer" name="q" search={search} />
        {!isName(words) && (
          <>
            <Choice
              label="Role"
              name="roleType"
              options={[["", "Any"], ...(roles.data ?? []).map(({ value }) => [value, word(value)] as const)]}
              search={search}
            />
            <Choice
              label="County"
              name="county"
              options={[
                ["", "Any"],
                ...counties.map(({ fips, label }) => [fips, label ?? fips] as const)
              ]}
              search={search}
            />
            {fields.map((name) => <Text key={name} label={labels[name]} name={name} search={search} />)}
            <Choice
              label="Opened"
              name="revealedState"
              options={[["", "Any"], ["revealed", "Yes"], ["locked", "No"]]}
              search={search}
            />
            <Choice label="Sort" name="sort" options={sorts.map((sort) => [sort, sortWords[sort]])} search={search} />
          </>
        )}
      </form>
      {firm !== null && !isName(words) && <FirmChip id={firm} search={search} />}
      {isName(words) ? <Found query={words} /> : <Browsed search={search} />}
    </main>
  )
}

/** As many are found by a name at most. */
const mostFound = 50

/** How many were found; where there may be more of them, and how those are found. */
const countOf = (found: number): string =>
  found < mostFound
    ? plural(found, "person", "people")
    : `${number(found)} people or more. Add more of the name to find the others`

const Found = ({ query }: { readonly query: string }) => {
  const found = useQuery({
    queryKey: ["find-contacts", query],
    queryFn: async ({ signal }) => (await call("service_find_contacts", { query, limit: mostFound }, signal)).data,
    placeholderData: keepPreviousData
  })
  const { error } = found
  const data = knownOf(found)
  if (data === undefined) return <Waiting error={error} says="Searching…" />
  return (
    <>
      {error !== null && <RefusalNotice error={error} />}
      <p role="status">{joined([countOf(data.contacts.length), data.note ?? null], ". ")}</p>
      {data.contacts.length > 0 && (
        <WideTable columns={["Name", "Title", "Employer", "Where"]} isFramed label="People found">
          {data.contacts.map((person) => (
            <tr key={person.id}>
              <td>
                <Link to={addressOf("person", { id: person.id })}>{person.name}</Link>
              </td>
              <td>{person.title ?? "–"}</td>
              <td>{person.employer ?? "–"}</td>
              <td>{person.location ?? "–"}</td>
            </tr>
          ))}
        </WideTable>
      )}
    </>
  )
}

const pageSize = 50

/** What is asked of the service by an address; roles are the service's own words, which it checks. */
const browseOf = (search: URLSearchParams): Omit<Browse, "roleType"> => {
  const county = search.get("county")
  const organizationId = search.get("firm")
  const revealedState = revealedStates.find((state) => state === search.get("revealedState"))
  const sort = sorts.find((each) => each === search.get("sort")) ?? "propertyCount"
  return {
    ...Object.fromEntries(fields.flatMap((name) => {
      const value = search.get(name)
      return value === null ? [] : [[name, value]]
    })),
    ...county === null ? {} : { countyFips: [county] },
    ...organizationId === null ? {} : { organizationId },
    ...revealedState === undefined ? {} : { revealedState },
    sort,
    limit: pageSize
  }
}

/** What is said where there is nobody, and what would help. */
const noneOf = ({ limit: _, sort: __, ...filters }: Browse): string =>
  Object.values(filters).every((value) => value === "any" || value === "")
    ? "Nobody is known in your area yet. People come with the research of its properties."
    : "Nobody in your area is like that. Take a filter away."

const isRole = (value: string | null): value is NonNullable<Browse["roleType"]> => value !== null && value !== ""

const Browsed = ({ search }: { readonly search: URLSearchParams }) => {
  const role = search.get("roleType")
  const input: Browse = { ...browseOf(search), ...isRole(role) ? { roleType: role } : {} }
  const found = useInfiniteQuery({
    queryKey: ["browse-contacts", input],
    queryFn: async ({ pageParam, signal }) =>
      (await call("service_browse_contacts", { ...input, ...pageParam }, signal)).data,
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData
  })
  const { choose, chosen, clear, toggle } = useChosen(JSON.stringify(input))
  const { error, isPlaceholderData } = found
  const data = knownOf(found)
  const people = data?.pages.flatMap(({ contacts }) => contacts) ?? []
  const names = useNames({ contacts: people.flatMap((each) => each.revealed ? [each.contact_id] : []) })
  const nameOf = ({ contact_id, title }: (typeof people)[number]) =>
    names.contacts.get(contact_id)?.full_name ?? title ?? "Somebody"
  if (data === undefined) return <Waiting error={error} says="Searching…" />
  return (
    <>
      <p role="status">{plural(data.pages[0]?.total_matching ?? 0, "person", "people")}</p>
      {chosen.size > 0 && <SelectionBar chosen={chosen} kind="contacts" onDone={clear} />}
      {/* Rows of the question before are looked at, and not chosen for this one. */}
      <div aria-busy={isPlaceholderData} inert={isPlaceholderData}>
        {people.length > 0 && (
          <ChooseAll
            chosen={chosen}
            ids={people.map(({ contact_id }) => contact_id)}
            onChoose={choose}
          />
        )}
        {people.length === 0 && <p>{noneOf(input)}</p>}
        {people.length > 0 && (
          <WideTable
            columns={[
              choices,
              "Person",
              "Role",
              "Employer",
              numbers("Properties"),
              "Reached by",
              "Opened"
            ]}
            isFramed
            label="People"
          >
            {people.map((person) => (
              <tr key={person.contact_id}>
                <td>
                  <input
                    aria-label={`Choose ${joined([nameOf(person), person.employer_name])}`}
                    checked={chosen.has(person.contact_id)}
                    onChange={() => toggle(person.contact_id)}
                    type="checkbox"
                  />
                </td>
                <td>
                  <Link to={addressOf("person", { id: person.contact_id })}>{nameOf(person)}</Link>
                  {/* The line is there before the name is, which takes the place of the title. */}
                  {person.revealed && person.title !== null && (
                    <div className="quiet">
                      {names.contacts.has(person.contact_id) ? <small>{person.title}</small> : <br />}
                    </div>
                  )}
                </td>
                <td>{person.role_type === null ? "–" : word(person.role_type)}</td>
                <td>{person.employer_name ?? "–"}</td>
                <td className="number">{number(person.property_count_in_territory)}</td>
                <td>
                  {joined([person.email_validated ? "valid email" : null, person.has_phone ? "phone" : null]) || "–"}
                </td>
                <td>{person.revealed ? "yes" : "no"}</td>
              </tr>
            ))}
          </WideTable>
        )}
      </div>
      {error !== null && <RefusalNotice error={error} />}
      <ShowMore of={found} />
    </>
  )
}
