/**
 * The schema's migrations, in order. A migration is never edited once it was released.
 *
 * `run` may be called by several processes at once: one migrates, the others wait for it.
 */
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import schema from "./migrations/0001_schema.ts"
import functions from "./migrations/0002_functions.ts"
import searchIndexes from "./migrations/0003_search_indexes.ts"
import deliveries from "./migrations/0004_deliveries.ts"
import limits from "./migrations/0006_limits.ts"
import signIn from "./migrations/0007_sign_in.ts"
import people from "./migrations/0008_people.ts"
import workspace from "./migrations/0009_workspace.ts"
import pipeline from "./migrations/0010_pipeline.ts"
import research from "./migrations/0011_research.ts"
import suppression from "./migrations/0012_suppression.ts"
import changes from "./migrations/0013_changes.ts"
import merging from "./migrations/0014_merging.ts"
import resending from "./migrations/0015_resending.ts"
import boundedWork from "./migrations/0017_bounded_work.ts"

const migrations = {
  "0001_schema": schema,
  "0002_functions": functions,
  "0003_search_indexes": searchIndexes,
  "0004_deliveries": deliveries,
  "0006_limits": limits,
  "0007_sign_in": signIn,
  "0008_people": people,
  "0009_workspace": workspace,
  "0010_pipeline": pipeline,
  "0011_research": research,
  "0012_suppression": suppression,
  "0013_changes": changes,
  "0014_merging": merging,
  "0015_resending": resending,
  "0017_bounded_work": boundedWork
}

const idOf = (name: string): number => Number.parseInt(name, 10)

const names = Object.keys(migrations)

const table = "freehold_migration"

const migrate = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })

/** The ids of the migrations that the database ran. */
const ran = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly present: boolean }>`SELECT to_regclass(${table}::text) IS NOT NULL AS present`
  if (found?.present !== true) return new Set<number>()
  const rows = yield* sql<{ readonly id: number }>`SELECT migration_id AS id FROM ${sql(table)}`
  return new Set(rows.map(({ id }) => id))
})

/** The migrator runs what follows the last one that the database ran, and would pass over what is missing before it. */
const refuseGaps = Effect.gen(function*() {
  const present = yield* ran
  const last = Math.max(0, ...present)
  const missing = names.filter((name) => idOf(name) < last && !present.has(idOf(name)))
  if (missing.length === 0) return
  return yield* new Migrator.MigrationError({
    kind: "BadState",
    message: `this database ran ${names.find((name) => idOf(name) === last) ?? last} but never ${missing.join(", ")}, `
      + "and migrations run in their order only; restore it from a backup, or start with an empty database"
  })
})

/** Brings the schema up to date; answers the migrations that it ran. */
export const run = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`SELECT pg_advisory_xact_lock(hashtext('freehold migration'))`
    yield* refuseGaps
    return yield* migrate
  }))
})

/** Whether the schema is exactly what this version of the code needs. */
export const isCurrent = Effect.gen(function*() {
  const present = yield* ran
  return present.size === names.length && names.every((name) => present.has(idOf(name)))
})
