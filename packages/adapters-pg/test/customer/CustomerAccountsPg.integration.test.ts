/** `CustomerAccountsPg` under the contract of every `CustomerAccounts`, on a real PostgreSQL. */
import { assert, describe, it } from "@effect/vitest"
import { CustomerAccounts } from "@freehold/core/customer/CustomerAccounts"
import { customerAccountsContract } from "@freehold/core/testing/CustomerAccountsContract"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Effect, Layer, Tracer } from "effect"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

const ports = Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer)

/** How many statements the effect runs: each is a span of the client's. */
const statementsOf = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  let statements = 0
  const tracer = Tracer.make({
    span: (options) => {
      if (options.kind === "client") statements++
      return new Tracer.NativeSpan(options)
    }
  })
  yield* Effect.withTracer(effect, tracer)
  return statements
})

describe("CustomerAccountsPg", () => {
  customerAccountsContract(ports)

  it.live("finds and sets 500 accounts with one statement each", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 500)
      yield* Scene.qualifyMany("org_a", 1)
      const customers = yield* CustomerAccounts
      const numbers = Array.from({ length: 500 }, (_, index) => index)
      const count = yield* statementsOf(Effect.gen(function*() {
        yield* customers.locate(numbers.map((index) => ({ _tag: "Id", id: Scene.propertyId(index) })))
        yield* customers.sync(
          "org_a",
          numbers.map((index) => ({
            propertyId: Scene.propertyId(index),
            status: "active",
            eventId: Scene.eventId(1000 + index)
          })),
          { byAgent: true, now: Scene.at }
        )
      }))
      assert.strictEqual(count, 2)
    }).pipe(Effect.provide(ports)))
})
