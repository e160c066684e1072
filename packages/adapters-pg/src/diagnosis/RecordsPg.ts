/**
 * Single records as they are stored, for who looks after the installation: a property, a person, a firm, an event, each with
 * what is attached to it. Fields are named as the columns are; what is unknown is left out. Owners that are withheld stay so.
 *
 * Of what is attached the first hundred are listed, all are counted.
 */
import { Effect, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { storable } from "../database/StorableText.ts"

/** A record with its fields; those that are lists are what is attached to it. */
export type StoredRecord = Readonly<Record<string, unknown>>

interface Row {
  readonly record: StoredRecord
}

const mostAttached = 100

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const first = (rows: ReadonlyArray<Row>): Option.Option<StoredRecord> =>
  Option.map(Option.fromUndefinedOr(rows[0]), ({ record }) => record)

type Found = Effect.Effect<Option.Option<StoredRecord>, SqlError.SqlError, SqlClient.SqlClient>

/** The condition by which a record is found; each way has an index. */
const isNamed = (sql: SqlClient.SqlClient, named: string) =>
  uuidForm.test(named) ? sql`(t.id = ${named}::uuid OR t.key = ${named})` : sql`t.key = ${storable(named)}`

export const property = (named: string): Found =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql<Row>`
      SELECT jsonb_strip_nulls(to_jsonb(t) - '{search_text_with_name,parcel_attributes,withheld_owner}'::text[])
        || jsonb_build_object(
          'retired_into', (SELECT key FROM property WHERE id = t.retired_into),
          'research', (SELECT to_jsonb(r) - '{property_id,withheld_beneficial_owner}'::text[]
            FROM property_research r WHERE r.property_id = t.id),
          'firm_count', (SELECT count(*) FROM property_firm l WHERE l.property_id = t.id),
          'firms', (SELECT coalesce(jsonb_agg(f), '[]') FROM (
            SELECT f.key, f.name, l.role, l.attribution_type FROM property_firm l JOIN firm f ON f.id = l.firm_id
            WHERE l.property_id = t.id ORDER BY f.key, l.role LIMIT ${mostAttached}) f),
          'contacts', (SELECT coalesce(jsonb_agg(c), '[]') FROM (
            SELECT c.key, c.full_name, l.role, l.relationship_status
            FROM property_contact l JOIN contact c ON c.id = l.contact_id
            WHERE l.property_id = t.id ORDER BY c.key LIMIT ${mostAttached}) c)) AS record
      FROM property t WHERE ${isNamed(sql, named)} ORDER BY t.key = ${storable(named)} DESC LIMIT 1`).pipe(
      Effect.map(first)
    )

export const contact = (named: string): Found =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql<Row>`
      SELECT jsonb_strip_nulls(to_jsonb(t) - 'firm_id') || jsonb_build_object(
          'firm', (SELECT key FROM firm WHERE id = t.firm_id),
          'suppressed', EXISTS (SELECT FROM suppressed_contact s WHERE s.contact_id = t.id),
          'property_count', (SELECT count(*) FROM property_contact l WHERE l.contact_id = t.id),
          'properties', (SELECT coalesce(jsonb_agg(p), '[]') FROM (
            SELECT p.key, p.address, p.city, l.role, l.relationship_status, l.attribution_type
            FROM property_contact l JOIN property p ON p.id = l.property_id
            WHERE l.contact_id = t.id ORDER BY p.key LIMIT ${mostAttached}) p)) AS record
      FROM contact t WHERE ${isNamed(sql, named)} ORDER BY t.key = ${storable(named)} DESC LIMIT 1`).pipe(
      Effect.map(first)
    )

export const firm = (named: string): Found =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql<Row>`
      SELECT jsonb_strip_nulls(to_jsonb(t)) || jsonb_build_object(
          'property_count', (SELECT count(*) FROM property_firm l WHERE l.firm_id = t.id),
          'contact_count', (SELECT count(*) FROM contact c WHERE c.firm_id = t.id),
          'properties', (SELECT coalesce(jsonb_agg(p), '[]') FROM (
            SELECT p.key, p.address, p.city, l.role, l.attribution_type
            FROM property_firm l JOIN property p ON p.id = l.property_id
            WHERE l.firm_id = t.id ORDER BY p.key, l.role LIMIT ${mostAttached}) p),
          'contacts', (SELECT coalesce(jsonb_agg(c), '[]') FROM (
            SELECT c.key, c.full_name, c.title FROM contact c
            WHERE c.firm_id = t.id ORDER BY c.key LIMIT ${mostAttached}) c)) AS record
      FROM firm t WHERE ${isNamed(sql, named)} ORDER BY t.key = ${storable(named)} DESC LIMIT 1`).pipe(
      Effect.map(first)
    )

/** An event of an organization by its own id or that of a delivery, with its deliveries: those that wait, and those that ended. */
export const event = (orgId: string, id: string): Found =>
  uuidForm.test(id)
    ? Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql<Row>`
        SELECT jsonb_strip_nulls(to_jsonb(t)) || jsonb_build_object(
            'property', (SELECT key FROM property WHERE id = t.property_id),
            'deliveries', (SELECT coalesce(jsonb_agg(d), '[]') FROM (
              SELECT d.endpoint_id, d.state, d.attempts, d.due_at, d.reason
              FROM delivery d WHERE d.org_id = t.org_id AND d.event_id = t.id
              ORDER BY d.endpoint_id LIMIT ${mostAttached}) d),
            'ended_deliveries', (SELECT coalesce(jsonb_agg(d), '[]') FROM (
              SELECT d.endpoint_id, d.state, d.attempts, d.resends, d.reason
              FROM delivery_log d
              WHERE d.org_id = t.org_id AND d.event_id = t.id AND d.created_at >= t.created_at - interval '1 day'
              ORDER BY d.endpoint_id LIMIT ${mostAttached}) d)) AS record
        FROM event t WHERE t.org_id = ${storable(orgId)} AND t.id IN (
          SELECT ${id}::uuid
          UNION ALL SELECT d.event_id FROM delivery d WHERE d.id = ${id}::uuid AND d.org_id = ${storable(orgId)}
          UNION ALL SELECT d.event_id FROM delivery_logged(${storable(orgId)}::text, ${id}::uuid) d)`)
      .pipe(Effect.map(first))
    : Effect.succeedNone
