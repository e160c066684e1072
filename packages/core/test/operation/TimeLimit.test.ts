import { assert, describe, it } from "@effect/vitest"
import * as TimeLimit from "@freehold/core/operation/TimeLimit"
import { Cause, Effect, Exit, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"

const late = () => Effect.succeed("late" as const)

const started = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

/** Never ends, and tells when it is interrupted. */
const endless = (told: () => void) => Effect.onInterrupt(Effect.never, () => Effect.sync(told))

describe("TimeLimit", () => {
  it.effect("lets success and failure through", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* TimeLimit.within(Effect.succeed(1), { millis: 10, late }), 1)
      assert.deepStrictEqual(
        yield* Effect.result(TimeLimit.within(Effect.fail("refused"), { millis: 10, late })),
        Result.fail("refused")
      )
      const slow = yield* started(TimeLimit.within(Effect.as(Effect.sleep(9), 2), { millis: 10, late }))
      yield* TestClock.adjust(9)
      assert.strictEqual(yield* Fiber.join(slow), 2)
    }))

  it.effect("interrupts what is late, and answers when it has ended", () =>
    Effect.gen(function*() {
      let interrupted = false
      const work = endless(() => {
        interrupted = true
      })
      const fiber = yield* started(TimeLimit.within(work, { millis: 10, late }))
      yield* TestClock.adjust(9)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* Fiber.join(fiber), "late")
      assert.isTrue(interrupted)
    }))

  it.effect("ends each of many at its own time, whichever end before", () =>
    Effect.gen(function*() {
      const ends: Array<string> = []
      const work = (name: string) => TimeLimit.within(endless(() => ends.push(name)), { millis: 10, late })
      const first = yield* started(work("first"))
      yield* TestClock.adjust(4)
      const second = yield* started(work("second"))
      const left = yield* started(work("left"))
      yield* TestClock.adjust(4)
      yield* Fiber.interrupt(left)
      assert.deepStrictEqual(ends, ["left"])
      yield* TestClock.adjust(2)
      assert.strictEqual(yield* Fiber.join(first), "late")
      assert.isUndefined(second.pollUnsafe())
      yield* TestClock.adjust(4)
      assert.strictEqual(yield* Fiber.join(second), "late")
      assert.deepStrictEqual(ends, ["left", "first", "second"])
    }))

  it.effect("begins anew after nothing was left", () =>
    Effect.gen(function*() {
      const one = yield* started(TimeLimit.within(Effect.sleep(1), { millis: 10, late }))
      yield* TestClock.adjust(1)
      yield* Fiber.join(one)
      const other = yield* started(TimeLimit.within(Effect.never, { millis: 10, late }))
      yield* TestClock.adjust(10)
      assert.strictEqual(yield* Fiber.join(other), "late")
    }))

  it.effect("gives the time that it is asked for once more", () =>
    Effect.gen(function*() {
      let asked = 0
      const fiber = yield* started(
        TimeLimit.within(Effect.never, { millis: 10, late: () => ++asked === 1 ? 5 : late() })
      )
      yield* TestClock.adjust(14)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* Fiber.join(fiber), "late")
    }))

  it.effect("interrupts the work of who is interrupted, and waits for it", () =>
    Effect.gen(function*() {
      let interrupted = false
      const fiber = yield* started(TimeLimit.within(
        endless(() => {
          interrupted = true
        }),
        { millis: 10, late }
      ))
      const exit = yield* Effect.exit(Effect.andThen(Fiber.interrupt(fiber), Fiber.await(fiber)))
      assert.isTrue(interrupted)
      assert.isTrue(Exit.isSuccess(exit) && Exit.isFailure(exit.value) && Cause.hasInterruptsOnly(exit.value.cause))
    }))
})
