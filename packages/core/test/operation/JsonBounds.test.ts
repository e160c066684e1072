import { assert, describe, it } from "@effect/vitest"
import * as JsonBounds from "@freehold/core/operation/JsonBounds"
import { Predicate } from "effect"
import * as fc from "fast-check"

const excess = (text: string) => JsonBounds.excess(new TextEncoder().encode(text))

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth)

const depthOf = (value: unknown): number =>
  Predicate.isObject(value) || Array.isArray(value) ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

describe("the bounds of JSON", () => {
  it("are a depth", () => {
    assert.isNull(excess(lists(JsonBounds.maximumDepth)))
    assert.match(excess(lists(JsonBounds.maximumDepth + 1)) ?? "", /32 levels/)
    assert.isNull(excess(`[${"{\"a\":[]},".repeat(100)}0]`))
  })

  it("are a number of keys and values", () => {
    const values = (count: number) => `[${"1,".repeat(count - 2)}1]`
    assert.isNull(excess(values(JsonBounds.maximumValues)))
    assert.match(excess(values(JsonBounds.maximumValues + 1)) ?? "", /10000 keys and values/)
    const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(",")}}`
    assert.isNull(excess(keys(JsonBounds.maximumValues / 2 - 1)))
    assert.match(excess(keys(JsonBounds.maximumValues / 2)) ?? "", /10000 keys and values/)
  })

  it("count nothing inside of text", () =>
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
      const plain = [text, "[".repeat(99), ",".repeat(10_001), "\\\"[".repeat(99)]
      assert.isNull(excess(JSON.stringify({ plain })))
    })))

  it("are those of what the parser makes", () =>
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 40, noUnicodeString: false }), (value) => {
      assert.strictEqual(excess(JSON.stringify(value)) === null, depthOf(value) <= JsonBounds.maximumDepth)
    })))
})
