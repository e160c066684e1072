/**
 * Schemas of core as the contract's document shows them: JSON Schema 2020-12, in OpenAPI's places.
 *
 * What callers send is closed: an unknown key or word is refused. What they receive is open: keys and words may be added
 * at any time, so an answer's enum is text with the words known today in `x-extensible-enum`. decisions, "General
 * rules" and section 17.
 *
 * *Gotchas.* A schema with an `identifier` becomes a component of that name. Times are known by their names: whatever
 * ends in `At` or `_at` is ISO-8601 in UTC.
 */
import { Predicate, Record, Schema } from "effect"

export type JsonObject = Readonly<Record<string, unknown>>

/** The schemas of an object's properties. */
export const propertiesOf = (schema: JsonObject): Readonly<Record<string, JsonObject>> =>
  Predicate.isObject(schema["properties"])
    ? Record.filter(schema["properties"], (member): member is JsonObject => Predicate.isObject(member))
    : {}

/** The names that an object cannot do without. */
export const requiredOf = (schema: JsonObject): ReadonlyArray<string> =>
  Array.isArray(schema["required"]) ? schema["required"].filter(Predicate.isString) : []

const isTime = (name: string): boolean => /(At|_at)$/.test(name)

/** Keys that hold one schema, a list of schemas, and schemas by name. */
const single = new Set(["items", "additionalProperties", "propertyNames", "not"])
const lists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"])
const maps = new Set(["properties", "$defs"])

/** Applies `change` to a schema and to every schema in it, the inner ones first. `name`: of the property it is. */
const deeply = (schema: JsonObject, change: (schema: JsonObject, name: string) => JsonObject, name = ""): JsonObject =>
  change(
    Record.map(schema, (value, key) => {
      if (single.has(key) && Predicate.isObject(value)) return deeply(value, change, name)
      if (lists.has(key) && Array.isArray(value)) {
        return value.map((member) => Predicate.isObject(member) ? deeply(member, change, name) : member)
      }
      if (maps.has(key) && Predicate.isObject(value)) {
        return Record.map(value, (member, own) => Predicate.isObject(member) ? deeply(member, change, own) : member)
      }
      return value
    }),
    name
  )

const without = (schema: JsonObject, ...keys: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)))

/** The bounds of a double's whole numbers say nothing. */
const plainInteger = (schema: JsonObject): JsonObject =>
  without(
    schema,
    ...(schema["maximum"] === Number.MAX_SAFE_INTEGER ? ["maximum"] : []),
    ...(schema["minimum"] === Number.MIN_SAFE_INTEGER ? ["minimum"] : [])
  )

/** `anyOf` of a plain type and null is a type of two. */
const nullable = (schema: JsonObject): JsonObject => {
  const members = schema["anyOf"]
  if (!Array.isArray(members) || members.length !== 2) return schema
  const [first, second] = members
  return Predicate.isObject(first) && Predicate.isString(first["type"]) && first["enum"] === undefined &&
      first["const"] === undefined && first["type"] !== "object" && Predicate.isObject(second) &&
      second["type"] === "null"
    ? { ...without(schema, "anyOf"), ...first, type: [first["type"], "null"] }
    : schema
}

const inPlace = (schema: JsonObject): JsonObject =>
  Predicate.isString(schema["$ref"])
    ? { ...schema, $ref: schema["$ref"].replace("#/$defs/", "#/components/schemas/") }
    : schema

const constant = (schema: JsonObject): JsonObject =>
  Array.isArray(schema["enum"]) && schema["enum"].length === 1
    ? { ...without(schema, "enum"), const: schema["enum"][0] }
    : schema

const sent = (schema: JsonObject): JsonObject => nullable(constant(plainInteger(inPlace(schema))))

const open = (schema: JsonObject): JsonObject =>
  schema["additionalProperties"] === true ? without(schema, "additionalProperties") : schema

const extensible = (schema: JsonObject): JsonObject =>
  schema["type"] === "string" && Array.isArray(schema["enum"])
    ? { ...without(schema, "enum"), "x-extensible-enum": schema["enum"] }
    : schema

const timed = (schema: JsonObject, name: string): JsonObject =>
  schema["type"] === "string" && isTime(name) ? { ...schema, format: "date-time" } : schema

const received = (schema: JsonObject, name: string): JsonObject =>
  nullable(constant(timed(extensible(open(plainInteger(inPlace(schema)))), name)))

/** The schema of what a caller sends, with everything in its place. */
export const ofInput = (schema: Schema.Constraint): JsonObject =>
  deeply(
    Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error", referencePolicy: () => undefined }).schema,
    sent
  )

/** The schema of what a caller receives, and the components that it refers to. */
export const ofOutput = (
  schema: Schema.Constraint
): { readonly schema: JsonObject; readonly components: Readonly<Record<string, JsonObject>> } => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
  return {
    schema: deeply(root, received),
    components: Record.map(definitions, (definition) => deeply(definition, received))
  }
}
