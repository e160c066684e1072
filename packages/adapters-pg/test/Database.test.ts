/** The clients of `Database` over a real server: what is pipelined, what is cancelled, what counts as away. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../src/Database.ts"
import * as TestDatabase from "../src/testing/TestDatabase.ts"

layer(TestDatabase.layer, { excludeTestServices: true })("Database", (it) => {
  it.effect("answers from the exclusive, the pipelined and the lagging client", () =>
    Effect.gen(function*() {
      for (const client of [SqlClient.SqlClient, PgClient.PgClient, Database.Pipeline, Database.Replica]) {
        const sql = yield* client
        assert.deepStrictEqual(yield* sql`SELECT current_setting('TimeZone') AS zone`, [{ zone: "UTC" }])
      }
    }))

  it.effect("a statement of the exclusive client waits alone, and its interruption ends it on the server", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const holder = yield* sql.reserve
      yield* holder.execute("SELECT pg_advisory_lock(1)", [], undefined)
      const waiting = sql<{ readonly count: number }>`
        SELECT count(*)::int AS count FROM pg_locks
        WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
      const statement = yield* Effect.forkChild(sql`SELECT pg_advisory_lock(1)`)
      yield* Effect.repeat(waiting, { until: ([row]) => row?.count === 1 })
      yield* Fiber.interrupt(statement)
      yield* Effect.repeat(waiting, { until: ([row]) => row?.count === 0 })
    }))

  it.effect("takes a lost connection for a database that is away, and a wrong statement not", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const lost = yield* Effect.flip(sql`SELECT pg_terminate_backend(pg_backend_pid())`)
      assert.isTrue(Database.isUnavailable(lost))
      const wrong = yield* Effect.flip(sql`SELECT 1 / 0`)
      assert.isFalse(Database.isUnavailable(wrong))
      assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
    }))

  it.effect("takes a database that does not exist for one that is away", () =>
    Effect.gen(function*() {
      const url = TestDatabase.inDatabase(yield* TestDatabase.Url, "missing")
      const failure = yield* SqlClient.SqlClient.use((sql) => Effect.flip(sql`SELECT 1`)).pipe(
        Effect.provide(Database.layer({ url }), { local: true })
      )
      assert.isTrue(Database.isUnavailable(failure))
    }))
})

describe("Database.layerConfig", () => {
  const configured = (settings: Readonly<Record<string, string>>) =>
    Database.layerConfig.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(settings))))

  it.live("uses DATABASE_URL", () =>
    Effect.gen(function*() {
      const url = yield* TestDatabase.make
      const found = yield* SqlClient.SqlClient.use((sql) => sql`SELECT current_database() AS name`).pipe(
        Effect.provide(configured({ DATABASE_URL: Redacted.value(url) }))
      )
      assert.deepStrictEqual(found, [{ name: new URL(Redacted.value(url)).pathname.slice(1) }])
    }))

  it.live("reads that may lag come from DATABASE_REPLICA_URL where there is one", () =>
    Effect.gen(function*() {
      const [primary, replica] = [yield* TestDatabase.makeEmpty, yield* TestDatabase.makeEmpty]
      const found = yield* Database.Replica.use((sql) => sql`SELECT current_database() AS name`).pipe(
        Effect.provide(configured({
          DATABASE_URL: Redacted.value(primary),
          DATABASE_REPLICA_URL: Redacted.value(replica)
        }))
      )
      assert.deepStrictEqual(found, [{ name: new URL(Redacted.value(replica)).pathname.slice(1) }])
    }))

  it.live("refuses a DATABASE_URL that is none and names it without its value", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(
        Effect.provide(Effect.void, configured({ DATABASE_URL: "mysql://user:hunter2@host/db" }))
      )
      assert.strictEqual(failure._tag, "ConfigError")
      assert.include(failure.message, "DATABASE_URL")
      assert.notInclude(failure.message, "hunter2")
    }))
})
