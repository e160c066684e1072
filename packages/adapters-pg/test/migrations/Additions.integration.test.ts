/**
 * Migrations after the baseline only add, so that a program goes on working while the next one's migrations run; what does
 * more names the version that it needs. docs/upgrading.md.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import * as SchemaCatalogue from "@freehold/adapters-pg/testing/SchemaCatalogue"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What makes the schema of the first release. */
const baseline = 1

/** What a statement would take from a program that knows the schema of today; it is taken back. */
const lossesBy = Effect.fnUntraced(function*(statement: string) {
  const sql = yield* SqlClient.SqlClient
  const tried = Effect.gen(function*() {
    const before = yield* SchemaCatalogue.read
    yield* sql.unsafe(statement)
    return yield* Effect.fail({ losses: SchemaCatalogue.losses(before, yield* SchemaCatalogue.read) })
  })
  return yield* sql.withTransaction(tried).pipe(
    Effect.catchIf((failure) => "losses" in failure, ({ losses }) => Effect.succeed(losses))
  )
})

it.live("every migration after the baseline only adds, or names the version that it needs", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const later = Object.entries(Migrations.migrations).filter(([name]) => Number.parseInt(name, 10) > baseline)
    const earlier = Object.entries(Migrations.migrations).filter(([name]) => Number.parseInt(name, 10) <= baseline)
    assert.isAbove(later.length, 0)
    yield* sql`DROP SCHEMA public CASCADE`
    yield* sql`CREATE SCHEMA public`
    for (const [, migration] of earlier) yield* sql.withTransaction(migration)
    let before = yield* SchemaCatalogue.read
    for (const [name, migration] of later) {
      yield* sql.withTransaction(migration)
      const after = yield* SchemaCatalogue.read
      if (!(name in Migrations.breaks)) assert.deepStrictEqual(SchemaCatalogue.losses(before, after), [], name)
      before = after
    }
    assert.deepStrictEqual(Object.keys(Migrations.breaks).filter((name) => !(name in Migrations.migrations)), [])
    for (const since of Object.values(Migrations.breaks)) assert.match(since, /^\d+\.\d+\.0$/)
  }).pipe(Effect.provide(TestDatabase.layer)))

const additions = [
  "CREATE TABLE later (id integer PRIMARY KEY)",
  "ALTER TABLE note ADD COLUMN later text",
  "ALTER TABLE note ADD COLUMN later integer NOT NULL DEFAULT 0",
  "CREATE INDEX later ON note (property_id)",
  "CREATE FUNCTION later() RETURNS integer LANGUAGE sql AS 'SELECT 1'"
]

/** With what is said of it. */
const losses = [
  ["DROP TABLE note", "table note is gone"],
  ["ALTER TABLE note RENAME TO remark", "table note is gone"],
  ["ALTER TABLE note DROP COLUMN created_at", "column note.created_at is gone"],
  ["ALTER TABLE note RENAME COLUMN created_at TO made_at", "column note.created_at is gone"],
  ["ALTER TABLE note ADD COLUMN later text NOT NULL", "column note.later is new and must be filled"],
  ["ALTER TABLE task ALTER COLUMN title TYPE varchar(9)", "column task.title was text and is character varying(9)"],
  ["ALTER TABLE task ALTER COLUMN description SET NOT NULL", "column task.description could be left out"],
  ["ALTER TABLE note ADD CHECK (content <> '')", "rows have to fulfil what is new: note: CHECK "],
  ["CREATE UNIQUE INDEX later ON note (content)", "rows have to fulfil what is new: note: CREATE UNIQUE INDEX ON "],
  ["DROP FUNCTION window_runs CASCADE", "function window_runs("]
] as const

describe("against the schema of today", () => {
  it.live("what only adds takes nothing away, and what does more is told", () =>
    Effect.gen(function*() {
      for (const statement of additions) assert.deepStrictEqual(yield* lossesBy(statement), [], statement)
      for (const [statement, loss] of losses) {
        const told = yield* lossesBy(statement)
        assert.isTrue(told.some((each) => each.startsWith(loss)), `${statement}: ${told.join("; ")}`)
      }
    }).pipe(Effect.provide(TestDatabase.layer)))
})
