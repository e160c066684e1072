/** The length of a text is what its JSON Schema says, whatever its characters: clients and assistants check before they send. */
import { assert, describe, it } from "@effect/vitest"
import { Predicate, Result, Schema } from "effect"
import { operations } from "../../src/catalogue/Catalogue.ts"
import { decoder } from "../../src/operation/InvalidInput.ts"
import type { AnyOperation } from "../../src/operation/Operation.ts"

type Told = ReturnType<typeof JSON.parse>

interface Text {
  /** Where it stands in an input. */
  readonly path: ReadonlyArray<string>
  readonly minLength: number
  readonly maxLength: number
}

/** The texts of a schema that are bounded by their length. */
const textsOf = (schema: Told, path: ReadonlyArray<string> = []): ReadonlyArray<Text> => {
  if (!Predicate.isObject(schema)) return []
  const { anyOf = [], items, maxLength, minLength = 0, properties = {} }: Told = schema
  return [
    ...maxLength === undefined ? [] : [{ path, minLength, maxLength }],
    ...anyOf.flatMap((member: Told) => textsOf(member, path)),
    ...textsOf(items, [...path, "0"]),
    ...Object.entries(properties).flatMap(([name, member]) => textsOf(member, [...path, name]))
  ]
}

/** An input with nothing but one text. */
const inputOf = ([first, ...rest]: ReadonlyArray<string>, text: string): unknown => {
  if (first === undefined) return text
  return first === "0" ? [inputOf(rest, text)] : { [first]: inputOf(rest, text) }
}

/** A letter beyond the basic plane: one character, and two units of UTF-16. */
const rare = "\u{1d7da}"

const every: ReadonlyArray<AnyOperation> = operations

/** The operations that take a bounded text, with these. */
const bounded = every.flatMap(({ input, name }) => {
  const texts = textsOf(Schema.toJsonSchemaDocument(input).schema)
  return texts.length === 0 ? [] : [[name, input, texts] as const]
})

describe.each(bounded)("%s", (_, input, texts) => {
  const decode = decoder(input)
  const faultOf = ({ path }: Text, text: string): string | undefined => {
    const decoded = decode(inputOf(path, text))
    return Result.isSuccess(decoded)
      ? undefined
      : decoded.failure.issues.find(({ field }) => field === path.join("."))?.message
  }

  it("takes texts of as many characters as its schema tells, and of no more or fewer", () => {
    for (const text of texts) {
      const name = text.path.join(".")
      const { maxLength, minLength } = text
      assert.notMatch(faultOf(text, rare.repeat(maxLength)) ?? "", /characters|length/, `${name}, longest`)
      assert.isDefined(faultOf(text, "a".repeat(maxLength + 1)), `${name}, too long`)
      if (minLength === 0) continue
      assert.notMatch(faultOf(text, rare.repeat(minLength)) ?? "", /characters|length/, `${name}, shortest`)
      assert.isDefined(faultOf(text, "a".repeat(minLength - 1)), `${name}, too short`)
      assert.isDefined(faultOf(text, rare.repeat(minLength - 1)), `${name}, too short of rare letters`)
    }
  })
})
