/**
 * Everything that an organization owns, found by the catalogue of the database: each table that has an `org_id`. So a table
 * that comes later is part of an export and of a deletion by itself.
 *
 * *Gotchas.* What is kept in bytes is a hash, or sealed by the operator's key: it is worth nothing elsewhere, and not exported.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ofOneState, transaction } from "../database/Transaction.ts"

interface OwnedTable {
  readonly name: string
  /** Columns of bytes. */
  readonly sealed: ReadonlyArray<string>
  /** The key, in its order. */
  readonly key: ReadonlyArray<string>
  /** Tables that it refers to, but for itself. */
  readonly refersTo: ReadonlyArray<string>
}

/** The tables of organizations, those first that no later one is referred to by: so they can be emptied. */
export const ownedTables = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<OwnedTable>`
    SELECT c.relname AS name,
      ARRAY(SELECT b.attname::text FROM pg_attribute b
        WHERE b.attrelid = c.oid AND b.atttypid = 'bytea'::regtype AND NOT b.attisdropped) AS sealed,
      ARRAY(SELECT k.attname::text FROM pg_index i
        CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS u(attnum, place)
        JOIN pg_attribute k ON k.attrelid = c.oid AND k.attnum = u.attnum
        WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY u.place) AS key,
      ARRAY(SELECT DISTINCT p.relname::text FROM pg_constraint o JOIN pg_class p ON p.oid = o.confrelid
        WHERE o.conrelid = c.oid AND o.contype = 'f' AND o.confrelid <> c.oid) AS "refersTo"
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    ORDER BY c.relname`
  const ordered: Array<OwnedTable> = []
  let rest: ReadonlyArray<OwnedTable> = tables
  while (rest.length > 0) {
    const needed = new Set(rest.flatMap(({ refersTo }) => refersTo))
    const free = rest.filter(({ name }) => !needed.has(name))
    if (free.length === 0) {
      return yield* Effect.die(`tables refer to each other: ${rest.map(({ name }) => name).join(", ")}`)
    }
    ordered.push(...free)
    rest = rest.filter((table) => !free.includes(table))
  }
  return ordered
})

/** So many rows are held at once. */
const pageSize = 500

/** A page of rows of a table, as the lines of an export. */
export type Emit<E, R> = (lines: ReadonlyArray<string>) => Effect.Effect<void, E, R>

/**
 * Hands over everything of an organization as JSON texts, `{"table", "row"}` each, as it was at one moment; answers how many
 * rows that were, by table.
 */
export const exportRows = Effect.fn("OrganizationRowsPg.exportRows")(function*<E, R>(orgId: string, emit: Emit<E, R>) {
  const sql = yield* SqlClient.SqlClient
  const exported = Effect.gen(function*() {
    yield* ofOneState(sql)
    const counts = new Map<string, number>()
    // The organization first, and nothing before what it refers to.
    for (const { key, name, sealed } of (yield* ownedTables).toReversed()) {
      yield* sql`
        DECLARE exported NO SCROLL CURSOR FOR
        SELECT json_build_object('table', ${name}::text, 'row', to_jsonb(t) - ${sealed}::text[])::text AS line
        FROM ${sql(name)} t WHERE t.org_id = ${orgId} ORDER BY ${sql.csv(key.map((column) => sql`t.${sql(column)}`))}`
      let count = 0
      while (true) {
        const page = yield* sql<{ readonly line: string }>`FETCH ${sql.literal(String(pageSize))} FROM exported`
        if (page.length > 0) yield* emit(page.map(({ line }) => line))
        count += page.length
        if (page.length < pageSize) break
      }
      yield* sql`CLOSE exported`
      counts.set(name, count)
    }
    return counts
  })
  return yield* transaction(sql, exported)
})

/** How many rows each of the tables has of an organization; those that have none are left out. */
export const countRows = Effect.fn("OrganizationRowsPg.countRows")(function*(orgId: string) {
  const sql = yield* SqlClient.SqlClient
  const counts = new Map<string, number>()
  for (const { name } of (yield* ownedTables).toReversed()) {
    const [found] = yield* sql<{ readonly rows: number }>`
      SELECT count(*)::double precision AS rows FROM ${sql(name)} WHERE org_id = ${orgId}`
    if (found !== undefined && found.rows > 0) counts.set(name, found.rows)
  }
  return counts
})

/** What a worker had under way when it began may be written while it goes on; more often than this, something is wrong. */
const mostRounds = 5

/**
 * Removes everything of an organization, a table at a time; answers how many rows, by table. The organization itself goes
 * last, so that what was interrupted can be done again to its end. It must be closed before.
 */
export const removeRows = Effect.fn("OrganizationRowsPg.removeRows")(function*(orgId: string) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* ownedTables
  const removed = new Map<string, number>()
  for (let round = 0; round < mostRounds; round++) {
    let rows = 0
    for (const { name } of tables) {
      const [gone] = yield* sql<{ readonly rows: number }>`
        WITH gone AS (DELETE FROM ${sql(name)} WHERE org_id = ${orgId} RETURNING 1)
        SELECT count(*)::double precision AS rows FROM gone`
      const count = gone?.rows ?? 0
      if (count > 0) removed.set(name, (removed.get(name) ?? 0) + count)
      rows += count
    }
    if (rows === 0) return removed
  }
  return yield* Effect.die(`something goes on writing for ${orgId}`)
})
