import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { beginning, orNothing } from "../../src/property/OrNothing.ts"

/** What an answer is told that took its time, of what takes as long to be read, and whether that was begun. */
const told = Effect.fnUntraced(function*(answer: number, read: number) {
  let begun = false
  const reading = Effect.andThen(
    Effect.sync(() => {
      begun = true
    }),
    Effect.as(Effect.sleep(read), "read")
  )
  const fiber = yield* Effect.forkChild(beginning(Effect.andThen(Effect.sleep(answer), orNothing(reading))))
  yield* TestClock.adjust(2000)
  return { found: yield* Fiber.join(fiber), begun }
})

describe("what is read beside an answer", () => {
  it.effect("is told within 800 ms after the answer was begun", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* told(0, 790), { found: Option.some("read"), begun: true })
      assert.deepStrictEqual(yield* told(700, 90), { found: Option.some("read"), begun: true })
    }))

  it.effect("is left out where no time is left of it", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* told(0, 810), { found: Option.none(), begun: true })
      assert.deepStrictEqual(yield* told(700, 110), { found: Option.none(), begun: true })
    }))

  it.effect("is not read where the answer took all of it", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* told(900, 1), { found: Option.none(), begun: false })
    }))
})
