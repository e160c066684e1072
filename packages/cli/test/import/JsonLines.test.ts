/** Lines of JSON in pieces of any size. */
import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as JsonLines from "../../src/import/JsonLines.ts"

it.effect("a line that comes byte by byte is one record, and so is the last one without an end", () =>
  Effect.gen(function*() {
    const text = `{"key":"${"x".repeat(60_000)}"}\n{"key":"last"}`
    const pieces = Stream.map(Stream.fromIterable(Buffer.from(text)), (byte) => Uint8Array.of(byte))
    const records = yield* Stream.runCollect(JsonLines.read(pieces))
    assert.deepStrictEqual(
      Array.from(records, (record) => record._tag === "Read" ? [record.line, record.text.length] : record.reason),
      [[1, 60_010], [2, 14]]
    )
  }))
