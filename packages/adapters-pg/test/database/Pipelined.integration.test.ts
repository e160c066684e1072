/** Statements on one pipelined connection, some of which nobody waits for any more (P5). */
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../src/database/Database.ts"
import * as MeasuredClient from "../../src/database/MeasuredClient.ts"
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
    const before = yield* Effect.forkChild(pipelined`SELECT 1 AS one, pg_sleep(0.6)::text AS slept`, begun)
    const endless = yield* Effect.forkChild(pipelined`SELECT pg_sleep(3600)`, begun)
    const other = yield* Effect.forkChild(pipelined`SELECT pg_sleep(3600)`, begun)
    const behind = yield* Effect.forkChild(pipelined`SELECT pg_backend_pid() AS process`, begun)
    yield* Fiber.interruptAll([endless, other])
    assert.deepStrictEqual(yield* Fiber.join(before), [{ one: 1, slept: "" }])
    const answered = yield* Fiber.join(behind)
    // The connection is the same one.
    assert.deepStrictEqual(yield* pipelined`SELECT pg_backend_pid() AS process`, answered)
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
