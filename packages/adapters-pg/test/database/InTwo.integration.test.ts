/** A read in two halves at once, over one state of the database. */
import { PgClient } from "@effect/sql-pg"
import { assert, layer as withLayer } from "@effect/vitest"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Deferred, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inTwo } from "../../src/database/InTwo.ts"

/** Over which connection something was read, and how many counties it saw. */
const seen = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly connection: number; readonly counties: number }>`
      SELECT pg_backend_pid() AS connection, count(*)::int AS counties FROM county`,
    ([row]) => row ?? { connection: 0, counties: -1 }
  )

const addCounty = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`INSERT INTO county (county_fips) SELECT lpad((count(*) + 1)::text, 5, '0') FROM county`
)

/** With a client of so many connections to the test's database. */
const withConnections = <A, E, R>(
  maxConnections: number,
  use: (sql: PgClient.PgClient) => Effect.Effect<A, E, R>
) =>
  Effect.flatMap(
    TestDatabase.Url,
    (url) =>
      Effect.flatMap(PgClient.PgClient, use).pipe(
        Effect.provide(Layer.orDie(Layer.fresh(PgClient.layer({ url, maxConnections }))))
      )
  )

withLayer(TestDatabase.layer, { excludeTestServices: true })("A read in two halves", (it) => {
  it.effect("goes by two connections, and sees nothing that was committed since it began", () =>
    Effect.gen(function*() {
      const owner = yield* SqlClient.SqlClient
      const before = (yield* seen(owner)).counties
      const [first, second, whole] = yield* withConnections(2, (sql) =>
        Effect.gen(function*() {
          const isBeside = yield* Deferred.make<void>()
          const beside = Effect.andThen(Deferred.succeed(isBeside, undefined), seen(sql))
          const committed = Effect.provideService(addCounty, SqlClient.SqlClient, owner)
          return yield* inTwo(
            sql,
            [Effect.andThen(Deferred.await(isBeside), seen(sql)), Effect.andThen(committed, beside)],
            ([one, other]) => Effect.map(seen(sql), (last) => [one, other, last] as const)
          )
        }))
      assert.deepStrictEqual([first.counties, second.counties, whole.counties], [before, before, before])
      assert.notStrictEqual(first.connection, second.connection)
      assert.strictEqual(whole.connection, first.connection)
      assert.strictEqual((yield* seen(owner)).counties, before + 1)
    }))

  it.effect("goes by one connection where no other is free", () =>
    Effect.gen(function*() {
      const [one, other] = yield* withConnections(1, (sql) => inTwo(sql, [seen(sql), seen(sql)], Effect.succeed))
      assert.deepStrictEqual(one, other)
    }))

  it.effect("keeps no statement prepared that names a snapshot, of which each read has another", () =>
    withConnections(2, (sql) =>
      Effect.gen(function*() {
        const isBeside = yield* Deferred.make<void>()
        const naming = sql<{ readonly statement: string }>`
          SELECT statement FROM pg_prepared_statements WHERE statement LIKE 'SET TRANSACTION SNAPSHOT%'`
        const [, kept] = yield* inTwo(
          sql,
          [Effect.as(Deferred.await(isBeside), []), Effect.andThen(Deferred.succeed(isBeside, undefined), naming)],
          Effect.succeed
        )
        assert.deepStrictEqual(kept, [])
      })))

  it.effect("fails with either half, and gives both connections back", () =>
    withConnections(2, (sql) =>
      Effect.gen(function*() {
        const isBeside = yield* Deferred.make<void>()
        const failing = Effect.andThen(sql`SELECT 1 / 0`, Effect.succeed(0))
        const waiting = Effect.andThen(Deferred.await(isBeside), Effect.succeed(0))
        const besides = Effect.andThen(Deferred.succeed(isBeside, undefined), Effect.succeed(0))
        for (const halves of [[failing, besides], [waiting, Effect.andThen(besides, failing)]] as const) {
          const error = yield* Effect.flip(inTwo(sql, halves, Effect.succeed))
          assert.strictEqual(error._tag, "SqlError")
        }
        const connections = yield* Effect.all([seen(sql), seen(sql)], { concurrency: 2 })
        assert.deepStrictEqual(connections.map(({ counties }) => counties >= 0), [true, true])
      })))
})
