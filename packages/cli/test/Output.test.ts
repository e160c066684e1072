/** Tables and records for people. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestConsole } from "effect/testing"
import * as LogLine from "../src/LogLine.ts"
import { print, record, table } from "../src/Output.ts"
import { line } from "../src/ProgressBar.ts"

describe("Output", () => {
  it("aligns columns, with numbers to the right and a dash for what is unknown", () => {
    assert.strictEqual(
      table(["name", "credits"], [["a", 5], ["longer", 1000], ["b", null]]),
      ["NAME    CREDITS", "a             5", "longer     1000", "b             -"].join("\n")
    )
  })

  it("keeps a value with line breaks or escape sequences on its line", () => {
    assert.strictEqual(table(["name"], [["a\n\u001b[31mb\u009b\u202e"]]), "NAME\na \\u001b[31mb\\u009b\\u202e")
  })

  it("says that there is nothing", () => {
    assert.strictEqual(table(["name"], []), "none")
  })

  it("shows one field a line", () => {
    assert.strictEqual(record([["id", "x"], ["status", true]]), "id      x\nstatus  true")
  })
})

const steered = { name: "a\u001b]0;b\u0007\u007f\u009b2J\u202e" }

const unsteered = /(?!\n)[\p{Cc}\u202e]/u

describe("JSON", () => {
  it.effect("is the same document with nothing in it that steers a terminal", () =>
    Effect.gen(function*() {
      yield* print(true, steered, () => "")
      const text = (yield* TestConsole.logLines).join("\n")
      assert.notMatch(text, unsteered)
      assert.deepStrictEqual(JSON.parse(text), steered)
    }).pipe(Effect.provide(TestConsole.layer)))
})

describe("LogLine", () => {
  const logged = (logger: Logger.Logger<unknown, string>, message: string) =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      yield* Effect.logError(message, new Error(message)).pipe(
        Effect.annotateLogs({ path: message }),
        Effect.provide(Logger.layer([Logger.map(logger, (line) => void lines.push(line))]))
      )
      return lines[0] ?? ""
    })

  it.effect("steers no terminal", () =>
    Effect.gen(function*() {
      for (const logger of [LogLine.json(false), LogLine.readable]) {
        const line = yield* logged(logger, steered.name)
        assert.include(line, "2J")
        assert.notMatch(line, unsteered)
      }
    }))

  it.effect("is as long as what somebody sent, up to a bound, and JSON all the same", () =>
    Effect.gen(function*() {
      const long = "x\"".repeat(1_000_000)
      assert.isBelow((yield* logged(LogLine.readable, long)).length, 2 * LogLine.longestLine)
      const line = yield* logged(LogLine.json(false), long)
      assert.isBelow(line.length, 4 * LogLine.longestLine)
      assert.strictEqual(JSON.parse(line).level, "ERROR")
    }))
})

describe("ProgressBar", () => {
  it("shows the part that is done", () => {
    assert.strictEqual(
      line({ done: 50, of: 100, count: 12_345, unit: "rows" }),
      "[============            ]  50 %  12,345 rows"
    )
  })

  it("shows the count alone where nobody knows how much there is", () => {
    assert.strictEqual(line({ done: 50, of: null, count: 7, unit: "rows" }), "7 rows")
  })
})
