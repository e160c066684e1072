/** What kind of property it is. Display strings, matched without regard to case. decisions, section 1. */
import { Schema } from "effect"

export const AssetCategory = Schema.Literals([
  "Multifamily",
  "Industrial",
  "Retail",
  "Office",
  "Hospitality",
  "Healthcare",
  "Education",
  "Religious",
  "Government",
  "Self Storage",
  "Mixed Use",
  "Land",
  "Commercial General",
  "Other"
])
export type AssetCategory = typeof AssetCategory.Type

const byLowerCase: ReadonlyMap<string, AssetCategory> = new Map(
  AssetCategory.literals.map((category) => [category.toLowerCase(), category])
)

/** The category of that name in any case, undefined when there is none. */
export const assetCategoryNamed = (name: string): AssetCategory | undefined => byLowerCase.get(name.toLowerCase())
