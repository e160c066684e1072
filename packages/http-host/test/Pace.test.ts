/** How long large bodies and files wait for their client's pace. */
import { assert, describe, it } from "@effect/vitest"
import { stoppedAt } from "@freehold/core/testing/LedgerCommands"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Pace from "../src/Pace.ts"

const mebibyte = 1_048_576

/** Milliseconds that each of so many waited which came at once; null: it was told that it would be too long. */
const waits = Effect.fnUntraced(function*(pace: Pace.Pace, client: string, count: number, bytes: number) {
  const fibers = yield* Effect.forEach(
    Array.from({ length: count }),
    () =>
      Effect.forkChild(
        Effect.flatMap(
          pace.wait(client, bytes),
          (may) => Effect.map(Clock.currentTimeMillis, (moment) => ({ may, moment }))
        ),
        { startImmediately: true }
      )
  )
  const began = yield* Clock.currentTimeMillis
  yield* TestClock.adjust("1 minute")
  const ended = yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber))
  return ended.map(({ may, moment }) => may ? moment - began : null)
})

describe("Pace", () => {
  it.effect("lets the largest body in at once, and as many after it as a second has room for", () =>
    Effect.gen(function*() {
      const { bytesAtOnce, bytesPerSecond } = Pace.bodies
      const each = bytesPerSecond / bytesAtOnce
      const waited = yield* waits(Pace.make(Pace.bodies), "org_a", 1 + 2 * each, bytesAtOnce)
      assert.deepStrictEqual(waited, Array.from({ length: 1 + 2 * each }, (_, place) => place * 1000 / each))
    }))

  it.effect("keeps nobody waiting for another, or for what was long ago", () =>
    Effect.gen(function*() {
      const pace = Pace.make(Pace.bodies)
      yield* waits(pace, "org_a", 30, mebibyte)
      assert.deepStrictEqual(yield* waits(pace, "org_b", 1, mebibyte), [0])
      assert.deepStrictEqual(yield* waits(pace, "org_a", 1, mebibyte), [0])
    }))

  it.effect("keeps nobody out after the time of the day was set back (R10)", () =>
    Effect.gen(function*() {
      const pace = Pace.make(Pace.files)
      yield* waits(pace, "everybody", 100, mebibyte)
      const before = stoppedAt(-3_600_000, yield* Clock.Clock)
      assert.isTrue(yield* Effect.provideService(pace.wait("everybody", mebibyte), Clock.Clock, before))
    }))

  it.effect("leaves small bodies alone", () =>
    Effect.gen(function*() {
      const waited = yield* waits(Pace.make(Pace.bodies), "org_a", 1000, 60_000)
      assert.isTrue(waited.every((millis) => millis === 0))
    }))

  it.effect("tells at once who would wait for too long, and counts nothing for it", () =>
    Effect.gen(function*() {
      const { bytesAtOnce, bytesPerSecond, patience } = Pace.files
      const pace = Pace.make(Pace.files)
      const patient = (bytesAtOnce + bytesPerSecond * patience / 1000) / mebibyte
      const waited = yield* waits(pace, "everybody", patient + 100, mebibyte)
      assert.strictEqual(waited.filter((millis) => millis !== null).length, patient)
      assert.strictEqual(Math.max(...waited.map((millis) => millis ?? 0)), patience)
      assert.deepStrictEqual(yield* waits(pace, "everybody", 1, mebibyte), [0])
    }))
})
