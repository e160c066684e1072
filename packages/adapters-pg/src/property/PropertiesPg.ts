/** `Properties` over PostgreSQL: each method is one short statement of point reads. */
import { type AttachedContact, Seniority } from "@freehold/core/contact/Contact"
import type { FoundProperty } from "@freehold/core/coverage/Standings"
import { type AttachedPerson, Properties } from "@freehold/core/property/Properties"
import type { PropertyRef } from "@freehold/core/property/PropertyRef"
import { Array, Effect, Layer, Option } from "effect"
import { contactPairs } from "../contact/ContactRowPg.ts"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import { textArray } from "../database/BulkWrite.ts"
import * as Database from "../database/Database.ts"
import { storable } from "../database/StorableText.ts"
import { propertyColumns, propertyOf, type PropertyRow } from "./PropertyRowPg.ts"

const seniorities = Seniority.literals.map((name) => `'${name}'`).join(", ")

/**
 * Everyone attached to the property `p`, as JSON, ordered by seniority, then id. `$org` is the reader.
 *
 * A person is open when paid for, or attached to another property that is unlocked; a tie without a county is of a retired one.
 */
export const attachedContacts = `(
  SELECT coalesce(json_agg(
    json_build_object(${contactPairs}, 'role', pc.role, 'relationshipStatus', pc.relationship_status, 'opened',
      EXISTS (SELECT FROM contact_access ca
        WHERE ca.org_id = reader.org_id AND ca.contact_id = c.id AND ca.source = 'paid')
      OR EXISTS (SELECT FROM property_contact other JOIN property_access pa
        ON pa.org_id = reader.org_id AND pa.property_id = other.property_id AND pa.source = 'paid'
        WHERE other.contact_id = c.id AND other.property_id <> p.id AND other.county_fips IS NOT NULL))
    ORDER BY array_position(ARRAY[${seniorities}], c.seniority), c.id), '[]')
  FROM property_contact pc JOIN contact c ON c.id = pc.contact_id LEFT JOIN firm f ON f.id = c.firm_id
  WHERE pc.property_id = p.id)`

/** `PropertyStanding` of the property `p` with the reader's access `a`. */
export const standingColumns = `p.id, p.county_fips AS "countyFips", p.retired_into AS "retiredInto",
  EXISTS (SELECT FROM property_research WHERE property_id = p.id) AS researched, a.source AS access`

/** The tables of a property that `reader` looks at. */
export const propertyTables = `property p
  LEFT JOIN property_research r ON r.property_id = p.id
  LEFT JOIN property_access a ON a.org_id = reader.org_id AND a.property_id = p.id AND a.source = 'paid'`

export const layer: Layer.Layer<Properties, never, Database.Pipeline> = Layer.effect(
  Properties,
  Effect.gen(function*() {
    const sql = yield* Database.Pipeline
    const named = (ref: PropertyRef) =>
      ref._tag === "Id" ? sql`p.id = ${ref.id}::uuid` : sql`p.key = ${storable(ref.key)}`
    const from = (orgId: string) =>
      sql`(SELECT ${orgId}::text AS org_id) AS reader CROSS JOIN ${sql.literal(propertyTables)}`
    const property = sql.literal(propertyColumns)
    const contacts = sql.literal(attachedContacts)
    const standing = sql.literal(standingColumns)

    return Properties.of({
      standing: Effect.fn("Properties.standing")(function*(ref, orgId) {
        const rows = yield* sql<FoundProperty>`
          SELECT ${standing}, p.key, p.address
          FROM property p LEFT JOIN property_access a ON a.org_id = ${orgId} AND a.property_id = p.id
          WHERE ${named(ref)}`
        return Array.head(rows)
      }, Effect.catchTag("SqlError", unavailable)),

      people: Effect.fn("Properties.people")(
        (propertyIds, orgId) =>
          sql<AttachedPerson>`
          SELECT person.id, ${Visibility.paidPerson(sql, orgId, "person.id")} AS opened
          FROM (SELECT DISTINCT contact_id AS id FROM property_contact
            WHERE property_id = ANY(${textArray(propertyIds)}::uuid[])) AS person
          ORDER BY person.id`,
        Effect.catchTag("SqlError", unavailable)
      ),

      read: Effect.fn("Properties.read")(function*(ref, orgId) {
        const rows = yield* sql<PropertyRow>`SELECT ${property} FROM ${from(orgId)} WHERE ${named(ref)}`
        return Option.map(Array.head(rows), propertyOf)
      }, Effect.catchTag("SqlError", unavailable)),

      readWithContacts: Effect.fn("Properties.readWithContacts")(function*(ref, orgId) {
        const rows = yield* sql<PropertyRow & { readonly contacts: ReadonlyArray<AttachedContact> }>`
          SELECT ${property}, ${contacts} AS contacts FROM ${from(orgId)} WHERE ${named(ref)}`
        return Option.map(
          Array.head(rows),
          ({ contacts, ...row }) => ({ property: propertyOf(row), contacts })
        )
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
