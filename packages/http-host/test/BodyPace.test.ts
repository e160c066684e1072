/** How long a large body waits for its client's pace. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as BodyPace from "../src/BodyPace.ts"

const mebibyte = 1_048_576

/** Milliseconds that each of so many bodies waited which came at once. */
const waits = Effect.fnUntraced(function*(pace: BodyPace.BodyPace, client: string, count: number, bytes: number) {
  const fibers = yield* Effect.forEach(
    Array.from({ length: count }),
    () =>
      Effect.forkChild(Effect.andThen(pace.wait(client, bytes), Clock.currentTimeMillis), { startImmediately: true })
  )
  const began = yield* Clock.currentTimeMillis
  yield* TestClock.adjust("1 minute")
  const ended = yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber))
  return ended.map((moment) => moment - began)
})

describe("BodyPace", () => {
  it.effect("lets the largest body in at once, and as many after it as a second has room for", () =>
    Effect.gen(function*() {
      const each = BodyPace.bytesPerSecond / BodyPace.bytesAtOnce
      const waited = yield* waits(BodyPace.make(), "org_a", 1 + 2 * each, BodyPace.bytesAtOnce)
      assert.deepStrictEqual(waited, Array.from({ length: 1 + 2 * each }, (_, place) => place * 1000 / each))
    }))

  it.effect("keeps nobody waiting for another, or for what was long ago", () =>
    Effect.gen(function*() {
      const pace = BodyPace.make()
      yield* waits(pace, "org_a", 30, mebibyte)
      assert.deepStrictEqual(yield* waits(pace, "org_b", 1, mebibyte), [0])
      assert.deepStrictEqual(yield* waits(pace, "org_a", 1, mebibyte), [0])
    }))

  it.effect("leaves small bodies alone", () =>
    Effect.gen(function*() {
      const waited = yield* waits(BodyPace.make(), "org_a", 1000, 60_000)
      assert.strictEqual(Math.max(...waited), 0)
    }))
})
