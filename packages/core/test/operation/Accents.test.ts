import { isTold, letters, withoutAccents } from "@freehold/core/operation/Accents"
import { assert, describe, it } from "vitest"

describe("a text without accents", () => {
  it("has letters of ASCII, and no marks behind them", () => {
    assert.strictEqual(withoutAccents("société générale"), "societe generale")
    assert.strictEqual(withoutAccents("mu\u0308ller"), "muller")
    assert.strictEqual(withoutAccents("łódź, 日本 ß"), "lodz, 日本 ß")
  })

  it("has one letter for each, as an index has them", () => {
    for (const [letter, plain] of letters) {
      assert.lengthOf(letter, 1)
      assert.match(plain, /^[a-z]$/, letter)
    }
    assert.lengthOf(new Set(letters.map(([letter]) => letter)), letters.length)
  })

  it("is looked for from three letters on", () => {
    assert.isTrue(isTold("zoë"))
    for (const text of ["zö", "a b c", "\u0301\u0302\u0303"]) assert.isFalse(isTold(text))
  })
})
