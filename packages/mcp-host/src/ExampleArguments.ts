/** Arguments that fit a tool: what it requires, in its simplest form. */
import { Predicate } from "effect"
import type { InputSchema } from "./InputSchema.ts"

/** Of nothing: it shows the form of an id. */
const id = "00000000-0000-4000-8000-000000000000"

const isId = (key: string): boolean => /(^|_)(id|ids)$/.test(key)

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
      return isId(key) ? id : "Sample"
  }
}

const objectOf = (schema: object): Record<string, unknown> => {
  const { properties, required } = { properties: {}, required: [], ...schema }
  const known = new Map<string, unknown>(Object.entries(properties))
  return Object.fromEntries(
    (Array.isArray(required) ? required : []).map((key) => [String(key), valueOf(String(key), known.get(String(key)))])
  )
}

/** The least arguments that the schema takes. */
export const exampleOf = (schema: InputSchema): Readonly<Record<string, unknown>> => objectOf(schema)
