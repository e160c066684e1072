/** That the counts of the cells of maps are kept whoever writes what, also by two at once. */
import { assert, layer as withLayer } from "@effect/vitest"
import * as Database from "@freehold/adapters-pg/database/Database"
import * as RetentionPg from "@freehold/adapters-pg/retention/RetentionPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { defaultKept, Retention } from "@freehold/core/retention/Retention"
import { sweepAll } from "@freehold/core/retention/Sweeper"
import { property, startOver } from "@freehold/core/testing/Seed"
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
const properties = [1, 2, 3, 4].map(id)
const Which = Schema.Literals(properties)

const Step = Schema.Union([
  Schema.Struct({
    _tag: Schema.Literal("move"),
    property: Which,
    lat: Schema.NullOr(Schema.Literals([30, 30.1, 31]))
  }),
  Schema.Struct({ _tag: Schema.Literal("place"), property: Which, county: Schema.Literals(["48001", "06001"]) }),
  Schema.Struct({
    _tag: Schema.Literal("name"),
    property: Which,
    category: Schema.NullOr(Schema.Literals(["Office"]))
  }),
  Schema.Struct({ _tag: Schema.Literal("retire"), property: Which }),
  Schema.Struct({ _tag: Schema.Literal("delete"), property: Which }),
  Schema.Struct({ _tag: Schema.Literal("fold"), atMost: Schema.Literals([0, 1, 3, 100]) })
])

/** One of them lies where others move to, so that their county reaches so far: who extends a county is waited for. */
const world = startOver({
  properties: properties.map((each) =>
    property({ id: each, countyFips: "48001", lat: each === id(4) ? 31 : 30, lon: -97 })
  )
})

const happen = Effect.fnUntraced(function*(step: typeof Step.Type) {
  const sql = yield* SqlClient.SqlClient
  switch (step._tag) {
    case "move":
      return yield* sql`UPDATE property SET lat = ${step.lat}::float8 WHERE id = ${step.property}::uuid`
    case "place":
      return yield* sql`UPDATE property SET county_fips = ${step.county} WHERE id = ${step.property}::uuid`
    case "name":
      return yield* sql`UPDATE property SET asset_category = ${step.category}::text WHERE id = ${step.property}::uuid`
    case "retire":
      return yield* sql`UPDATE property SET retired_into = ${id(4)}::uuid
        WHERE id = ${step.property}::uuid AND id <> ${id(4)}::uuid`
    case "delete":
      return yield* sql`DELETE FROM property WHERE id = ${step.property}::uuid AND id <> ${id(4)}::uuid`
    case "fold":
      return yield* sql`SELECT map_cell_fold(${step.atMost}::integer)`
  }
})

/** The counts that a map reads, and those of the properties. */
const compared = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const counts = (view: string) =>
    sql`SELECT county_fips, level, x, y, asset_category, sum(count)::int AS count FROM ${sql(view)}
      GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) <> 0 ORDER BY 1, 2, 3, 4, 5`
  return [yield* counts("map_cell_now"), yield* counts("map_cell_counted")] as const
})

const assertKept = Effect.gen(function*() {
  const [kept, counted] = yield* compared
  assert.deepStrictEqual(kept, counted)
})

withLayer(Layer.mergeAll(SeederPg.layer, RetentionPg.layer).pipe(Layer.provideMerge(TestDatabase.layer)), {
  excludeTestServices: true
})(
  "the cells of maps",
  (it) => {
    it.effect.prop(
      "are counted as the properties lie (Q4)",
      { steps: Schema.Array(Step).check(Schema.isMaxLength(20)) },
      ({ steps }) =>
        Effect.gen(function*() {
          yield* world
          yield* Effect.forEach(steps, happen, { discard: true })
          yield* assertKept
        }),
      { arbitrary: { runs: 25 } }
    )

    it.effect("are counted while two write and add up, who do not wait for one another (Q4)", () =>
      Effect.gen(function*() {
        yield* world
        const sql = yield* SqlClient.SqlClient
        const other = Effect.provideService(SqlClient.SqlClient, yield* Database.Pipeline)
        yield* sql.withTransaction(Effect.gen(function*() {
          yield* happen({ _tag: "move", property: id(1), lat: 31 })
          yield* happen({ _tag: "move", property: id(2), lat: 31 }).pipe(other)
          yield* happen({ _tag: "fold", atMost: 100 }).pipe(other)
          yield* assertKept.pipe(other)
          yield* happen({ _tag: "fold", atMost: 100 })
          yield* happen({ _tag: "move", property: id(3), lat: 31 }).pipe(other)
          yield* happen({ _tag: "fold", atMost: 100 }).pipe(other)
          yield* assertKept.pipe(other)
          yield* assertKept
        }))
        yield* assertKept
        yield* happen({ _tag: "fold", atMost: 100 })
        yield* assertKept
        assert.deepStrictEqual(yield* sql`SELECT FROM map_cell_change`, [])
      }))

    it.effect("are added up by those who write, so that few changes wait", () =>
      Effect.gen(function*() {
        yield* world
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO property (id, key, county_fips, lat, lon)
        SELECT gen_random_uuid(), 'cell-' || n, '48001', 30 + n % 100 * 0.1, -97 + n / 100 * 0.1 FROM generate_series(1, 5000) AS n`
        const waiting = yield* sql`SELECT FROM map_cell_change`
        assert.isBelow(waiting.length, 2000)
        yield* assertKept
      }))

    it.effect("are added up by the upkeep, so many a step, until no change waits (Q4)", () =>
      Effect.gen(function*() {
        yield* world
        const sql = yield* SqlClient.SqlClient
        yield* sweepAll(defaultKept)
        yield* sql`INSERT INTO property (id, key, county_fips, lat, lon)
        SELECT gen_random_uuid(), 'cell-' || n, '48001', 30 + n * 0.1, -97 FROM generate_series(1, 25) AS n`
        const waiting = Effect.map(sql`SELECT FROM map_cell_change`, ({ length }) => length)
        assert.strictEqual(yield* waiting, 25)
        const retention = yield* Retention
        const step = Effect.map(
          retention.sweep({ kept: defaultKept, now: yield* Clock.currentTimeMillis, atMost: 10 }),
          (swept) => Option.getOrThrow(swept).more
        )
        assert.deepStrictEqual([yield* step, yield* waiting], [true, 15])
        yield* assertKept
        assert.deepStrictEqual([yield* step, yield* waiting], [true, 5])
        yield* assertKept
        assert.deepStrictEqual([yield* step, yield* waiting], [false, 0])
        yield* assertKept
      }))
  }
)
