/** What the importing installation has: the publication of the shared tables, and the cells that receive it. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "../database/Transaction.ts"
import { CellRefused } from "./CellRefused.ts"
import { publication, sharedColumns, sharedTables, subscriptionOf } from "./SharedTables.ts"

export interface Published {
  readonly outcome: "published" | "changed" | "unchanged"
  /** Organizations that are still in this installation. */
  readonly organizations: number
}

/** The tables that are published, each with its columns; null: there is no publication. */
const published = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly tables: Readonly<Record<string, ReadonlyArray<string>>> }>`
    SELECT coalesce((SELECT json_object_agg(t.tablename, t.attnames) FROM pg_publication_tables t
      WHERE t.pubname = p.pubname), '{}') AS tables
    FROM pg_publication p WHERE p.pubname = ${publication}`
  return found === undefined ? null : new Map(Object.entries(found.tables))
})

/** Whether anything is published. */
export const isPublishing = Effect.map(published, (tables) => tables !== null)

const isWhole = (present: ReadonlyMap<string, ReadonlyArray<string>>) => (table: typeof sharedTables[number]) => {
  const columns = present.get(table)
  const wanted = sharedColumns[table] ?? columns
  return columns !== undefined && wanted?.length === columns.length &&
    wanted.every((column) => columns.includes(column))
}

/** The shared tables that a version before did not publish, or not as this one does; none where nothing is published. */
export const unpublished = Effect.map(
  published,
  (present) => present === null ? [] : sharedTables.filter((table) => !isWhole(present)(table))
)

/** The name of the cell that the database belongs to; null: none. */
export const cellName = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly name: string | null }>`SELECT cell_name() AS name`
  return row?.name ?? null
})

const refuseUnfit = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const cell = yield* cellName
  if (cell !== null) {
    return yield* new CellRefused({
      reason: `this installation is the cell ${cell}; only the one that imports publishes`
    })
  }
  const [server] = yield* sql<{ readonly level: string }>`SELECT current_setting('wal_level') AS level`
  if (server?.level !== "logical") {
    return yield* new CellRefused({
      reason:
        `PostgreSQL has wal_level = ${server?.level}; set wal_level = logical in its configuration and restart it `
        + "(ALTER SYSTEM SET wal_level = 'logical')"
    })
  }
})

/** Publishes the shared tables, or those that a later version has besides. A dry run changes nothing. */
export const publish = Effect.fn("Publication.publish")(function*({ dryRun }: { readonly dryRun: boolean }) {
  const sql = yield* SqlClient.SqlClient
  yield* refuseUnfit
  const present = yield* published
  const outcome = present === null
    ? "published"
    : sharedTables.every(isWhole(present)) && present.size === sharedTables.length
    ? "unchanged"
    : "changed"
  if (!dryRun && outcome !== "unchanged") {
    const tables = sql.csv(sharedTables.map((table) => {
      const columns = sharedColumns[table]
      return columns === undefined
        ? sql`${sql(table)}`
        : sql`${sql(table)} (${sql.csv(columns.map((column) => sql`${sql(column)}`))})`
    }))
    yield* present === null
      ? sql`CREATE PUBLICATION ${sql(publication)} FOR TABLE ${tables}`
      : sql`ALTER PUBLICATION ${sql(publication)} SET TABLE ${tables}`
  }
  const [row] = yield* sql<{ readonly count: number }>`SELECT count(*)::integer AS count FROM organization`
  return { outcome, organizations: row?.count ?? 0 } satisfies Published
})

export interface CellStanding {
  readonly name: string
  /** Whether the cell is connected. */
  readonly receiving: boolean
  /** Bytes of the log that it has not confirmed; null: its slot is gone, and it cannot go on. */
  readonly behind: number | null
  /** The last migration that it told of. */
  readonly migration: number
}

/** The cells of this importing installation, by name. */
export const cells = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<CellStanding>`
    SELECT c.name, c.migration, coalesce(s.active, false) AS receiving,
      CASE WHEN s.wal_status <> 'lost'
        THEN greatest(0, pg_current_wal_lsn() - s.confirmed_flush_lsn)::double precision END AS behind
    FROM cell c LEFT JOIN pg_replication_slots s
      ON s.slot_name = ${subscriptionOf("")} || c.name AND s.database = current_database()
    ORDER BY c.name`
})

/**
 * Forgets a cell: PostgreSQL keeps no log for it any more, and what it was researching may be researched by others. Answers
 * whether there was one.
 */
export const forget = Effect.fn("Publication.forget")(function*(name: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    SELECT pg_drop_replication_slot(slot_name)::text FROM pg_replication_slots
    WHERE database = current_database() AND slot_name = ${subscriptionOf(name)}`
  const gone = yield* transaction(
    sql,
    Effect.andThen(
      sql`DELETE FROM property_researching WHERE cell = ${name}`,
      sql`DELETE FROM cell WHERE name = ${name} RETURNING name`
    )
  )
  return gone.length > 0
})
