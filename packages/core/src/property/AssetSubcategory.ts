/** The subcategories that are in use, by category. The vocabulary is open: a source may bring others. decisions, section 1. */
import type { AssetCategory } from "./AssetCategory.ts"

export const knownSubcategories: Readonly<Partial<Record<AssetCategory, ReadonlyArray<string>>>> = {
  Office: ["High Rise", "Mid Rise", "Medical Office", "Flex"],
  Industrial: ["Warehouse", "Distribution", "Manufacturing", "Cold Storage"],
  Retail: ["Strip Center", "Mall", "Big Box", "Restaurant", "Gas Station"],
  Multifamily: ["Garden", "High Rise", "Student", "Senior"],
  Hospitality: ["Hotel", "Motel", "Resort"]
}
