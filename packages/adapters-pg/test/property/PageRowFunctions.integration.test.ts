/** How the rows of a page are looked up, which no search tells from outside. */
import { assert, layer as withLayer } from "@effect/vitest"
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

withLayer(TestDatabase.layer, { excludeTestServices: true })("the rows of a page", (it) => {
  it.effect(
    "are looked up one by one, also by a plan that was made while the table was empty",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const ids = [1999, 7, 300].map(SyntheticProperties.propertyId)
        const unknown = SyntheticProperties.propertyId(2001)
        // A connection sees its own statistics at once.
        const looked = Effect.map(
          sql<{ readonly rows: number }>`
          SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'property'`,
          ([row]) => row?.rows ?? 0
        )
        for (const name of ["property_page_compact", "property_page_full"]) {
          const read = (asked: ReadonlyArray<string>) =>
            sql<{ readonly id: string; readonly place: number }>`
            SELECT id, place FROM ${sql(name)}(${asked}::uuid[], 'sample-org') ORDER BY place`
          yield* sql.withTransaction(Effect.gen(function*() {
            assert.deepStrictEqual(yield* read([...ids, unknown]), [])
            for (let first = 1; first <= 2000; first += 500) {
              const some = Array.from({ length: 500 }, (_, index) => SyntheticProperties.propertyId(first + index))
              yield* sql`
              INSERT INTO property (id, key, county_fips)
              SELECT id::uuid, id, '48001' FROM unnest(${some}::text[]) AS made (id)`
            }
            const before = yield* looked
            const [first, ...others] = ids
            const rows = yield* read([first ?? "", unknown, ...others])
            assert.deepStrictEqual(
              rows.map(({ id, place }) => [place, id]),
              [[1, ids[0]], [3, ids[1]], [4, ids[2]]]
            )
            assert.strictEqual((yield* looked) - before, ids.length, name)
            yield* sql`SELECT count(zoning) FROM property`
            assert.isAtLeast((yield* looked) - before, 2000, "reading the whole table would be noticed")
            yield* sql`DELETE FROM property`
          }))
        }
      })
  )
})
