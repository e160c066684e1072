/**
 * The arguments of a property search: the body of POST /properties/search and of its MCP twin.
 *
 * Exactly one of `query`, `filters` and `bounds`. Rules between fields are in `SearchRequest` and `SearchConditions`. service-api "POST
 * /properties/search", decisions section 8.
 */
import { Schema, Struct } from "effect"
import { AskedCounties } from "../coverage/AskedCounties.ts"
import { AskedState } from "../coverage/AskedState.ts"
import { atLeast, atMost } from "../operation/Characters.ts"
import { IsoMoment } from "../operation/IsoMoment.ts"
import { cursorOf } from "../operation/PageCursor.ts"
import { Uuid } from "../operation/Uuid.ts"
import { Stage } from "../stage/Stage.ts"
import { EnrichmentStatus, ResearchState } from "./Research.ts"
import { Columns, compactFields } from "./SearchRow.ts"

const listOf = <S extends Schema.Codec<unknown, unknown>>(item: S, maximum: number) =>
  Schema.Array(item).check(Schema.isMinLength(1), Schema.isMaxLength(maximum))

const Name = Schema.String.check(Schema.isMinLength(1), atMost(200))
const Substring = Schema.String.check(atLeast(2), atMost(200))
const Whole = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 }))
const Amount = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
/** Upper end checked in `SearchConditions`, where the year is known. */
const Year = Schema.Int.check(Schema.isBetween({ minimum: 1600, maximum: 9999 }))

const Latitude = Schema.Finite.check(Schema.isBetween({ minimum: -90, maximum: 90 }))
const Longitude = Schema.Finite.check(Schema.isBetween({ minimum: -180, maximum: 180 }))
const Position = Schema.Tuple([Longitude, Latitude])
const Ring = Schema.Array(Position)

/** A map box in WGS84 degrees; `west > east` crosses the antimeridian. */
export const Bounds = Schema.Struct({ north: Latitude, south: Latitude, east: Longitude, west: Longitude })
export type Bounds = typeof Bounds.Type

/** The kinds of recorded change that a property can have. */
export const PropertyChangeKind = Schema.Literals(["ownership_transfer", "sale", "manager_change"])

const unknownable = [
  "buildingSqft",
  "lotSqft",
  "roofAreaSqft",
  "landscapableSqft",
  "buildingFootprintSqft",
  "yearBuilt",
  "effectiveYearBuilt",
  "numFloors",
  "totalUnits",
  "propertyValue",
  "lastSaleDate",
  "lastEnrichedAt",
  "assetCategory",
  "assetSubcategory",
  "primaryConstructionType",
  "roofCover",
  "roofShape",
  "heatingType",
  "coolingType",
  "ownerName",
  "commonName",
  "hasPool",
  "hasSprinklers"
] as const

export const filterFields = {
  countyFips: AskedCounties,
  countyNames: listOf(Name, 50),
  zipCodes: listOf(
    Schema.String.check(Schema.isPattern(/^\d{5}$/u, { message: "Expected a 5-digit zip code" })),
    200
  ),
  cities: listOf(Name, 50),
  states: listOf(AskedState, 10),
  within: Schema.Union([
    Schema.Struct({ type: Schema.Literal("Polygon"), coordinates: Schema.Array(Ring) }),
    Schema.Struct({ type: Schema.Literal("MultiPolygon"), coordinates: Schema.Array(Schema.Array(Ring)) })
  ]).annotate({ expected: "a GeoJSON Polygon or MultiPolygon" }),
  near: Schema.Struct({
    lat: Latitude,
    lon: Longitude,
    radiusMeters: Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 32_000 }))
  }),
  categories: listOf(Name, 50),
  subcategories: listOf(Name, 50),
  minBuildingSqft: Whole,
  maxBuildingSqft: Whole,
  minLotSqft: Whole,
  maxLotSqft: Whole,
  minRoofAreaSqft: Whole,
  maxRoofAreaSqft: Whole,
  minLandscapableSqft: Whole,
  maxLandscapableSqft: Whole,
  minBuildingFootprintSqft: Whole,
  maxBuildingFootprintSqft: Whole,
  minYearBuilt: Year,
  maxYearBuilt: Year,
  minEffectiveYearBuilt: Year,
  maxEffectiveYearBuilt: Year,
  minNumFloors: Whole,
  maxNumFloors: Whole,
  minTotalUnits: Whole,
  maxTotalUnits: Whole,
  minContactCount: Whole,
  maxContactCount: Whole,
  minPropertyValue: Amount,
  maxPropertyValue: Amount,
  lastSaleAfter: IsoMoment,
  lastSaleBefore: IsoMoment,
  updatedAfter: IsoMoment,
  lastEnrichedAfter: IsoMoment,
  lastEnrichedBefore: IsoMoment,
  ownerName: Substring,
  commonName: Substring,
  organizationId: Uuid,
  organizationRole: Schema.Literals(["owner", "property_manager", "operator", "tenant"]),
  hasPool: Schema.Boolean,
  hasSprinklers: Schema.Boolean,
  hasContacts: Schema.Boolean,
  hasEmailContact: Schema.Boolean,
  hasPhoneContact: Schema.Boolean,
  researchState: listOf(ResearchState, 3),
  enrichmentStatus: listOf(EnrichmentStatus, 6),
  primaryConstructionType: listOf(Name, 50),
  roofCover: listOf(Name, 50),
  roofShape: listOf(Name, 50),
  heatingType: listOf(Name, 50),
  coolingType: listOf(Name, 50),
  inListId: Uuid,
  notInListId: Uuid,
  pipelineStatus: listOf(Schema.Literals([...Stage.literals, "none"]), 7),
  customerStatus: Schema.Literals(["active", "churned", "none"]),
  changedKinds: listOf(PropertyChangeKind, 3),
  changedWithinDays: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3650 })),
  /** Row fields whose unknown values match as well. */
  includeUnknown: listOf(Schema.Literals(unknownable), unknownable.length)
}

const optional = <Fields extends Record<string, Schema.Codec<unknown, unknown>>>(fields: Fields) =>
  Schema.Struct(fields).mapFields(Struct.map(Schema.optionalKey))

export const Filters = optional(filterFields)
export type Filters = typeof Filters.Type

/** What is worth choosing of a compact row: the others are about those, or seldom asked for. */
const columns = Object.keys(compactFields).filter((name) =>
  !/Withheld|Locked|Redacted|ByPlan|Status|^zip$|^county|^l(at|on)$/.test(name)
)

/** The words of `sortBy`. */
export const SortKey = Schema.Literals([
  "relevance",
  "commonName",
  "lotSqft",
  "buildingSqft",
  "totalUnits",
  "contactCount",
  "landscapableSqft",
  "roofAreaSqft",
  "buildingFootprintSqft",
  "yearBuilt",
  "numFloors",
  "ownerName",
  "propertyValue",
  "updatedAt",
  "lastEnrichedAt",
  "lastSaleDate",
  "address",
  "city",
  "owner"
])
export type SortKey = typeof SortKey.Type

export const SortOrder = Schema.Literals(["asc", "desc"])
export type SortOrder = typeof SortOrder.Type

export const defaultLimit = 50
export const maximumLimit = 200
export const maximumOffset = 10_000

export const SearchInput = Schema.Struct({
  query: Schema.optionalKey(
    Schema.String.check(atMost(400)).annotate({
      description: "Free text over address, city, owner and name; not over categories or counties."
    })
  ),
  bounds: Schema.optionalKey(Bounds.annotate({
    description: "Map box, degrees WGS84, at most 5 degrees each way. Pages with cursor or offset."
  })),
  filters: Schema.optionalKey(Filters.annotate({
    description:
      "Location (countyFips, countyNames, zipCodes, cities, within or near; at least one) and attributes. Pages with cursor or offset."
  })),
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumLimit })).annotate({
      description: "Default 50."
    })
  ),
  cursor: Schema.optionalKey(
    cursorOf("next_cursor, with the same search and sort.")
  ),
  offset: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
      description: "Rows to skip; not with query or cursor."
    })
  ),
  sortBy: Schema.optionalKey(SortKey),
  sortOrder: Schema.optionalKey(SortOrder),
  verbosity: Schema.optionalKey(Schema.Literals(["compact", "full"])),
  fields: Schema.optionalKey(
    Columns.annotate({ description: `Columns: ${columns.join(", ")}; or any of full.` })
  ),
  count_only: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Only how many match." })
  )
})
export type SearchInput = typeof SearchInput.Type
