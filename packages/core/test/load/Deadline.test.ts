import { assert, describe, it } from "@effect/vitest"
import * as Deadline from "@freehold/core/load/Deadline"
import { Duration, Effect, Exit, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"

const started = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

describe("Deadline", () => {
  it.effect("ends what takes longer, and interrupts it (P4)", () =>
    Effect.gen(function*() {
      let interrupted = false
      const slow = Effect.onInterrupt(Effect.never, () =>
        Effect.sync(() => {
          interrupted = true
        }))
      const fiber = yield* started(Effect.flip(Deadline.within(Duration.seconds(10), slow)))
      yield* TestClock.adjust(9999)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      const refused = yield* Fiber.join(fiber)
      assert.strictEqual(refused._tag, "TEMPORARILY_UNAVAILABLE")
      assert.isAtLeast(refused.retryAfterSeconds, 1)
      assert.isTrue(interrupted)
    }))

  it.effect("lets success and refusals of their own through", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* Deadline.within(Duration.seconds(10), Effect.succeed(1)), 1)
      assert.deepStrictEqual(
        yield* Effect.result(Deadline.within(Duration.seconds(10), Effect.fail("refused"))),
        Result.fail("refused")
      )
    }))

  it.effect("does not end what has begun to write, so that what was charged is answered (P4)", () =>
    Effect.gen(function*() {
      const writing = Effect.andThen(Effect.sleep("9 seconds"), Deadline.lift).pipe(
        Effect.andThen(Effect.sleep("5 seconds")),
        Effect.as("charged")
      )
      const fiber = yield* started(Deadline.within(Duration.seconds(10), writing))
      yield* TestClock.adjust("14 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "charged")
    }))

  it.effect("ends even that when it takes longer than the grace (P4)", () =>
    Effect.gen(function*() {
      const fiber = yield* started(
        Effect.flip(Deadline.within(Duration.seconds(10), Effect.andThen(Deadline.lift, Effect.never)))
      )
      yield* TestClock.adjust("10 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(Duration.toMillis(Deadline.grace))
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "TEMPORARILY_UNAVAILABLE")
    }))

  it.effect("lets nothing begin to write once it is over (P4)", () =>
    Effect.gen(function*() {
      let written = false
      const stubborn = Effect.andThen(
        Effect.uninterruptible(Effect.sleep("11 seconds")),
        Effect.andThen(
          Deadline.lift,
          Effect.sync(() => {
            written = true
          })
        )
      )
      const fiber = yield* started(Effect.exit(Deadline.within(Duration.seconds(10), stubborn)))
      yield* TestClock.adjust("12 seconds")
      assert.isTrue(Exit.isFailure(yield* Fiber.join(fiber)))
      assert.isFalse(written)
    }))

  it.effect("is nothing where no request is under way", () => Deadline.lift)
})
