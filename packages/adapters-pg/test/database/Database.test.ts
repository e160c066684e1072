/** The clients of `Database` over a real server: what is pipelined, what is cancelled, what counts as away. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../src/database/Database.ts"
import * as Pools from "../../src/database/Pools.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

layer(TestDatabase.layer, { excludeTestServices: true })("Database", (it) => {
  it.effect("answers from each of its clients", () =>
    Effect.gen(function*() {
      const asked = (sql: PgClient.PgClient) => sql`SELECT current_setting('TimeZone') AS zone`
      for (const client of [PgClient.PgClient, Database.Admission, Database.Pipeline, Database.Reads]) {
        assert.deepStrictEqual(yield* asked(yield* client), [{ zone: "UTC" }])
      }
      assert.deepStrictEqual(yield* (yield* Database.Replica).read(asked), [{ zone: "UTC" }])
    }))

  it.effect("a statement of the exclusive client waits alone, and its interruption ends it on the server (P5)", () =>
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

  it.effect("tells a failure by the code and the words of the server, or of the network before it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(Database.failureOf(yield* Effect.flip(sql`SELECT 1 / 0`)), {
        code: "22012",
        message: "division by zero"
      })
      const unreached = yield* SqlClient.SqlClient.use((away) => Effect.flip(away`SELECT 1`)).pipe(
        Effect.provide(Database.layer({ url: Redacted.make("postgres://sample@127.0.0.1:1/sample") }), { local: true })
      )
      const { code, message } = Database.failureOf(unreached)
      assert.strictEqual(code, "ECONNREFUSED")
      assert.match(message, /ECONNREFUSED/)
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

  it.live("reads from the primary where nothing listens at DATABASE_REPLICA_URL", () =>
    Effect.gen(function*() {
      const url = yield* TestDatabase.makeEmpty
      const found = yield* Effect.flatMap(
        Database.Replica,
        ({ read }) => read((sql) => sql`SELECT current_database() AS name`)
      ).pipe(
        Effect.provide(configured({
          DATABASE_URL: Redacted.value(url),
          DATABASE_REPLICA_URL: "postgres://nobody@127.0.0.1:1,127.0.0.1:2/nothing"
        }))
      )
      assert.deepStrictEqual(found, [{ name: new URL(Redacted.value(url)).pathname.slice(1) }])
    }))

  it.live("refuses a DATABASE_REPLICA_URL that is none, or asks for a primary, without its value", () =>
    Effect.gen(function*() {
      for (
        const wrong of ["mysql://user:hunter2@host/db", "postgres://user:hunter2@a,b/db?target_session_attrs=primary"]
      ) {
        const failure = yield* Effect.flip(Effect.provide(Effect.void, configured({ DATABASE_REPLICA_URL: wrong })))
        assert.strictEqual(failure._tag, "ConfigError")
        assert.include(failure.message, "DATABASE_REPLICA_URL")
        assert.notInclude(failure.message, "hunter2")
      }
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

describe("Database.layerServing", () => {
  const sessions = (sql: PgClient.PgClient) =>
    sql<{ readonly pool: string; readonly count: number }>`
      SELECT application_name AS pool, count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'freehold %'
      GROUP BY 1 ORDER BY 1`

  it.live("each pool has connections of its own, and no more than it says (P3)", () =>
    Effect.gen(function*() {
      const url = yield* TestDatabase.make
      yield* Effect.gen(function*() {
        const [ledger, reads, admission] = [
          yield* SqlClient.SqlClient,
          yield* Database.Reads,
          yield* Database.Admission
        ]
        const holder = yield* ledger.reserve
        yield* holder.execute("SELECT pg_advisory_lock(1)", [], undefined)
        const { ledger: writing, reads: reading } = Pools.serving(Pools.defaultSizes)
        const waiting = (sql: PgClient.PgClient) => sql`SELECT pg_advisory_lock_shared(1)`
        const crowd = yield* Effect.forkChild(Effect.forEach(
          Array.from({ length: 40 }),
          () => waiting(reads),
          { concurrency: "unbounded" }
        ))
        const full = yield* Effect.repeat(sessions(admission), {
          until: (rows) =>
            rows.some(({ count, pool }) => pool === reading.applicationName && count === reading.connections)
        })
        // Whoever reads: admission answered just now, and the ledger does.
        assert.deepStrictEqual(yield* ledger`SELECT 1 AS one`, [{ one: 1 }])
        assert.isAtMost(
          full.find(({ pool }) => pool === writing.applicationName)?.count ?? 0,
          writing.connections
        )
        yield* Fiber.interrupt(crowd)
        // Nothing of it is left running in the server.
        yield* Effect.repeat(
          admission<{ readonly count: number }>`
            SELECT count(*)::int AS count FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = ${reading.applicationName} AND state = 'active'`,
          { until: ([row]) => row?.count === 0 }
        )
      }).pipe(Effect.scoped, Effect.provide(Database.layerServing({ url })))
    }))

  it.live("the server ends a transaction that was left standing, at the limit of what it is for", () =>
    Effect.gen(function*() {
      const url = yield* TestDatabase.makeEmpty
      const limitOf = (options: Partial<Database.Options>) =>
        SqlClient.SqlClient.use((sql) =>
          sql<{ readonly limit: string }>`SELECT current_setting('idle_in_transaction_session_timeout') AS limit`
        ).pipe(Effect.provide(Database.layer({ url, ...options }), { local: true }))
      assert.deepStrictEqual(yield* limitOf({ idleLimit: Duration.seconds(10) }), [{ limit: "10s" }])
      assert.deepStrictEqual(yield* limitOf({}), [{ limit: "1min" }])
    }))

  it.live("the server ends a statement at the limit of its pool, and the call may be tried again", () =>
    Effect.gen(function*() {
      const url = yield* TestDatabase.makeEmpty
      const ended = yield* SqlClient.SqlClient.use((sql) => Effect.flip(sql`SELECT pg_sleep(3600)`)).pipe(
        Effect.provide(Database.layer({ url, statementLimit: Duration.millis(200) }), { local: true })
      )
      assert.isTrue(Database.isUnavailable(ended))
      const limits = yield* Effect.gen(function*() {
        const clients = {
          admission: yield* Database.Admission,
          points: yield* Database.Pipeline,
          ledger: yield* PgClient.PgClient,
          reads: yield* Database.Reads
        }
        return yield* Effect.forEach(
          Object.values(clients),
          (sql) => sql<{ readonly limit: string }>`SELECT current_setting('statement_timeout') AS limit`
        )
      }).pipe(Effect.provide(Database.layerServing({ url })))
      assert.deepStrictEqual(limits.flat().map(({ limit }) => limit), ["2s", "10s", "10s", "10s"])
    }))
})
