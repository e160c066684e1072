/** Searching: what to look for at the top, what was found below, all of it in the address. */
import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { addressOf, navigate } from "../app/Router.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { call } from "../service/Call.ts"
import { FilterBar } from "./FilterBar.tsx"
import { ResultList } from "./ResultList.tsx"
import style from "./SearchPage.module.css"
import { parse, type SearchState, write } from "./SearchUrl.ts"
import { useSearch } from "./useSearch.ts"

const locations = ["countyFips", "countyNames", "zipCodes", "cities", "within", "near"] as const

const isAsking = ({ filters, words }: SearchState): boolean =>
  words.trim().length >= 2 || locations.some((name) => filters[name] !== undefined)

const show = (state: SearchState): void => navigate(addressOf("search", {}, write(state)), { replace: true })

/** Time after the last key press in which nothing is asked. */
const pauseMillis = 120

export const SearchPage = ({ search }: { readonly search: URLSearchParams }) => {
  const state = useMemo(() => parse(search), [search])
  const coverage = useQuery({
    queryKey: ["coverage"],
    queryFn: async ({ signal }) => (await call("service_get_coverage", {}, signal)).data,
    staleTime: 300_000
  })
  const counties = useMemo(
    () => coverage.data?.counties.filter((county) => county.switched_on && county.properties > 0) ?? [],
    [coverage.data]
  )
  // A first visit begins with something to see.
  useEffect(() => {
    const [first] = counties
    if (!isAsking(state) && first !== undefined && search.size === 0) {
      show({ ...state, filters: { countyFips: [first.fips] } })
    }
  }, [counties, search, state])

  const [words, setWords] = useState(state.words)
  useEffect(() => setWords(state.words), [state.words])
  useEffect(() => {
    if (words === state.words) return
    const timer = setTimeout(() => show({ ...state, words }), pauseMillis)
    return () => clearTimeout(timer)
  }, [words, state])

  return (
    <main id="main" className={style["page"]}>
      <h1 className="visually-hidden" tabIndex={-1}>Search properties</h1>
      <form role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          aria-label="Words: an address, a name, an owner"
          placeholder="Words: an address, a name, an owner"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        {state.words === "" && <FilterBar counties={counties} onChange={show} state={state} />}
      </form>
      {coverage.error !== null && <RefusalNotice error={coverage.error} />}
      {isAsking(state) && <Results state={state} />}
    </main>
  )
}

const Results = ({ state }: { readonly state: SearchState }) => {
  const { data, error, fetchNextPage, hasNextPage, isFetching } = useSearch(state)
  if (error !== null) return <RefusalNotice error={error} />
  if (data === undefined) return <p role="status">Searching…</p>
  const total = data.pages[0]?.total_matching
  const rows = data.pages.flatMap(({ results }) => results)
  return (
    <>
      <p className={style["count"]} role="status">
        {total === undefined ? `${rows.length}${hasNextPage ? " or more" : ""}` : total.toLocaleString("en-US")}{" "}
        {total === 1 ? "property" : "properties"}
      </p>
      <ResultList rows={rows} />
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
  )
}
