/** What is known of a schema that is not that of this version. */
import { assert, it } from "@effect/vitest"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { property, Seeder } from "@freehold/core/testing/Seed"
import { Cause, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import boundedWork from "../../src/migrations/0017_bounded_work.ts"

it.live("a migrated database is current, and migrating it again runs nothing", () =>
  Effect.gen(function*() {
    assert.strictEqual(yield* Migrations.standing, "current")
    assert.deepStrictEqual(yield* Migrations.run, [])
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("a database that never ran a migration before its last one is not current, and is not migrated", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM freehold_migration WHERE migration_id IN (6, 9)`
    assert.strictEqual(yield* Migrations.standing, "older")
    const refused = yield* Effect.flip(Migrations.run)
    assert.match(
      refused.message,
      /^this database ran \d{4}_\w+ but never 0006_limits, 0009_workspace, and migrations run in their order only; restore /
    )
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("a database that a later version only added to is worked with, and migrating it runs nothing", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO freehold_migration (migration_id, name) VALUES (9999, 'later')`
    assert.strictEqual(yield* Migrations.standing, "ahead")
    assert.deepStrictEqual(yield* Migrations.run, [])
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("a database in which a later version did more than add is newer, and is not migrated", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO freehold_migration (migration_id, name) VALUES (9999, 'later')`
    yield* sql`INSERT INTO schema_break (migration_id, since) VALUES (9999, '9.1.0')`
    assert.strictEqual(yield* Migrations.standing, "newer")
    const refused = yield* Effect.flip(Migrations.run)
    assert.strictEqual(
      refused.message,
      "the schema of the database is newer than this program; upgrade the program to 9.1.0 or later"
    )
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("a database that ran another line of migrations belongs to another program", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO freehold_migration (migration_id, name) VALUES (5, 'another')`
    assert.strictEqual(yield* Migrations.standing, "newer")
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("a text that no index would take is named before the indexes are made", () =>
  Effect.gen(function*() {
    const seeder = yield* Seeder
    const id = "00000000-0000-4000-8000-000000000001"
    yield* seeder.add({ properties: [property({ id, countyFips: "48001", rawAddress: "x".repeat(501) })] })
    const refused = yield* Effect.flip(boundedWork)
    assert.match(
      Cause.pretty(Cause.fail(refused)),
      /the property with the key "[^"]+" has a text that is too long: address of at most 500 bytes, city of at most 200 bytes/
    )
  }).pipe(Effect.provide(SeederPg.layer.pipe(Layer.provideMerge(TestDatabase.layer)))))
