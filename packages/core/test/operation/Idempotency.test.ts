import { assert, describe, it } from "@effect/vitest"
import { fingerprint, parseKey } from "@freehold/core/operation/Idempotency"
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import * as fc from "fast-check"

const of = (operation: string, input: unknown) =>
  Effect.runPromise(Effect.provide(fingerprint(operation, input), Digest.layerWebCrypto))

describe("an idempotency key", () => {
  it("is 1 to 255 printable characters, with or without quotes", () => {
    assert.strictEqual(parseKey("8e03978e-40d5"), "8e03978e-40d5")
    assert.strictEqual(parseKey(" \"8e03978e-40d5\" "), "8e03978e-40d5")
    assert.strictEqual(parseKey("k".repeat(255))?.length, 255)
    for (const wrong of ["", "  ", "\"\"", "k".repeat(256), "schlüssel", "a\tb"]) assert.isNull(parseKey(wrong), wrong)
  })
})

describe("a request's fingerprint", () => {
  it("does not depend on the order of keys", async () => {
    assert.strictEqual(
      await of("op", { a: 1, b: { c: [1, 2], d: null } }),
      await of("op", { b: { d: null, c: [1, 2] }, a: 1 })
    )
  })

  it("differs for another operation, value or order of a list", async () => {
    const all = await Promise.all([
      of("op", { a: [1, 2] }),
      of("op", { a: [2, 1] }),
      of("other", { a: [1, 2] }),
      of("op", { a: ["1", 2] }),
      of("op", {})
    ])
    assert.strictEqual(new Set(all).size, all.length)
  })

  it("is made of any JSON", () =>
    fc.assert(fc.asyncProperty(fc.jsonValue(), async (value) => {
      assert.match(await of("op", value), /^[0-9a-f]{64}$/)
    })))
})
