/**
 * Looks up why a search answers nothing, or nothing of a part of what was asked, and says it (`EmptySearch`, `EmptyPlaces`).
 *
 * It is an extra beside an answer that stands already: past its time, or when it cannot be read, less is said. Where everything
 * was found there is nothing to look up.
 */
import { Effect, Option, Result } from "effect"
import { outsideOf } from "../coverage/OutsideArea.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import * as CityNames from "./CityNames.ts"
import * as CountyTable from "./CountyTable.ts"
import {
  countiesAsked,
  emptyZips,
  severalCounties,
  statesLeftAside,
  unknownCity,
  unknownCounty,
  withoutRecords
} from "./EmptyPlaces.ts"
import {
  attributeGroups,
  attributeNotes,
  countiesOf,
  countyOfCode,
  countyOrZip,
  fewerWords,
  type LookedWithout,
  type NamedCity,
  namedCity,
  recordOwnerNote,
  referenceNotes,
  shorterText,
  textNotes,
  wordedNotes,
  wordedOf
} from "./EmptySearch.ts"
import type { FilterContext } from "./FilterContext.ts"
import { orNothing } from "./OrNothing.ts"
import { citiesOfName, parseNamed } from "./PlaceName.ts"
import { type Condition, type County, PropertySearch } from "./PropertySearch.ts"
import { conditionsOf } from "./SearchConditions.ts"
import type { Filters } from "./SearchInput.ts"
import { wordIssues } from "./SearchRequest.ts"
import { inAnySpelling, referenceIn, withoutState, wordsOf } from "./SearchWords.ts"
import { meaningOf } from "./TextMeaning.ts"

/** So many words of records are told in the place of one that they have not. */
const mostWords = 8

/** So many unknown names are each compared with others. */
const mostNames = 3

/** So many zip codes are each looked for. */
const mostZips = 20

/** What is noted on each of the names, which are compared with thousands: others have the thread in between. */
const notesOn = (names: ReadonlyArray<string>, noteOn: (name: string) => ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(names, (name) => Effect.andThen(Effect.yieldNow, Effect.sync(() => noteOn(name)))),
    (notes) => notes.flat()
  )

const nameOf = (text: string): string => parseNamed(text).name

/** The conditions without some of the filters, which leave their places. */
const without = (filters: Filters, keys: ReadonlyArray<string>, context: FilterContext): ReadonlyArray<Condition> => {
  const left: Filters = Object.fromEntries(Object.entries(filters).filter(([key]) => !keys.includes(key)))
  return Result.getOrElse(conditionsOf(left, context), () => [])
}

export const make = Effect.gen(function*() {
  const search = yield* PropertySearch
  const cityNames = yield* CityNames.make

  /** What is wrong with the names and codes of the places. */
  const placeNotes = Effect.fnUntraced(function*(
    filters: Filters,
    perspective: Territory.Perspective,
    context: FilterContext,
    counties: ReadonlyArray<County>
  ) {
    const { cities, counties: seen } = context
    const visible = Territory.visible(perspective)
    const asked = countiesAsked(filters, counties, seen)
    const unknown = asked.unknown.slice(0, mostNames)
    const alike = unknown.length === 0
      ? new Set<string>()
      : Option.getOrElse(yield* cityNames.alike(unknown.map(nameOf), visible), () => new Set<string>())
    return [
      ...outsideOf(perspective, asked.known),
      ...withoutRecords(perspective, asked.known, counties),
      ...asked.several.slice(0, mostNames).map(severalCounties),
      ...yield* notesOn(unknown, (text) => unknownCounty(text, [...seen, ...counties], alike)),
      ...yield* notesOn(cities.unknown.slice(0, mostNames), (text) => unknownCity(text, filters, context)),
      ...statesLeftAside(filters)
    ]
  })

  /** Of several zip codes, those in which nothing lies. `shown`: such as something was found in. */
  const zipNotes = Effect.fnUntraced(function*(
    { zipCodes = [] }: Filters,
    perspective: Territory.Perspective,
    shown: ReadonlySet<string | null>
  ) {
    const asked = new Set(zipCodes)
    const left = Array.from(asked).filter((zip) => !shown.has(zip))
    // The only one is where everything was found that was.
    if (asked.size === 1 || left.length === 0 || left.length > mostZips) return []
    const found = yield* orNothing(
      search.matchesAny(viewerOf(perspective), left.map((zip) => [{ _tag: "Zips", zipCodes: [zip] }]))
    )
    return Option.match(found, {
      onNone: () => [],
      onSome: (there) => emptyZips(left.filter((_, index) => there[index] !== true))
    })
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

  /** What the records have, which all other filters let through, in place of the words that were asked for. */
  const wordsThere = Effect.fnUntraced(function*(
    filters: Filters,
    perspective: Territory.Perspective,
    context: FilterContext,
    looked: Option.Option<LookedWithout>
  ) {
    const fields = Option.match(looked, { onNone: () => [], onSome: (found) => wordedOf(filters, found) })
    const viewer = viewerOf(perspective)
    const notes = yield* Effect.forEach(
      fields,
      ({ field, without: keys }) =>
        Effect.map(
          orNothing(search.wordsFor(field, { viewer, conditions: without(filters, keys, context) }, mostWords)),
          Option.match({ onNone: () => [], onSome: (words) => wordedNotes(field, words) })
        ),
      { concurrency: fields.length }
    )
    return notes.flat()
  })

  /** Whether free text of these words finds something; no where that could not be read. */
  const findsSome = (words: ReadonlyArray<string>, perspective: Territory.Perspective) =>
    Effect.map(
      orNothing(search.countByText({
        viewer: viewerOf(perspective),
        words,
        spellings: [],
        withNames: perspective.organization.features.common_names
      }, 1)),
      Option.match({ onNone: () => false, onSome: (count) => count > 0 })
    )

  /** Rows show the owner of record, which `ownerName` does not look at. */
  const ownerNotes = Effect.fnUntraced(function*({ ownerName = "" }: Filters, perspective: Territory.Perspective) {
    const words = wordsOf(ownerName)
    return wordIssues(words).length === 0 && (yield* findsSome(words, perspective)) ? [recordOwnerNote(words)] : []
  })

  /** Why filters match nothing. `context`: what they were checked with; `counties`: all that there are. */
  const ofFilters = Effect.fn("SearchExplainer.ofFilters")(function*(
    filters: Filters,
    perspective: Territory.Perspective,
    context: FilterContext,
    counties: ReadonlyArray<County>
  ) {
    const places = yield* placeNotes(filters, perspective, context, counties)
    const looked = yield* lookWithout(filters, perspective, context)
    const attributes = Option.match(looked, {
      onNone: () => [],
      // A place that is not there is reason enough.
      onSome: (found) => places.length > 0 && !found.anywhere ? [] : attributeNotes(filters, found)
    })
    const isAnywhere = Option.exists(looked, ({ anywhere }) => anywhere)
    const words = attributes.length === 0 ? [] : yield* wordsThere(filters, perspective, context, looked)
    return [...places, ...attributes, ...words, ...isAnywhere ? yield* ownerNotes(filters, perspective) : []]
  })

  /** Of which of the places of filters nothing is there, though something was found. `shown`: zip codes of what was found. */
  const ofPlaces = Effect.fn("SearchExplainer.ofPlaces")(function*(
    filters: Filters,
    perspective: Territory.Perspective,
    context: FilterContext,
    counties: ReadonlyArray<County>,
    shown: ReadonlySet<string | null>
  ) {
    const places = yield* placeNotes(filters, perspective, context, counties)
    return [...places, ...yield* zipNotes(filters, perspective, shown)]
  })

  /** Why free text matches nothing. */
  const ofText = Effect.fn("SearchExplainer.ofText")(function*(
    query: string,
    perspective: Territory.Perspective,
    counties: ReadonlyArray<County>
  ) {
    const withNames = perspective.organization.features.common_names
    const reference = referenceIn(query)
    if (reference !== undefined) return referenceNotes(reference, withNames)
    const words = wordsOf(query)
    const shorter = withoutState(words)
    if (shorter.length < words.length && (yield* findsSome(shorter, perspective))) {
      return shorterText(shorter, withNames)
    }
    const others = inAnySpelling(shorter)?.words
    if (others !== undefined && (yield* findsSome(others, perspective))) return fewerWords(others, withNames)
    const visible = Territory.visible(perspective)
    const meaning = meaningOf(query)
    const known = countyOrZip(meaning.place, counties)
    const { name: placeName, state } = parseNamed(meaning.place)
    const cities = Option.getOrElse(yield* cityNames.alike([placeName], visible), () => new Set<string>())
    const [city] = citiesOfName(placeName, cities)
    const named: NamedCity = city === undefined
      ? { where: undefined, elsewhere: [] }
      : namedCity(
        city,
        state,
        Option.getOrElse(yield* orNothing(search.citiesNamed([city], visible)), () => [])
      )
    const outside = known === undefined || city !== undefined ? [] : outsideOf(perspective, countiesOf(known, counties))
    if (outside.length > 0) return outside
    const seen = CountyTable.within(counties, visible)
    const where = city === undefined ? known : named.where
    const name = meaning.category === undefined || where !== undefined ? [] : wordsOf(meaning.place)
    return textNotes(meaning, withNames, {
      where,
      elsewhere: named.elsewhere,
      also: city === undefined
        ? countyOfCode(meaning.place, seen)
        : known !== undefined && countiesOf(known, seen).length > 0
        ? known
        : undefined,
      named: name.length > 0 && (yield* findsSome(name, perspective)) ? name : [],
      counties: seen,
      cities
    })
  })

  return { ofFilters, ofPlaces, ofText }
})
