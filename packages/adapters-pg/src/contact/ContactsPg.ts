/** `Contacts` over PostgreSQL: one short statement of point reads. */
import { Contacts, type ContactStanding, type Written } from "@freehold/core/contact/Contacts"
import { Array, Effect, Layer } from "effect"
import { unavailable } from "../database/Availability.ts"
import { textArray } from "../database/BulkWrite.ts"
import * as Database from "../database/Database.ts"
import { contactPairs } from "./ContactRowPg.ts"

/** Every property of the person that is not retired, in the order of their ids. */
const relationships = `(
  SELECT coalesce(json_agg(
    json_build_object('propertyId', p.id, 'countyFips', p.county_fips, 'address', p.address, 'city', p.city,
      'state', p.state, 'role', pc.role, 'relationshipStatus', pc.relationship_status,
      'attributionType', pc.attribution_type,
      'researched', EXISTS (SELECT FROM property_research pr WHERE pr.property_id = p.id),
      'unlocked', EXISTS (SELECT FROM property_access pa
        WHERE pa.org_id = reader.org_id AND pa.property_id = p.id AND pa.source = 'paid'))
    ORDER BY p.id), '[]')
  FROM property_contact pc JOIN property p ON p.id = pc.property_id
  WHERE pc.contact_id = c.id AND p.retired_into IS NULL)`

export const layer: Layer.Layer<Contacts, never, Database.Reads> = Layer.effect(
  Contacts,
  Effect.gen(function*() {
    const sql = yield* Database.Reads
    const columns = sql.literal(`json_build_object(${contactPairs}) AS contact, ${relationships} AS relationships`)

    return Contacts.of({
      read: Effect.fn("Contacts.read")(function*(contactId, orgId) {
        const rows = yield* sql<ContactStanding>`
          SELECT ${columns}, ca.source AS access
          FROM (SELECT ${orgId}::text AS org_id) AS reader
          CROSS JOIN contact c
          LEFT JOIN firm f ON f.id = c.firm_id
          LEFT JOIN contact_access ca ON ca.org_id = reader.org_id AND ca.contact_id = c.id
          WHERE c.id = ${contactId}::uuid`
        return Array.head(rows)
      }, Effect.catchTag("SqlError", unavailable)),

      lastWritten: Effect.fn("Contacts.lastWritten")(function*(orgId, { contactIds, propertyIds }) {
        const rows = yield* sql<Written & { readonly action: string }>`
          SELECT DISTINCT ON (i.action) i.action, i.run_id AS "runId", i.subject_id AS "contactId",
            s.id AS "propertyId", to_iso(i.finished_at) AS at
          FROM research_item i
          JOIN property p ON p.id = i.property_id JOIN property s ON s.id = coalesce(p.retired_into, p.id)
          WHERE i.org_id = ${orgId} AND i.subject_id = ANY(${textArray(contactIds)}::uuid[])
            AND s.id = ANY(${textArray(propertyIds)}::uuid[])
            AND i.action IN ('deep_research_contact', 'draft_email') AND i.state IN ('complete', 'partial')
            AND i.result IS NOT NULL
          ORDER BY i.action, i.finished_at DESC, i.run_id DESC`
        const last = (action: string): Written | null => {
          const row = rows.find((each) => each.action === action)
          if (row === undefined) return null
          const { action: _, ...written } = row
          return written
        }
        return { strategy: last("deep_research_contact"), draft: last("draft_email") }
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
