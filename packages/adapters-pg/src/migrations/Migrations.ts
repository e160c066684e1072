/**
 * The schema's migrations, in order. A migration is never edited once it was released.
 *
 * `run` may be called by several processes at once: one migrates, the others wait for it.
 */
import { Effect, Schema } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import schema from "./0001_schema.ts"
import functions from "./0002_functions.ts"
import searchIndexes from "./0003_search_indexes.ts"
import deliveries from "./0004_deliveries.ts"
import limits from "./0006_limits.ts"
import signIn from "./0007_sign_in.ts"
import people from "./0008_people.ts"
import workspace from "./0009_workspace.ts"
import pipeline from "./0010_pipeline.ts"
import research from "./0011_research.ts"
import suppression from "./0012_suppression.ts"
import changes from "./0013_changes.ts"
import merging from "./0014_merging.ts"
import resending from "./0015_resending.ts"
import clocks from "./0016_clocks.ts"
import boundedWork from "./0017_bounded_work.ts"
import idempotencyRoom from "./0019_idempotency_room.ts"
import keyProof from "./0020_key_proof.ts"
import researchPlaces from "./0021_research_places.ts"
import connections from "./0022_connections.ts"
import sessions from "./0050_sessions.ts"
import viewing from "./0051_viewing.ts"
import administration from "./0053_administration.ts"

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
  "0016_clocks": clocks,
  "0017_bounded_work": boundedWork,
  "0019_idempotency_room": idempotencyRoom,
  "0020_key_proof": keyProof,
  "0021_research_places": researchPlaces,
  "0022_connections": connections,
  "0050_sessions": sessions,
  "0051_viewing": viewing,
  "0053_administration": administration
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

/** How the schema stands to what this version of the code needs. */
export const standing = Effect.gen(function*() {
  const present = yield* ran
  const known = new Set(names.map(idOf))
  for (const id of present) if (!known.has(id)) return "newer"
  return present.size === known.size ? "current" : "older"
})

/** The database ran migrations that this version of the code does not know: it belongs to a later one. */
export class SchemaIsNewer extends Schema.TaggedError<SchemaIsNewer>()("SchemaIsNewer", {}) {
  override get message() {
    return "the schema of the database is newer than this program; upgrade the program"
  }
}

const refuseNewer = Effect.gen(function*() {
  if ((yield* standing) === "newer") return yield* new SchemaIsNewer()
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
    // An index over a million rows takes as long as it takes.
    yield* sql`SET LOCAL statement_timeout = 0`
    yield* sql`SELECT pg_advisory_xact_lock(hashtext('freehold migration'))`
    yield* refuseNewer
    yield* refuseGaps
    return yield* migrate
  }))
})
