/** Firms that own, manage, operate or rent in your area; all of the search in the address. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import { addressOf, Link, navigate } from "../app/Router.tsx"
import style from "../part/Browse.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { useTyped } from "../part/useTyped.ts"
import { number, plural, word } from "../part/Wording.ts"
import { call, type Input } from "../service/Call.ts"

type Browse = Input<"service_browse_organizations">

const roles = ["any", "owner", "property_manager", "operator", "tenant"] as const satisfies ReadonlyArray<
  Browse["role"]
>

const sorts = ["propertyCount", "name"] as const satisfies ReadonlyArray<Browse["sort"]>

const pageSize = 50

const inputOf = (search: URLSearchParams): Browse => {
  const query = search.get("q") ?? ""
  const role = roles.find((each) => each === search.get("role"))
  const sort = sorts.find((each) => each === search.get("sort"))
  return {
    ...query.trim() === "" ? {} : { query },
    ...role === undefined ? {} : { role },
    ...sort === undefined ? {} : { sort },
    limit: pageSize
  }
}

const change = (search: URLSearchParams, name: string, value: string): void => {
  const next = new URLSearchParams(search)
  if (value === "") next.delete(name)
  else next.set(name, value)
  navigate(addressOf("firms", {}, next), { replace: true })
}

export const FirmsPage = ({ search }: { readonly search: URLSearchParams }) => {
  const [text, setText] = useTyped(search.get("q") ?? "", useCallback((value) => change(search, "q", value), [search]))
  const input = inputOf(search)
  const { data, error, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: ["browse-firms", input],
    queryFn: async ({ pageParam, signal }) =>
      (await call("service_browse_organizations", { ...input, offset: pageParam }, signal)).data,
    initialPageParam: 0,
    getNextPageParam: ({ organizations, total_matching }, pages) => {
      const reached = pages.reduce((sum, page) => sum + page.organizations.length, 0)
      return organizations.length > 0 && reached < total_matching ? reached : null
    },
    placeholderData: keepPreviousData
  })
  const firms = data?.pages.flatMap(({ organizations }) => organizations) ?? []
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
      {data === undefined ? error === null && <p role="status">Searching…</p> : (
        <>
          <p role="status">{plural(data.pages[0]?.total_matching ?? 0, "firm", "firms")}</p>
          <div className={style["scroll"]}>
            <table>
              <caption className="visually-hidden">Firms</caption>
              <thead>
                <tr>
                  <th scope="col">Firm</th>
                  <th scope="col">Roles</th>
                  <th scope="col">Properties in your area</th>
                </tr>
              </thead>
              <tbody>
                {firms.map((firm) => (
                  <tr key={firm.organization_id}>
                    <td>
                      <Link to={addressOf("firm", { id: firm.organization_id })}>{firm.name}</Link>
                      <div className="quiet">{firm.domain}</div>
                    </td>
                    <td>{firm.roles.map(word).join(", ")}</td>
                    <td>{number(firm.property_count_in_territory)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {hasNextPage && (
            <button
              className="plain"
              disabled={isFetching}
              onClick={() => void fetchNextPage()}
              type="button"
            >
              Show more
            </button>
          )}
        </>
      )}
    </main>
  )
}
