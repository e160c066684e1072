/** The counties with data, kept for a moment, and how the scope of a search is told in them. */
import { Cache, Duration, Effect, Exit, Schema } from "effect"
import * as Territory from "../coverage/Territory.ts"
import { stateOfCounty } from "../coverage/UsState.ts"
import { type County, PropertySearch } from "./PropertySearch.ts"

/** How long the table is kept: it changes only with an import. */
const life = Duration.seconds(10)

/** Reads the counties, at most once in a while. */
export const make = Effect.gen(function*() {
  const search = yield* PropertySearch
  const table = yield* Cache.makeWith((_: "all") => search.counties, {
    capacity: 1,
    timeToLive: (exit) => Exit.isSuccess(exit) ? life : Duration.zero
  })
  return Cache.get(table, "all")
})

/** What was searched, as answers tell it. */
export const SearchedScope = Schema.Struct({
  scoped: Schema.Boolean,
  countyCount: Schema.Int,
  states: Schema.Array(Schema.String)
})

type Scope = typeof SearchedScope.Type

const coded = new WeakMap<ReadonlyArray<County>, ReadonlyMap<string, County>>()

/** The counties of the table by their codes, put in order once for as long as it is held: every search looks. */
export const byCode = (counties: ReadonlyArray<County>): ReadonlyMap<string, County> => {
  const found = coded.get(counties) ?? new Map(counties.map((county) => [county.countyFips, county]))
  coded.set(counties, found)
  return found
}

const scopeIn = ({ nationwide }: Territory.Area, searched: ReadonlyArray<string>): Scope => {
  const states = new Set(searched.flatMap((countyFips) => stateOfCounty(countyFips) ?? []))
  return { scoped: !nationwide, countyCount: searched.length, states: Array.from(states).sort() }
}

interface Seen {
  /** Those of the table that lie in the area. */
  readonly counties: ReadonlyArray<County>
  /** Of the whole area, whether the table has its counties or not. */
  readonly scope: Scope
}

const seenIn = (counties: ReadonlyArray<County>, area: Territory.Area): Seen => {
  const own = counties.filter(({ countyFips }) => Territory.contains(area, countyFips))
  const all = new Set([...area.countyFips, ...own.map(({ countyFips }) => countyFips)])
  return { counties: own, scope: scopeIn(area, Array.from(all)) }
}

const kept = new WeakMap<ReadonlyArray<County>, WeakMap<Territory.Area, Seen>>()

/** Found once for as long as both are held: a country has three thousand counties, and every search asks. */
const seen = (counties: ReadonlyArray<County>, area: Territory.Area): Seen => {
  const byArea = kept.get(counties) ?? new WeakMap<Territory.Area, Seen>()
  kept.set(counties, byArea)
  const found = byArea.get(area) ?? seenIn(counties, area)
  byArea.set(area, found)
  return found
}

/** The counties of the table that lie in an area. */
export const within = (counties: ReadonlyArray<County>, area: Territory.Area): ReadonlyArray<County> =>
  seen(counties, area).counties

/** The asked counties within the visible area, or the whole of it. */
export const scopeOf = (
  visible: Territory.Area,
  counties: ReadonlyArray<County>,
  asked: ReadonlyArray<string> | undefined
): Scope =>
  asked === undefined
    ? seen(counties, visible).scope
    : scopeIn(visible, Array.from(new Set(asked)).filter((countyFips) => Territory.contains(visible, countyFips)))
