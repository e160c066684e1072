/** What an endpoint takes: its parameters, and the body's schema and example. */
import { Struct } from "effect"
import * as IdempotentAnswer from "../IdempotentAnswer.ts"
import type { Route } from "../Routes.ts"
import type { Example } from "./examples/Example.ts"
import * as JsonSchema from "./JsonSchema.ts"

type JsonObject = JsonSchema.JsonObject

const idempotencyKey: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "A name of your choice for this request. The same request under the same name within 24 hours is done " +
    "once and answered the same, with `Idempotency-Replayed: true`. Where doing it again is free, the oldest names are " +
    "forgotten sooner when a key uses more than its answers have room for.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  "x-extension": true
}

export const parametersOf = (route: Route, example: Example | undefined): ReadonlyArray<JsonObject> => {
  const schema = JsonSchema.ofInput(route.input)
  const properties = JsonSchema.propertiesOf(schema)
  const required = JsonSchema.requiredOf(schema)
  const parameter = (place: "path" | "query", name: string, key: string): JsonObject => {
    const { description, ...own } = properties[key] ?? {}
    const shown = example?.given[key]
    return {
      name,
      in: place,
      required: place === "path" || required.includes(key),
      ...(description === undefined ? {} : { description }),
      schema: own,
      ...(shown === undefined ? {} : { example: shown })
    }
  }
  return [
    ...Object.entries(route.parameters).map(([name, key]) => parameter("path", name, key)),
    ...route.query.map((key) => parameter("query", key, key)),
    ...IdempotentAnswer.applies(route) ? [idempotencyKey] : []
  ]
}

/** The body's schema and example: what is neither in the path nor in the query. */
export const bodyOf = (route: Route, example: Example | undefined) => {
  if (route.body === "none") return null
  const elsewhere = [...Object.values(route.parameters), ...route.query]
  const schema = JsonSchema.ofInput(route.input)
  const own = JsonSchema.requiredOf(schema).filter((key) => !elsewhere.includes(key))
  return {
    schema: {
      ...Struct.omit(schema, ["required"]),
      properties: Struct.omit(JsonSchema.propertiesOf(schema), elsewhere),
      ...(own.length === 0 ? {} : { required: own })
    },
    required: own.length > 0,
    example: example === undefined ? undefined : Struct.omit(example.given, elsewhere)
  }
}
