/** When a text names somebody. All names are made up. */
import { assert, describe, it } from "@effect/vitest"
import { isNamedIn } from "@freehold/core/suppression/NamedWords"

describe("a text names", () => {
  it("whoever's words stand in it in a row, however they are written", () => {
    const text = "Signed by ANA B.  Örtiz-Sample’s office (see deed)."
    for (const name of ["Ana Ortiz Sample", "Ana B. Örtiz Sample", "ana örtiz", "Ortiz-Sample"]) {
      assert.isTrue(isNamedIn(text, name), name)
    }
  })

  it("somebody of a single long word by the initials, and nobody by one word", () => {
    const text = "J. Sample's agent, and M. J. Grace, hold it in trust."
    assert.isTrue(isNamedIn(text, "J Sample"))
    assert.isTrue(isNamedIn(text, "J. Grace"))
    for (const name of ["A. Sample", "Sample", "Grace", "TRUST", "B & B Trust", "(erased)"]) {
      assert.isFalse(isNamedIn(text, name), name)
    }
  })

  it("nobody by a part of a word, by words that stand apart, or by no word at all", () => {
    for (const name of ["Li", "Ana Sample", "Sample, Ana", "Ortiz Sam", "J. B.", "", "..."]) {
      assert.isFalse(isNamedIn("Ana Ortiz Sample signed the lien.", name), name)
    }
  })
})
