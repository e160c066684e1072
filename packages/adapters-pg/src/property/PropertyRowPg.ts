/**
 * How a stored property is read: the one place that ties columns to the domain's fields.
 *
 * The columns follow from core's table of fields; a column has its field's name in snake_case. Queries name the tables
 * `p` (property), `r` (property_research), `a` (the reader's paid unlock) and, for a page of a search, `reader` (whose
 * `org_id` it is). Times are written by the database as the API shows them.
 */
import {
  type AttributeDetails,
  type BuildingAttributesBasis,
  noDetails,
  type Property,
  type PropertySource,
  type PropertySummary
} from "@freehold/core/property/Property"
import { type PropertyField, propertyFields } from "@freehold/core/property/PropertyField"
import type { Research } from "@freehold/core/property/Research"
import { Record, Struct } from "effect"
import { columnsOf } from "../database/Columns.ts"

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

/** From each name to the SQL expression of its value. */
export type Expressions = Readonly<Record<string, string>>

const expressionOf = (field: PropertyField): string => {
  const column = `p.${columnOf(field)}`
  const kind = propertyFields[field]
  if (kind === "timestamp") return isoTime(column)
  // Searches compare the column, which holds no more.
  return kind === "land"
    ? `CASE ${column} WHEN 2147483647 THEN coalesce(${column}_beyond, ${column}) ELSE ${column} END`
    : column
}

const expressionsOf = (fields: ReadonlyArray<PropertyField>): Expressions =>
  Record.fromIterableWith(fields, (field) => [field, expressionOf(field)])

/** The contacts of a property, counted. */
const counts = {
  contacts: "p.contact_count",
  withEmail: "p.contacts_with_email",
  withPhone: "p.contacts_with_phone",
  withLinkedin: "p.contacts_with_linkedin",
  roleTypes: "p.contact_role_types"
} as const satisfies Expressions

/** What every reading has beside the fields. */
const always = {
  id: "p.id",
  key: "p.key",
  countyFips: "p.county_fips",
  enrichmentStatus: "p.enrichment_status",
  hasManagementCompany: "r.management_company IS NOT NULL",
  hasBeneficialOwner: "r.beneficial_owner IS NOT NULL",
  ownerWithheld: "p.owner_withheld"
} as const satisfies Expressions

const times = {
  lastEnrichedAt: isoTime("p.last_enriched_at"),
  updatedAt: isoTime("p.updated_at"),
  researchedAt: isoTime("r.researched_at")
} as const satisfies Expressions

/** A compact row shows no time: to write those of a page would cost more than to find it. */
const noTimes = { researchedAt: "CASE WHEN r.property_id IS NOT NULL THEN '' END" } as const satisfies Expressions

const unlockedByReader = `EXISTS (SELECT FROM property_access a
  WHERE a.org_id = reader.org_id AND a.property_id = p.id AND a.source = 'paid')`

/** The columns of a row of a search. */
export interface SummaryColumns {
  /** Each by its name, in their order. */
  readonly expressions: Expressions
  readonly count: number
  /** Reads a row's values in the order of the columns. What is no column is null, or empty where it cannot be. */
  readonly read: (values: ReadonlyArray<unknown>) => PropertySummary
}

const unknownValues = { ...Record.map(propertyFields, () => null), lastEnrichedAt: null, updatedAt: "" }

/**
 * A row is a copy of a blank one, so that all have one shape for V8, which keeps an object that is filled name by name as a
 * table of hashes: of a page of 50 that costs more than everything else that is done for it.
 */
const summaryColumns = (fields: ReadonlyArray<PropertyField>, moments: Expressions): SummaryColumns => {
  const values = { ...always, ...moments, unlocked: unlockedByReader, ...expressionsOf(fields) }
  const names = Object.keys(values)
  const countNames = Object.keys(counts)
  // What a parser made has the shape of an object that was written down.
  const blankCounts = JSON.parse(JSON.stringify(Record.map(counts, () => null)))
  const blank = JSON.parse(
    JSON.stringify({ ...Record.map(values, () => null), ...unknownValues, contactCounts: null })
  )
  return {
    expressions: { ...values, ...counts },
    count: names.length + countNames.length,
    read: (row) => {
      const summary = { ...blank }
      for (let index = 0; index < names.length; index++) summary[names[index] ?? ""] = row[index]
      const contactCounts = { ...blankCounts }
      for (let index = 0; index < countNames.length; index++) {
        contactCounts[countNames[index] ?? ""] = row[names.length + index]
      }
      summary.contactCounts = contactCounts
      return summary
    }
  }
}

const allFields = fieldNames.filter((field) => field !== "countyFips")

/** Of a compact row. */
export const compactColumns = summaryColumns(compactFields, noTimes)

/** Of a row with every field. */
export const fullColumns = summaryColumns(allFields, times)

/** The columns of a property as its own page shows it. */
export const propertyColumns = `${
  columnsOf({ ...always, ...times, unlocked: "a.property_id IS NOT NULL", ...expressionsOf(allFields) })
}, ${Object.values(counts).join(", ")},
  coalesce(r.withheld_beneficial_owner IS NOT NULL, false) AS "beneficialOwnerWithheld",
  p.retired_into AS "retiredInto", p.building_attributes_basis AS "buildingAttributesBasis", p.details,
  CASE WHEN r.property_id IS NOT NULL THEN json_build_object(
    'beneficialOwner', r.beneficial_owner, 'beneficialOwnerType', r.beneficial_owner_type,
    'managementCompany', r.management_company,
    'aiRationale', CASE WHEN NOT names_suppressed(r.ai_rationale) THEN r.ai_rationale END,
    'researchedAt', ${isoTime("r.researched_at")}, 'tier', r.tier) END AS research,
  (SELECT json_build_object('title', s.document ->> 'title', 'licence', s.document ->> 'licence', 'attribution',
      s.document ->> 'attribution', 'vanishedAt', ${isoTime("k.vanished_at")})
    FROM source_record k JOIN source s ON s.name = k.source
    WHERE k.key = p.key AND coalesce(s.document ->> 'rows', 'properties') = 'properties'
    ORDER BY s.removed_at DESC NULLS FIRST, k.vanished_at DESC NULLS FIRST, s.name LIMIT 1) AS source,
  (SELECT f.firm_id FROM property_firm f
    WHERE f.property_id = p.id AND f.role = 'owner' AND f.attribution_type = 'county_record'
    ORDER BY f.firm_id LIMIT 1) AS "primaryOrganizationId",
  (SELECT f.firm_id FROM property_firm f
    WHERE f.property_id = p.id AND f.role = 'property_manager' AND f.attribution_type = 'management_research'
    ORDER BY f.firm_id LIMIT 1) AS "managementOrganizationId"`

/** A row of `propertyColumns`. */
export interface PropertyRow extends Omit<PropertySummary, "contactCounts"> {
  readonly contact_count: number
  readonly contacts_with_email: number
  readonly contacts_with_phone: number
  readonly contacts_with_linkedin: number
  readonly contact_role_types: ReadonlyArray<string>
  readonly beneficialOwnerWithheld: boolean
  readonly retiredInto: string | null
  readonly buildingAttributesBasis: BuildingAttributesBasis
  readonly details: Partial<AttributeDetails>
  readonly research: Research | null
  readonly source: PropertySource | null
  readonly primaryOrganizationId: string | null
  readonly managementOrganizationId: string | null
}

export const propertyOf = (row: PropertyRow): Property => {
  const {
    contact_count,
    contact_role_types,
    contacts_with_email,
    contacts_with_linkedin,
    contacts_with_phone,
    details,
    ...property
  } = row
  return {
    ...property,
    details: { ...noDetails, ...details },
    contactCounts: {
      contacts: contact_count,
      withEmail: contacts_with_email,
      withPhone: contacts_with_phone,
      withLinkedin: contacts_with_linkedin,
      roleTypes: contact_role_types
    }
  }
}
