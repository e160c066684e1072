import { assert, describe, it } from "@effect/vitest"
import { canonical, parseKey } from "@freehold/core/operation/Idempotency"
import * as fc from "fast-check"

describe("an idempotency key", () => {
  it("is 1 to 255 printable characters, with or without quotes", () => {
    assert.strictEqual(parseKey("8e03978e-40d5"), "8e03978e-40d5")
    assert.strictEqual(parseKey(" \"8e03978e-40d5\" "), "8e03978e-40d5")
    assert.strictEqual(parseKey("k".repeat(255))?.length, 255)
    for (const wrong of ["", "  ", "\"\"", "k".repeat(256), "schlüssel", "a\tb"]) assert.isNull(parseKey(wrong), wrong)
  })
})

describe("the text of a request", () => {
  it("does not depend on the order of keys", () => {
    assert.strictEqual(
      canonical("op", { a: 1, b: { c: [1, 2], d: null } }),
      canonical("op", { b: { d: null, c: [1, 2] }, a: 1 })
    )
  })

  it("differs for another operation, value or order of a list", () => {
    const all = [
      canonical("op", { a: [1, 2] }),
      canonical("op", { a: [2, 1] }),
      canonical("other", { a: [1, 2] }),
      canonical("op", { a: ["1", 2] }),
      canonical("op", {})
    ]
    assert.strictEqual(new Set(all).size, all.length)
  })

  it("loses nothing of any JSON", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      const [, text = ""] = canonical("op", value).split(/^op /)
      assert.deepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
    }))
  })
})
