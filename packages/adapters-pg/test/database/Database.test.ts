/** The clients of `Database` over a real server: what is pipelined, what is cancelled, what counts as away. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Database from "../../src/database/Database.ts"
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

  const replicated = (primary: Redacted.Redacted, replica: Redacted.Redacted) =>
    configured({ DATABASE_URL: Redacted.value(primary), DATABASE_REPLICA_URL: Redacted.value(replica) })

  const nameOf = (url: Redacted.Redacted) => new URL(Redacted.value(url)).pathname.slice(1)

  /** In which database the statement ran. */
  const whereReplicaReads = Effect.flatMap(Database.Replica, ({ read }) =>
    Effect.map(
      read((sql) => sql<{ readonly name: string }>`SELECT current_database() AS name`),
      ([row]) => row?.name
    ))

  it.live("reads that may lag come from DATABASE_REPLICA_URL where there is one", () =>
    Effect.gen(function*() {
      const [primary, replica] = [yield* TestDatabase.makeEmpty, yield* TestDatabase.makeEmpty]
      assert.strictEqual(
        yield* Effect.provide(whereReplicaReads, replicated(primary, replica)),
        nameOf(replica)
      )
    }))

  it.live("a replica that is away is replaced by the primary, which is logged once, and one that is back answers again", () => {
    const lines: Array<string> = []
    const recorder = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
    return Effect.gen(function*() {
      const primary = yield* TestDatabase.makeEmpty
      const missing = TestDatabase.inDatabase(primary, TestDatabase.uniqueName())
      yield* Effect.gen(function*() {
        for (const _ of [1, 2, 3]) assert.strictEqual(yield* whereReplicaReads, nameOf(primary))
        assert.lengthOf(lines.filter((line) => line.includes("the replica is away")), 1)
        yield* TestDatabase.administer(primary, (sql) => sql`CREATE DATABASE ${sql(nameOf(missing))}`)
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(yield* whereReplicaReads, nameOf(missing))
        assert.lengthOf(lines.filter((line) => line.includes("the replica is back")), 1)
      }).pipe(
        Effect.provide(Layer.merge(replicated(primary, missing), TestClock.layer())),
        Effect.ensuring(
          Effect.orDie(
            TestDatabase.administer(primary, (sql) => sql`DROP DATABASE IF EXISTS ${sql(nameOf(missing))} WITH (FORCE)`)
          )
        )
      )
    }).pipe(Effect.provide(recorder))
  })

  it.live("a replica that nothing listens for is replaced by the primary", () =>
    Effect.gen(function*() {
      const primary = yield* TestDatabase.makeEmpty
      const nowhere = Redacted.make("postgres://nobody@127.0.0.1:1/nothing")
      assert.strictEqual(yield* Effect.provide(whereReplicaReads, replicated(primary, nowhere)), nameOf(primary))
    }))

  it.live("a wrong statement stays one, wherever it ran", () =>
    Effect.gen(function*() {
      const [primary, replica] = [yield* TestDatabase.makeEmpty, yield* TestDatabase.makeEmpty]
      const failure = yield* Effect.flatMap(
        Database.Replica,
        ({ read }) => Effect.flip(read((sql) => sql`SELECT 1 / 0`))
      ).pipe(Effect.provide(replicated(primary, replica)))
      assert.isFalse(Database.isUnavailable(failure))
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

  it.live("each pool has connections of its own, and no more than it says", () =>
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
        const { ledger: writing, reads: reading } = Database.servingPools
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

  it.live("the server ends a statement at the limit of its pool, and the call may be tried again", () =>
    Effect.gen(function*() {
      const url = yield* TestDatabase.makeEmpty
      const ended = yield* SqlClient.SqlClient.use((sql) => Effect.flip(sql`SELECT pg_sleep(3600)`)).pipe(
        Effect.provide(Database.layer({ url, statementLimit: Duration.millis(20) }), { local: true })
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
