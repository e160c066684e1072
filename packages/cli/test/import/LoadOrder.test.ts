/** Loads of one import beside each other. */
import { assert, describe, it } from "@effect/vitest"
import * as LoadOrder from "@freehold/cli/import/LoadOrder"
import { Deferred, Effect, Fiber } from "effect"

/** Loads of the given records, each of which ends when it is told to; what began is known. */
const scene = Effect.fnUntraced(function*(given: ReadonlyArray<ReadonlyArray<string> | null>) {
  const inOrder = LoadOrder.make()
  const begun: Array<number> = []
  const loads = given.map((records, index) => {
    const end = Deferred.makeUnsafe<void>()
    const load = Effect.andThen(Effect.sync(() => begun.push(index)), Deferred.await(end))
    return { end: Deferred.succeed(end, undefined), placed: inOrder(records === null ? null : new Set(records), load) }
  })
  const fibers = yield* Effect.forEach(loads, ({ placed }) => Effect.forkChild(placed))
  const rest = Effect.repeat(Effect.yieldNow, { times: 50 })
  yield* rest
  return {
    begun,
    end: (index: number) => Effect.andThen(loads[index]?.end ?? Effect.void, rest),
    interrupt: (index: number) => {
      const fiber = fibers[index]
      return fiber === undefined ? Effect.void : Effect.andThen(Fiber.interrupt(fiber), rest)
    }
  }
})

describe("loads of an import", () => {
  it.effect("run at once when they have no record in common", () =>
    Effect.gen(function*() {
      const { begun } = yield* scene([["a", "b"], ["c"], ["d"]])
      assert.deepStrictEqual(begun, [0, 1, 2])
    }))

  it.effect("wait for every load before them that has a record in common, in the order of the file", () =>
    Effect.gen(function*() {
      const { begun, end } = yield* scene([["a"], ["b"], ["b", "a"], ["a"]])
      assert.deepStrictEqual(begun, [0, 1])
      yield* end(0)
      assert.deepStrictEqual(begun, [0, 1])
      yield* end(1)
      assert.deepStrictEqual(begun, [0, 1, 2])
      yield* end(2)
      assert.deepStrictEqual(begun, [0, 1, 2, 3])
    }))

  it.effect("that may touch anything are alone", () =>
    Effect.gen(function*() {
      const { begun, end } = yield* scene([["a"], null, ["b"]])
      assert.deepStrictEqual(begun, [0])
      yield* end(0)
      assert.deepStrictEqual(begun, [0, 1])
      yield* end(1)
      assert.deepStrictEqual(begun, [0, 1, 2])
    }))

  it.effect("make way for the next when they are interrupted", () =>
    Effect.gen(function*() {
      const { begun, interrupt } = yield* scene([["a"], ["a"]])
      yield* interrupt(0)
      assert.deepStrictEqual(begun, [0, 1])
    }))
})
