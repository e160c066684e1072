/** Arguments that fit a tool: what it requires, in its simplest form, or with what was given for it where that fits. */
import { decoder, pathsWithin } from "@freehold/core/operation/InvalidInput"
import { isIdName, lastName, meant } from "@freehold/core/operation/Nearest"
import { Predicate, Result, type Schema } from "effect"
import type { InputSchema } from "./InputSchema.ts"
import { formsOf, isShort, type Values } from "./MendedArguments.ts"

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

/** The least arguments that the schema takes; of what may spend, a ceiling that nothing is spent below. */
export const exampleOf = (schema: InputSchema): Values => ({
  ...objectOf(schema),
  ...Object.hasOwn(schema.properties, "maxCredits") ? { maxCredits: 0 } : {}
})

/** Longer values are not said again. */
const longest = 300

/** So many unknown names are each compared with those that are known. */
const mostUnknown = 10

/** The object with the value at the path of a key, or of a key in one of its objects. */
const put = (values: Values, path: string, value: unknown): Values => {
  const [key = "", inner] = path.split(".")
  if (inner === undefined) return { ...values, [key]: value }
  const outer = values[key]
  return { ...values, [key]: { ...Predicate.isReadonlyObject(outer) ? outer : {}, [inner]: value } }
}

/**
 * The example with all that was given and fits: under its own name, or one that means it; one where several are taken is a list
 * of one, and a list of one is that one where one is taken.
 */
export const filled = (
  { input: codec, schema }: { readonly input: Schema.Codec<unknown, unknown>; readonly schema: InputSchema },
  example: Values,
  input: Values
): Values => {
  const decode = decoder(codec)
  const known = Object.keys(schema.properties)
  const missing = Object.keys(example).filter((key) => !Object.hasOwn(input, key))
  const within = pathsWithin(codec.ast)
  const given = new Set<string>()
  let found = example

  /** Whether the value, or a list of it, fits at the path. */
  const take = (path: string, value: unknown): boolean => {
    if (given.has(path) || JSON.stringify(value).length > longest) return false
    const [key = ""] = path.split(".")
    // Beside what was given nothing of the sample is left in an object.
    const base = given.has(key) || path === key ? found : { ...found, [key]: {} }
    const fitting = [value, ...formsOf(schema, path.split("."), value)]
      .map((each) => put(base, path, each))
      .find((each) => Result.isSuccess(decode(each)))
    if (fitting === undefined) return false
    found = fitting
    given.add(key).add(path)
    return true
  }

  /** Of an object that does not fit as a whole, what fits by itself. */
  const takeParts = (key: string, value: object): void => {
    const paths = within.filter((path) => path.startsWith(`${key}.`))
    const names = paths.map(lastName)
    for (const [name, part] of Object.entries(value).slice(0, names.length)) {
      const meantName = names.includes(name) ? name : meant(name, names, { value: part })
      if (meantName !== undefined) take(`${key}.${meantName}`, part)
    }
  }

  for (const name of known.filter((each) => Object.hasOwn(input, each))) {
    const value = input[name]
    if (!take(name, value) && Predicate.isReadonlyObject(value) && isShort(value)) takeParts(name, value)
  }
  for (const name of Object.keys(input).filter((each) => !known.includes(each)).slice(0, mostUnknown)) {
    const path = meant(name, known, { missing, value: input[name], within })
    if (path !== undefined) take(path, input[name])
  }
  return found
}
