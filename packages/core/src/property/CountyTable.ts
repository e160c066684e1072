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

/** The asked counties within the visible area, or the whole of it. */
export const scopeOf = (
  visible: Territory.Area,
  counties: ReadonlyArray<County>,
  asked: ReadonlyArray<string> | undefined
): typeof SearchedScope.Type => {
  const own = new Set([
    ...visible.countyFips,
    ...counties.flatMap((county) => Territory.contains(visible, county.countyFips) ? [county.countyFips] : [])
  ])
  const searched = asked === undefined
    ? Array.from(own)
    : Array.from(new Set(asked)).filter((countyFips) => Territory.contains(visible, countyFips))
  const states = new Set(searched.flatMap((countyFips) => stateOfCounty(countyFips) ?? []))
  return { scoped: !visible.nationwide, countyCount: searched.length, states: Array.from(states).sort() }
}
