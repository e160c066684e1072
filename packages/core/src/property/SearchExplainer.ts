/**
 * Looks up why a search answers nothing, and says it (`EmptySearch`).
 *
 * It is an extra beside an answer that stands already: past its time, or when it cannot be read, less is said.
 */
import { Duration, Effect, Option, Result } from "effect"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import * as CountyTable from "./CountyTable.ts"
import {
  attributeGroups,
  attributeNotes,
  cityFilter,
  cityNamed,
  countiesAsked,
  countiesOf,
  countyOrZip,
  type LookedWithout,
  meaningOf,
  outsideOf,
  textNotes,
  unknownCity,
  unknownCounty,
  withoutRecords
} from "./EmptySearch.ts"
import type { FilterContext } from "./FilterContext.ts"
import { citySpellings, parseNamed } from "./PlaceName.ts"
import { type Condition, type County, PropertySearch } from "./PropertySearch.ts"
import { conditionsOf } from "./SearchConditions.ts"
import type { Filters } from "./SearchInput.ts"

/** An answer waits for its explanation no longer. */
const longestLook = Duration.seconds(1)

/** So many unknown names are each compared with others. */
const mostNames = 3

const nameOf = (text: string): string => parseNamed(text).name

const initialOf = (name: string): ReadonlyArray<string> => [.../^[a-z]/.exec(name) ?? []]

/** The conditions without some of the filters, which leave their places. */
const without = (filters: Filters, keys: ReadonlyArray<string>, context: FilterContext): ReadonlyArray<Condition> => {
  const left: Filters = Object.fromEntries(Object.entries(filters).filter(([key]) => !keys.includes(key)))
  return Result.getOrElse(conditionsOf(left, context), () => [])
}

export const make = Effect.gen(function*() {
  const search = yield* PropertySearch

  /** What is read, or nothing where it takes too long. */
  const orNothing = <A>(read: Effect.Effect<A, TemporarilyUnavailable>): Effect.Effect<Option.Option<A>> =>
    read.pipe(
      Effect.timeoutOption(longestLook),
      Effect.catchTag("TEMPORARILY_UNAVAILABLE", () => Effect.succeedNone)
    )

  /** The cities of the area that begin as one of the names does; none: they could not be read. */
  const citiesLike = (names: ReadonlyArray<string>, visible: Territory.Area) => {
    const letters = Array.from(new Set(names.flatMap(initialOf)))
    return letters.length === 0
      ? Effect.succeed(Option.some(new Set<string>()))
      : Effect.map(
        orNothing(search.citiesBeginning(letters, visible)),
        Option.map((found): ReadonlySet<string> => new Set(found))
      )
  }

  /** What is wrong with the names and codes of the places. */
  const placeNotes = Effect.fnUntraced(function*(
    filters: Filters,
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>
  ) {
    const visible = Territory.visible(perspective)
    const asked = countiesAsked(filters, counties)
    const unknown = asked.unknown.slice(0, mostNames)
    const cities = (filters.cities ?? []).filter((text) => initialOf(nameOf(text)).length > 0)
    const known = yield* citiesLike([...cities, ...unknown].map(nameOf), visible)
    const like = Option.getOrElse(known, () => new Set<string>())
    const strange = Option.isNone(known)
      ? []
      : cities.filter((text) => !citySpellings(nameOf(text)).some((name) => like.has(name))).slice(0, mostNames)
    const seen = CountyTable.within(counties, visible)
    return [
      ...outsideOf(perspective, asked.known),
      ...withoutRecords(perspective, asked.known, counties),
      ...unknown.flatMap((text) => unknownCounty(text, counties, like)),
      ...strange.flatMap((text) => unknownCity(text, seen, like))
    ]
  })

  /** Which filters, left out, would let something match; none where it could not be read. */
  const lookWithout = Effect.fnUntraced(
    function*(filters: Filters, perspective: Territory.Perspective, context: FilterContext) {
      const groups = attributeGroups(filters)
      if (groups.length === 0) return Option.some<LookedWithout>({ anywhere: false, helpful: [] })
      const alternatives = [groups.flat(), ...groups].map((keys) => without(filters, keys, context))
      const found = yield* orNothing(search.matchesAny(viewerOf(perspective), alternatives))
      return Option.map(found, ([anywhere = false, ...helps]): LookedWithout => ({
        anywhere,
        helpful: groups.filter((_, index) => helps[index] === true)
      }))
    }
  )

  /** Why filters match nothing. `context`: what they were checked with; `counties`: all that there are. */
  const ofFilters = Effect.fn("SearchExplainer.ofFilters")(function*(
    filters: Filters,
    perspective: Territory.Perspective,
    context: FilterContext,
    counties: ReadonlyArray<County>
  ) {
    const places = yield* placeNotes(filters, perspective, counties)
    const looked = yield* lookWithout(filters, perspective, context)
    const attributes = Option.match(looked, {
      onNone: () => [],
      // A place that is not there is reason enough.
      onSome: (found) => places.length > 0 && !found.anywhere ? [] : attributeNotes(filters, found)
    })
    return [...places, ...attributes].join(" ")
  })

  /** Why free text matches nothing. */
  const ofText = Effect.fn("SearchExplainer.ofText")(function*(
    words: ReadonlyArray<string>,
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>
  ) {
    const visible = Territory.visible(perspective)
    const meaning = meaningOf(words)
    const known = countyOrZip(meaning.place, counties)
    const outside = known === undefined ? [] : outsideOf(perspective, countiesOf(known, counties))
    if (outside.length > 0) return outside.join(" ")
    const cities = Option.getOrElse(yield* citiesLike([nameOf(meaning.place)], visible), () => new Set<string>())
    const city = cityNamed(nameOf(meaning.place), cities)
    const where = city === undefined ? known : cityFilter(city)
    return textNotes(meaning, perspective.organization.features.common_names, where, cities).join(" ")
  })

  return { ofFilters, ofText }
})
