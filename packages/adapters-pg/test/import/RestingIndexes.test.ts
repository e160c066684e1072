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

/** The definitions of all indexes. */
const indexes = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly definition: string }>`
    SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname`
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

/** Of a file whose length nobody knows. */
const expectMore = (inserted: number) =>
  ImportStore.use((store) => store.expectMore("properties", { inserted, left: null }))
const settle = (rows: number) => ImportStore.use((store) => store.settle("properties", rows))

/** People, each at one of twenty properties. */
const loadPeople = Effect.fnUntraced(function*(from: number, count: number) {
  const rows = Array.from({ length: count }, (_, index) =>
    Result.getOrThrow(parsers.contacts(
      {
        key: `p${from + index}`,
        id: id(5000 + from + index),
        fullName: `Person ${from + index}`,
        email: `person-${from + index}@example.com`,
        properties: [{ propertyKey: `k${1 + (from + index) % 20}` }]
      },
      { latestYear: 2027, idOf: () => id(0) }
    )))
  const { inserted } = yield* ImportStore.use((store) => store.load({ kind: "contacts", rows }))
  return inserted
})

/** What is counted of each property's contacts: as it is kept, and as it is. */
const contactCounts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const kept = yield* sql`
    SELECT id::text AS id, contact_count AS contacts, contacts_with_email AS emails FROM property ORDER BY id`
  const counted = yield* sql`
    SELECT p.id::text AS id, count(c.id)::int AS contacts, count(c.email)::int AS emails
    FROM property p LEFT JOIN property_contact t ON t.property_id = p.id LEFT JOIN contact c ON c.id = t.contact_id
    GROUP BY p.id ORDER BY p.id`
  return [kept, counted] as const
})

const expectPeople = (inserted: number, left: number | null) =>
  ImportStore.use((store) => store.expectMore("contacts", { inserted, left }))

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

describe("the indexes of people, and of how many a property has", () => {
  /** A first load of which most is to come. */
  const beginWithPeople = Effect.gen(function*() {
    yield* load(1, 20)
    yield* loadPeople(1, 20)
    yield* expectPeople(20, 100)
  })

  /** The names of those that rest. */
  const resting = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly name: string }>`SELECT name FROM resting_index ORDER BY name`
    return rows.map(({ name }) => name)
  })

  it.live("rest while the first contacts are loaded, and are the same afterwards, with the same counts", () =>
    onFreshDatabase(Effect.gen(function*() {
      const before = yield* indexes
      yield* Effect.scoped(Effect.gen(function*() {
        yield* beginWithPeople
        const meanwhile = yield* indexes
        assert.include(yield* resting, "property_of_county")
        assert.include(yield* resting, "contact_full_name")
        assert.deepStrictEqual(meanwhile.filter((each) => /contact_count|gin.*employer_name/.test(each)), [])
        // What does not change with contacts stays.
        assert.include(meanwhile.join(), "property_search_text")
        assert.strictEqual(yield* loadPeople(21, 100), 100)
        const [kept, counted] = yield* contactCounts
        assert.deepStrictEqual(kept, counted)
        yield* ImportStore.use((store) => store.settle("contacts", 120))
      }))
      assert.deepStrictEqual(yield* indexes, before)
      assert.deepStrictEqual(yield* resting, [])
    })))

  it.live("let new versions of properties stay out of every index", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      /** Versions that are in no index, of two. */
      const outside = sql.withTransaction(Effect.gen(function*() {
        yield* sql`UPDATE property SET contact_count = contact_count + 1`
        const [{ count = 0 } = {}] = yield* sql<{ readonly count: number }>`
          SELECT pg_stat_get_xact_tuples_hot_updated('property'::regclass)::int AS count`
        return count
      }))
      yield* load(1, 2)
      assert.strictEqual(yield* outside, 0)
      yield* Effect.scoped(Effect.gen(function*() {
        yield* loadPeople(1, 2)
        yield* expectPeople(2, 100)
        assert.strictEqual(yield* outside, 2)
      }))
    })))

  it.live.each(
    [
      ["there are customers, who may search", 20, 100, true],
      ["few are to come for so many properties", 20, 1, false],
      ["nobody knows how many are to come", 20, null, false],
      ["most people were there before", 5, 100, false]
    ] as const
  )("stay where %s", ([, inserted, left, withCustomer]) =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* load(1, 20)
      yield* loadPeople(1, 20)
      if (withCustomer) yield* sql`INSERT INTO organization (org_id, profile) VALUES ('org_a', '{"status": "active"}')`
      yield* Effect.scoped(Effect.gen(function*() {
        yield* expectPeople(inserted, left)
        assert.deepStrictEqual(yield* resting, [])
      }))
    })))

  it.live("are made again by a server when the import is gone", () =>
    onFreshDatabase(Effect.gen(function*() {
      const before = yield* indexes
      yield* Effect.scoped(Effect.gen(function*() {
        yield* beginWithPeople
        assert.isBelow((yield* indexes).length, before.length)
      }))
      const sql = yield* SqlClient.SqlClient
      yield* RestingIndexes.restoreAbandoned(sql)
      assert.deepStrictEqual(yield* indexes, before)
    })))
})
