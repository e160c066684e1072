import { hint, nearest } from "@freehold/core/operation/Nearest"
import { propertyFields } from "@freehold/core/property/PropertyField"
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
