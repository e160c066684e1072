import { assert, describe, it } from "@effect/vitest"
import * as Span from "@freehold/core/operation/Span"
import { Effect, Option } from "effect"

const spanName = Effect.map(Effect.option(Effect.currentSpan), Option.map(({ name }) => name))

const method = Effect.fnUntraced(function*(_: string) {
  return yield* spanName
}, Span.named("Port.method"))

describe("Span", () => {
  it.effect("is there where spans are received", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* method("given"), Option.some("Port.method"))
    }))

  it.effect("is not made where they are not", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* Effect.withTracerEnabled(method("given"), false), Option.none())
    }))
})
