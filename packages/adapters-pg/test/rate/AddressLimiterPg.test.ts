/** `AddressLimiter` over PostgreSQL: the contract, and what only several processes over one database can get wrong. */
import { assert, describe, it } from "@effect/vitest"
import { AddressLimiter, requestsPerMinutePerAddress } from "@freehold/core/rate/AddressLimiter"
import { addressLimiterContract } from "@freehold/core/testing/AddressLimiterContract"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Database from "../../src/database/Database.ts"
import * as AddressLimiterPg from "../../src/rate/AddressLimiterPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

addressLimiterContract(
  "PostgreSQL",
  Layer.unwrap(
    Effect.sync(() => Layer.fresh(AddressLimiterPg.layer.pipe(Layer.provide(Layer.fresh(TestDatabase.layer)))))
  )
)

/** The limiter of another process. */
const limiterOf = (url: Redacted.Redacted) =>
  Effect.map(
    Layer.build(Layer.fresh(AddressLimiterPg.layer.pipe(Layer.provide(Database.layer({ url, maxConnections: 2 }))))),
    (context) => Effect.provideContext(AddressLimiter.useSync((limiter) => limiter), context)
  ).pipe(Effect.flatten)

describe("AddressLimiterPg", () => {
  it.live("processes share what an address has left, to the last request", () =>
    Effect.scoped(Effect.gen(function*() {
      const url = yield* TestDatabase.make
      const limiters = yield* Effect.forEach([1, 2, 3], () => limiterOf(url))
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 1200 }, (_, index) => limiters[index % 3]),
        (limiter) => limiter === undefined ? Effect.succeed(false) : Effect.isSuccess(limiter.admit("192.0.2.1")),
        { concurrency: 60 }
      )
      assert.strictEqual(outcomes.filter((admitted) => admitted).length, requestsPerMinutePerAddress)
    })))

  it.effect("keeps no more than the addresses of the last minutes", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const limiter = yield* AddressLimiter
      const from = (minute: number) =>
        Effect.forEach(
          Array.from({ length: 50 }, (_, index) => `192.0.${minute}.${index}`),
          (address) => limiter.admit(address),
          { concurrency: 4, discard: true }
        )
      for (const minute of [1, 2, 3, 4, 5, 6]) {
        yield* from(minute)
        yield* TestClock.adjust("61 seconds")
      }
      const [kept] = yield* sql<{ readonly rows: number }>`SELECT count(*)::int AS rows FROM address_window`
      assert.isAtMost(kept?.rows ?? 0, 100)
    }).pipe(Effect.provide(AddressLimiterPg.layer.pipe(Layer.provideMerge(TestDatabase.layer)))))

  it.live("counts alone while the database is away", () =>
    Effect.scoped(Effect.gen(function*() {
      const limiter = yield* limiterOf(Redacted.make("postgres://nobody@127.0.0.1:1/nothing"))
      for (let index = 0; index < requestsPerMinutePerAddress; index++) yield* limiter.admit("192.0.2.1")
      assert.strictEqual((yield* Effect.flip(limiter.admit("192.0.2.1")))._tag, "rate_limited")
    })))
})
