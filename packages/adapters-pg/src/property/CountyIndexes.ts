/**
 * What of a search the indexes in the order of counties decide without the table: `property_of_county` has numbers and facts,
 * `property_names` has names and places. Each has where a property lies, how many contacts it has and when it was researched, as
 * `property_places` has alone. Where neither has all that is asked for, and an area touches most of all counties, the table is read whole.
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

/** Which of the two indexes has all that a condition asks of a property: its id, its place and its research, which both have, where the rest is asked of other tables. */
const holding = (condition: Condition): { readonly facts: boolean; readonly names: boolean } => {
  switch (condition._tag) {
    case "Box":
    case "Changed":
    case "Counties":
    case "CustomerStatuses":
    case "List":
    case "Near":
    case "PipelineStatuses":
    case "ResearchStates":
    case "Within":
      return { facts: true, names: true }
    case "Firm":
    case "Is":
      return { facts: true, names: false }
    case "Cities":
    case "Contains":
    case "Zips":
      return { facts: false, names: true }
    case "HasContact":
      return { facts: true, names: condition.which === "any" }
    case "OneOf":
      return { facts: choicesCarried.has(condition.field), names: condition.field === "assetCategory" }
    case "Range":
      return { facts: true, names: condition.field === "contactCount" }
  }
}

/** Whether neither index has all that is asked for. `order`: by what it is put in order too; null: it is counted alone. */
export const isBeyond = (conditions: ReadonlyArray<Condition>, order: SortColumn | null): boolean => {
  const held = conditions.map(holding)
  const isInBoth = order === null || order === "contactCount"
  return !((isInBoth || ordersCarried.has(order)) && held.every(({ facts }) => facts)) &&
    !((isInBoth || ordersNamed.has(order)) && held.every(({ names }) => names))
}

/** The areas of a search as they are read. */
export const areasFor = (
  conditions: ReadonlyArray<Condition>,
  order: SortColumn | null,
  areas: GriddedArea.Areas
): GriddedArea.Areas => isBeyond(conditions, order) ? GriddedArea.readWhole(areas) : areas
