/** Work that one does at a time: who comes meanwhile is told so, and who comes afterwards does it. */
import { assert } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"

/** Asserts it of a port's `alone`. */
export const oneAtATime = Effect.fnUntraced(function*<Failure>(
  alone: (work: Effect.Effect<string>) => Effect.Effect<Option.Option<string>, Failure>
) {
  const begun = yield* Deferred.make<void>()
  const end = yield* Deferred.make<string>()
  const first = yield* Effect.forkChild(
    alone(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(end)))
  )
  yield* Deferred.await(begun)
  assert.deepStrictEqual(yield* alone(Effect.succeed("second")), Option.none())
  yield* Deferred.succeed(end, "first")
  assert.deepStrictEqual(yield* Fiber.join(first), Option.some("first"))
  const third = yield* Effect.repeat(alone(Effect.succeed("third")), { until: Option.isSome })
  assert.deepStrictEqual(third, Option.some("third"))
})
