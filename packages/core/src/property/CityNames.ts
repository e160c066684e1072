/**
 * The cities that filters name, looked for among those of the visible area.
 *
 * A city may be asked for by its usual name: where records have it with a remark behind it, and one alone has it, that one is
 * meant. The records are asked for it only when no city is called exactly so.
 */
import { Effect, Option } from "effect"
import type * as Territory from "../coverage/Territory.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { type KnownCity, type NamedCities, noCities } from "./FilterContext.ts"
import { orNothing } from "./OrNothing.ts"
import { citySpellings, parseNamed, withoutRemark } from "./PlaceName.ts"
import { PropertySearch } from "./PropertySearch.ts"
import type { Filters } from "./SearchInput.ts"

interface AskedCity {
  readonly text: string
  readonly name: string
  /** Where it lies; null: it was not said. */
  readonly states: ReadonlyArray<string> | null
}

const asked = (filters: Filters): ReadonlyArray<AskedCity> =>
  (filters.cities ?? []).map((text) => {
    const { name, state } = parseNamed(text)
    return { text, name, states: state === null ? filters.states ?? null : [state] }
  })

const liesIn = (states: AskedCity["states"]) => ({ state }: KnownCity): boolean =>
  states === null || states.includes(state)

const isKnown = ({ name, states }: AskedCity, known: ReadonlyArray<KnownCity>): boolean => {
  const spellings = citySpellings(name)
  return known.filter(liesIn(states)).some(({ city }) => spellings.includes(city))
}

/** Records may have a city without its state. */
const isWithoutState = ({ name, states }: AskedCity, cities: ReadonlySet<string>): boolean =>
  states === null && citySpellings(name).some((city) => cities.has(city))

/** Those of the cities that have a name, and a remark behind it or none. Fifty may be named, and there are thousands. */
const withRemarks = (cities: ReadonlySet<string>): (name: string) => ReadonlyArray<string> => {
  const byName = Map.groupBy(cities, withoutRemark)
  return (name) => citySpellings(name).flatMap((spelling) => byName.get(spelling) ?? [])
}

/** The letter of the alphabet that a name begins with; none for another. */
const initialOf = (name: string): ReadonlyArray<string> => [.../^[a-z]/.exec(name) ?? []]

/**
 * Whether cities have to be looked for before a search. A single one with its state need not: the search finds it, or nothing
 * at all.
 */
const isLookedForFirst = (cities: ReadonlyArray<AskedCity>): boolean =>
  cities.length > 1 || cities.some(({ states }) => states === null)

export const make = Effect.gen(function*() {
  const search = yield* PropertySearch

  /** The cities of the area that begin as one of the names does; none: they could not be read. */
  const alike = (names: ReadonlyArray<string>, visible: Territory.Area) => {
    const letters = Array.from(new Set(names.flatMap(citySpellings).flatMap(initialOf)))
    return letters.length === 0
      ? Effect.succeed(Option.some<ReadonlySet<string>>(new Set()))
      : Effect.map(
        orNothing(search.citiesBeginning(letters, visible)),
        Option.map((found): ReadonlySet<string> => new Set(found))
      )
  }

  /** What is known of the cities of a filter, looked for in any case. */
  const find = Effect.fnUntraced(function*(
    filters: Filters,
    visible: Territory.Area
  ): Effect.fn.Return<NamedCities, TemporarilyUnavailable> {
    const cities = asked(filters)
    const states = yield* search.citiesNamed(cities.flatMap(({ name }) => citySpellings(name)), visible)
    const missing = cities.filter((city) => !isKnown(city, states))
    if (missing.length === 0) return { ...noCities, states }
    const found = yield* alike(missing.map(({ name }) => name), visible)
    if (Option.isNone(found)) return { ...noCities, states }
    const withRemark = withRemarks(found.value)
    const remarked = missing.filter((city) => !isWithoutState(city, found.value)).map((city) => ({
      ...city,
      candidates: withRemark(city.name)
    }))
    const candidates = remarked.flatMap((city) => city.candidates)
    const more = candidates.length === 0 ? [] : yield* search.citiesNamed(candidates, visible)
    const meant = remarked.map(({ candidates, states, text }) => {
      const [one, ...others] = new Set(
        more.filter(liesIn(states)).flatMap(({ city }) => candidates.includes(city) ? [city] : [])
      )
      return { text, city: others.length === 0 ? one : undefined }
    })
    return {
      states: [...states, ...more],
      recorded: new Map(meant.flatMap(({ city, text }) => city === undefined ? [] : [[text, city]])),
      unknown: meant.flatMap(({ city, text }) => city === undefined ? [text] : []),
      alike: found.value
    }
  })

  /** The same, if they have to be looked for before a search. */
  const findFirst = (filters: Filters, visible: Territory.Area) =>
    isLookedForFirst(asked(filters)) ? find(filters, visible) : Effect.succeed(noCities)

  /** Whether a search that has found nothing may find something when they are looked for. */
  const areLeft = (filters: Filters): boolean => {
    const cities = asked(filters)
    return cities.length > 0 && !isLookedForFirst(cities)
  }

  return { alike, areLeft, find, findFirst }
})
