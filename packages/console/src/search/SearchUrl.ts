/**
 * A search as the query string of an address, so that it can be kept, shared and gone back to.
 *
 * `q` are words; every other filter has the name that it has in the API. A filter with several values stands several times,
 * one with parts is JSON. `box` is the part of the map that is searched: west, south, east, north. What cannot be read is
 * left out.
 */
import type { Input } from "../service/Call.ts"

type SearchInput = Input<"service_search_properties">

export type Filters = NonNullable<SearchInput["filters"]>

/** A box of longitudes and latitudes. */
export type Bounds = NonNullable<SearchInput["bounds"]>

export interface SearchState {
  /** Empty: by filters. */
  readonly words: string
  readonly filters: Filters
  /** The part of the map that is searched, while the search follows it. */
  readonly box: Bounds | null
  readonly sortBy: SearchInput["sortBy"]
  readonly sortOrder: SearchInput["sortOrder"]
}

type Kind = "texts" | "text" | "number" | "flag" | "parts"

/** How each filter is written. */
export const filterKinds: Readonly<Record<keyof Filters, Kind>> = {
  countyFips: "texts",
  countyNames: "texts",
  zipCodes: "texts",
  cities: "texts",
  states: "texts",
  within: "parts",
  near: "parts",
  categories: "texts",
  subcategories: "texts",
  minBuildingSqft: "number",
  maxBuildingSqft: "number",
  minLotSqft: "number",
  maxLotSqft: "number",
  minRoofAreaSqft: "number",
  maxRoofAreaSqft: "number",
  minLandscapableSqft: "number",
  maxLandscapableSqft: "number",
  minBuildingFootprintSqft: "number",
  maxBuildingFootprintSqft: "number",
  minYearBuilt: "number",
  maxYearBuilt: "number",
  minEffectiveYearBuilt: "number",
  maxEffectiveYearBuilt: "number",
  minNumFloors: "number",
  maxNumFloors: "number",
  minTotalUnits: "number",
  maxTotalUnits: "number",
  minContactCount: "number",
  maxContactCount: "number",
  minPropertyValue: "number",
  maxPropertyValue: "number",
  lastSaleAfter: "text",
  lastSaleBefore: "text",
  updatedAfter: "text",
  lastEnrichedAfter: "text",
  lastEnrichedBefore: "text",
  ownerName: "text",
  commonName: "text",
  organizationId: "text",
  organizationRole: "text",
  hasPool: "flag",
  hasSprinklers: "flag",
  hasContacts: "flag",
  hasEmailContact: "flag",
  hasPhoneContact: "flag",
  researchState: "texts",
  enrichmentStatus: "texts",
  primaryConstructionType: "texts",
  roofCover: "texts",
  roofShape: "texts",
  heatingType: "texts",
  coolingType: "texts",
  inListId: "text",
  notInListId: "text",
  pipelineStatus: "texts",
  customerStatus: "text",
  changedKinds: "texts",
  changedWithinDays: "number",
  includeUnknown: "texts"
}

const kinds = new Map<string, Kind>(Object.entries(filterKinds))

/** Whether a part has the shape of one: what its values are worth, the server says. */
const isPart = (value: unknown): boolean =>
  typeof value === "object" && value !== null &&
  ("coordinates" in value
    ? Array.isArray(value.coordinates)
    : "lat" in value && "lon" in value && "radiusMeters" in value &&
      [value.lat, value.lon, value.radiusMeters].every(Number.isFinite))

const parts = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return isPart(value) ? value : undefined
  } catch {
    return undefined
  }
}

const readers: Readonly<Record<Kind, (values: ReadonlyArray<string>) => unknown>> = {
  texts: (values) => values,
  text: ([value]) => value,
  number: ([value = ""]) => /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined,
  flag: ([value]) => value === "true" ? true : value === "false" ? false : undefined,
  parts: ([value = ""]) => parts(value)
}

const writers: Readonly<Record<Kind, (value: unknown) => ReadonlyArray<string>>> = {
  texts: (value) => Array.isArray(value) ? value.map(String) : [],
  text: (value) => [String(value)],
  number: (value) => [String(value)],
  flag: (value) => [String(value)],
  parts: (value) => [JSON.stringify(value)]
}

type SortKey = NonNullable<SearchInput["sortBy"]>

/** Every order that results can have, and what it is called. */
export const sortWords: Readonly<Record<SortKey, string>> = {
  relevance: "most people",
  commonName: "name",
  lotSqft: "lot",
  buildingSqft: "building",
  totalUnits: "units",
  contactCount: "people",
  landscapableSqft: "landscapable",
  roofAreaSqft: "roof",
  buildingFootprintSqft: "footprint",
  yearBuilt: "year built",
  numFloors: "floors",
  ownerName: "owner's name",
  propertyValue: "value",
  updatedAt: "record updated",
  lastEnrichedAt: "researched",
  lastSaleDate: "last sale",
  address: "address",
  city: "city",
  owner: "owner of record"
}

type SortOrder = NonNullable<SearchInput["sortOrder"]>

const ofNumbers: Readonly<Record<SortOrder, string>> = { asc: "lowest first", desc: "highest first" }
const ofTexts: typeof ofNumbers = { asc: "A to Z", desc: "Z to A" }
const ofTimes: typeof ofNumbers = { asc: "oldest first", desc: "newest first" }

/** What both ways of an order are called; of those that are not named, by numbers. */
const orderWords: Readonly<Partial<Record<SortKey, typeof ofNumbers>>> = {
  commonName: ofTexts,
  ownerName: ofTexts,
  address: ofTexts,
  city: ofTexts,
  owner: ofTexts,
  yearBuilt: ofTimes,
  updatedAt: ofTimes,
  lastEnrichedAt: ofTimes,
  lastSaleDate: ofTimes
}

/** What the way is called in which results are ordered. */
export const orderWord = (sortBy: SearchInput["sortBy"], order: SortOrder): string =>
  (orderWords[sortBy ?? "relevance"] ?? ofNumbers)[order]

export const isSortKey = (value: string): value is SortKey => Object.hasOwn(sortWords, value)

export const orders = ["asc", "desc"] as const satisfies ReadonlyArray<SearchInput["sortOrder"]>

/** Whether they are filters by their names; what their values are worth, the server says. */
const areFilters = (value: object): value is Filters =>
  Object.keys(value).every((name) => Object.hasOwn(filterKinds, name))

const noFilters: Filters = {}

/** The filters that are set, with some of them changed; undefined clears one. */
export const withFilters = (
  filters: Filters,
  changes: { readonly [Name in keyof Filters]?: Filters[Name] | undefined }
): Filters => {
  const kept = Object.fromEntries(Object.entries({ ...filters, ...changes }).filter(([, value]) => value !== undefined))
  return areFilters(kept) ? kept : noFilters
}

/** Whether an area was drawn on the map. */
export const isDrawn = ({ near, within }: Filters): boolean => near !== undefined || within !== undefined

/** Digits of a degree behind the point: about a metre. */
const precision = 5

const locations = ["countyFips", "countyNames", "zipCodes", "cities", "within", "near"] as const

/** Whether words are looked for: of two letters or more. Until then the filters are what is asked. */
export const hasWords = ({ words }: Pick<SearchState, "words">): boolean => words.trim().length >= 2

/** Whether there is something to search for: words, or a place. */
export const isAsking = (state: SearchState): boolean =>
  hasWords(state) || state.box !== null || locations.some((name) => state.filters[name] !== undefined)

const parseBox = (text: string | null): Bounds | null => {
  const numbers = (text ?? "").split(",").map((part) => part === "" ? NaN : Number(part))
  const [west, south, east, north] = numbers
  return numbers.length !== 4 || west === undefined || south === undefined || east === undefined ||
      north === undefined || !numbers.every(Number.isFinite) || south >= north
    ? null
    : { west, south, east, north }
}

const writeBox = ({ east, north, south, west }: Bounds): string =>
  [west, south, east, north].map((value) => String(Number(value.toFixed(precision)))).join(",")

export const parse = (search: URLSearchParams): SearchState => {
  const filters = Object.fromEntries(
    Object.entries(filterKinds).flatMap(([name, kind]) => {
      const values = search.getAll(name)
      const value = values.length === 0 ? undefined : readers[kind](values)
      return value === undefined ? [] : [[name, value] as const]
    })
  )
  const sortBy = search.get("sortBy")
  return {
    words: search.get("q") ?? "",
    filters: areFilters(filters) ? filters : noFilters,
    box: parseBox(search.get("box")),
    sortBy: sortBy !== null && isSortKey(sortBy) ? sortBy : undefined,
    sortOrder: orders.find((order) => order === search.get("sortOrder"))
  }
}

const boundsOf = (value: unknown): Bounds | null =>
  typeof value === "object" && value !== null && "west" in value && "south" in value && "east" in value &&
    "north" in value
    ? parseBox([value.west, value.south, value.east, value.north].map(String).join(","))
    : null

/** Filters as the service has them; none where they are no filters. */
export const filtersOf = (value: unknown): Filters =>
  typeof value === "object" && value !== null && areFilters(value) ? value : noFilters

/** A search that is kept as the service's own arguments. */
export const stateOf = (search: Readonly<Record<string, unknown>>): SearchState => ({
  words: typeof search["query"] === "string" ? search["query"] : "",
  filters: filtersOf(search["filters"]),
  box: boundsOf(search["bounds"]),
  sortBy: typeof search["sortBy"] === "string" && isSortKey(search["sortBy"]) ? search["sortBy"] : undefined,
  sortOrder: orders.find((order) => order === search["sortOrder"])
})

export const write = ({ box, filters, sortBy, sortOrder, words }: SearchState): URLSearchParams => {
  const search = new URLSearchParams()
  if (words !== "") search.set("q", words)
  for (const [name, value] of Object.entries(filters)) {
    const kind = kinds.get(name)
    if (kind !== undefined) { for (const each of writers[kind](value)) search.append(name, each) }
  }
  if (box !== null) search.set("box", writeBox(box))
  if (sortBy !== undefined) search.set("sortBy", sortBy)
  if (sortOrder !== undefined) search.set("sortOrder", sortOrder)
  return search
}
