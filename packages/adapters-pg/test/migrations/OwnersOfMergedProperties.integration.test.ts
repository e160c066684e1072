/** What migration 0210 makes of suppressions of records that had been merged. */
import { assert, it } from "@effect/vitest"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { property, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import settleMergedOwners from "../../src/migrations/0210_owners_of_merged_properties.ts"
import { guardedCell } from "./GuardedCell.ts"

const [retired, survivor, alone] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)

it.live("leaves to the importing installation what the guard of a cell refuses", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* guardedCell(["suppressed_property", "property_research"])
    assert.strictEqual((yield* Effect.exit(sql`DELETE FROM suppressed_property`))._tag, "Failure")
    yield* settleMergedOwners
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)))

it.live("a suppression of a retired record is its survivor's, and withholds its owner; once is enough", () =>
  Effect.gen(function*() {
    const properties = [[retired, "Alpha"], [survivor, "Beta"], [alone, "Gamma"]].map(([id = "", recordOwner = ""]) =>
      property({ id, key: id, countyFips: "53903", recordOwner })
    )
    yield* Seeder.use(({ add }) => add({ properties }))
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE property SET retired_into = ${survivor ?? ""}::uuid WHERE id = ${retired ?? ""}::uuid`
    yield* sql`INSERT INTO suppressed_property (property_id) VALUES (${retired ?? ""}::uuid)`
    for (let times = 0; times < 2; times++) {
      yield* settleMergedOwners
      const owners = yield* sql`
        SELECT id, record_owner FROM property WHERE retired_into IS NULL ORDER BY id`
      assert.deepStrictEqual(owners, [{ id: survivor, record_owner: null }, { id: alone, record_owner: "Gamma" }])
      assert.deepStrictEqual(yield* sql`SELECT property_id AS id FROM suppressed_property ORDER BY 1`, [
        { id: retired },
        { id: survivor }
      ])
    }
  }).pipe(Effect.provide(SeederPg.layer.pipe(Layer.provideMerge(TestDatabase.layer)))))
