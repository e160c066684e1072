import { assert, describe, it } from "@effect/vitest"
import { decoder } from "@freehold/core/operation/InvalidInput"
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

  it("lets through what fits", () => {
    assert.deepStrictEqual(fieldsOf({ name: "fine", within: { cities: [] } }), [])
  })
})
