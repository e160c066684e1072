/** The baseline makes the very schema that the migrations before it made. It goes with them. */
import { assert, it } from "@effect/vitest"
import * as Database from "@freehold/adapters-pg/database/Database"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect } from "effect"
import * as SchemaDump from "../../../../scripts/SchemaDump.ts"
import schema from "../../src/migrations/0001_schema.ts"
import functions from "../../src/migrations/0002_functions.ts"
import searchIndexes from "../../src/migrations/0003_search_indexes.ts"
import deliveries from "../../src/migrations/0004_deliveries.ts"
import limits from "../../src/migrations/0006_limits.ts"
import signIn from "../../src/migrations/0007_sign_in.ts"
import people from "../../src/migrations/0008_people.ts"
import workspace from "../../src/migrations/0009_workspace.ts"
import pipeline from "../../src/migrations/0010_pipeline.ts"
import research from "../../src/migrations/0011_research.ts"
import suppression from "../../src/migrations/0012_suppression.ts"
import changes from "../../src/migrations/0013_changes.ts"
import merging from "../../src/migrations/0014_merging.ts"
import resending from "../../src/migrations/0015_resending.ts"
import clocks from "../../src/migrations/0016_clocks.ts"
import boundedWork from "../../src/migrations/0017_bounded_work.ts"
import idempotencyRoom from "../../src/migrations/0019_idempotency_room.ts"
import keyProof from "../../src/migrations/0020_key_proof.ts"
import researchPlaces from "../../src/migrations/0021_research_places.ts"
import connections from "../../src/migrations/0022_connections.ts"

const before = [
  schema,
  functions,
  searchIndexes,
  deliveries,
  limits,
  signIn,
  people,
  workspace,
  pipeline,
  research,
  suppression,
  changes,
  merging,
  resending,
  clocks,
  boundedWork,
  idempotencyRoom,
  keyProof,
  researchPlaces,
  connections
]

const linesAfter = <E, R>(migrating: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function*() {
    const url = yield* TestDatabase.makeEmpty
    return yield* Effect.andThen(migrating, SchemaDump.lines).pipe(
      Effect.provide(Database.layer({ url, applicationName: "freehold test", maxConnections: 2 }), { local: true })
    )
  }).pipe(Effect.scoped)

it.live("the baseline makes the schema that the migrations before it made", () =>
  Effect.gen(function*() {
    const old = yield* linesAfter(Effect.forEach(before, (migration) => migration, { discard: true }))
    const made = yield* linesAfter(Migrations.run)
    assert.isAbove(old.length, 900)
    assert.deepStrictEqual(made, old)
  }))
