/**
 * The schema's migrations, in order.
 *
 * The first makes the schema of the first release. From that release on, migrations only add: one that was released is
 * never edited, and the next has a greater number (which may leave gaps) and says of every table, every function and
 * every column that is not obvious what it is (`database/Comment`). `pnpm schema` then writes docs/schema.md anew.
 *
 * SQL functions live beside the adapters that call them, in the text that they have today. A migration that changes one
 * runs that text again: `CREATE OR REPLACE` makes of an older function the present one, and nothing of what a fresh
 * database has already. What returns something else than before is dropped first, `IF EXISTS`. Since a text may name what
 * only a later migration makes, functions are not checked before they are called.
 */
import { Effect, Schema } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import baseline from "./0001_baseline.ts"
import monthlyGrants from "./0030_monthly_grants.ts"
import sessions from "./0050_sessions.ts"
import viewing from "./0051_viewing.ts"
import issuerSessions from "./0056_issuer_sessions.ts"

const table = "freehold_migration"

const idOf = (name: string): number => Number.parseInt(name, 10)

/** The migrations that the database ran: their names by their ids. */
const ran = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly present: boolean }>`SELECT to_regclass(${table}::text) IS NOT NULL AS present`
  if (found?.present !== true) return new Map<number, string>()
  const rows = yield* sql<{ readonly id: number; readonly name: string }>`
    SELECT migration_id AS id, to_char(migration_id, 'FM0000') || '_' || name AS name FROM ${sql(table)}`
  return new Map(rows.map(({ id, name }) => [id, name]))
})

/** The database ran migrations that this version of the code does not know: it belongs to a later one. */
export class SchemaIsNewer extends Schema.TaggedError<SchemaIsNewer>()("SchemaIsNewer", {}) {
  override get message() {
    return "the schema of the database is newer than this program; upgrade the program"
  }
}

/** The database ran another migration under a number of ours: it was made before there was a release. */
export class SchemaIsForeign extends Schema.TaggedError<SchemaIsForeign>()("SchemaIsForeign", {
  theirs: Schema.String,
  ours: Schema.String
}) {
  override get message() {
    return `the database was made by a program of no release (it ran ${this.theirs} where this program has ${this.ours}), `
      + "and no migration leads from its schema to this one; start with an empty database, and import again"
  }
}

/** Migrations by names that begin with their numbers, as this program knows them. */
export const make = <E>(migrations: Readonly<Record<string, Effect.Effect<void, E, SqlClient.SqlClient>>>) => {
  const known = new Map(Object.keys(migrations).map((name) => [idOf(name), name]))

  /** Whether the schema is what this version of the code needs, or is to be migrated. */
  const standing = Effect.gen(function*() {
    const present = yield* ran
    for (const [id, theirs] of present) {
      const ours = known.get(id)
      if (ours !== undefined && ours !== theirs) return yield* new SchemaIsForeign({ theirs, ours })
    }
    for (const id of present.keys()) if (!known.has(id)) return yield* new SchemaIsNewer()
    return present.size === known.size ? "current" : "older"
  })

  /** The migrator runs what follows the last one that the database ran, and would pass over what is missing before it. */
  const refuseGaps = Effect.gen(function*() {
    const present = yield* ran
    const last = Math.max(0, ...present.keys())
    const missing = [...known].filter(([id]) => id < last && !present.has(id)).map(([, name]) => name)
    if (missing.length === 0) return
    return yield* new Migrator.MigrationError({
      kind: "BadState",
      message: `this database ran ${present.get(last) ?? last} but never ${missing.join(", ")}, `
        + "and migrations run in their order only; restore it from a backup, or start with an empty database"
    })
  })

  const migrate = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })

  /**
   * Brings the schema up to date; answers the migrations that it ran. May be called by several processes at once: one
   * migrates, the others wait for it.
   */
  const run = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(Effect.gen(function*() {
      // An index over a million rows takes as long as it takes.
      yield* sql`SET LOCAL statement_timeout = 0`
      yield* sql`SET LOCAL check_function_bodies = off`
      yield* sql`SELECT pg_advisory_xact_lock(hashtext('freehold migration'))`
      yield* standing
      yield* refuseGaps
      return yield* migrate
    }))
  })

  return { standing, run }
}

const released = make({
  "0001_baseline": baseline,
  "0030_monthly_grants": monthlyGrants,
  "0050_sessions": sessions,
  "0051_viewing": viewing,
  "0056_issuer_sessions": issuerSessions
})

/** Brings the schema up to date; answers the migrations that it ran. Any number of processes may ask for it at once. */
export const run = released.run

/** Whether the schema is what this version of the code needs, or is to be migrated; fails where neither helps. */
export const standing = released.standing
