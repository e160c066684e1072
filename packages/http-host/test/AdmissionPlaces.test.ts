/** How many requests of one address are admitted at once. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as AdmissionPlaces from "../src/AdmissionPlaces.ts"

const crowd = 50

describe("AdmissionPlaces", () => {
  it.effect("let few of one address in at once, and others at any time; nobody waits longer than a request may", () =>
    Effect.gen(function*() {
      let begun = 0
      const answer = Deferred.makeUnsafe<void>()
      const admit = Effect.suspend(() => {
        begun++
        return Deferred.await(answer)
      })
      const fibers = yield* Effect.forEach(
        Array.from({ length: crowd }),
        () => Effect.forkChild(Effect.result(AdmissionPlaces.within("192.0.2.1", admit)), { startImmediately: true })
      )
      assert.isAtMost(begun, 4)
      assert.strictEqual(yield* AdmissionPlaces.within("192.0.2.2", Effect.succeed("admitted")), "admitted")

      yield* TestClock.adjust("6 seconds")
      const results = yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(
        [...new Set(results.map((result) => result._tag === "Failure" ? result.failure._tag : "admitted"))],
        ["rate_limit_unavailable"]
      )
      assert.strictEqual(yield* AdmissionPlaces.within("192.0.2.1", Effect.succeed("admitted")), "admitted")
    }))
})
