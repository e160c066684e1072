/**
 * From the filters of a search to conditions: the rules between fields, and what the plan may use.
 *
 * Every broken rule is told, in the order of the checks. decisions, sections 1, 8 and 20.
 */
import { DateTime, Result } from "effect"
import { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { type InputIssue, InvalidInput } from "../operation/InvalidInput.ts"
import { assetCategoryNamed } from "./AssetCategory.ts"
import { notCategory } from "./CategoryWords.ts"
import type { FilterContext } from "./FilterContext.ts"
import type { Condition, RangeField } from "./PropertySearch.ts"
import { type Filters, PropertyChangeKind } from "./SearchInput.ts"
import { placeConditions } from "./SearchPlaces.ts"
import { notOnPlan, withheld } from "./Withheld.ts"

/** Whether rows whose value is not known match as well. */
const orUnknown = (filters: Filters, name: string): boolean =>
  filters.includeUnknown?.some((each) => each === name) ?? false

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

/** From a least to a greatest value. */
const rangeConditions = (filters: Filters, issues: Array<InputIssue>): ReadonlyArray<Condition> =>
  ranges.flatMap(({ field, max, min, name }): ReadonlyArray<Condition> => {
    const from = bound(field, scalar(min === null ? null : filters[min]), "start")
    const to = bound(field, scalar(max === null ? null : filters[max]), "end")
    if (from === null && to === null) return []
    if (from !== null && to !== null && from > to) {
      issues.push({ field: `filters.${max}`, message: `Expected at least ${min} (${from})` })
    }
    return [{ _tag: "Range", field, min: from, max: to, orUnknown: orUnknown(filters, name) }]
  })

/** No building is asked for that is built later than next year. */
const yearIssues = (filters: Filters, now: number): ReadonlyArray<InputIssue> => {
  const latest = DateTime.getPartUtc(DateTime.makeUnsafe(now), "year") + 1
  return (["minYearBuilt", "maxYearBuilt", "minEffectiveYearBuilt", "maxEffectiveYearBuilt"] as const).flatMap(
    (key) => {
      const year = filters[key]
      return year !== undefined && year > latest
        ? [{ field: `filters.${key}`, message: `Expected a year from 1600 to ${latest}` }]
        : []
    }
  )
}

const categoryConditions = (filters: Filters, issues: Array<InputIssue>): ReadonlyArray<Condition> => {
  if (filters.categories === undefined) return []
  const values = filters.categories.flatMap((name, index) => {
    const category = assetCategoryNamed(name)
    if (category !== undefined) return [category]
    issues.push({ field: `filters.categories.${index}`, message: notCategory(name) })
    return []
  })
  return [{ _tag: "OneOf", field: "assetCategory", values, orUnknown: orUnknown(filters, "assetCategory") }]
}

/** What the record itself says: one of several values, a part of a text, yes or no. */
const valueConditions = (filters: Filters): ReadonlyArray<Condition> => {
  const choices = [
    ["assetSubcategory", filters.subcategories],
    ["primaryConstructionType", filters.primaryConstructionType],
    ["roofCover", filters.roofCover],
    ["roofShape", filters.roofShape],
    ["heatingType", filters.heatingType],
    ["coolingType", filters.coolingType],
    ["enrichmentStatus", filters.enrichmentStatus]
  ] as const
  return [
    ...choices.flatMap(([field, values]): ReadonlyArray<Condition> =>
      values === undefined ? [] : [{ _tag: "OneOf", field, values, orUnknown: orUnknown(filters, field) }]
    ),
    ...(["ownerName", "commonName"] as const).flatMap((field): ReadonlyArray<Condition> => {
      const text = filters[field]
      return text === undefined ? [] : [{ _tag: "Contains", field, text, orUnknown: orUnknown(filters, field) }]
    }),
    ...(["hasPool", "hasSprinklers"] as const).flatMap((field): ReadonlyArray<Condition> => {
      const value = filters[field]
      return value === undefined ? [] : [{ _tag: "Is", field, value, orUnknown: orUnknown(filters, field) }]
    })
  ]
}

/** The people, the research and the firms of a property. */
const attachedConditions = (filters: Filters, issues: Array<InputIssue>): ReadonlyArray<Condition> => {
  const { organizationId, organizationRole, researchState } = filters
  const having = [
    ["any", filters.hasContacts],
    ["email", filters.hasEmailContact],
    ["phone", filters.hasPhoneContact]
  ] as const
  const conditions = having.flatMap(([which, value]): ReadonlyArray<Condition> =>
    value === undefined ? [] : [{ _tag: "HasContact", which, value }]
  )
  if (organizationId === undefined && organizationRole !== undefined) {
    issues.push({ field: "filters.organizationRole", message: "Expected together with organizationId" })
  }
  return [
    ...conditions,
    ...(researchState === undefined ? [] : [{ _tag: "ResearchStates" as const, states: researchState }]),
    ...(organizationId === undefined
      ? []
      : [{ _tag: "Firm" as const, firmId: organizationId.toLowerCase(), role: organizationRole ?? null }])
  ]
}

/** What the organization itself keeps about a property. */
const ownConditions = (filters: Filters): ReadonlyArray<Condition> => {
  const { customerStatus, pipelineStatus } = filters
  return [
    ...([["inListId", true], ["notInListId", false]] as const).flatMap(([key, member]): ReadonlyArray<Condition> => {
      const listId = filters[key]
      return listId === undefined ? [] : [{ _tag: "List", listId: listId.toLowerCase(), member }]
    }),
    ...(pipelineStatus === undefined ? [] : [{ _tag: "PipelineStatuses" as const, statuses: pipelineStatus }]),
    ...(customerStatus === undefined ? [] : [{ _tag: "CustomerStatuses" as const, statuses: [customerStatus] }])
  ]
}

const changeKeys = ["changedKinds", "changedWithinDays"] as const

const changeConditions = (filters: Filters, now: number): ReadonlyArray<Condition> => {
  const { changedKinds: kinds = PropertyChangeKind.literals, changedWithinDays: days } = filters
  if (changeKeys.every((key) => filters[key] === undefined)) return []
  return [{ _tag: "Changed", kinds, since: days === undefined ? null : now - days * 86_400_000 }]
}

/** The conditions of a filter search, or every rule that it breaks. */
export const conditionsOf = (
  filters: Filters,
  context: FilterContext
): Result.Result<ReadonlyArray<Condition>, InvalidInput | SignalsNotEnabled> => {
  const { now, organization } = context
  const changes = changeKeys.filter((key) => filters[key] !== undefined)
  if (changes.length > 0 && !organization.features.signals) {
    return Result.fail(
      new SignalsNotEnabled({
        issues: changes.map((key) => ({ field: `filters.${key}`, message: "Change filters are not switched on" }))
      })
    )
  }
  const issues: Array<InputIssue> = Object.keys(filters).flatMap((key) =>
    withheld(key, organization) ? [notOnPlan(`filters.${key}`)] : []
  )
  const places = placeConditions(filters, context, issues)
  const measures = rangeConditions(filters, issues)
  issues.push(...yearIssues(filters, now))
  const conditions = [
    ...places,
    ...measures,
    ...categoryConditions(filters, issues),
    ...valueConditions(filters),
    ...attachedConditions(filters, issues),
    ...ownConditions(filters),
    ...changeConditions(filters, now)
  ]
  return issues.length > 0 ? Result.fail(new InvalidInput({ issues })) : Result.succeed(conditions)
}
