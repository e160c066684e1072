/**
 * Searching: words and filters at the top, what was found beside its map, all of it in the address. Where there is no room for both,
 * what was found is first, and the map is shown in its place by a button.
 */
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import { addressOf, Link, navigate } from "../app/Router.tsx"
import type { Counties } from "../map/Counties.ts"
import { FaultBoundary, FaultyPart } from "../part/Fault.tsx"
import { late } from "../part/Late.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { ShowMore } from "../part/ShowMore.tsx"
import { useChosen } from "../part/useChosen.ts"
import { useSeenCounties } from "../part/useCounties.ts"
import { useTyped } from "../part/useTyped.ts"
import { number, word } from "../part/Wording.ts"
import { knownOf } from "../service/Refusals.ts"
import { useIsAdmin } from "../service/Session.tsx"
import { FilterChips } from "./FilterChips.tsx"
import { Nothing } from "./Nothing.tsx"
import { ResultList } from "./ResultList.tsx"
import { SaveSearch } from "./SaveSearch.tsx"
import style from "./SearchPage.module.css"
import {
  hasWords,
  isAsking,
  isSortKey,
  orders,
  orderWord,
  parse,
  type SearchState,
  sortWords,
  withFilters,
  write
} from "./SearchUrl.ts"
import { SelectionBar } from "./SelectionBar.tsx"
import { useIsWide } from "./useIsWide.ts"
import { searchOf, useSearch } from "./useSearch.ts"

/** The map is large, and comes when results are on screen. */
const MapPane = late(
  async () => (await import("../map/MapPane.tsx")).MapPane,
  <p role="status">The map is being drawn…</p>
)

/** Typing goes on, and so does the map that is moved: all of it is one step. Every other choice can be gone back from. */
const goesOn = (before: SearchState, next: SearchState): boolean =>
  before.words !== next.words && before.words !== "" && next.words !== "" ||
  before.box !== next.box && before.box !== null && next.box !== null

/** Marks a search that was made on the page. */
const madeHere = "made here"

const show = (before: SearchState, next: SearchState): void =>
  navigate(addressOf("search", {}, write(next)), { mark: madeHere, replace: goesOn(before, next) })

/** Time after the last key press in which nothing is asked. */
const pauseMillis = 120

export const SearchPage = ({ search }: { readonly search: URLSearchParams }) => {
  const state = useMemo(() => parse(search), [search])
  const seen = useSeenCounties()
  const isAdmin = useIsAdmin()
  const counties = useMemo(() => seen.counties?.filter(({ properties }) => properties > 0) ?? [], [seen.counties])
  // Whoever comes begins with something to see; whoever took it away here wants nothing.
  useEffect(() => {
    const [first] = counties
    if (!isAsking(state) && first !== undefined && search.size === 0 && history.state !== madeHere) {
      const shown = { ...state, filters: { countyFips: [first.fips] } }
      navigate(addressOf("search", {}, write(shown)), { replace: true })
    }
  }, [counties, search, state])

  const ask = useCallback((words: string) => show(state, { ...state, words }), [state])
  const [words, setWords] = useTyped(state.words, ask, pauseMillis)

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
      </form>
      <div className={style["filters"]}>
        {hasWords(state)
          ? <p className={style["quiet"]}>Words look everywhere in your area. Clear them to use filters.</p>
          : <FilterChips filters={state.filters} onChange={(filters) => show(state, { ...state, filters })} />}
        {isAsking(state) && <SaveSearch state={state} />}
      </div>
      {seen.error !== null && <RefusalNotice error={seen.error} />}
      {isAsking(state)
        ? <Results counties={counties} state={state} />
        : seen.counties !== undefined && (
          <p role="status">
            {counties.length > 0
              ? "Enter words, or add a filter with a place: a county, a city or a zip code."
              : isAdmin
              ? (
                <>
                  None of your counties has properties yet. They come with an import by whoever runs this service.{" "}
                  <Link to={addressOf("requests")}>Ask for a county</Link>
                </>
              )
              : "None of your counties has properties yet. Ask an admin of your organization for coverage."}
          </p>
        )}
    </main>
  )
}

const Results = ({ counties, state }: { readonly counties: Counties; readonly state: SearchState }) => {
  const found = useSearch(state)
  const { error, hasNextPage, isPlaceholderData } = found
  const data = knownOf(found)
  const { choose, chosen, clear, toggle } = useChosen(JSON.stringify(searchOf(state)))
  const rows = useMemo(() => data?.pages.flatMap(({ results }) => results) ?? [], [data])
  const isWide = useIsWide()
  const halves = useRef<HTMLDivElement>(null)
  const [isMap, setIsMap] = useState(false)
  // What was looked at stays as it was when the map is shown again.
  const [wasMap, setWasMap] = useState(false)
  useLayoutEffect(() => {
    if (isMap) halves.current?.scrollIntoView()
  }, [isMap])
  const turn = () => {
    setIsMap(!isMap)
    setWasMap(true)
  }
  // The map stays while results change, and comes when the first are there; on a narrow screen, when it is asked for.
  const map = (isWide ? data !== undefined || error !== null : wasMap) && (
    <FaultBoundary fallback={<FaultyPart what="The map" />}>
      <MapPane
        areRowsOld={isPlaceholderData}
        chosen={chosen}
        counties={counties}
        onChange={(next) =>
          show(state, next)}
        rows={rows}
        state={state}
      />
    </FaultBoundary>
  )
  const first = data?.pages[0]
  return (
    <div className={style["halves"]} data-shows={isMap ? "map" : "list"} ref={halves}>
      <div className={style["found"]}>
        {error !== null && <RefusalNotice error={error} />}
        {error === null && data === undefined && <p role="status">Searching…</p>}
        {data !== undefined && (
          <>
            <Heading
              hasMore={hasNextPage}
              rows={rows.length}
              state={state}
              total={first?.total_matching}
              usual={first?.sorted_by.direction}
            >
              {!isWide && (
                <button className="plain" onClick={turn} type="button">
                  {isMap ? "Show list" : "Show map"}
                </button>
              )}
            </Heading>
            <Categories breakdown={first?.category_breakdown ?? []} state={state} />
            {chosen.size > 0 && <SelectionBar chosen={chosen} onDone={clear} />}
            {rows.length === 0
              ? <Nothing note={first?.note} state={state} />
              : (
                // Rows of the question before are looked at, and not chosen for this one.
                <div aria-busy={isPlaceholderData} className={style["rows"]} inert={isPlaceholderData}>
                  <ResultList chosen={chosen} onChoose={choose} onToggle={toggle} rows={rows} />
                </div>
              )}
            <div className={style["rows"]}>
              <ShowMore of={found} />
            </div>
          </>
        )}
      </div>
      <div className={style["map"]}>{map}</div>
    </div>
  )
}

const Heading = ({ children, hasMore, rows, state, total, usual }: {
  /** What stands beside the count. */
  readonly children: ReactNode
  readonly state: SearchState
  readonly rows: number
  readonly total: number | undefined
  readonly hasMore: boolean
  /** The order where none was chosen. */
  readonly usual: "asc" | "desc" | undefined
}) => (
  <div className={style["heading"]}>
    <p className={style["count"]} role="status">
      {total === undefined ? `${number(rows)}${hasMore ? " or more" : ""}` : number(total)}{" "}
      {(total ?? rows) === 1 ? "property" : "properties"}
    </p>
    {children}
    <label>
      Sort
      <select
        onChange={({ target }) =>
          isSortKey(target.value) && show(state, { ...state, sortBy: target.value, sortOrder: undefined })}
        value={state.sortBy ?? "relevance"}
      >
        {Object.entries(sortWords).map(([key, words]) => <option key={key} value={key}>{words}</option>)}
      </select>
    </label>
    <label>
      Order
      <select
        onChange={({ target: { value } }) =>
          show(state, { ...state, sortOrder: orders.find((order) => order === value) })}
        value={state.sortOrder ?? usual}
      >
        {orders.map((order) => <option key={order} value={order}>{orderWord(state.sortBy, order)}</option>)}
      </select>
    </label>
  </div>
)

const Categories = ({ breakdown, state }: {
  readonly state: SearchState
  readonly breakdown: ReadonlyArray<{ readonly category: string | null; readonly count: number }>
}) =>
  breakdown.length < 2 ? null : (
    <ul aria-label="By category" className={style["categories"]}>
      {breakdown.map(({ category, count }) => (
        <li key={category}>
          {category === null
            ? `No category ${number(count)}`
            : (
              <button
                className="plain"
                onClick={() =>
                  show(state, { ...state, filters: withFilters(state.filters, { categories: [category] }) })}
                type="button"
              >
                {word(category)} {number(count)}
              </button>
            )}
        </li>
      ))}
    </ul>
  )
