/**
 * `BundleSource` over PostgreSQL: one statement, and so one snapshot.
 *
 * What there are many of comes as JSON beside the property's columns.
 */
import type { AttachedContact } from "@freehold/core/contact/Contact"
import {
  type AttachedFirm,
  type BundleNote,
  BundleSource,
  type BundleTask,
  mostOfBundle
} from "@freehold/core/lead/BundleSource"
import type { Lead } from "@freehold/core/pipeline/Pipeline"
import { Array, Effect, Layer, Option } from "effect"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { storable } from "../database/StorableText.ts"
import { attachedContacts, propertyTables } from "../property/PropertiesPg.ts"
import { isoTime, propertyColumns, propertyOf, type PropertyRow } from "../property/PropertyRowPg.ts"
import { customerOfReader, leadOfReader } from "./LeadRowPg.ts"

interface BundleRow extends PropertyRow {
  readonly contacts: ReadonlyArray<AttachedContact>
  readonly firms: ReadonlyArray<AttachedFirm>
  readonly lead: Lead | null
  readonly notes: ReadonlyArray<BundleNote>
  readonly tasks: ReadonlyArray<BundleTask>
  readonly customer_status: "active" | "churned" | null
}

/** Owners first, then managers, operators and tenants. */
const firms = `(
  SELECT coalesce(json_agg(
    json_build_object('id', f.id, 'role', pf.role, 'name', f.name, 'domain', f.domain,
      'attributionType', pf.attribution_type, 'linkedinUrl', f.linkedin_url, 'websiteUrl', f.website_url,
      'phone', f.phone)
    ORDER BY array_position(ARRAY['owner', 'property_manager', 'operator', 'tenant'], pf.role), f.id), '[]')
  FROM property_firm pf JOIN firm f ON f.id = pf.firm_id
  WHERE pf.property_id = p.id)`

const notes = `(
  SELECT coalesce(json_agg(
    json_build_object('id', n.id, 'content', n.content, 'author', n.author, 'createdAt', ${isoTime("n.created_at")})
    ORDER BY n.created_at DESC, n.id), '[]')
  FROM (
    SELECT * FROM note WHERE note.org_id = reader.org_id AND note.property_id = p.id
    ORDER BY created_at DESC, id LIMIT ${mostOfBundle}
  ) AS n)`

const tasks = `(
  SELECT coalesce(json_agg(
    json_build_object('id', t.id, 'title', t.title, 'description', t.description, 'type', t.type, 'status', t.status,
      'dueAt', ${isoTime("t.due_at")}, 'assigneeName', t.assignee_name, 'createdAt', ${isoTime("t.created_at")},
      'completedAt', ${isoTime("t.completed_at")})
    ORDER BY t.status <> 'open', t.created_at DESC, t.id), '[]')
  FROM (
    SELECT * FROM task WHERE task.org_id = reader.org_id AND task.property_id = p.id
    ORDER BY status <> 'open', created_at DESC, id LIMIT ${mostOfBundle}
  ) AS t)`

const columns = `${propertyColumns}, ${attachedContacts} AS contacts, ${firms} AS firms, ${leadOfReader} AS lead,
  ${notes} AS notes, ${tasks} AS tasks, ${customerOfReader} AS customer_status`

export const layer: Layer.Layer<BundleSource, never, Database.Reads> = Layer.effect(
  BundleSource,
  Effect.gen(function*() {
    const sql = yield* Database.Reads
    const everything = sql.literal(columns)
    const tables = sql.literal(propertyTables)

    return BundleSource.of({
      read: Effect.fn("BundleSource.read")(function*(ref, orgId) {
        const rows = yield* sql<BundleRow>`
          SELECT ${everything} FROM (SELECT ${orgId}::text AS org_id) AS reader CROSS JOIN ${tables}
          WHERE ${ref._tag === "Id" ? sql`p.id = ${ref.id}::uuid` : sql`p.key = ${storable(ref.key)}`}`
        return Option.map(
          Array.head(rows),
          ({ contacts, customer_status: customerAccountStatus, firms, lead, notes, tasks, ...row }) => ({
            property: propertyOf(row),
            contacts,
            firms,
            lead,
            notes,
            tasks,
            customerAccountStatus
          })
        )
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
