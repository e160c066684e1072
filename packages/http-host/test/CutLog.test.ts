/** What the log tells of connections that bounds closed. */
import { assert, describe, it } from "@effect/vitest"
import * as CutLog from "@freehold/http-host/CutLog"
import { Effect, Logger, References } from "effect"
import { TestClock } from "effect/testing"

/** The facts of each line, in their order. */
const listening = () => {
  const lines: Array<Readonly<Record<string, unknown>>> = []
  const logger = Logger.make(({ fiber }) => void lines.push(fiber.getRef(References.CurrentLogAnnotations)))
  return { lines, layer: Logger.layer([logger]) }
}

describe("The log of cut connections", () => {
  it.effect("has a line for an address once a minute, which counts all since the last line", () => {
    const { layer, lines } = listening()
    return Effect.gen(function*() {
      const cut = yield* CutLog.make
      for (let n = 0; n < 500; n++) cut("unfinished", "192.0.2.1")
      cut("bytes", "192.0.2.2")
      yield* Effect.yieldNow
      yield* TestClock.adjust("1 minute")
      cut("unfinished", "192.0.2.1")
      yield* Effect.yieldNow
      assert.deepStrictEqual(lines, [
        { cause: "unfinished", address: "192.0.2.1", connections_since_last_line: 1 },
        { cause: "bytes", address: "192.0.2.2", connections_since_last_line: 500 },
        { cause: "unfinished", address: "192.0.2.1", connections_since_last_line: 1 }
      ])
    }).pipe(Effect.provide(layer))
  })

  it.effect("has twenty lines a minute, however many addresses there are", () => {
    const { layer, lines } = listening()
    return Effect.gen(function*() {
      const cut = yield* CutLog.make
      for (let n = 0; n < 1000; n++) cut("address", `2001:db8::${n}`)
      yield* Effect.yieldNow
      assert.lengthOf(lines, 20)
    }).pipe(Effect.provide(layer))
  })
})
