/** Arguments that fit a tool: what it requires, in its simplest form, or with what was given for it where that fits. */
import { decoder } from "@freehold/core/operation/InvalidInput"
import { isIdName, meant } from "@freehold/core/operation/Nearest"
import { Predicate, Result, type Schema } from "effect"
import type { InputSchema } from "./InputSchema.ts"

/** Of nothing: it shows the form of an id. */
export const id = "00000000-0000-4000-8000-000000000000"

const valueOf = (key: string, schema: unknown): unknown => {
  if (!Predicate.isReadonlyObject(schema)) return null
  const facts = new Map<string, unknown>(Object.entries(schema))
  const [literals, minimum] = [facts.get("enum"), facts.get("minimum")]
  if (Array.isArray(literals)) return literals[0]
  switch (facts.get("type")) {
    case "array":
      return [valueOf(key, facts.get("items"))]
    case "integer":
    case "number":
      return typeof minimum === "number" ? minimum : 1
    case "boolean":
      return true
    case "object":
      return objectOf(schema)
    default:
      return isIdName(key) ? id : "Sample"
  }
}

const objectOf = (schema: object): Record<string, unknown> => {
  const { properties, required } = { properties: {}, required: [], ...schema }
  const known = new Map<string, unknown>(Object.entries(properties))
  return Object.fromEntries(
    (Array.isArray(required) ? required : []).map((key) => [String(key), valueOf(String(key), known.get(String(key)))])
  )
}

type Values = Readonly<Record<string, unknown>>

/** The least arguments that the schema takes; of what may spend, a ceiling that nothing is spent below. */
export const exampleOf = (schema: InputSchema): Values => ({
  ...objectOf(schema),
  ...Object.hasOwn(schema.properties, "maxCredits") ? { maxCredits: 0 } : {}
})

/** Longer values are not said again. */
const longest = 300

/** What was given for the argument, under its own name or one that means it. */
const givenFor = (
  key: string,
  input: Values,
  known: ReadonlyArray<string>,
  missing: ReadonlyArray<string>
): unknown => {
  if (Object.hasOwn(input, key)) return input[key]
  const name = Object.keys(input).slice(0, known.length + 1).find((each) =>
    !known.includes(each) && meant(each, known, { missing, value: input[each] }) === key
  )
  return name === undefined ? undefined : input[name]
}

/** One where several are taken is a list of one. */
const inFormOf = (example: unknown, given: unknown): unknown =>
  Array.isArray(example) && !Array.isArray(given) ? [given] : given

/** The example with what was given for its arguments, as far as the tool takes that. */
export const filled = (
  { input: codec, schema }: { readonly input: Schema.Codec<unknown, unknown>; readonly schema: InputSchema },
  example: Values,
  input: Values
): Values => {
  const decode = decoder(codec)
  const known = Object.keys(schema.properties)
  const missing = Object.keys(example).filter((key) => !Object.hasOwn(input, key))
  let found = example
  for (const key of Object.keys(example)) {
    const given = givenFor(key, input, known, missing)
    if (given === undefined || JSON.stringify(given).length > longest) continue
    const tried = { ...found, [key]: inFormOf(example[key], given) }
    if (Result.isSuccess(decode(tried))) found = tried
  }
  return found
}
