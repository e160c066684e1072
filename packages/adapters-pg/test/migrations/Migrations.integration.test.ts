/** What is known of a schema that is not that of this version, and that no migration is forgotten. */
import { assert, it } from "@effect/vitest"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readdirSync } from "node:fs"
import { join } from "node:path"

it.live("a migrated database is current, and migrating it again runs nothing", () =>
  Effect.gen(function*() {
    assert.strictEqual(yield* Migrations.standing, "current")
    assert.deepStrictEqual(yield* Migrations.run, [])
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("every file of the folder is a migration that a new database ran, in the order of their names", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const ran = yield* sql<{ readonly file: string }>`
      SELECT to_char(migration_id, 'FM0000') || '_' || name || '.ts' AS file FROM freehold_migration ORDER BY migration_id`
    const files = readdirSync(join(import.meta.dirname, "../../src/migrations")).filter((name) => /^\d/.test(name))
    assert.deepStrictEqual(ran.map(({ file }) => file), files.sort())
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("a database that never ran a migration before its last one is not current, and is not migrated", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const later = Migrations.make({
      "0001_baseline": Effect.void,
      "9001_first": Effect.void,
      "9002_second": Effect.void,
      "9003_third": Effect.void
    })
    yield* sql`DELETE FROM freehold_migration WHERE migration_id > 1`
    yield* sql`INSERT INTO freehold_migration (migration_id, name) VALUES (9003, 'third')`
    assert.strictEqual(yield* later.standing, "older")
    const refused = yield* Effect.flip(later.run)
    assert.match(
      refused.message,
      /^this database ran 9003_third but never 9001_first, 9002_second, and migrations run in their order only; restore /
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
    for (const refusing of [Effect.asVoid(Migrations.standing), Effect.asVoid(Migrations.run)]) {
      const refused = yield* Effect.flip(refusing)
      assert.strictEqual(
        refused.message,
        "the schema of the database is newer than this program; upgrade the program to 9.1.0 or later"
      )
    }
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("a database that ran another line of migrations belongs to another program", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO freehold_migration (migration_id, name) VALUES (5, 'another')`
    assert.strictEqual((yield* Effect.flip(Migrations.standing))._tag, "SchemaIsNewer")
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("a database that ran another migration under a number of ours is told apart from a newer one", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM freehold_migration`
    yield* sql`INSERT INTO freehold_migration (migration_id, name) VALUES (1, 'schema'), (2, 'functions')`
    for (const refusing of [Effect.asVoid(Migrations.standing), Effect.asVoid(Migrations.run)]) {
      const refused = yield* Effect.flip(refusing)
      assert.strictEqual(
        refused.message,
        "the database was made by a program of no release (it ran 0001_schema where this program has 0001_baseline), "
          + "and no migration leads from its schema to this one; start with an empty database, and import again"
      )
    }
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("an importing installation is migrated after its cells, and says which of them are late", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const later = Migrations.make({ ...Migrations.migrations, "9999_more": Effect.void })
    yield* sql`INSERT INTO cell (name, migration) VALUES ('east', 9999), ('west', 75)`
    const refused = yield* Effect.flip(later.run)
    assert.match(
      refused.message,
      /^its cells are migrated first: west ran no migration 9999 yet, as far as they told; run/
    )
    yield* sql`UPDATE cell SET migration = 9999`
    assert.deepStrictEqual(yield* later.run, [[9999, "more"]])
  }).pipe(Effect.provide(TestDatabase.layer)))
