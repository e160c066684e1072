/** A message is written as `JSON.stringify` writes it, whatever is kept of it and however long its texts are. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as KeptJson from "../src/KeptJson.ts"
import * as ToolResult from "../src/ToolResult.ts"

const written = (message: object): string => {
  const json = KeptJson.write(message)
  return typeof json === "string" ? json : new TextDecoder("utf-8", { fatal: true }).decode(json)
}

const isWrittenAsEver = (message: object): void => assert.strictEqual(written(message), JSON.stringify(message))

describe("a message of which some is kept", () => {
  it("is written as if nothing were", () => {
    const kept = KeptJson.keep({ a: [1, { b: null }], "é\"": "x" })
    const result = ToolResult.success({ rows: [kept], more: undefined })
    for (
      const message of [
        { jsonrpc: "2.0", id: "a\"b", result: { resultType: "complete", ...result, _meta: { records: { taken: 1 } } } },
        { jsonrpc: "2.0", id: 1, result },
        { jsonrpc: "2.0", id: 1, result: { tools: KeptJson.keep([kept]), none: undefined } },
        { jsonrpc: "2.0", id: null, error: { code: -32603, message: "Internal error", data: { request_id: "1" } } },
        { success: false, error: "This origin is not allowed." },
        { empty: {}, list: [], no: null, yes: true, all: [undefined, [], {}, [[[["deep"]]]]] }
      ]
    ) isWrittenAsEver(message)
  })
})

/** What stands in a text: what is escaped in one way or another, what takes one to four bytes, and halves of a pair. */
const piece = fc.constantFrom(
  "\"",
  "\\",
  "/",
  "\n",
  "\u0000",
  "\u001f",
  "\u007f",
  "a",
  "Zz9",
  "é",
  "漢",
  "\u2028",
  "😀",
  "\ud83d",
  "\ude00"
)

const textOf = (pieces: fc.Arbitrary<string>) =>
  fc.tuple(fc.string({ unit: pieces, maxLength: 40 }), fc.integer({ min: 1, max: 60 })).map(([text, times]) =>
    text.repeat(times)
  )

const texts = fc.oneof(textOf(piece), textOf(fc.constantFrom("\"", "\\", "a", "é")))

describe("a message with long texts", () => {
  it("is written as with short ones", () => {
    fc.assert(fc.property(fc.array(texts, { maxLength: 4 }), fc.jsonValue(), (all, rows) => {
      isWrittenAsEver({ jsonrpc: "2.0", id: 1, result: { content: all.map((text) => ({ type: "text", text })), rows } })
      isWrittenAsEver({ result: ToolResult.success({ all, rows }) })
    }))
  })

  it("is bytes, so that no text is made of it", () => {
    assert.instanceOf(KeptJson.write({ text: "\"a\" ".repeat(100) }), Uint8Array)
    assert.isString(KeptJson.write({ text: "\"a\"" }))
  })

  it("is as long as it takes, before and after one that is longer than what is kept for all", () => {
    const short = { text: "\"short\" ".repeat(100) }
    isWrittenAsEver(short)
    isWrittenAsEver({ text: "\"long\" ".repeat(200_000), after: "漢".repeat(300_000) })
    isWrittenAsEver(short)
  })
})
