/**
 * How a stored property is read: the one place that ties columns to the domain's fields.
 *
 * The columns follow from core's table of fields; a column has its field's name in snake_case. Queries name the tables
 * `p` (property), `r` (property_research) and `a` (the reader's paid unlock), see `joins`. Times are written by the
 * database as the API shows them.
 */
import {
  type AttributeDetails,
  type BuildingAttributesBasis,
  noDetails,
  type Property,
  type PropertySource,
  type PropertySummary
} from "@freehold/core/property/Property"
import { type PropertyField, propertyFields, type PropertyValues } from "@freehold/core/property/PropertyField"
import type { EnrichmentStatus, Research } from "@freehold/core/property/Research"
import { Record, Struct } from "effect"

/** The column of a field. */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** An instant as ISO-8601 in UTC with milliseconds. */
export const isoTime = (expression: string): string =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const fieldNames = Struct.keys(propertyFields)

/** The fields that a compact row of a search shows. decisions, section 2. */
const compactFields: ReadonlyArray<PropertyField> = [
  "address",
  "city",
  "state",
  "zip",
  "county",
  "lat",
  "lon",
  "recordOwner",
  "commonName",
  "assetCategory",
  "assetSubcategory",
  "buildingSqft",
  "lotSqft",
  "numFloors",
  "totalUnits",
  "yearBuilt",
  "totalParval"
]

const select = (fields: ReadonlyArray<PropertyField>): string =>
  fields.map((field) => {
    const column = `p.${columnOf(field)}`
    return `${propertyFields[field] === "timestamp" ? isoTime(column) : column} AS "${field}"`
  }).join(", ")

const always = `p.id, p.key, p.county_fips AS "countyFips", p.enrichment_status AS "enrichmentStatus",
  ${isoTime("p.last_enriched_at")} AS "lastEnrichedAt", ${isoTime("p.updated_at")} AS "updatedAt",
  ${isoTime("r.researched_at")} AS "researchedAt",
  r.management_company IS NOT NULL AS "hasManagementCompany", r.beneficial_owner IS NOT NULL AS "hasBeneficialOwner",
  p.contact_count, p.contacts_with_email, p.contacts_with_phone, p.contacts_with_linkedin, p.contact_role_types,
  a.property_id IS NOT NULL AS unlocked, p.owner_withheld AS "ownerWithheld"`

/** The columns of a compact row. */
export const compactColumns = `${always}, ${select(compactFields)}`

/** The columns of a row with every field. */
export const fullColumns = `${always}, ${select(fieldNames.filter((field) => field !== "countyFips"))}`

/** The columns of a property as its own page shows it. */
export const propertyColumns = `${fullColumns},
  coalesce(r.withheld_beneficial_owner IS NOT NULL, false) AS "beneficialOwnerWithheld",
  p.retired_into AS "retiredInto", p.building_attributes_basis AS "buildingAttributesBasis", p.details,
  CASE WHEN r.property_id IS NOT NULL THEN json_build_object(
    'beneficialOwner', r.beneficial_owner, 'beneficialOwnerType', r.beneficial_owner_type,
    'managementCompany', r.management_company, 'aiRationale', r.ai_rationale,
    'researchedAt', ${isoTime("r.researched_at")}, 'tier', r.tier) END AS research,
  (SELECT json_build_object('title', s.document ->> 'title', 'licence', s.document ->> 'licence', 'attribution',
      s.document ->> 'attribution', 'vanishedAt', ${isoTime("k.vanished_at")})
    FROM source_record k JOIN source s ON s.name = k.source
    WHERE k.key = p.key AND coalesce(s.document ->> 'rows', 'properties') = 'properties'
    ORDER BY k.vanished_at DESC NULLS FIRST, s.name LIMIT 1) AS source,
  (SELECT f.firm_id FROM property_firm f
    WHERE f.property_id = p.id AND f.role = 'owner' AND f.attribution_type = 'county_record'
    ORDER BY f.firm_id LIMIT 1) AS "primaryOrganizationId",
  (SELECT f.firm_id FROM property_firm f
    WHERE f.property_id = p.id AND f.role = 'property_manager' AND f.attribution_type = 'management_research'
    ORDER BY f.firm_id LIMIT 1) AS "managementOrganizationId"`

/** A row of `compactColumns` or `fullColumns`. */
export interface SummaryRow extends Partial<Omit<PropertyValues, "countyFips">> {
  readonly id: string
  readonly key: string
  readonly countyFips: string
  readonly enrichmentStatus: EnrichmentStatus
  readonly lastEnrichedAt: string | null
  readonly researchedAt: string | null
  readonly updatedAt: string
  readonly hasManagementCompany: boolean
  readonly hasBeneficialOwner: boolean
  readonly contact_count: number
  readonly contacts_with_email: number
  readonly contacts_with_phone: number
  readonly contacts_with_linkedin: number
  readonly contact_role_types: ReadonlyArray<string>
  readonly unlocked: boolean
  readonly ownerWithheld: boolean
}

/** A row of `propertyColumns`. */
export interface PropertyRow extends SummaryRow {
  readonly beneficialOwnerWithheld: boolean
  readonly retiredInto: string | null
  readonly buildingAttributesBasis: BuildingAttributesBasis
  readonly details: Partial<AttributeDetails>
  readonly research: Research | null
  readonly source: PropertySource | null
  readonly primaryOrganizationId: string | null
  readonly managementOrganizationId: string | null
}

const unknownValues = Record.map(propertyFields, () => null)

/** What was not selected is null. */
export const summaryOf = (row: SummaryRow): PropertySummary => {
  const {
    contact_count,
    contact_role_types,
    contacts_with_email,
    contacts_with_linkedin,
    contacts_with_phone,
    ...values
  } = row
  return {
    ...unknownValues,
    ...values,
    contactCounts: {
      contacts: contact_count,
      withEmail: contacts_with_email,
      withPhone: contacts_with_phone,
      withLinkedin: contacts_with_linkedin,
      roleTypes: contact_role_types
    }
  }
}

export const propertyOf = (row: PropertyRow): Property => {
  const {
    beneficialOwnerWithheld,
    buildingAttributesBasis,
    details,
    managementOrganizationId,
    primaryOrganizationId,
    research,
    retiredInto,
    source
  } = row
  return {
    ...summaryOf(row),
    beneficialOwnerWithheld,
    retiredInto,
    buildingAttributesBasis,
    details: { ...noDetails, ...details },
    research,
    source,
    primaryOrganizationId,
    managementOrganizationId
  }
}
