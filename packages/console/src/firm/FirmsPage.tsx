/** Firms that own, manage, operate or rent in your area; all of the search in the address. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import { addressOf, Link, navigate, withParameter } from "../app/Router.tsx"
import style from "../part/Browse.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { firstPage, nextPage, ShowMore } from "../part/ShowMore.tsx"
import { useTyped } from "../part/useTyped.ts"
import { numbers, WideTable } from "../part/WideTable.tsx"
import { number, plural, word } from "../part/Wording.ts"
import { call, type Input } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"

type Browse = Input<"service_browse_organizations">

const roles = ["any", "owner", "property_manager", "operator", "tenant"] as const satisfies ReadonlyArray<
  Browse["role"]
>

const sorts = ["propertyCount", "name"] as const satisfies ReadonlyArray<Browse["sort"]>

const pageSize = 50

const inputOf = (search: URLSearchParams): Browse => {
  const query = search.get("q") ?? ""
  const role = roles.find((each) => each === search.get("role"))
  const sort = sorts.find((each) => each === search.get("sort")) ?? "propertyCount"
  return {
    ...query.trim() === "" ? {} : { query },
    ...role === undefined ? {} : { role },
    sort,
    limit: pageSize
  }
}

/** What is said where there is none, and what would help. */
const noneOf = ({ query, role }: Browse): string =>
  query === undefined && (role === undefined || role === "any")
    ? "No firm is known in your area yet. They come with the records of its properties and with their research."
    : "No firm in your area is like that. Try fewer or other words, or any role."

const change = (search: URLSearchParams, name: string, value: string): void =>
  navigate(addressOf("firms", {}, withParameter(search, name, value)), { replace: true })

export const FirmsPage = ({ search }: { readonly search: URLSearchParams }) => {
  const [text, setText] = useTyped(search.get("q") ?? "", useCallback((value) => change(search, "q", value), [search]))
  const input = inputOf(search)
  const found = useInfiniteQuery({
    queryKey: ["browse-firms", input],
    queryFn: async ({ pageParam, signal }) =>
      (await call("service_browse_organizations", { ...input, ...pageParam }, signal)).data,
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData
  })
  const { error } = found
  const known = knownOf(found)
  const firms = known?.pages.flatMap(({ organizations }) => organizations) ?? []
  return (
    <main id="main" className={style["page"]}>
      <h1 tabIndex={-1}>Firms</h1>
      <form role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          Name
          <input onChange={(event) => setText(event.target.value)} type="search" value={text} />
        </label>
        <label>
          Role
          <select onChange={({ target }) => change(search, "role", target.value)} value={search.get("role") ?? "any"}>
            {roles.map((role) => <option key={role} value={role}>{word(role)}</option>)}
          </select>
        </label>
        <label>
          Sort
          <select
            onChange={({ target }) => change(search, "sort", target.value)}
            value={search.get("sort") ?? "propertyCount"}
          >
            <option value="propertyCount">most properties</option>
            <option value="name">name</option>
          </select>
        </label>
      </form>
      {error !== null && <RefusalNotice error={error} />}
      {known === undefined ? error === null && <p role="status">Searching…</p> : (
        <>
          <p role="status">{plural(known.pages[0]?.total_matching ?? 0, "firm", "firms")}</p>
          {firms.length === 0 && <p>{noneOf(input)}</p>}
          {firms.length > 0 && (
            <WideTable columns={["Firm", "Roles", numbers("Properties in your area")]} isFramed label="Firms">
              {firms.map((firm) => (
                <tr key={firm.organization_id}>
                  <td>
                    <Link to={addressOf("firm", { id: firm.organization_id })}>{firm.name}</Link>
                    <div className="quiet">{firm.domain}</div>
                  </td>
                  <td>{firm.roles.map(word).join(", ")}</td>
                  <td className="number">{number(firm.property_count_in_territory)}</td>
                </tr>
              ))}
            </WideTable>
          )}
          <ShowMore of={found} />
        </>
      )}
    </main>
  )
}
