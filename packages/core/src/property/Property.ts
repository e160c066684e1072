/**
 * A stored property with everything known about it, before any mask: what adapters hand to core.
 */
import { Schema } from "effect"
import type { PropertyValues } from "./PropertyField.ts"
import type { EnrichmentStatus, Research } from "./Research.ts"

/** How a headline value was derived from the buildings. decisions, section 1. */
export const Basis = Schema.Literals([
  "single_building",
  "primary_building",
  "area_weighted",
  "max",
  "any",
  "parcel_record",
  "unknown"
])

export const PrimaryBuildingBasis = Schema.Literals([
  "only_building",
  "largest_building_sqft",
  "largest_footprint",
  "assessor_primary"
])

const buildingCounts = { buildings: Schema.Int, buildingsTotal: Schema.Int }

/** Detail of yearBuilt and effectiveYearBuilt. */
export const YearDetail = Schema.Struct({
  basis: Basis,
  oldest: Schema.NullOr(Schema.Int),
  newest: Schema.NullOr(Schema.Int),
  primaryBuildingBasis: Schema.NullOr(PrimaryBuildingBasis),
  ...buildingCounts
})

export const FloorsDetail = Schema.Struct({
  basis: Basis,
  max: Schema.NullOr(Schema.Finite),
  areaWeightedMean: Schema.NullOr(Schema.Finite),
  primaryBuilding: Schema.NullOr(Schema.Finite),
  primaryBuildingBasis: Schema.NullOr(PrimaryBuildingBasis),
  ...buildingCounts
})

/** Detail of a text attribute. Shares are of the area of the buildings whose value is known, 0 to 1. */
export const TextDetail = Schema.Struct({
  basis: Basis,
  ...buildingCounts,
  areaShare: Schema.NullOr(Schema.Finite),
  values: Schema.Array(Schema.Struct({
    value: Schema.String,
    buildings: Schema.Int,
    areaShare: Schema.Finite
  }))
})

/** Detail of hasPool and hasSprinklers: `count` buildings have it. */
export const BooleanDetail = Schema.Struct({ basis: Basis, count: Schema.Int, ...buildingCounts })

/** The `<name>Detail` object of each attribute; null: nothing is known. */
export const AttributeDetails = Schema.Struct({
  yearBuiltDetail: Schema.NullOr(YearDetail),
  effectiveYearBuiltDetail: Schema.NullOr(YearDetail),
  numFloorsDetail: Schema.NullOr(FloorsDetail),
  heatingTypeDetail: Schema.NullOr(TextDetail),
  coolingTypeDetail: Schema.NullOr(TextDetail),
  primaryConstructionTypeDetail: Schema.NullOr(TextDetail),
  exteriorWallMaterialDetail: Schema.NullOr(TextDetail),
  foundationTypeDetail: Schema.NullOr(TextDetail),
  roofCoverDetail: Schema.NullOr(TextDetail),
  roofShapeDetail: Schema.NullOr(TextDetail),
  qualityGradeDetail: Schema.NullOr(TextDetail),
  hasPoolDetail: Schema.NullOr(BooleanDetail),
  hasSprinklersDetail: Schema.NullOr(BooleanDetail)
})
export type AttributeDetails = typeof AttributeDetails.Type

/** Nothing is known of any attribute. */
export const noDetails: AttributeDetails = {
  yearBuiltDetail: null,
  effectiveYearBuiltDetail: null,
  numFloorsDetail: null,
  heatingTypeDetail: null,
  coolingTypeDetail: null,
  primaryConstructionTypeDetail: null,
  exteriorWallMaterialDetail: null,
  foundationTypeDetail: null,
  roofCoverDetail: null,
  roofShapeDetail: null,
  qualityGradeDetail: null,
  hasPoolDetail: null,
  hasSprinklersDetail: null
}

/** Where the building rows came from. decisions, section 1. */
export const BuildingAttributesBasis = Schema.Literals([
  "assessor_buildings",
  "assessor_parcel",
  "matched_footprints",
  "mixed",
  "none"
])
export type BuildingAttributesBasis = typeof BuildingAttributesBasis.Type

/** Counts over the contacts of a property that give away no name. decisions, section 2. */
export interface ContactCounts {
  readonly contacts: number
  readonly withEmail: number
  readonly withPhone: number
  readonly withLinkedin: number
  /** At most five role types, most frequent first. */
  readonly roleTypes: ReadonlyArray<string>
}

/** A property as a search finds it. Times are ISO-8601. */
export interface PropertySummary extends PropertyValues {
  readonly id: string
  readonly key: string
  readonly countyFips: string
  readonly enrichmentStatus: EnrichmentStatus
  readonly lastEnrichedAt: string | null
  readonly researchedAt: string | null
  readonly updatedAt: string
  readonly hasManagementCompany: boolean
  readonly hasBeneficialOwner: boolean
  readonly contactCounts: ContactCounts
  /** The organization that reads has unlocked it. */
  readonly unlocked: boolean
  /** An owner asked not to be listed: no owner field has a value. */
  readonly ownerWithheld: boolean
}

/** The source that keeps a record fresh by itself, and what is shown with its data. */
export interface PropertySource {
  readonly title: string
  readonly licence: string
  readonly attribution: string
  /** Since when the source does not have the record any more; null: it has it. */
  readonly vanishedAt: string | null
}

/** A property as its own page shows it. */
export interface Property extends PropertySummary {
  /** Null: nothing but imports by hand brought it. */
  readonly source: PropertySource | null
  /** The last survivor when this record was merged away. */
  readonly retiredInto: string | null
  readonly buildingAttributesBasis: BuildingAttributesBasis
  readonly details: AttributeDetails
  readonly research: Research | null
  /** The beneficial owner asked not to be listed: research has no value for it. */
  readonly beneficialOwnerWithheld: boolean
  /** Firm that owns it by county record. */
  readonly primaryOrganizationId: string | null
  /** Firm that manages it, by research. */
  readonly managementOrganizationId: string | null
}

/** An owner of it asked not to be listed: what was written about it may name the owner, however spelt. */
export const withholdsOwner = (property: Pick<Property, "ownerWithheld" | "beneficialOwnerWithheld">): boolean =>
  property.ownerWithheld || property.beneficialOwnerWithheld
