import { hint, nearest } from "@freehold/core/operation/Nearest"
import { propertyFields } from "@freehold/core/property/PropertyField"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const fields = Object.keys(propertyFields)

describe("nearest", () => {
  it.each([
    ["lastSalesPrice", "lastSalePrice"],
    ["last_sale_price", "lastSalePrice"],
    ["salePrice", "lastSalePrice"],
    ["LASTSALEDATE", "lastSaleDate"],
    ["adress", "address"],
    ["zipcode", "zip"],
    ["county_fips", "countyFips"],
    ["yaerBuilt", "yearBuilt"],
    ["commonNames", "commonName"]
  ])("takes %s for %s", (name, expected) => {
    assert.strictEqual(nearest(name, fields), expected)
  })

  it("is whoever has least letters to change, whatever is passed over", () => {
    const short = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 6 })
    const changes = (a: string, b: string): number =>
      a === "" || b === ""
        ? a.length + b.length
        : Math.min(
          changes(a.slice(1), b) + 1,
          changes(a, b.slice(1)) + 1,
          changes(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1)
        )
    fc.assert(fc.property(short, short, (name, known) => {
      const [less, more] = [name, known].map(({ length }) => length).sort((a, b) => a - b)
      const isPart = less !== undefined && less >= 3 && (name.includes(known) || known.includes(name))
      const wrong = changes(name, known)
      const isLike = isPart || wrong <= Math.max(1, Math.floor((more ?? 0) / 3)) && wrong < (less ?? 0)
      assert.strictEqual(nearest(name, [known]), isLike ? known : undefined)
    }))
  })

  it.each(["x", "", "colour", "telephone", "-", "z".repeat(10_000)])("takes %j for nothing", (name) => {
    assert.isUndefined(nearest(name, fields))
  })
})

describe("a hint", () => {
  it("names the nearest, or all where they are few, or nothing", () => {
    assert.strictEqual(hint("nam", ["name", "phone"]), "; did you mean name?")
    assert.strictEqual(hint("colour", ["name", "phone"]), "; known are name, phone")
    assert.strictEqual(hint("colour", fields), "")
    assert.strictEqual(hint("colour", []), "")
  })
})
