import { assert, describe, it } from "@effect/vitest"
import { decoder, exceeds } from "@freehold/core/operation/InvalidInput"
import { Result, Schema } from "effect"

const decode = decoder(Schema.Struct({
  name: Schema.String,
  within: Schema.optionalKey(Schema.Struct({ cities: Schema.Array(Schema.String) }))
}))

const fieldsOf = (input: unknown) =>
  Result.match(decode(input), {
    onFailure: (refusal) => refusal.issues.map((issue) => issue.field),
    onSuccess: () => []
  })

describe("InvalidInput", () => {
  it("names every unknown key and every broken rule", () => {
    assert.sameMembers(fieldsOf({ name: 1, colour: "red" }), ["name", "colour"])
  })

  it("names the whole when it is no object", () => {
    assert.deepStrictEqual(fieldsOf([]), [null])
  })

  it("names all text with a NUL character, wherever it is", () => {
    assert.deepStrictEqual(fieldsOf({ name: "a\0", within: { cities: ["fine", "\0"] } }), ["name", "within.cities.1"])
  })

  it("names all text that would steer a terminal or turn its direction, and leaves tabs and line breaks", () => {
    for (const character of ["\u001b", "\b", "\f", "\u007f", "\u0085", "\u009b", "\u202e", "\u2066"]) {
      assert.deepStrictEqual(fieldsOf({ name: `a${character}b` }), ["name"], JSON.stringify(character))
    }
    assert.deepStrictEqual(fieldsOf({ name: "a\tb\r\nc \u200d\u{1f468} \u00a0é" }), [])
  })

  it("names all text with half a surrogate pair", () => {
    assert.deepStrictEqual(fieldsOf({ name: "a\ud800b" }), ["name"])
  })

  it("keeps the first 50 faults and tells 5 in the sentence", () => {
    const faulty = { name: "fine", within: { cities: Array.from({ length: 1000 }, () => 1) } }
    const { issues, message } = Result.getOrThrow(Result.flip(decode(faulty)))
    assert.strictEqual(issues.length, 50)
    assert.match(message, /; and 45 more$/)
    assert.strictEqual(message.split("; ").length, 6)
  })

  it("reads input of very many values up to its first fault, where that is asked for", () => {
    const cities = Schema.Struct({ cities: Schema.Array(Schema.String) })
    const issuesOf = (faults: number, bounded: boolean) =>
      Result.getOrThrow(Result.flip(decoder(cities, { bounded })({ cities: Array.from({ length: faults }, () => 1) })))
        .issues
    assert.lengthOf(issuesOf(1900, true), 50)
    assert.deepStrictEqual(issuesOf(2100, true).map(({ field }) => field), ["cities.0"])
    assert.lengthOf(issuesOf(2100, false), 50)
  })

  it("counts the values of what is given, no further than asked", () => {
    const value = { a: [1, 2, { b: null }], c: "text" }
    assert.isFalse(exceeds(value, 7))
    assert.isTrue(exceeds(value, 6))
    assert.isTrue(exceeds(Array.from({ length: 100_000 }, () => [[]]), 20_000))
  })

  it("lets through what fits", () => {
    assert.deepStrictEqual(fieldsOf({ name: "fine", within: { cities: [] } }), [])
  })
})
