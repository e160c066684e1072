/**
 * The stored fields of a property that a source can know, each with its kind: the one table from which the import
 * check, the database columns and the record are made.
 *
 * Names are the API's. Units: `...Sqft`, `footprintArea` in square feet; money in whole US dollars; `lat`, `lon` in
 * WGS84 degrees. Source: service-api "Property record", decisions sections 1 and 2.
 */

/** What a value of a field must be. */
export type FieldKind =
  | "text"
  | "state"
  | "zip"
  | "fips"
  | "latitude"
  | "longitude"
  | "size"
  | "land"
  | "count"
  | "year"
  | "floors"
  | "money"
  | "boolean"
  | "date"
  | "timestamp"
  | "textArray"
  | "address"
  | "assetCategory"
  | "footprintSource"

/** Every importable field but `key`, `id`, `buildings` and `retiredInto`, which are about the row. */
export const propertyFields = {
  address: "text",
  city: "text",
  state: "state",
  zip: "zip",
  county: "text",
  countyFips: "fips",
  lat: "latitude",
  lon: "longitude",
  apn: "text",
  parcelNumbers: "textArray",
  accountNumber: "text",
  lotSqft: "land",
  buildingSqft: "size",
  footprintArea: "size",
  footprintAreaSource: "footprintSource",
  roofAreaSqft: "size",
  landscapableSqft: "size",
  yearBuilt: "year",
  effectiveYearBuilt: "year",
  numFloors: "floors",
  totalUnits: "count",
  heatingType: "text",
  coolingType: "text",
  primaryConstructionType: "text",
  exteriorWallMaterial: "text",
  foundationType: "text",
  roofCover: "text",
  roofShape: "text",
  qualityGrade: "text",
  hasPool: "boolean",
  hasSprinklers: "boolean",
  assetCategory: "assetCategory",
  assetSubcategory: "text",
  commonName: "text",
  recordOwner: "text",
  ownerName: "text",
  ownerNameRaw: "text",
  ownerName2: "text",
  ownerMailingAddress: "address",
  rawAddress: "text",
  addressSource: "text",
  totalParval: "money",
  parcelValueType: "text",
  lastSaleDate: "date",
  lastSalePrice: "money",
  zoning: "text",
  landUseCode: "text",
  landUseDescription: "text",
  isCluster: "boolean",
  clusterId: "text",
  clusterSize: "count",
  isClusterPrimary: "boolean",
  sourceUpdatedAt: "timestamp"
} as const satisfies Readonly<Record<string, FieldKind>>

export type PropertyField = keyof typeof propertyFields

/** Fields that the API shows under a second name, too; a row of the import may give them by either. */
export const secondNames = {
  owner: "recordOwner",
  propertyValue: "totalParval",
  buildingFootprintSqft: "footprintArea"
} as const satisfies Readonly<Record<string, PropertyField>>

export type SecondName = keyof typeof secondNames

export const isPropertyField = (name: string): name is PropertyField => Object.hasOwn(propertyFields, name)

export const isSecondName = (name: string): name is SecondName => Object.hasOwn(secondNames, name)

/** The field that has this first or second name. */
export const fieldOf = (name: PropertyField | SecondName): PropertyField =>
  isSecondName(name) ? secondNames[name] : name

export interface MailingAddress {
  readonly line1: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zip: string | null
}

interface ValueOfKind {
  readonly text: string
  readonly state: string
  readonly zip: string
  readonly fips: string
  readonly latitude: number
  readonly longitude: number
  readonly size: number
  readonly land: number
  readonly count: number
  readonly year: number
  readonly floors: number
  readonly money: number
  readonly boolean: boolean
  readonly date: string
  readonly timestamp: string
  readonly textArray: ReadonlyArray<string>
  readonly address: MailingAddress
  readonly assetCategory: string
  readonly footprintSource: string
}

/** The type of each field's value; unknown is null. */
export type PropertyValues = {
  readonly [F in PropertyField]: ValueOfKind[(typeof propertyFields)[F]] | null
}
