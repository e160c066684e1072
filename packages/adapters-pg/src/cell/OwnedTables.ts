/**
 * The tables of organizations, read from the catalogue, and the rows of one of them: as text, which PostgreSQL reads back to
 * the same, and as a digest that does not depend on their order.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sharedTables } from "./SharedTables.ts"

export interface OwnedTable {
  readonly name: string
  /** All but those that PostgreSQL computes. */
  readonly columns: ReadonlyArray<string>
}

/** By name. */
export const ownedTables = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<OwnedTable>`
    SELECT c.relname::text AS name,
      array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname NOT IN ('organization_move', 'organization_arrival')
    GROUP BY c.relname HAVING bool_or(a.attname = 'org_id')
    ORDER BY c.relname`
})

export interface Digest {
  readonly table: string
  readonly rows: number
  readonly digest: string
}

/** What an organization has in these tables. */
export const digests = Effect.fnUntraced(function*(orgId: string, tables: ReadonlyArray<OwnedTable>) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql<{ readonly rows: number; readonly digest: string }>`
        SELECT count(*)::double precision AS rows,
          concat(sum(hashtextextended(t::text, 0)::numeric), ':', sum(hashtextextended(t::text, 1)::numeric)) AS digest
        FROM ${sql(name)} t WHERE t.org_id = ${orgId}`,
      ([row]): Digest => ({ table: name, rows: row?.rows ?? 0, digest: row?.digest ?? "" })
    ))
})

/** Rows at a time, so that an organization of any size fits. */
const batch = 1000

/** Hands the rows of a table over, some at a time. Within a transaction. */
export const forEachRows = Effect.fnUntraced(function*<E, R>(
  orgId: string,
  table: OwnedTable,
  take: (rows: ReadonlyArray<string>) => Effect.Effect<void, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  // Such a statement takes no parameters of the protocol.
  yield* sql`SELECT set_config('freehold.moving', ${orgId}, true)`
  yield* sql`
    DECLARE moving NO SCROLL CURSOR FOR
    SELECT t::text AS row FROM ${sql(table.name)} t WHERE t.org_id = current_setting('freehold.moving')`
  for (;;) {
    const rows = yield* sql.unsafe<{ readonly row: string }>(`FETCH ${batch} FROM moving`)
    if (rows.length === 0) break
    yield* take(rows.map(({ row }) => row))
  }
  yield* sql`CLOSE moving`
})

/** Inserts rows that were handed over. */
export const insertRows = Effect.fnUntraced(function*(table: OwnedTable, rows: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const columns = table.columns.map((name) => sql`${sql(name)}`)
  yield* sql`
    INSERT INTO ${sql(table.name)} (${sql.csv(columns)}) OVERRIDING SYSTEM VALUE
    SELECT ${sql.csv(columns.map((column) => sql`(given.row).${column}`))}
    FROM (SELECT line::${sql(table.name)} AS row FROM unnest(${rows}::text[]) AS line OFFSET 0) AS given`
})

/** Rows of an organization that name a record that is not here, by the columns that name them. */
export const strays = Effect.fnUntraced(function*(orgId: string) {
  const sql = yield* SqlClient.SqlClient
  const references = yield* sql<{
    readonly child: string
    readonly column: string
    readonly parent: string
    readonly key: string
  }>`
    SELECT child.relname::text AS child, a.attname::text AS column, parent.relname::text AS parent, k.attname::text AS key
    FROM pg_constraint o
    JOIN pg_class child ON child.oid = o.conrelid JOIN pg_class parent ON parent.oid = o.confrelid
    JOIN pg_attribute a ON a.attrelid = o.conrelid AND a.attnum = o.conkey[1]
    JOIN pg_attribute k ON k.attrelid = o.confrelid AND k.attnum = o.confkey[1]
    WHERE o.contype = 'f' AND cardinality(o.conkey) = 1 AND NOT child.relispartition AND parent.relname = ANY(${[
    ...sharedTables
  ]}::text[])
      AND EXISTS (SELECT FROM pg_attribute b WHERE b.attrelid = child.oid AND b.attname = 'org_id' AND NOT b.attisdropped)`
  const found = yield* Effect.filter(references, ({ child, column, key, parent }) =>
    Effect.map(
      sql`
        SELECT FROM ${sql(child)} c WHERE c.org_id = ${orgId} AND c.${sql(column)} IS NOT NULL
          AND NOT EXISTS (SELECT FROM ${sql(parent)} p WHERE p.${sql(key)} = c.${sql(column)}) LIMIT 1`,
      (rows) => rows.length > 0
    ))
  return found.map(({ child, column }) => `${child}.${column}`)
})
