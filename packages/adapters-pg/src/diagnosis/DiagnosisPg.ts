/**
 * What a person who looks after the installation asks of the database: which server it is, how many connections it has, whether it can write, whether
 * work piles up, and samples of what is stored sealed. Nothing is left behind.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as KeyProofPg from "../webhook/KeyProofPg.ts"

export interface Server {
  /** As in `18.4`. */
  readonly version: string
  readonly majorVersion: number
  /** Its clock, in milliseconds. */
  readonly now: number
  /** Whether letters beyond A to Z are equal in both cases, as searches have it. */
  readonly folds: boolean
}

export const server = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Server>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
      current_setting('server_version_num')::integer / 10000 AS "majorVersion",
      extract(epoch FROM clock_timestamp())::double precision * 1000 AS now,
      lower('É') = 'é' AS folds`
  return row ?? (yield* Effect.die("a SELECT without a table answers one row"))
})

export interface Connections {
  /** As `max_connections` has it. */
  readonly max: number
  /** For superusers, and for roles that may use them. */
  readonly reserved: number
  /** Those of other programs. */
  readonly others: number
}

/** How many connections the server has, and how many of them are not ours to take. */
export const connections = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Connections>`
    SELECT current_setting('max_connections')::integer AS max,
      current_setting('superuser_reserved_connections')::integer
        + coalesce(current_setting('reserved_connections', true)::integer, 0) AS reserved,
      (SELECT count(*)::integer FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND application_name NOT LIKE 'freehold%') AS others`
  return row ?? (yield* Effect.die("a SELECT without a table answers one row"))
})

/** Writes a megabyte for real, into a table that is gone with the commit; fails as any write would (a full disk). */
export const write = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    CREATE TEMPORARY TABLE freehold_doctor ON COMMIT DROP AS
    SELECT repeat('x', 1900) AS filling FROM generate_series(1, 550)`)

/** What the role of this connection may not do. */
export interface Lacks {
  readonly role: string
  /** Whether it may make tables, as migrations and the days of deliveries need it. */
  readonly makes: boolean
  /** Tables that are there and that it may not write to: how many, and the first of them. */
  readonly count: number
  readonly first: string | null
}

export const lacks = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Lacks>`
    SELECT current_user AS role, min(c.relname) AS first, count(*)::integer AS count,
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS makes
    FROM pg_class c
    WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND NOT (has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE')
        AND has_table_privilege(c.oid, 'DELETE'))`
  return row ?? (yield* Effect.die("a SELECT without a table answers one row"))
})

/** How long the longest waiting work is overdue, in milliseconds; null: none is. */
export interface Lag {
  readonly pendingEvent: number | null
  readonly dueDelivery: number | null
  readonly dueResearch: number | null
}

/** Events and deliveries of active organizations: those of others wait by intent. Research was paid for, and goes on. */
export const lag = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Lag>`
    SELECT
      (SELECT extract(epoch FROM now() - min(e.created_at))::double precision * 1000
        FROM event e JOIN organization o ON o.org_id = e.org_id
        WHERE e.status = 'pending' AND o.status = 'active') AS "pendingEvent",
      (SELECT extract(epoch FROM now() - min(d.due_at))::double precision * 1000
        FROM delivery_lane l JOIN organization o ON o.org_id = l.org_id AND o.status = 'active'
        CROSS JOIN LATERAL (
          SELECT f.due_at FROM delivery f
          WHERE f.org_id = l.org_id AND f.endpoint_id = l.endpoint_id AND f.due_at <= now()
            AND (f.claimed_until IS NULL OR f.claimed_until <= now())
          ORDER BY f.due_at LIMIT 1
        ) d
        WHERE l.due_at <= now() OR l.waits_for_place) AS "dueDelivery",
      (SELECT extract(epoch FROM now() - min(due_at))::double precision * 1000
        FROM research_item WHERE state IN ('queued', 'running') AND due_at <= now()) AS "dueResearch"`
  return row ?? (yield* Effect.die("a SELECT without a table answers one row"))
})

/** A key that works, and when it will not any more. */
export interface Expiring {
  readonly orgId: string
  readonly label: string
  /** ISO-8601. */
  readonly at: string
}

/** Keys of active organizations that expire within so many days, the next first. */
export const keysExpiring = (days: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql<Expiring>`
      SELECT c.org_id AS "orgId", c.label, to_iso(c.expires_at) AS at
      FROM credential c JOIN organization o ON o.org_id = c.org_id AND o.status = 'active'
      WHERE c.revoked_at IS NULL AND c.expires_at > now() AND c.expires_at <= now() + ${days} * interval '1 day'
      ORDER BY c.expires_at, c.credential_id LIMIT 100`)

/** How many days of deliveries are made ahead, at least; what is written without one has to be moved later. */
export const daysAhead = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly days: number }>`
    SELECT least((SELECT max(ends) FROM history_parts('delivery_log')), (SELECT max(ends) FROM history_parts('delivery_attempt')))::date
      - now()::date AS days`
  return row?.days ?? 0
})

/** Tries the secrets of the newest endpoints that were neither removed nor replaced; answers how many it tried and whose did not open. */
export const openSecrets = Effect.gen(function*() {
  const newest = yield* KeyProofPg.newestSecrets
  const closed = yield* KeyProofPg.unopened(newest)
  return { tried: newest.length, closed: closed.map(({ id }) => id) }
})
