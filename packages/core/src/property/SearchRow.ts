/** A row of a property search: compact, full, or of the columns that were chosen. decisions, section 2. */
import { Schema, Struct } from "effect"
import { hint } from "../operation/Nearest.ts"
import { EnrichmentStatus, ResearchState } from "./Research.ts"

const Text = Schema.NullOr(Schema.String)
const Num = Schema.NullOr(Schema.Finite)
const Bool = Schema.NullOr(Schema.Boolean)
const Time = Schema.String

export const MailingAddress = Schema.Struct({ line1: Text, city: Text, state: Text, zip: Text })

const Teaser = Schema.Struct({
  contacts: Schema.Int,
  withEmail: Schema.Int,
  withPhone: Schema.Int,
  withLinkedin: Schema.Int,
  roleTypes: Schema.Array(Schema.String),
  hasManagementCompany: Schema.Boolean,
  hasBeneficialOwner: Schema.Boolean,
  summary: Text
}).annotate({ identifier: "Teaser" })

/** What every view of a property begins with: which one it is, and where. */
export const identityFields = {
  id: Schema.String,
  key: Schema.String,
  address: Text,
  city: Text,
  state: Text,
  zip: Text,
  county: Text,
  countyFips: Schema.String,
  lat: Num,
  lon: Num
}

export const compactFields = {
  ...identityFields,
  owner: Text,
  ownerWithheld: Schema.optionalKey(Schema.Literal(true)),
  commonName: Text,
  nameLocked: Schema.Boolean,
  assetCategory: Text,
  assetSubcategory: Text,
  buildingSqft: Num,
  lotSqft: Num,
  numFloors: Num,
  totalUnits: Num,
  yearBuilt: Num,
  propertyValue: Num,
  premiumDataRedacted: Schema.Boolean,
  contactCount: Schema.Int,
  enrichmentStatus: EnrichmentStatus,
  researchState: ResearchState,
  coveredByPlan: Schema.Boolean,
  teaser: Teaser
}

export const CompactRow = Schema.Struct(compactFields).annotate({ identifier: "CompactPropertyRow" })

const fullFields = {
  ...compactFields,
  parcelNumbers: Schema.Array(Schema.String),
  apn: Text,
  accountNumber: Text,
  isCluster: Schema.Boolean,
  clusterId: Text,
  clusterSize: Num,
  isClusterPrimary: Bool,
  ownerName: Text,
  ownerNameRaw: Text,
  ownerName2: Text,
  ownerMailingAddress: Schema.NullOr(MailingAddress),
  rawAddress: Text,
  addressSource: Text,
  landUseCode: Text,
  landUseDescription: Text,
  zoning: Text,
  effectiveYearBuilt: Num,
  footprintArea: Num,
  footprintAreaSource: Text,
  buildingFootprintSqft: Num,
  roofAreaSqft: Num,
  landscapableSqft: Num,
  totalParval: Num,
  lastSaleDate: Text,
  lastSalePrice: Num,
  hasPool: Bool,
  hasSprinklers: Bool,
  primaryConstructionType: Text,
  roofCover: Text,
  lastEnrichedAt: Text,
  researchedAt: Text,
  updatedAt: Time,
  sourceUpdatedAt: Text
}

export const FullRow = Schema.Struct(fullFields).annotate({ identifier: "FullPropertyRow" })

/** A row with the columns of `fields` alone. */
export const ChosenRow = Schema.Struct({
  ...fullFields,
  teaser: Schema.Struct(Struct.omit(Teaser.fields, ["summary"])).annotate({ identifier: "TeaserCounts" })
}).mapFields(Struct.map(Schema.optionalKey)).annotate({ identifier: "ChosenPropertyRow" })

/** What can be chosen. `ownerWithheld` comes with `owner`, when it is true. */
const Column = Schema.Literals(Struct.keys(Struct.omit(fullFields, ["ownerWithheld"])))
export type Column = typeof Column.Type

const compactColumns: ReadonlySet<string> = new Set(Object.keys(compactFields))

export const isColumn = Schema.is(Column)

/** The names of a list that is too long are not looked at: each is compared with every column. */
const unknownColumns = (names: ReadonlyArray<string>): ReadonlyArray<Schema.FilterIssue> =>
  names.length > Column.literals.length ?
    [] :
    names.flatMap((name, index) =>
      isColumn(name) ? [] : [{ path: [index], issue: `Expected a column of a row${hint(name, Column.literals)}` }]
    )

/** The columns that a row shall have. */
export const Columns = Schema.Array(Schema.String).check(
  Schema.makeFilter(unknownColumns),
  Schema.isMinLength(1),
  Schema.isMaxLength(Column.literals.length)
)

/** Whether a column is asked for that compact rows do not have. */
export const needsFullRow = (fields: ReadonlyArray<string>): boolean => fields.some((name) => !compactColumns.has(name))
