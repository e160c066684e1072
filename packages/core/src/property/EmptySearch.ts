/**
 * Why a search answers nothing, or nothing of a part of what was asked, in sentences: names that nobody knows, with the
 * nearest that there are; places beyond what the caller sees; what free text does not look at; filters that exclude each
 * other.
 *
 * Counties are told by name wherever they lie, since `service_lookup` lists them for everybody. Of cities and of properties
 * only what the caller sees is told.
 */
import { otherCodes } from "../coverage/FormerCounties.ts"
import { listed } from "../coverage/OutsideArea.ts"
import * as Territory from "../coverage/Territory.ts"
import { stateOfCounty } from "../coverage/UsState.ts"
import { excerpt } from "../operation/Excerpt.ts"
import { nearest } from "../operation/Nearest.ts"
import { isUsualSubcategory, likeSubcategories } from "./CategoryWords.ts"
import * as CountyTable from "./CountyTable.ts"
import type { FilterContext, KnownCity } from "./FilterContext.ts"
import { citiesOfName, countiesNamed, parseNamed, plainCounty, plainKnownCounty, withoutRemark } from "./PlaceName.ts"
import type { County, WordedField } from "./PropertySearch.ts"
import type { Filters } from "./SearchInput.ts"
import { countiesMeant, locationKeys } from "./SearchPlaces.ts"
import type { TextMeaning } from "./TextMeaning.ts"

const quoted = (text: string): string => `"${excerpt(text)}"`

/** The counties that the filters mean, wherever they lie: by code, and by name. */
export const countiesAsked = (
  filters: Filters,
  counties: ReadonlyArray<County>
): { readonly known: ReadonlyArray<County>; readonly unknown: ReadonlyArray<string> } => {
  const byCode = CountyTable.byCode(counties)
  const named = (filters.countyNames ?? []).map((text) => ({ text, ...countiesMeant(text, filters, counties) }))
  return {
    known: [
      ...(filters.countyFips ?? []).map((countyFips) =>
        byCode.get(countyFips) ?? { countyFips, name: null, state: null }
      ),
      ...named.flatMap(({ found }) => found)
    ],
    unknown: named.flatMap(({ found, text }) => found.length === 0 ? [text] : [])
  }
}

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

/** Codes of counties do not heed `states`, which narrows names. */
export const statesLeftAside = ({ countyFips = [], states }: Filters): ReadonlyArray<string> => {
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
const beyond =
  "service_get_coverage lists the counties that there are, yours first. service_request_coverage asks for others."

/** Nothing lies in a box. */
export const emptyBox: ReadonlyArray<string> = ["No property that you see lies in the box.", beyond]

/** Zip codes in which nothing lies, beside others. */
export const emptyZips = (zips: ReadonlyArray<string>): ReadonlyArray<string> =>
  zips.length === 0 ? [] : [`No property that you see lies in ${listed(zips)}.`, beyond]

/** The first of the counties whose name is most like this one, of the state if one was said and has one. */
const countyLike = (text: string, counties: ReadonlyArray<County>): string | undefined => {
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
    : [`No county is called ${quoted(text)}; did you mean ${quoted(like)}?`]
}

/** Each word with a capital, as cities are written. */
const titled = (name: string): string => name.replaceAll(/(^|[\s-])\p{Ll}/gu, (letter) => letter.toUpperCase())

/** The name of one of the cities that is most like this one; remarks of sources do not count. */
const cityLike = (name: string, known: Iterable<string>): string | undefined => {
  const byName = new Map(Array.from(known, (city) => [withoutRemark(city), city] as const))
  return byName.get(nearest(name, byName.keys()) ?? "")
}

/** The city of that name; remarks of sources do not count. */
const cityNamed = (name: string, known: Iterable<string>): string | undefined => citiesOfName(name, known)[0]

/** The city as a search takes it in each of its states; without one where none is known. */
const inEachState = (city: string, known: ReadonlyArray<KnownCity>): ReadonlyArray<string> => {
  const states = new Set(known.flatMap((each) => each.city === city ? [each.state] : []))
  return states.size === 0 ? [titled(city)] : Array.from(states).sort().map((state) => `${titled(city)}, ${state}`)
}

const eitherOf = (names: ReadonlyArray<string>): string => names.map(quoted).join(" or ")

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

/** Keys that mean nothing without each other go together. */
const together: ReadonlyArray<ReadonlyArray<keyof Filters>> = [
  ["organizationId", "organizationRole"],
  ["changedKinds", "changedWithinDays"],
  ["lastSaleAfter", "lastSaleBefore"],
  ["lastEnrichedAfter", "lastEnrichedBefore"]
]

const places: ReadonlySet<string> = new Set([...locationKeys, "states", "includeUnknown"])

const groupOf = (key: string): string =>
  together.find((keys) => keys.some((each) => each === key))?.[0] ?? key.replace(/^(min|max)(?=[A-Z])/, "")

/** So many filters are each left out for a look. */
const mostGroups = 12

/** The filters beside the places, in groups of what is left out at once. */
export const attributeGroups = (filters: Filters): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from(
    Map.groupBy(Object.keys(filters).filter((key) => !places.has(key)), groupOf).values()
  ).slice(0, mostGroups)

const said = (group: ReadonlyArray<string>): string => group.join(" and ")

/** What looking without each of the filters found. */
export interface LookedWithout {
  /** Whether anything lies in the places at all. */
  readonly anywhere: boolean
  /** The groups without which something matches. */
  readonly helpful: ReadonlyArray<ReadonlyArray<string>>
}

/** The filters whose values are in the words of the sources, so that nobody knows them beforehand. */
const worded: ReadonlyArray<WordedField> = [
  "primaryConstructionType",
  "roofCover",
  "roofShape",
  "heatingType",
  "coolingType"
]

/** So many of them are each looked at. */
const mostWordedFilters = 2

/**
 * Those of the filters that let nothing through, each with the keys to leave out to see what there is: itself where that helps, and all of
 * them where no single one does.
 */
export const wordedOf = (
  filters: Filters,
  { anywhere, helpful }: LookedWithout
): ReadonlyArray<{ readonly field: WordedField; readonly without: ReadonlyArray<string> }> => {
  const asked = anywhere ? worded.filter((field) => filters[field] !== undefined) : []
  const found = helpful.length === 0
    ? asked.map((field) => ({ field, without: asked }))
    : asked.filter((field) => helpful.some((group) => group.includes(field))).map((field) => ({
      field,
      without: [field]
    }))
  return found.slice(0, mostWordedFilters)
}

/** What records have where one of those filters let nothing through; nothing where they have nothing. */
export const wordedNotes = (field: WordedField, words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.length === 0 ? [] : [`Records there have ${field} ${words.map(quoted).join(", ")}.`]

/** What the filters beside the places do. */
export const attributeNotes = (filters: Filters, { anywhere, helpful }: LookedWithout): ReadonlyArray<string> => {
  if (!anywhere) {
    const several = locationKeys.filter((key) => filters[key] !== undefined)
    return several.length > 1
      ? [`No property that you see lies in all of ${several.join(", ")}: between keys all must hold.`]
      : ["No property that you see lies there.", beyond]
  }
  const subcategory = helpful.some((group) => group.includes("subcategories"))
    ? filters.subcategories?.find((name) => !isUsualSubcategory(name))
    : undefined
  return [
    "Properties lie there, but none fits every filter.",
    helpful.length === 0
      ? "Leaving out a single one does not help: leave out several, count_only is a cheap look."
      : `Without ${helpful.map(said).join(", or without ")} there are some.`,
    ...subcategory === undefined
      ? []
      : [`Subcategories are as records have them${likeSubcategories(subcategory)}`.replace(/[^?]$/, "$&.")]
  ]
}

/** A place of the caller's area as a filter: several values where cities of one name are meant. */
export interface PlaceFilter {
  readonly key: "countyNames" | "countyFips" | "cities" | "zipCodes"
  readonly values: ReadonlyArray<string>
}

/** The place as a county or zip code, none for another. */
export const countyOrZip = (place: string, counties: ReadonlyArray<County>): PlaceFilter | undefined => {
  if (/^\d{5}$/.test(place)) return { key: "zipCodes", values: [place] }
  const { name, state } = parseNamed(place)
  const [county, ...others] = countiesNamed(name, counties).filter((each) => state === null || each.state === state)
  return county?.name === null || county === undefined || others.length > 0
    ? undefined
    : { key: "countyNames", values: [`${county.name}, ${county.state}`] }
}

/** The county of such a filter, as it is recorded. */
export const countiesOf = ({ key, values }: PlaceFilter, counties: ReadonlyArray<County>): ReadonlyArray<County> =>
  key === "countyNames" ? counties.filter(({ name, state }) => values.includes(`${name}, ${state}`)) : []

/** A county by its code, which looks like a zip code. */
export const countyOfCode = (code: string, counties: ReadonlyArray<County>): PlaceFilter | undefined =>
  counties.some(({ countyFips }) => countyFips === code) ? { key: "countyFips", values: [code] } : undefined

/** What a city that a text names is, by the state beside it, if there is one. */
export interface NamedCity {
  /** As a filter; undefined: the city does not lie in that state. */
  readonly where: PlaceFilter | undefined
  /** Where it lies instead. */
  readonly elsewhere: ReadonlyArray<string>
}

/** The city of a text; without a state each city of the name is meant. `known`: its states in the caller's area. */
export const namedCity = (city: string, state: string | null, known: ReadonlyArray<KnownCity>): NamedCity => {
  const places = inEachState(city, known)
  const there = state === null ? undefined : places.find((place) => place === `${titled(city)}, ${state}`)
  if (there !== undefined) return { where: { key: "cities", values: [there] }, elsewhere: [] }
  if (state !== null && known.length > 0) return { where: undefined, elsewhere: places }
  // One alone needs no state.
  return { where: { key: "cities", values: places.length > 1 ? places : [titled(city)] }, elsewhere: [] }
}

/** What the place of a free text is. */
export interface TextPlace {
  readonly where: PlaceFilter | undefined
  /** A county of the same name as the city, or of the same digits as the zip code. */
  readonly also: PlaceFilter | undefined
  /** A city of that name in other states than the text says. */
  readonly elsewhere: ReadonlyArray<string>
  /** Words of it that free text finds something by, without the category. */
  readonly named: ReadonlyArray<string>
  /** Where it is none: the counties of the caller's area. */
  readonly counties: ReadonlyArray<County>
  /** And cities of it. */
  readonly cities: ReadonlySet<string>
}

const looksAt = (withNames: boolean): string =>
  `Free text looks at address, city and owner${withNames ? ", and at the common name" : ""}`

const nothingSaid = (withNames: boolean): string =>
  `${looksAt(withNames)}: no property that you see has all of these words there.`

const asQuery = (words: ReadonlyArray<string>): string => `query ${JSON.stringify(words.join(" "))}`

/** Of an address, what finds it without its state and zip code. */
export const shorterText = (words: ReadonlyArray<string>, withNames: boolean): ReadonlyArray<string> => [
  `${looksAt(withNames)}, and knows no states and zip codes: send ${asQuery(words)}.`
]

/** The same without the kind of street and directions. */
export const fewerWords = (words: ReadonlyArray<string>, withNames: boolean): ReadonlyArray<string> => [
  `${nothingSaid(withNames)} Without the kind of street and directions, ${asQuery(words)} finds some.`
]

/** Of an owner's name that finds nothing as the assessor's, and something as words. */
export const recordOwnerNote = (words: ReadonlyArray<string>): string =>
  `ownerName is the owner as the assessor has it; the column owner is the owner of record, which free text looks at: ${
    asQuery(words)
  } finds some.`

/** An id or a key is no free text. */
export const referenceNotes = (reference: string, withNames: boolean): ReadonlyArray<string> => [
  nothingSaid(withNames),
  `service_get_property reads a property by its id or key: ${JSON.stringify({ id: reference })}.`
]

/** What free text does not know of this one; undefined: nothing. */
const notKnown = ({ category }: TextMeaning, where: PlaceFilter | undefined): string | undefined =>
  category !== undefined
    ? "categories"
    : where?.key === "countyNames"
    ? "counties"
    : where?.key === "zipCodes"
    ? "zip codes"
    : undefined

/** What to send instead of the free text. */
export const textNotes = (
  meaning: TextMeaning,
  withNames: boolean,
  { also, cities, counties, elsewhere, named, where }: TextPlace
): ReadonlyArray<string> => {
  const { category, other, place } = meaning
  const filtersOf = (at: PlaceFilter | undefined) =>
    JSON.stringify({
      ...at === undefined ? {} : { [at.key]: at.values },
      ...category === undefined ? {} : { [category.key]: [category.value] }
    })
  const city = where === undefined ? cityLike(place, cities) : undefined
  // Other words than a category and a place are too often the name of somebody.
  const county = where === undefined && city === undefined && category !== undefined
    ? countyLike(place, counties)
    : undefined
  const nearestPlace = elsewhere.length > 0
    ? [`Did you mean the city ${eitherOf(elsewhere)}?`]
    : city !== undefined
    ? [`Did you mean the city ${quoted(titled(city))}?`]
    : county !== undefined
    ? [`Did you mean the county ${quoted(county)}?`]
    : []
  const unknown = notKnown(meaning, where)
  if (unknown === undefined) return [nothingSaid(withNames), ...nearestPlace]
  const instead = where === undefined
    ? `use filters with a location and ${filtersOf(where)}`
    : `use filters ${filtersOf(where)}`
  return [
    `${looksAt(withNames)}, and knows no ${unknown}: ${instead} instead of query.`,
    ...named.length === 0 ? [] : [`Without the category, ${asQuery(named)} finds some.`],
    ...other === "" ? [] : [`For ${quoted(other)} look among the other filters.`],
    ...also === undefined
      ? []
      : [`${eitherOf(also.values)} is a county: for all of it use filters ${filtersOf(also)}.`],
    ...nearestPlace
  ]
}
