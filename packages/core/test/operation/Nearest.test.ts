import { hint, nearest } from "@freehold/core/operation/Nearest"
import { propertyFields } from "@freehold/core/property/PropertyField"
import * as fc from "fast-check"
import { assert, describe, it, vi } from "vitest"

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

  it("makes nothing for each of thousands of names that it compares", () => {
    const cities = Array.from({ length: 5000 }, (_, index) => `northwood ${"abcdefghij"[index % 10]}${index}`)
    const made = vi.spyOn(Array, "from")
    try {
      assert.isDefined(nearest("northwod a", cities))
      assert.isBelow(made.mock.calls.length, 10)
    } finally {
      made.mockRestore()
    }
  })

  it.each(["x", "", "colour", "telephone", "-", "z".repeat(10_000)])("takes %j for nothing", (name) => {
    assert.isUndefined(nearest(name, fields))
  })
})

describe("a hint", () => {
  it("takes the name of an id for the one id that is missing", () => {
    assert.strictEqual(hint("property_id", ["id", "maxCredits"], { missing: ["id"] }), "; did you mean id?")
    assert.strictEqual(hint("id", ["list_id", "limit"], { missing: ["list_id"] }), "; did you mean list_id?")
    assert.strictEqual(
      hint("property_ids", ["list_id", "item_ids"], { missing: ["item_ids"] }),
      "; did you mean item_ids?"
    )
    assert.strictEqual(
      hint("id", ["property_id", "contact_id"], { missing: ["property_id", "contact_id"] }),
      "; known are property_id, contact_id"
    )
    assert.strictEqual(hint("id", ["property_id", "contact_id"]), "; known are property_id, contact_id")
    assert.strictEqual(hint("colour", ["id"], { missing: ["id"] }), "; known are id")
  })

  it("takes one for many, and a code of a county only for what is one", () => {
    const places = ["countyFips", "countyNames", "cities"]
    assert.strictEqual(hint("city", places, { value: "Quillgate" }), "; did you mean cities?")
    assert.strictEqual(hint("county", places, { value: "Quillgate" }), "; did you mean countyNames?")
    assert.strictEqual(hint("county", places, { value: ["Quillgate, TX"] }), "; did you mean countyNames?")
    assert.strictEqual(hint("county", places, { value: ["48113"] }), "; did you mean countyFips?")
    const object = JSON.parse(`{ "toString": 1, "valueOf": 1 }`)
    assert.strictEqual(hint("county", places, { value: object }), "; did you mean countyNames?")
    assert.strictEqual(hint("county", places, { value: [object] }), "; did you mean countyNames?")
  })

  it("looks at nothing of a name that is too long to have been mistyped", () => {
    const long = `${"é".repeat(200_000)}_id`
    const within = Array.from({ length: 60 }, (_, index) => `filters.field${index}`)
    const folded = vi.spyOn(String.prototype, "toLowerCase")
    try {
      assert.strictEqual(hint(long, ["id", "limit"], { missing: ["id"], within }), "; known are id, limit")
      assert.deepStrictEqual(folded.mock.contexts.filter((text) => String(text).length > 1000), [])
    } finally {
      folded.mockRestore()
    }
  })

  it("names those that begin with the same word, where all are too many", () => {
    const many = [...Array.from({ length: 30 }, (_, index) => `has${index}`), "minLotSqft", "minYearBuilt"]
    assert.strictEqual(hint("minSize", many), "; known with min are minLotSqft, minYearBuilt")
    assert.strictEqual(hint("size", many), "")
  })

  it("names the nearest, or all where they are few, or nothing", () => {
    assert.strictEqual(hint("nam", ["name", "phone"]), "; did you mean name?")
    assert.strictEqual(hint("colour", ["name", "phone"]), "; known are name, phone")
    assert.strictEqual(hint("colour", fields), "")
    assert.strictEqual(hint("colour", []), "")
  })
})
