/**
 * What of a search the indexes in the order of counties decide without the table: `property_of_county` has numbers and facts,
 * `property_names` has names and places. Each has where a property lies and how many contacts it has. Where neither has all that is asked for, and an area
 * touches most of all counties, the table is read whole.
 */
import type { ChoiceField, Condition, SortColumn } from "@freehold/core/property/PropertySearch"
import * as GriddedArea from "./GriddedArea.ts"

/** What `property_of_county` carries for each property, so that a county is ordered by it without the table. */
export const ordersCarried: ReadonlySet<SortColumn> = new Set([
  "lotSqft",
  "buildingSqft",
  "totalUnits",
  "landscapableSqft",
  "roofAreaSqft",
  "footprintArea",
  "yearBuilt",
  "numFloors",
  "totalParval",
  "updatedAt",
  "lastEnrichedAt",
  "lastSaleDate"
])

const choicesCarried: ReadonlySet<ChoiceField> = new Set([
  "assetCategory",
  "assetSubcategory",
  "enrichmentStatus",
  "primaryConstructionType",
  "roofCover",
  "roofShape"
])

const ordersNamed: ReadonlySet<SortColumn> = new Set(["city", "commonName", "ownerName", "rawAddress", "recordOwner"])

/** Whether a condition on properties of a county is decided from `property_of_county` alone. */
export const isCarried = (condition: Condition): boolean => {
  switch (condition._tag) {
    case "Counties":
    case "Range":
    case "Is":
    case "HasContact":
      return true
    case "OneOf":
      return choicesCarried.has(condition.field)
    default:
      return false
  }
}

/** Whether a condition asks nothing of a property but its id and its place, and the rest of other tables. */
const isOfOthers = (condition: Condition): boolean => {
  switch (condition._tag) {
    case "Within":
    case "Near":
    case "Box":
    case "Changed":
    case "List":
    case "PipelineStatuses":
    case "CustomerStatuses":
      return true
    default:
      return false
  }
}

const isInFacts = (condition: Condition): boolean => {
  switch (condition._tag) {
    case "ResearchStates":
    case "Firm":
      return true
    default:
      return isCarried(condition) || isOfOthers(condition)
  }
}

const isInNames = (condition: Condition): boolean => {
  switch (condition._tag) {
    case "Counties":
    case "Zips":
    case "Cities":
    case "Contains":
      return true
    case "HasContact":
      return condition.which === "any"
    case "Range":
      return condition.field === "contactCount"
    case "OneOf":
      return condition.field === "assetCategory"
    default:
      return isOfOthers(condition)
  }
}

/** Whether neither index has all that is asked for. */
const isBeyond = (conditions: ReadonlyArray<Condition>, order: SortColumn | null): boolean => {
  const [inFacts, inNames] = order === null || order === "contactCount"
    ? [true, true]
    : [ordersCarried.has(order), ordersNamed.has(order)]
  return !(inFacts && conditions.every(isInFacts)) && !(inNames && conditions.every(isInNames))
}

/** The areas of a search as they are read. `order`: by what it is put in order too; null: it is counted alone. */
export const areasFor = (
  conditions: ReadonlyArray<Condition>,
  order: SortColumn | null,
  areas: GriddedArea.Areas
): GriddedArea.Areas => isBeyond(conditions, order) ? GriddedArea.readWhole(areas) : areas
