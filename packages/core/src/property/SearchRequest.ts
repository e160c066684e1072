/**
 * From the arguments of a search to a checked query: the rules between fields, what the plan may use, and the sort.
 *
 * What a caller may not see must not show through a filter or a sort: values that the plan withholds cannot be asked
 * for, and attributions found by research count only at revealed properties. decisions, sections 1, 8 and 20.
 */
import { DateTime, Result } from "effect"
import type { Organization } from "../access/Organization.ts"
import { type InputIssue, InvalidInput } from "../operation/InvalidInput.ts"
import { SignalsNotEnabled } from "../webhook/WebhookRefusals.ts"
import { assetCategoryNamed } from "./AssetCategory.ts"
import type { Condition, County, RangeField, Sort, SortColumn } from "./PropertySearch.ts"
import type { Bounds, Filters, SearchInput, SortKey, SortOrder } from "./SearchInput.ts"
import { maximumOffset, PropertyChangeKind } from "./SearchInput.ts"
import { AmbiguousSearchMode, MissingQueryBoundsOrCounty } from "./SearchRefusals.ts"

const maximumSpanDegrees = 5
const maximumPolygonPoints = 1000

/** The sort columns behind the words of `sortBy`, and the direction when none is given. */
const sorts: Readonly<Record<SortKey, { readonly column: SortColumn; readonly direction: SortOrder }>> = {
  relevance: { column: "contactCount", direction: "desc" },
  commonName: { column: "commonName", direction: "asc" },
  lotSqft: { column: "lotSqft", direction: "desc" },
  buildingSqft: { column: "buildingSqft", direction: "desc" },
  totalUnits: { column: "totalUnits", direction: "desc" },
  contactCount: { column: "contactCount", direction: "desc" },
  landscapableSqft: { column: "landscapableSqft", direction: "desc" },
  roofAreaSqft: { column: "roofAreaSqft", direction: "desc" },
  buildingFootprintSqft: { column: "footprintArea", direction: "desc" },
  yearBuilt: { column: "yearBuilt", direction: "desc" },
  numFloors: { column: "numFloors", direction: "desc" },
  ownerName: { column: "ownerName", direction: "asc" },
  propertyValue: { column: "totalParval", direction: "desc" },
  updatedAt: { column: "updatedAt", direction: "desc" },
  lastEnrichedAt: { column: "lastEnrichedAt", direction: "desc" },
  lastSaleDate: { column: "lastSaleDate", direction: "desc" },
  address: { column: "rawAddress", direction: "asc" },
  city: { column: "city", direction: "asc" },
  owner: { column: "recordOwner", direction: "asc" }
}

const premium: ReadonlySet<string> = new Set([
  "propertyValue",
  "minPropertyValue",
  "maxPropertyValue",
  "lastSaleDate",
  "lastSaleAfter",
  "lastSaleBefore"
])

const notOnPlan = (field: string): InputIssue => ({ field, message: "Not available on your plan" })

/** Whether the plan withholds the data behind a filter or sort key. */
export const withheld = (key: string, organization: Organization): boolean =>
  premium.has(key) && !organization.features.premium_values ||
  key === "commonName" && !organization.features.common_names

export type SearchMode =
  | { readonly _tag: "Text"; readonly query: string }
  | { readonly _tag: "Filters"; readonly filters: Filters }
  | { readonly _tag: "Bounds"; readonly bounds: Bounds }

const locationKeys = ["countyFips", "countyNames", "zipCodes", "cities", "within", "near"] as const

/** Which of the three searches is asked for. */
export const modeOf = (
  input: SearchInput
): Result.Result<SearchMode, AmbiguousSearchMode | MissingQueryBoundsOrCounty | InvalidInput> => {
  const given = (["query", "filters", "bounds"] as const).filter((key) => input[key] !== undefined)
  if (given.length > 1) {
    return Result.fail(
      new AmbiguousSearchMode({
        issues: given.slice(1).map((field) => ({ field, message: "Expected exactly one of query, filters, bounds" }))
      })
    )
  }
  if (input.query !== undefined) {
    const issues: Array<InputIssue> = []
    if (input.query.trim().length === 0) return Result.fail(MissingQueryBoundsOrCounty.at("query"))
    if (input.query.trim().length < 2) issues.push({ field: "query", message: "Expected at least 2 characters" })
    if (input.offset !== undefined) issues.push({ field: "offset", message: "Free text pages with cursor, not offset" })
    return issues.length > 0
      ? Result.fail(new InvalidInput({ issues }))
      : Result.succeed({ _tag: "Text", query: input.query })
  }
  if (input.filters === undefined && input.bounds === undefined) {
    return Result.fail(MissingQueryBoundsOrCounty.at(null))
  }
  const issues: Array<InputIssue> = []
  if (input.cursor !== undefined) {
    issues.push({ field: "cursor", message: "Location and map searches page with offset, not cursor" })
  }
  if (input.offset !== undefined && input.offset > maximumOffset) {
    issues.push({
      field: "offset",
      message: `Expected at most ${maximumOffset}, since deeper pages cost more than they find; narrow the search`
    })
  }
  const { bounds, filters } = input
  if (bounds !== undefined) issues.push(...boundsIssues(bounds))
  if (filters !== undefined && locationKeys.every((key) => filters[key] === undefined)) {
    return Result.fail(MissingQueryBoundsOrCounty.at("filters"))
  }
  if (issues.length > 0) return Result.fail(new InvalidInput({ issues }))
  return bounds !== undefined
    ? Result.succeed({ _tag: "Bounds", bounds })
    : filters !== undefined
    ? Result.succeed({ _tag: "Filters", filters })
    : Result.fail(MissingQueryBoundsOrCounty.at(null))
}

/** To a tenth of a millimetre: much smaller numbers underflow in the arithmetic of places. */
const degrees = (value: number): number => Math.round(value * 1e9) / 1e9

const boundsIssues = ({ east, north, south, west }: Bounds): ReadonlyArray<InputIssue> => {
  if (south >= north) return [{ field: "bounds", message: "Expected south below north" }]
  const width = west <= east ? east - west : 360 - west + east
  return north - south > maximumSpanDegrees || width > maximumSpanDegrees
    ? [{ field: "bounds", message: `Expected a box of at most ${maximumSpanDegrees} degrees each way` }]
    : []
}

/** The order of the rows, and how it is reported. */
export interface SearchSort {
  readonly key: SortKey
  readonly sort: Sort
}

export const sortOf = (
  input: SearchInput,
  organization: Organization
): Result.Result<SearchSort, InvalidInput> => {
  const key = input.sortBy ?? "relevance"
  if (withheld(key, organization)) return Result.fail(new InvalidInput({ issues: [notOnPlan("sortBy")] }))
  const { column, direction } = sorts[key]
  return Result.succeed({ key, sort: { column, direction: input.sortOrder ?? direction } })
}

/** The words that free text looks for, in lower case. */
export const wordsOf = (query: string): ReadonlyArray<string> =>
  Array.from(new Set(query.toLowerCase().split(/\s+/).filter((word) => word !== "")))

export const boundsCondition = (bounds: Bounds): Condition => ({ _tag: "Box", ...bounds })

/** What the checks of a filter need beyond the filter itself. */
export interface FilterContext {
  readonly organization: Organization
  /** Those of the visible area. */
  readonly counties: ReadonlyArray<County>
  /** Cities of the visible area by the asked names that came without a state, both in lower case. */
  readonly cityStates: ReadonlyArray<{ readonly city: string; readonly state: string }>
  /** Milliseconds. */
  readonly now: number
}

interface Named {
  readonly name: string
  readonly state: string | null
}

/** `"Dallas, TX"` or `"Dallas"`. */
const parseNamed = (text: string): Named => {
  const match = /^(.+?),\s*([A-Za-z]{2})$/.exec(text.trim())
  return match?.[1] === undefined || match[2] === undefined
    ? { name: text.trim().toLowerCase(), state: null }
    : { name: match[1].trim().toLowerCase(), state: match[2].toUpperCase() }
}

const plainCountyName = (name: string): string => name.toLowerCase().replace(/ (county|parish|borough)$/, "")

/** The counties that the names mean. */
const namedCounties = (
  names: ReadonlyArray<string>,
  filters: Filters,
  context: FilterContext,
  issues: Array<InputIssue>
): ReadonlyArray<string> =>
  names.flatMap((text, index) => {
    const { name, state } = parseNamed(text)
    const states = state === null ? filters.states : [state]
    const found = context.counties.filter((county) =>
      county.name !== null && plainCountyName(county.name) === plainCountyName(name) &&
      (states === undefined || county.state !== null && states.includes(county.state))
    )
    if (states === undefined && found.length > 1) {
      issues.push({
        field: `filters.countyNames.${index}`,
        message: `Ambiguous; expected one of ${
          found.map((county) => `"${county.name}, ${county.state}"`).sort().join(", ")
        }`
      })
    }
    return found.map(({ countyFips }) => countyFips)
  })

/** Between keys all must hold: the counties that are named and whose codes are asked for. */
const countyCodes = (filters: Filters, context: FilterContext, issues: Array<InputIssue>): ReadonlyArray<string> => {
  const { countyFips, countyNames } = filters
  if (countyNames === undefined) return Array.from(new Set(countyFips))
  const named = Array.from(new Set(namedCounties(countyNames, filters, context, issues)))
  return countyFips === undefined ? named : named.filter((code) => countyFips.includes(code))
}

interface CityName {
  readonly city: string
  readonly state: string | null
}

const cityConditions = (
  filters: Filters,
  context: FilterContext,
  issues: Array<InputIssue>
): ReadonlyArray<CityName> =>
  (filters.cities ?? []).flatMap((text, index): ReadonlyArray<CityName> => {
    const { name, state } = parseNamed(text)
    if (state !== null) return [{ city: name, state }]
    if (filters.states !== undefined) return filters.states.map((each) => ({ city: name, state: each }))
    const states = Array.from(
      new Set(context.cityStates.flatMap((known) => known.city === name ? [known.state] : []))
    ).sort()
    if (states.length > 1) {
      issues.push({
        field: `filters.cities.${index}`,
        message: `Ambiguous; expected one of ${states.map((each) => `"${text.trim()}, ${each}"`).join(", ")}`
      })
    }
    return [{ city: name, state: null }]
  })

const ranges: ReadonlyArray<{
  readonly field: RangeField
  readonly name: string
  readonly min: keyof Filters | null
  readonly max: keyof Filters | null
}> = [
  { field: "buildingSqft", name: "buildingSqft", min: "minBuildingSqft", max: "maxBuildingSqft" },
  { field: "lotSqft", name: "lotSqft", min: "minLotSqft", max: "maxLotSqft" },
  { field: "roofAreaSqft", name: "roofAreaSqft", min: "minRoofAreaSqft", max: "maxRoofAreaSqft" },
  { field: "landscapableSqft", name: "landscapableSqft", min: "minLandscapableSqft", max: "maxLandscapableSqft" },
  {
    field: "footprintArea",
    name: "buildingFootprintSqft",
    min: "minBuildingFootprintSqft",
    max: "maxBuildingFootprintSqft"
  },
  { field: "yearBuilt", name: "yearBuilt", min: "minYearBuilt", max: "maxYearBuilt" },
  {
    field: "effectiveYearBuilt",
    name: "effectiveYearBuilt",
    min: "minEffectiveYearBuilt",
    max: "maxEffectiveYearBuilt"
  },
  { field: "numFloors", name: "numFloors", min: "minNumFloors", max: "maxNumFloors" },
  { field: "totalUnits", name: "totalUnits", min: "minTotalUnits", max: "maxTotalUnits" },
  { field: "contactCount", name: "contactCount", min: "minContactCount", max: "maxContactCount" },
  { field: "totalParval", name: "propertyValue", min: "minPropertyValue", max: "maxPropertyValue" },
  { field: "lastSaleDate", name: "lastSaleDate", min: "lastSaleAfter", max: "lastSaleBefore" },
  { field: "updatedAt", name: "updatedAt", min: "updatedAfter", max: null },
  { field: "lastEnrichedAt", name: "lastEnrichedAt", min: "lastEnrichedAfter", max: "lastEnrichedBefore" }
]

const scalar = (value: unknown): number | string | null =>
  typeof value === "number" || typeof value === "string" ? value : null

/** A date as the start or, for a whole day, the last instant of it. */
const bound = (field: RangeField, value: number | string | null, end: "start" | "end"): number | string | null => {
  if (typeof value !== "string" || field === "lastSaleDate") {
    return typeof value === "string"
      ? value.slice(0, 10)
      : value
  }
  const millis = Date.parse(value)
  return DateTime.formatIso(DateTime.makeUnsafe(end === "end" && value.length === 10 ? millis + 86_399_999 : millis))
}

/** The conditions of a filter search, or every rule that it breaks. */
export const conditionsOf = (
  filters: Filters,
  context: FilterContext
): Result.Result<ReadonlyArray<Condition>, InvalidInput | SignalsNotEnabled> => {
  const issues: Array<InputIssue> = []
  const conditions: Array<Condition> = []
  const unknown = (name: string) => filters.includeUnknown?.some((each) => each === name) ?? false

  for (const key of Object.keys(filters)) {
    if (withheld(key, context.organization)) issues.push(notOnPlan(`filters.${key}`))
  }
  const asked = (["changedKinds", "changedWithinDays"] as const).filter((key) => filters[key] !== undefined)
  if (asked.length > 0 && !context.organization.features.signals) {
    return Result.fail(
      new SignalsNotEnabled({
        issues: asked.map((key) => ({ field: `filters.${key}`, message: "Change filters are not switched on" }))
      })
    )
  }

  if (filters.countyFips !== undefined || filters.countyNames !== undefined) {
    conditions.push({ _tag: "Counties", countyFips: countyCodes(filters, context, issues) })
  }
  if (filters.zipCodes !== undefined) {
    conditions.push({ _tag: "Zips", zipCodes: Array.from(new Set(filters.zipCodes)) })
  }
  if (filters.cities !== undefined) {
    conditions.push({ _tag: "Cities", cities: cityConditions(filters, context, issues) })
  }
  if (filters.within !== undefined) {
    const polygons = filters.within.type === "Polygon" ? [filters.within.coordinates] : filters.within.coordinates
    issues.push(...polygonIssues(polygons))
    conditions.push({
      _tag: "Within",
      polygons: polygons.map((rings) => rings.map((ring) => ring.map(([lon, lat]) => [degrees(lon), degrees(lat)])))
    })
  }
  if (filters.near !== undefined) {
    const { lat, lon, radiusMeters } = filters.near
    conditions.push({ _tag: "Near", lat: degrees(lat), lon: degrees(lon), radiusMeters })
  }

  for (const { field, max, min, name } of ranges) {
    const from = bound(field, scalar(min === null ? null : filters[min]), "start")
    const to = bound(field, scalar(max === null ? null : filters[max]), "end")
    if (from === null && to === null) continue
    if (from !== null && to !== null && from > to) {
      issues.push({ field: `filters.${max}`, message: `Expected at least ${min} (${from})` })
    }
    conditions.push({ _tag: "Range", field, min: from, max: to, orUnknown: unknown(name) })
  }
  const latestYear = DateTime.getPartUtc(DateTime.makeUnsafe(context.now), "year") + 1
  for (const key of ["minYearBuilt", "maxYearBuilt", "minEffectiveYearBuilt", "maxEffectiveYearBuilt"] as const) {
    const year = filters[key]
    if (year !== undefined && year > latestYear) {
      issues.push({ field: `filters.${key}`, message: `Expected a year from 1600 to ${latestYear}` })
    }
  }

  if (filters.categories !== undefined) {
    const values = filters.categories.flatMap((name, index) => {
      const category = assetCategoryNamed(name)
      if (category !== undefined) return [category]
      issues.push({ field: `filters.categories.${index}`, message: "Expected a category such as Office or Retail" })
      return []
    })
    conditions.push({ _tag: "OneOf", field: "assetCategory", values, orUnknown: unknown("assetCategory") })
  }
  const choices = [
    ["assetSubcategory", filters.subcategories],
    ["primaryConstructionType", filters.primaryConstructionType],
    ["roofCover", filters.roofCover],
    ["roofShape", filters.roofShape],
    ["heatingType", filters.heatingType],
    ["coolingType", filters.coolingType],
    ["enrichmentStatus", filters.enrichmentStatus]
  ] as const
  for (const [field, values] of choices) {
    if (values !== undefined) conditions.push({ _tag: "OneOf", field, values, orUnknown: unknown(field) })
  }
  for (const field of ["ownerName", "commonName"] as const) {
    const text = filters[field]
    if (text !== undefined) conditions.push({ _tag: "Contains", field, text, orUnknown: unknown(field) })
  }
  for (const field of ["hasPool", "hasSprinklers"] as const) {
    const value = filters[field]
    if (value !== undefined) conditions.push({ _tag: "Is", field, value, orUnknown: unknown(field) })
  }
  const having = [["any", filters.hasContacts], ["email", filters.hasEmailContact], [
    "phone",
    filters.hasPhoneContact
  ]] as const
  for (const [which, value] of having) {
    if (value !== undefined) conditions.push({ _tag: "HasContact", which, value })
  }
  if (filters.researchState !== undefined) conditions.push({ _tag: "ResearchStates", states: filters.researchState })
  if (filters.organizationId !== undefined) {
    conditions.push({
      _tag: "Firm",
      firmId: filters.organizationId.toLowerCase(),
      role: filters.organizationRole ?? null
    })
  } else if (filters.organizationRole !== undefined) {
    issues.push({ field: "filters.organizationRole", message: "Expected together with organizationId" })
  }
  for (const [key, member] of [["inListId", true], ["notInListId", false]] as const) {
    const listId = filters[key]
    if (listId !== undefined) conditions.push({ _tag: "List", listId: listId.toLowerCase(), member })
  }
  if (filters.pipelineStatus !== undefined) {
    conditions.push({ _tag: "PipelineStatuses", statuses: filters.pipelineStatus })
  }
  if (filters.customerStatus !== undefined) {
    conditions.push({ _tag: "CustomerStatuses", statuses: [filters.customerStatus] })
  }
  if (asked.length > 0) {
    conditions.push({
      _tag: "Changed",
      kinds: filters.changedKinds ?? PropertyChangeKind.literals,
      since: filters.changedWithinDays === undefined ? null : context.now - filters.changedWithinDays * 86_400_000
    })
  }
  return issues.length > 0 ? Result.fail(new InvalidInput({ issues })) : Result.succeed(conditions)
}

const polygonIssues = (
  polygons: ReadonlyArray<ReadonlyArray<ReadonlyArray<readonly [number, number]>>>
): ReadonlyArray<InputIssue> => {
  const rings = polygons.flat()
  const field = "filters.within"
  if (polygons.length === 0 || polygons.some((polygon) => polygon.length === 0)) {
    return [{ field, message: "Expected at least one ring" }]
  }
  if (rings.reduce((points, ring) => points + ring.length, 0) > maximumPolygonPoints) {
    return [{ field, message: `Expected at most ${maximumPolygonPoints} points` }]
  }
  const open = rings.some((ring) => {
    const [first, last] = [ring[0], ring.at(-1)]
    return ring.length < 4 || first === undefined || last === undefined || first[0] !== last[0] || first[1] !== last[1]
  })
  return open ? [{ field, message: "Expected closed rings of at least four points" }] : []
}

/** The names of cities that came without a state, lower case. */
export const citiesWithoutState = (filters: Filters): ReadonlyArray<string> =>
  filters.states !== undefined ? [] : (filters.cities ?? []).flatMap((text) => {
    const { name, state } = parseNamed(text)
    return state === null ? [name] : []
  })
