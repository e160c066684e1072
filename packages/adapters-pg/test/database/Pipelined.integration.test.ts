/** Statements on one pipelined connection, some of which nobody waits for any more (P5). */
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../src/database/Database.ts"
import * as MeasuredClient from "../../src/database/MeasuredClient.ts"
import * as Pipelined from "../../src/database/Pipelined.ts"
import * as Pools from "../../src/database/Pools.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

/** One connection, whose statements may take as long as they want to. */
const connection = Layer.unwrap(Effect.map(TestDatabase.Url, (url) =>
  MeasuredClient.pipelined(
    Pools.configOf(
      url,
      { applicationName: "sample", connections: 1, pipelined: true, statementLimit: Duration.hours(1) },
      Pools.directly
    ),
    "sample"
  )))

const begun = { startImmediately: true }
const withConnection = Effect.provide(connection.pipe(Layer.provideMerge(TestDatabase.layer)))

it.live("what is given up ends when it is its turn, and neither what is before it nor what is behind it (P5)", () =>
  Effect.gen(function*() {
    const pipelined = yield* MeasuredClient.MeasuredClient
    // What is given up before there is a connection does not begin.
    const process = yield* pipelined`SELECT pg_backend_pid() AS process`
    const before = yield* Effect.forkChild(pipelined`SELECT 1 AS one, pg_sleep(0.6)::text AS slept`, begun)
    const endless = yield* Effect.forkChild(pipelined`SELECT pg_sleep(3600)`, begun)
    const other = yield* Effect.forkChild(pipelined`SELECT pg_sleep(3600)`, begun)
    const behind = yield* Effect.forkChild(pipelined`SELECT pg_backend_pid() AS process`, begun)
    yield* Fiber.interruptAll([endless, other])
    assert.deepStrictEqual(yield* Fiber.join(before), [{ one: 1, slept: "" }])
    // The connection is the same one.
    assert.deepStrictEqual(yield* Fiber.join(behind), process)
  }).pipe(Effect.scoped, withConnection))

it.live("what is given up and asked anew ends nothing that it went behind by that (P5)", () =>
  Effect.gen(function*() {
    const pipelined = yield* MeasuredClient.MeasuredClient
    const sql = yield* SqlClient.SqlClient
    const stale = pipelined`SELECT * FROM sample`
    yield* sql`CREATE TABLE sample (value integer)`
    yield* stale
    // The driver asks again, without what it had prepared.
    yield* sql`ALTER TABLE sample ADD other integer`
    yield* Effect.forkChild(pipelined`SELECT pg_sleep(0.6)`, begun)
    const given = yield* Effect.forkChild(stale, begun)
    const behind = yield* Effect.forkChild(pipelined`SELECT pg_sleep(1)::text AS slept`, begun)
    yield* Fiber.interrupt(given)
    assert.deepStrictEqual(yield* Fiber.join(behind), [{ slept: "" }])
  }).pipe(Effect.scoped, withConnection))

it.live("what began while whoever ends waited for a connection is not ended (P5)", () =>
  Effect.gen(function*() {
    const pipelined = yield* MeasuredClient.MeasuredClient
    const sql = yield* SqlClient.SqlClient
    const reads = yield* Database.Reads
    const sleeping = (seconds: number) => pipelined`SELECT pg_sleep(${seconds})::text AS slept`
    const behind = yield* Effect.scoped(Effect.gen(function*() {
      yield* sleeping(0)
      // All that there are.
      yield* Effect.repeat(sql.reserve, { times: 5 })
      const given = yield* Effect.forkChild(sleeping(0.6), begun)
      const behind = yield* Effect.forkChild(sleeping(2), begun)
      yield* Fiber.interrupt(given)
      yield* Effect.repeat(
        reads`
          SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'sample' AND wait_event = 'PgSleep'
            AND query_start < clock_timestamp() - interval '0.8 seconds'`,
        { until: ({ length }) => length === 1 }
      )
      return behind
    }))
    assert.deepStrictEqual(yield* Fiber.join(behind), [{ slept: "" }])
  }).pipe(Effect.scoped, withConnection))

it.live("a transaction on a connection of its own is ended by the driver", () =>
  Effect.gen(function*() {
    const pipelined = yield* MeasuredClient.MeasuredClient
    const sql = yield* SqlClient.SqlClient
    const asleep = sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'sample' AND wait_event = 'PgSleep'`
    const transaction = yield* Effect.forkChild(pipelined.withTransaction(pipelined`SELECT pg_sleep(3600)`))
    yield* Effect.repeat(asleep, { until: ({ length }) => length === 1 })
    yield* Fiber.interrupt(transaction)
    assert.lengthOf(yield* asleep, 0)
    assert.deepStrictEqual(yield* pipelined`SELECT 1 AS one`, [{ one: 1 }])
  }).pipe(Effect.scoped, withConnection))

const request = Context.Reference<string>("sample/request", { defaultValue: () => "none" })

it.effect("a statement keeps nothing of the request that asks, which may have been given up", () =>
  Effect.gen(function*() {
    const run = Pipelined.make({ begun: () => Effect.succeed(null), end: () => Effect.void })
    assert.strictEqual(yield* Effect.provideService(run("SELECT", request), request, "one"), "none")
  }))

/** The pools of a process that answers requests, whose statements the server does not end. */
const serving = Layer.unwrap(Effect.map(TestDatabase.make, (url) =>
  Database.layerServing({
    url,
    manner: { ...Pools.directly, startup: Pools.sessionSettings.filter((setting) => setting !== "statement_timeout") }
  })))

it.live("admission and points end what is given up (P5)", () =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const asleep = sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`
    for (const client of [Database.Admission, Database.Pipeline]) {
      const pipelined = yield* client
      const endless = yield* Effect.forkChild(pipelined`SELECT pg_sleep(3600)`)
      yield* Effect.repeat(asleep, { until: ({ length }) => length === 1 })
      yield* Fiber.interrupt(endless)
      yield* Effect.repeat(asleep, { until: ({ length }) => length === 0 })
    }
  }).pipe(Effect.scoped, Effect.provide(serving)))
