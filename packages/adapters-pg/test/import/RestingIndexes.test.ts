/** The indexes of searches rest during a first load, and come back whatever becomes of it. All rows are made up. */
import { assert, describe, it } from "@effect/vitest"
import * as AbandonedLoadsPg from "@freehold/adapters-pg/import/AbandonedLoadsPg"
import * as ImportStorePg from "@freehold/adapters-pg/import/ImportStorePg"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { parsers } from "@freehold/core/import/ImportRow"
import { ImportStore } from "@freehold/core/import/ImportStore"
import { Effect, Layer, Option, Result, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as RestingIndexes from "../../src/import/RestingIndexes.ts"

const onFreshDatabase = <A, E>(effect: Effect.Effect<A, E, ImportStore | SqlClient.SqlClient>) =>
  effect.pipe(Effect.provide(ImportStorePg.layer.pipe(Layer.provideMerge(TestDatabase.layer))))

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const load = Effect.fnUntraced(function*(from: number, count: number) {
  const rows = Array.from({ length: count }, (_, index) =>
    Result.getOrThrow(parsers.properties(
      {
        key: `k${from + index}`,
        id: id(from + index),
        countyFips: "36061",
        address: `${from + index} Sample Street`,
        lat: 30 + (from + index) % 100 / 10,
        lon: -97 + Math.floor((from + index) / 100) / 10
      },
      { latestYear: 2027, idOf: () => id(0) }
    )))
  const { inserted } = yield* ImportStore.use((store) => store.load({ kind: "properties", rows }))
  return inserted
})

/** The definitions of all indexes of properties. */
const indexes = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly definition: string }>`
    SELECT indexdef AS definition FROM pg_indexes WHERE tablename = 'property' ORDER BY indexname`
  return rows.map(({ definition }) => definition)
})

/** How many properties lie in each cell of maps: as these read it, and as it is. */
const cells = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const counts = (view: string) =>
    sql`SELECT level, x, y, sum(count)::int AS count FROM ${
      sql(view)
    } GROUP BY 1, 2, 3 HAVING sum(count) <> 0 ORDER BY 1, 2, 3`
  return [yield* counts("map_cell_now"), yield* counts("map_cell_counted")] as const
})

/** Changes of maps that were not added to what they keep. */
const waiting = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT FROM map_cell_change`).length
})

const expectMore = (inserted: number) => ImportStore.use((store) => store.expectMore("properties", inserted))
const settle = (rows: number) => ImportStore.use((store) => store.settle("properties", rows))

describe("the indexes of searches", () => {
  it.live("rest while the first properties are loaded, and are the same afterwards", () =>
    onFreshDatabase(Effect.gen(function*() {
      const before = yield* indexes
      yield* Effect.scoped(Effect.gen(function*() {
        yield* load(1, 20)
        yield* expectMore(20)
        const resting = before.length - (yield* indexes).length
        assert.isAbove(resting, 10)
        // What tells records apart stays.
        assert.include((yield* indexes).join(), "property_key_key")
        assert.strictEqual(yield* load(11, 20), 10)
        yield* settle(30)
      }))
      assert.deepStrictEqual(yield* indexes, before)
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT FROM resting_index`, [])
    })))

  it.live("let changes of maps wait with them, which are counted all the same, and none afterwards", () =>
    onFreshDatabase(Effect.gen(function*() {
      yield* Effect.scoped(Effect.gen(function*() {
        yield* load(1, 20)
        yield* expectMore(20)
        yield* load(21, 2500)
        assert.isAbove(yield* waiting, 2000)
        const [read, counted] = yield* cells
        assert.deepStrictEqual(read, counted)
        yield* settle(2520)
      }))
      assert.strictEqual(yield* waiting, 0)
      const [read, counted] = yield* cells
      assert.isAbove(read.length, 2000)
      assert.deepStrictEqual(read, counted)
    })))

  it.live("stay where there are records of earlier imports", () =>
    onFreshDatabase(Effect.gen(function*() {
      yield* load(1, 20)
      const before = yield* indexes
      yield* Effect.scoped(Effect.gen(function*() {
        yield* load(21, 20)
        yield* expectMore(20)
        assert.deepStrictEqual(yield* indexes, before)
      }))
    })))

  it.live("are made again by a server when the import is gone, and not before", () =>
    onFreshDatabase(Effect.gen(function*() {
      const before = yield* indexes
      const returned = Effect.repeat(indexes, {
        until: (found) => found.length === before.length,
        schedule: Schedule.spaced("20 millis")
      })
      yield* Effect.scoped(Effect.gen(function*() {
        yield* load(1, 20)
        yield* expectMore(20)
        assert.deepStrictEqual(yield* RestingIndexes.restoreAbandoned(yield* SqlClient.SqlClient), Option.none())
        assert.isBelow((yield* indexes).length, before.length)
      }))
      yield* Effect.scoped(Effect.gen(function*() {
        yield* Layer.build(Layer.fresh(AbandonedLoadsPg.layer))
        yield* returned
      }))
      assert.deepStrictEqual(yield* indexes, before)
    })))

  it.live("are made again before migrations that may change them", () =>
    onFreshDatabase(Effect.gen(function*() {
      const before = yield* indexes
      yield* Effect.scoped(Effect.gen(function*() {
        yield* load(1, 20)
        yield* expectMore(20)
      }))
      const sql = yield* SqlClient.SqlClient
      const further = Migrations.make({
        ...Migrations.migrations,
        "9999_further": Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DROP INDEX property_of_parcel`)
      })
      yield* further.run
      assert.deepStrictEqual(yield* indexes, before.filter((each) => !each.includes("property_of_parcel")))
      assert.deepStrictEqual(yield* sql`SELECT FROM resting_index`, [])
    })))
})
