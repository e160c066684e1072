/** What is made again that was overtaken, how often, and what is told in the end. */
import { assert, describe, it } from "@effect/vitest"
import { lookAgain, overtaken, TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Effect, Result } from "effect"

/** A call that ends as the list says, one after the other, and counts. */
const calls = (ends: ReadonlyArray<Effect.Effect<string, TemporarilyUnavailable>>) => {
  let made = 0
  const call = Effect.suspend(() => ends[made++] ?? Effect.die("called too often"))
  return { call, made: () => made }
}

const beaten = Effect.fail(overtaken)

describe("lookAgain", () => {
  it.effect("makes a call again that was overtaken, until it is not", () =>
    Effect.gen(function*() {
      const { call, made } = calls([beaten, beaten, beaten, Effect.succeed("done")])
      assert.strictEqual(yield* lookAgain(call), "done")
      assert.strictEqual(made(), 4)
    }))

  it.effect("tells after eleven times that it may be tried later", () =>
    Effect.gen(function*() {
      const { call, made } = calls(Array.from({ length: 11 }, () => beaten))
      const failure = yield* Effect.flip(lookAgain(call))
      assert.strictEqual(failure.retryAfterSeconds, 1)
      assert.strictEqual(made(), 11)
    }))

  it.effect("makes nothing again that failed for another reason", () =>
    Effect.gen(function*() {
      const away = new TemporarilyUnavailable({ retryAfterSeconds: 1 })
      const { call, made } = calls([Effect.fail(away)])
      assert.deepStrictEqual(yield* Effect.result(lookAgain(call)), Result.fail(away))
      assert.strictEqual(made(), 1)
    }))
})
