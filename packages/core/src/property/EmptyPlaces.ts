/**
 * What is wrong with the places of a search, in sentences: names that nobody knows, with the nearest that there are; places
 * beyond what the caller sees, or that nothing is recorded of.
 *
 * Counties are told by name wherever they lie, since `service_lookup` lists them for everybody. Of cities and of properties
 * only what the caller sees is told.
 */
import { otherCodes } from "../coverage/FormerCounties.ts"
import { labelOf, listed } from "../coverage/OutsideArea.ts"
import * as Territory from "../coverage/Territory.ts"
import { stateOfCounty } from "../coverage/UsState.ts"
import { quoted, quotedRecord } from "../operation/Excerpt.ts"
import { nearest } from "../operation/Nearest.ts"
import * as CountyTable from "./CountyTable.ts"
import type { FilterContext, KnownCity } from "./FilterContext.ts"
import { citiesOfName, countiesNamed, parseNamed, plainCounty, plainKnownCounty, withoutRemark } from "./PlaceName.ts"
import type { County } from "./PropertySearch.ts"
import type { Filters } from "./SearchInput.ts"
import { countiesMeant } from "./SearchPlaces.ts"

/** A name of counties, and those that have it. */
interface NamedCounties {
  readonly text: string
  readonly found: ReadonlyArray<County>
}

/**
 * The counties of a name: where no state is said and the caller sees one, none that lies elsewhere is meant. `unsaid`: which of
 * several that are not seen.
 */
const countiesOfName = (
  text: string,
  filters: Filters,
  { counties, seen }: { readonly counties: ReadonlyArray<County>; readonly seen: ReadonlyArray<County> }
): NamedCounties & { readonly unsaid: boolean } => {
  const isStateSaid = filters.states !== undefined || parseNamed(text).state !== null
  const own = countiesMeant(text, filters, seen).found
  if (!isStateSaid && own.length > 0) return { text, found: own, unsaid: false }
  const { ambiguous, found } = countiesMeant(text, filters, counties)
  return { text, found, unsaid: ambiguous && own.length === 0 }
}

/**
 * The counties that the filters mean, wherever they lie: by code, and by name. `several`: names of which it is not said whose;
 * `seen`: those of the caller's area.
 */
export const countiesAsked = (
  filters: Filters,
  counties: ReadonlyArray<County>,
  seen: ReadonlyArray<County>
): {
  readonly known: ReadonlyArray<County>
  readonly several: ReadonlyArray<NamedCounties>
  readonly unknown: ReadonlyArray<string>
} => {
  const byCode = CountyTable.byCode(counties)
  const named = (filters.countyNames ?? []).map((text) => countiesOfName(text, filters, { counties, seen }))
  return {
    known: [
      ...(filters.countyFips ?? []).map((countyFips) =>
        byCode.get(countyFips) ?? { countyFips, name: null, state: null }
      ),
      ...named.flatMap(({ found, unsaid }) => unsaid ? [] : found)
    ],
    several: named.filter(({ unsaid }) => unsaid),
    unknown: named.flatMap(({ found, text }) => found.length === 0 ? [text] : [])
  }
}

/** Which one is meant is for the caller to say: nobody asks for all of them. */
export const severalCounties = ({ found, text }: NamedCounties): string =>
  `Several counties are called ${quoted(text)}, none of them yours. Say which, by state or countyFips: ${
    listed(found.map(labelOf))
  }.`

const underOtherCodes = (codes: ReadonlyArray<string>): ReadonlyArray<string> =>
  codes.length === 0
    ? []
    : [
      `Counties there were renamed or divided anew, and records of them are under ${
        listed(Array.from(new Set(codes)))
      }.`
    ]

/** Counties of the caller's own area that nothing is recorded of. */
export const withoutRecords = (
  perspective: Territory.Perspective,
  asked: ReadonlyArray<County>,
  counties: ReadonlyArray<County>
): ReadonlyArray<string> => {
  const recorded = CountyTable.byCode(counties)
  const empty = asked.filter(({ countyFips }) => !recorded.has(countyFips) && Territory.sees(perspective, countyFips))
  return empty.length === 0
    ? []
    : [
      `Nothing is recorded of ${listed(empty.map(({ countyFips }) => countyFips))} yet.`,
      ...underOtherCodes(
        empty.flatMap(({ countyFips }) => otherCodes(countyFips)).filter((code) =>
          recorded.has(code) && Territory.sees(perspective, code)
        )
      ),
      "service_get_coverage lists the counties with records."
    ]
}

/** Places that are neither names nor codes of counties. */
const unnamedPlaces = ["zipCodes", "within", "near"] as const

/** `states` narrows names: beside none of them it is not heeded, and codes of counties never heed it. */
export const statesLeftAside = (filters: Filters): ReadonlyArray<string> => {
  const { cities, countyFips = [], countyNames, states } = filters
  const unnamed = unnamedPlaces.filter((key) => filters[key] !== undefined)
  if (states !== undefined && unnamed.length > 0 && countyFips.length === 0 && (cities ?? countyNames) === undefined) {
    return [`states narrows cities and countyNames, not ${unnamed.join(" and ")}: it was left aside.`]
  }
  const others = countyFips.flatMap((code) => {
    const state = stateOfCounty(code)
    return states === undefined || state === undefined || states.includes(state) ? [] : [`${code} (${state})`]
  })
  return others.length === 0
    ? []
    : [
      `states narrows cities and countyNames, not countyFips: ${listed(others)} ${
        others.length === 1 ? "is" : "are"
      } of another state.`
    ]
}

/** Where else there may be something: of a place that is no county nobody knows in which one it lies. */
export const beyond =
  "service_get_coverage lists the counties that there are, yours first. service_request_coverage asks for others."

/** Nothing lies in a box. */
export const emptyBox: ReadonlyArray<string> = ["No property that you see lies in the box.", beyond]

/** Zip codes in which nothing lies, beside others. */
export const emptyZips = (zips: ReadonlyArray<string>): ReadonlyArray<string> =>
  zips.length === 0 ? [] : [`No property that you see lies in ${listed(zips)}.`, beyond]

/** The first of the counties whose name is most like this one, of the state if one was said and has one. */
export const countyLike = (text: string, counties: ReadonlyArray<County>): string | undefined => {
  const { name, state } = parseNamed(text)
  const there = state === null ? undefined : likeAmong(name, counties.filter((county) => county.state === state))
  return there ?? likeAmong(name, counties)
}

const likeAmong = (name: string, counties: ReadonlyArray<County>): string | undefined => {
  const named = new Map<string, County>()
  for (const county of counties) {
    if (county.name === null) continue
    const plain = plainKnownCounty(county.name)
    if (!named.has(plain)) named.set(plain, county)
  }
  const meant = named.get(nearest(plainCounty(name), named.keys()) ?? "")
  return meant === undefined ? undefined : `${meant.name}, ${meant.state}`
}

/** A name that no county has. `counties`: the caller's own first; `cities`: those of the caller's area, in lower case. */
export const unknownCounty = (
  text: string,
  counties: ReadonlyArray<County>,
  cities: Iterable<string>
): ReadonlyArray<string> => {
  const { name } = parseNamed(text)
  if (countiesNamed(name, counties).length === 0 && cityNamed(name, cities) !== undefined) {
    return [`${quoted(text)} is a city: send it as cities.`]
  }
  const like = countyLike(text, counties)
  return like === undefined
    ? [`No county is called ${quoted(text)}.`, "service_lookup with kind counties lists them."]
    : [`No county is called ${quoted(text)}; did you mean ${quotedRecord(like)}?`]
}

/** Each word with a capital, as cities are written. */
export const titled = (name: string): string => name.replaceAll(/(^|[\s-])\p{Ll}/gu, (letter) => letter.toUpperCase())

/** The name of one of the cities that is most like this one; remarks of sources do not count. */
export const cityLike = (name: string, known: Iterable<string>): string | undefined => {
  const byName = new Map(Array.from(known, (city) => [withoutRemark(city), city] as const))
  return byName.get(nearest(name, byName.keys()) ?? "")
}

/** The city of that name; remarks of sources do not count. */
const cityNamed = (name: string, known: Iterable<string>): string | undefined => citiesOfName(name, known)[0]

/** The city as a search takes it in each of its states; without one where none is known. */
export const inEachState = (city: string, known: ReadonlyArray<KnownCity>): ReadonlyArray<string> => {
  const states = new Set(known.flatMap((each) => each.city === city ? [each.state] : []))
  return states.size === 0 ? [titled(city)] : Array.from(states).sort().map((state) => `${titled(city)}, ${state}`)
}

/** Places by names of records, of which one is meant. */
export const eitherOf = (names: ReadonlyArray<string>): string => names.map(quotedRecord).join(" or ")

/** A name that no city of the caller's area has in the state that was asked, if one was. */
export const unknownCity = (
  text: string,
  { states }: Filters,
  { cities: { alike, states: places }, counties }: FilterContext
): ReadonlyArray<string> => {
  const { name, state } = parseNamed(text)
  const known = alike ?? new Set<string>()
  const several = cityNamed(name, known)
  if (several === undefined && countiesNamed(name, counties).length > 0) {
    return [`${quoted(text)} is a county: send it as countyNames.`]
  }
  const like = several ?? cityLike(name, known)
  const isAnywhere = state === null && states === undefined
  const meant = like === undefined ? [] : isAnywhere ? [titled(like)] : inEachState(like, places)
  const there = state === null && states !== undefined ? ` in ${states.join(" or ")}` : ""
  return [
    `No property that you see lies in a city called ${quoted(text)}${there}${
      meant.length === 0 ? "." : `; did you mean ${eitherOf(meant)}?`
    }`
  ]
}
