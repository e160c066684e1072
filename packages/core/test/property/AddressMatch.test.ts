import { assert, describe, it } from "@effect/vitest"
import { match, parcelForm, probeOf } from "@freehold/core/property/AddressMatch"
import * as fc from "fast-check"

const stored = {
  address: "123 North Main Street",
  city: "Cedar Point",
  state: "TX",
  zip: "75001",
  apn: "12-345.A",
  countyFips: "48113"
}

describe("AddressMatch", () => {
  it("takes the same address in other words as the same", () => {
    for (const address of ["123 N MAIN ST", "123 n. main st.", "123 North Main Street Suite 400", "123 N Main St #4"]) {
      assert.deepStrictEqual(match({ address, zip: "75001-1234", city: "CEDAR POINT", state: "TX" }, stored), {
        score: 1,
        matched_by: "address"
      })
    }
  })

  it("scores lower without a place, in another place, and with other words", () => {
    const score = (written: Parameters<typeof match>[0]) => match(written, stored)?.score ?? 0
    assert.strictEqual(score({ address: "123 N Main St" }), 0.85)
    assert.strictEqual(score({ address: "123 N Main St", zip: "75002" }), 0.7)
    assert.isBelow(score({ address: "123 S Main St", zip: "75001" }), 1)
    assert.isAbove(score({ address: "123 Main", zip: "75001" }), 0.7)
  })

  it("never takes another house for this one", () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 99_999 }), (number) => {
      fc.pre(number !== 123)
      assert.isNull(match({ address: `${number} North Main Street`, zip: "75001" }, stored))
    }))
  })

  it("scores between a half and one, whatever is written", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), fc.string(), (address, city) => {
      const matched = match({ address, city }, { ...stored, address })
      assert.isTrue(matched === null || matched.score >= 0.5 && matched.score <= 1)
      probeOf(address)
    }))
  })

  it("takes a parcel number without its punctuation, in its county", () => {
    assert.deepStrictEqual(match({ apn: "12 345a", county_fips: "48113" }, stored), { score: 1, matched_by: "apn" })
    assert.deepStrictEqual(match({ apn: "12345A" }, stored), { score: 0.9, matched_by: "apn" })
    assert.isNull(match({ apn: "12345A", county_fips: "48001" }, stored))
    assert.isNull(match({ apn: "12345" }, stored))
    assert.isNull(parcelForm("- ."))
  })

  it("is not certain of a parcel number in another place than was written down", () => {
    for (
      const place of [
        { state: "CA" },
        { zip: "75201" },
        { city: "Dallas" },
        { state: "CA", city: "Los Angeles", zip: "90001" },
        { county_fips: "48113", state: "CA" }
      ]
    ) {
      assert.deepStrictEqual(match({ apn: "12345A", ...place }, stored), { score: 0.7, matched_by: "apn" })
    }
    const right = { state: "TX", city: "cedar point", zip: "75001-1234" }
    assert.deepStrictEqual(match({ apn: "12345A", ...right }, stored), { score: 0.9, matched_by: "apn" })
    // What is not recorded contradicts nothing, and the county tells the state.
    const bare = { ...stored, city: null, state: null, zip: null }
    assert.strictEqual(match({ apn: "12345A", ...right }, bare)?.score, 0.9)
    assert.strictEqual(match({ apn: "12345A", state: "CA" }, bare)?.score, 0.7)
  })

  it("is not certain of an address in another state, and tells what fits better of number and address", () => {
    const address = "123 N Main St"
    const place = { city: "Cedar Point", zip: "75001", county_fips: "48113" }
    assert.strictEqual(match({ address, ...place, state: "TX" }, stored)?.score, 1)
    assert.strictEqual(match({ address, ...place, state: "CA" }, stored)?.score, 0.7)
    const moved = { address, city: "Cedar Point", state: "TX", zip: "75002", county_fips: "48113" }
    assert.deepInclude(match({ apn: "12345A", ...moved }, stored), { score: 0.93, matched_by: "address" })
  })

  it("looks for the house number and the longest word that nobody abbreviates", () => {
    assert.deepStrictEqual(probeOf("123 N. Meridian Street, Suite 9"), { number: "123", word: "meridian" })
    assert.deepStrictEqual(probeOf("One Liberty Plaza"), { number: "", word: "liberty" })
    assert.deepStrictEqual(probeOf("12 North Street"), { number: "12", word: null })
    assert.isNull(probeOf("St"))
  })
})
