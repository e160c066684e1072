/** How a failure of the database is told to the operator. */
import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { faultOf } from "@freehold/cli/DatabaseFault"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

layer(TestDatabase.layer, { excludeTestServices: true })("a failure of the database", (it) => {
  it.effect.each([
    ["40001", "the database is busy, try again: 40001"],
    ["40P01", "the database is busy, try again: 40P01"],
    ["55P03", "the database is busy, try again: 55P03"],
    ["57P03", "the database cannot be reached: 57P03"],
    ["23505", "the database failed: 23505"]
  ])("%s: %s", ([code, told]) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const failed = sql.unsafe(`DO $$ BEGIN RAISE SQLSTATE '${code}'; END $$`)
      assert.strictEqual(faultOf(yield* Effect.flip(failed)).message, told)
    }))
})
