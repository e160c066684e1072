import { assert, describe, it } from "@effect/vitest"
import * as Fork from "@freehold/core/operation/Fork"
import { Cause, Context, Deferred, Effect, Exit, Fiber } from "effect"

/** Whose outcomes are written down. */
const telling = <A, E>(effect: Effect.Effect<A, E>) => {
  const told: Array<Exit.Exit<A, E>> = []
  const fiber = Fork.telling(Context.empty())(effect, (exit) => told.push(exit))
  return { fiber, told }
}

describe("Fork", () => {
  it.effect("tells what work came to, at once or once it has ended", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(telling(Effect.succeed(1)).told, [Exit.succeed(1)])
      assert.deepStrictEqual(telling(Effect.fail("refused")).told, [Exit.fail("refused")])
      assert.deepStrictEqual(telling(Effect.die("broken")).told, [Exit.die("broken")])
      const word = yield* Deferred.make<string>()
      const { fiber, told } = telling(Deferred.await(word))
      assert.isEmpty(told)
      yield* Deferred.succeed(word, "late")
      yield* Fiber.await(fiber)
      assert.deepStrictEqual(told, [Exit.succeed("late")])
    }))

  it.effect("tells that it was interrupted", () =>
    Effect.gen(function*() {
      const { fiber, told } = telling(Effect.never)
      yield* Fiber.interrupt(fiber)
      const [exit] = told
      assert(exit !== undefined && Exit.isFailure(exit))
      assert.isTrue(Cause.hasInterruptsOnly(exit.cause))
      assert.lengthOf(told, 1)
    }))

  it("keeps nothing of the answer in the fiber", () => {
    const { fiber } = telling(Effect.succeed(["rows"]))
    assert.deepStrictEqual(fiber.pollUnsafe(), Exit.void)
  })
})
