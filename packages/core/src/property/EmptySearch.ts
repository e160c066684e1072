/**
 * Why a search answers nothing, or nothing of a part of what was asked, in sentences: what free text does not look at; filters
 * that exclude each other. `EmptyPlaces` tells of their places.
 */
import { quoted, quotedRecord } from "../operation/Excerpt.ts"
import { isUsualSubcategory, likeSubcategories } from "./CategoryWords.ts"
import { beyond, cityLike, countyLike, eitherOf, inEachState, titled } from "./EmptyPlaces.ts"
import type { KnownCity } from "./FilterContext.ts"
import { countiesNamed, parseNamed } from "./PlaceName.ts"
import type { County, WordedField } from "./PropertySearch.ts"
import type { Filters } from "./SearchInput.ts"
import { locationKeys } from "./SearchPlaces.ts"
import type { TextMeaning } from "./TextMeaning.ts"

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
  words.length === 0 ? [] : [`Records there have ${field} ${words.map(quotedRecord).join(", ")}.`]

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
    ? [`Did you mean the city ${quotedRecord(titled(city))}?`]
    : county !== undefined
    ? [`Did you mean the county ${quotedRecord(county)}?`]
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
