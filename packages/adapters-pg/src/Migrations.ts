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
  "0015_resending": resending
}

const newest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

const table = "freehold_migration"

const migrate = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })

/** Brings the schema up to date; answers the migrations that it ran. */
export const run = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`SELECT pg_advisory_xact_lock(hashtext('freehold migration'))`
    return yield* migrate
  }))
})

/** Whether the schema is exactly what this version of the code needs. */
export const isCurrent = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly present: boolean }>`SELECT to_regclass(${table}::text) IS NOT NULL AS present`
  if (found?.present !== true) return false
  const [last] = yield* sql<{ readonly id: number | null }>`SELECT max(migration_id)::int AS id FROM ${sql(table)}`
  return last?.id === newest
})
