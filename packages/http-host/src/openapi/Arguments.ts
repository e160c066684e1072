/** What an endpoint takes: its parameters, and the body's schema and example. */
import { Predicate, Struct } from "effect"
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
    "once and answered the same, with `Idempotency-Replayed: true`, without whoever asked meanwhile not to be listed. " +
    "Where doing it again is free, the oldest names are forgotten sooner when a key uses more than its answers have " +
    "room for.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  "x-extension": true
}

/** What a part of the path names, by the word before it. */
const named: Readonly<Record<string, string>> = {
  contacts: "Id of the contact.",
  organizations: "Id of the firm.",
  leads: "Id of the lead's property.",
  lists: "Id of the list.",
  webhooks: "Id of the endpoint.",
  deliveries: "Id of the delivery: the `event_id` of its body."
}

/** What parameters of the query mean whose arguments do not say it. */
const asked: Readonly<Record<string, string>> = {
  cursor: "`next_cursor` of the page before.",
  state: "Of this state alone: two letters.",
  contact_id: "Of this contact alone.",
  organization_id: "Of this firm alone.",
  action: "Of this kind alone.",
  eventType: "Of this type alone.",
  type: "Of this kind alone.",
  propertyId: "Id of the property.",
  event: "Which event's body is shown.",
  since: "Detected at or after; instead of `days`.",
  updated_since: "Events recorded at or after; ignored when `cursor` is sent."
}

const meaningOf = (path: string, place: "path" | "query", name: string): string | undefined =>
  place === "query" ? asked[name] : named[new RegExp(`(\\w+)/:${name}`).exec(path)?.[1] ?? ""]

/** Without a list, where a text with commas is taken in its place: a client would send a list as a parameter given more than once. */
const ofQuery = (schema: JsonObject): JsonObject => {
  const { anyOf, ...own } = schema
  if (!Array.isArray(anyOf)) return schema
  const [first, ...others] = anyOf.filter((member) => !Predicate.isObject(member) || member["type"] !== "array")
  return others.length === 0 ? { ...own, ...first } : { ...own, anyOf: [first, ...others] }
}

export const parametersOf = (route: Route, example: Example | undefined): ReadonlyArray<JsonObject> => {
  const schema = JsonSchema.ofInput(route.input)
  const properties = JsonSchema.propertiesOf(schema)
  const required = JsonSchema.requiredOf(schema)
  const parameter = (place: "path" | "query", name: string, key: string): JsonObject => {
    const { description = meaningOf(route.path, place, name), ...own } = properties[key] ?? {}
    const shown = example?.given[key]
    return {
      name,
      in: place,
      required: place === "path" || required.includes(key),
      ...(description === undefined ? {} : { description }),
      schema: place === "query" ? ofQuery(own) : own,
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
