/**
 * From the buildings of a property to its headline values and to the `<name>Detail` object that says how each came
 * about. decisions, section 1.
 *
 * | attribute                       | one building      | several buildings                                           |
 * | ------------------------------- | ----------------- | ----------------------------------------------------------- |
 * | yearBuilt, effectiveYearBuilt   | `single_building` | `primary_building`, else the year of most area              |
 * | numFloors                       | `single_building` | `max`                                                       |
 * | the eight text attributes       | `single_building` | the value of most area, else that of the assessor's primary |
 * | hasPool, hasSprinklers          | `single_building` | `any`                                                       |
 *
 * Where no building knows a value the parcel's own stands in (`parcel_record`, with `buildings` 0). Where neither does,
 * both the value and its detail are null. Without areas to weigh by, every building weighs the same and the basis is
 * `unknown`.
 *
 * *Gotchas*: area is `sqft` where every building that knows the value has one, else `footprintSqft` where every one
 * has that; the two are never mixed. Shares are rounded to 4 decimals so that they still sum to 1.
 */
import type {
  AttributeDetails,
  Basis,
  BooleanDetail,
  BuildingAttributesBasis,
  FloorsDetail,
  PrimaryBuildingBasis,
  TextDetail,
  YearDetail
} from "./Property.ts"
import type { PropertyValues } from "./PropertyField.ts"

/** The headline attributes, in the order of the record. */
export const attributeFields = [
  "yearBuilt",
  "effectiveYearBuilt",
  "numFloors",
  "heatingType",
  "coolingType",
  "primaryConstructionType",
  "exteriorWallMaterial",
  "foundationType",
  "roofCover",
  "roofShape",
  "qualityGrade",
  "hasPool",
  "hasSprinklers"
] as const
export type AttributeField = (typeof attributeFields)[number]

export type Attributes = Pick<PropertyValues, AttributeField>

/** Nothing is known. */
export const noAttributes: Attributes = {
  yearBuilt: null,
  effectiveYearBuilt: null,
  numFloors: null,
  heatingType: null,
  coolingType: null,
  primaryConstructionType: null,
  exteriorWallMaterial: null,
  foundationType: null,
  roofCover: null,
  roofShape: null,
  qualityGrade: null,
  hasPool: null,
  hasSprinklers: null
}

/** What one building says; unknown is null. Areas in square feet. */
export interface Building extends Attributes {
  readonly sqft: number | null
  readonly footprintSqft: number | null
  readonly isPrimary: boolean | null
}

export interface Derived {
  readonly values: Attributes
  readonly details: AttributeDetails
  readonly basis: BuildingAttributesBasis
}

interface Primary {
  readonly building: Building
  readonly basis: typeof PrimaryBuildingBasis.Type
}

const largest = (buildings: ReadonlyArray<Building>, area: (building: Building) => number | null) =>
  buildings.reduce<Building | null>(
    (best, building) => (area(building) ?? 0) > (best === null ? 0 : area(best) ?? 0) ? building : best,
    null
  )

const primaryOf = (buildings: ReadonlyArray<Building>): Primary | null => {
  const [only] = buildings
  if (only !== undefined && buildings.length === 1) return { building: only, basis: "only_building" }
  const named = buildings.find((building) => building.isPrimary === true)
  if (named !== undefined) return { building: named, basis: "assessor_primary" }
  const bySqft = largest(buildings, (building) => building.sqft)
  if (bySqft !== null) return { building: bySqft, basis: "largest_building_sqft" }
  const byFootprint = largest(buildings, (building) => building.footprintSqft)
  return byFootprint === null ? null : { building: byFootprint, basis: "largest_footprint" }
}

interface Known<A> {
  readonly building: Building
  readonly value: A
  readonly weight: number
}

interface Weighed<A> {
  readonly known: ReadonlyArray<Known<A>>
  /** False: no common measure of area, every building weighs 1. */
  readonly byArea: boolean
}

const nothing: Weighed<never> = { known: [], byArea: false }

const weigh = <A>(buildings: ReadonlyArray<Building>, read: (building: Building) => A | null): Weighed<A> => {
  if (buildings.length === 0) return nothing
  const known: Array<{ building: Building; value: A }> = []
  for (const building of buildings) {
    const value = read(building)
    if (value !== null) known.push({ building, value })
  }
  for (const area of [(b: Building) => b.sqft ?? 0, (b: Building) => b.footprintSqft ?? 0]) {
    if (known.length > 0 && known.every(({ building }) => area(building) > 0)) {
      return { known: known.map((entry) => ({ ...entry, weight: area(entry.building) })), byArea: true }
    }
  }
  return { known: known.map((entry) => ({ ...entry, weight: 1 })), byArea: false }
}

/** Weights to shares of four decimals that sum to exactly 1: what rounding down leaves goes to the largest remainders. */
const sharesOf = (weights: ReadonlyArray<number>): ReadonlyArray<number> => {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const exact = weights.map((weight) => (weight / total) * 10_000)
  const units = exact.map(Math.floor)
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index)
  const left = 10_000 - units.reduce((sum, unit) => sum + unit, 0)
  for (const { index } of byRemainder.slice(0, left)) units[index] = (units[index] ?? 0) + 1
  return units.map((unit) => unit / 10_000)
}

interface ValueShare<A> {
  readonly value: A
  readonly buildings: number
  readonly areaShare: number
}

/** The distinct values, most area first, then by value. */
const valueShares = <A extends string | number>(known: ReadonlyArray<Known<A>>): ReadonlyArray<ValueShare<A>> => {
  const byValue = new Map<A, { buildings: number; weight: number }>()
  for (const { value, weight } of known) {
    const sum = byValue.get(value) ?? { buildings: 0, weight: 0 }
    byValue.set(value, { buildings: sum.buildings + 1, weight: sum.weight + weight })
  }
  const entries = Array.from(byValue, ([value, sum]) => ({ value, ...sum })).sort((a, b) => a.value < b.value ? -1 : 1)
  const shares = sharesOf(entries.map((entry) => entry.weight))
  return entries
    .map(({ buildings, value }, index) => ({ value, buildings, areaShare: shares[index] ?? 0 }))
    .sort((a, b) => b.areaShare - a.areaShare || (a.value < b.value ? -1 : 1))
}

interface Outcome<A, D> {
  readonly value: A | null
  readonly detail: D | null
}

type BasisName = typeof Basis.Type

const year = (
  buildings: ReadonlyArray<Building>,
  primary: Primary | null,
  parcel: number | null,
  read: (building: Building) => number | null
): Outcome<number, typeof YearDetail.Type> => {
  const { byArea, known } = weigh(buildings, read)
  const detail = (basis: BasisName, years: ReadonlyArray<number>, primaryBasis: Primary["basis"] | null) => ({
    basis,
    oldest: years.reduce((a, b) => Math.min(a, b)),
    newest: years.reduce((a, b) => Math.max(a, b)),
    primaryBuildingBasis: primaryBasis,
    buildings: known.length,
    buildingsTotal: buildings.length
  })
  if (known.length === 0) {
    return { value: parcel, detail: parcel === null ? null : detail("parcel_record", [parcel], null) }
  }
  const years = known.map(({ value }) => value)
  const ofPrimary = primary === null ? null : read(primary.building)
  if (ofPrimary !== null && primary !== null) {
    const basis = primary.basis === "only_building" ? "single_building" : "primary_building"
    return { value: ofPrimary, detail: detail(basis, years, primary.basis) }
  }
  return {
    value: valueShares(known)[0]?.value ?? null,
    detail: detail(byArea ? "area_weighted" : "unknown", years, primary?.basis ?? null)
  }
}

const round2 = (value: number): number => Math.round(value * 100) / 100

const floors = (
  buildings: ReadonlyArray<Building>,
  primary: Primary | null,
  parcel: number | null
): Outcome<number, typeof FloorsDetail.Type> => {
  const { byArea, known } = weigh(buildings, (building) => building.numFloors)
  const counts = { buildings: known.length, buildingsTotal: buildings.length }
  if (known.length === 0) {
    if (parcel === null) return { value: null, detail: null }
    return {
      value: parcel,
      detail: {
        basis: "parcel_record",
        max: parcel,
        areaWeightedMean: null,
        primaryBuilding: null,
        primaryBuildingBasis: null,
        ...counts
      }
    }
  }
  const max = known.reduce((highest, { value }) => Math.max(highest, value), 0)
  const area = known.reduce((sum, { weight }) => sum + weight, 0)
  const mean = known.reduce((sum, { value, weight }) => sum + value * (weight / area), 0)
  return {
    value: max,
    detail: {
      basis: buildings.length === 1 ? "single_building" : "max",
      max,
      areaWeightedMean: byArea ? round2(mean) : null,
      primaryBuilding: primary?.building.numFloors ?? null,
      primaryBuildingBasis: primary?.basis ?? null,
      ...counts
    }
  }
}

const text = (
  buildings: ReadonlyArray<Building>,
  primary: Primary | null,
  parcel: string | null,
  read: (building: Building) => string | null
): Outcome<string, typeof TextDetail.Type> => {
  const { byArea, known } = weigh(buildings, read)
  const counts = { buildings: known.length, buildingsTotal: buildings.length }
  if (known.length === 0) {
    if (parcel === null) return { value: null, detail: null }
    return { value: parcel, detail: { basis: "parcel_record", ...counts, areaShare: null, values: [] } }
  }
  const values = valueShares(known)
  const ofPrimary = primary?.basis === "assessor_primary" ? read(primary.building) : null
  const value = byArea ? values[0]?.value ?? null : ofPrimary ?? values[0]?.value ?? null
  const basis = buildings.length === 1
    ? "single_building"
    : byArea
    ? "area_weighted"
    : ofPrimary === null
    ? "unknown"
    : "primary_building"
  const areaShare = values.find((share) => share.value === value)?.areaShare ?? null
  return { value, detail: { basis, ...counts, areaShare, values } }
}

const flag = (
  buildings: ReadonlyArray<Building>,
  parcel: boolean | null,
  read: (building: Building) => boolean | null
): Outcome<boolean, typeof BooleanDetail.Type> => {
  const known = buildings.map(read).filter((value) => value !== null)
  const counts = { buildings: known.length, buildingsTotal: buildings.length }
  if (known.length === 0) {
    return { value: parcel, detail: parcel === null ? null : { basis: "parcel_record", count: 0, ...counts } }
  }
  const count = known.filter((value) => value).length
  return {
    value: count > 0,
    detail: { basis: buildings.length === 1 ? "single_building" : "any", count, ...counts }
  }
}

const basisOf = (details: AttributeDetails): BuildingAttributesBasis => {
  const known = Object.values(details).filter((detail) => detail !== null)
  if (known.length === 0) return "none"
  const ofParcel = known.filter((detail) => detail.buildings === 0).length
  return ofParcel === 0 ? "assessor_buildings" : ofParcel === known.length ? "assessor_parcel" : "mixed"
}

/** The headline values and their details, from the parcel's own values and its buildings. */
export const derive = (parcel: Attributes, buildings: ReadonlyArray<Building>): Derived => {
  const primary = primaryOf(buildings)
  const yearBuilt = year(buildings, primary, parcel.yearBuilt, (b) => b.yearBuilt)
  const effectiveYearBuilt = year(buildings, primary, parcel.effectiveYearBuilt, (b) => b.effectiveYearBuilt)
  const numFloors = floors(buildings, primary, parcel.numFloors)
  const heatingType = text(buildings, primary, parcel.heatingType, (b) => b.heatingType)
  const coolingType = text(buildings, primary, parcel.coolingType, (b) => b.coolingType)
  const construction = text(buildings, primary, parcel.primaryConstructionType, (b) => b.primaryConstructionType)
  const wall = text(buildings, primary, parcel.exteriorWallMaterial, (b) => b.exteriorWallMaterial)
  const foundationType = text(buildings, primary, parcel.foundationType, (b) => b.foundationType)
  const roofCover = text(buildings, primary, parcel.roofCover, (b) => b.roofCover)
  const roofShape = text(buildings, primary, parcel.roofShape, (b) => b.roofShape)
  const qualityGrade = text(buildings, primary, parcel.qualityGrade, (b) => b.qualityGrade)
  const hasPool = flag(buildings, parcel.hasPool, (b) => b.hasPool)
  const hasSprinklers = flag(buildings, parcel.hasSprinklers, (b) => b.hasSprinklers)
  const details: AttributeDetails = {
    yearBuiltDetail: yearBuilt.detail,
    effectiveYearBuiltDetail: effectiveYearBuilt.detail,
    numFloorsDetail: numFloors.detail,
    heatingTypeDetail: heatingType.detail,
    coolingTypeDetail: coolingType.detail,
    primaryConstructionTypeDetail: construction.detail,
    exteriorWallMaterialDetail: wall.detail,
    foundationTypeDetail: foundationType.detail,
    roofCoverDetail: roofCover.detail,
    roofShapeDetail: roofShape.detail,
    qualityGradeDetail: qualityGrade.detail,
    hasPoolDetail: hasPool.detail,
    hasSprinklersDetail: hasSprinklers.detail
  }
  return {
    values: {
      yearBuilt: yearBuilt.value,
      effectiveYearBuilt: effectiveYearBuilt.value,
      numFloors: numFloors.value,
      heatingType: heatingType.value,
      coolingType: coolingType.value,
      primaryConstructionType: construction.value,
      exteriorWallMaterial: wall.value,
      foundationType: foundationType.value,
      roofCover: roofCover.value,
      roofShape: roofShape.value,
      qualityGrade: qualityGrade.value,
      hasPool: hasPool.value,
      hasSprinklers: hasSprinklers.value
    },
    details,
    basis: basisOf(details)
  }
}
