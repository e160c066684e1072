/**
 * The JSON Schema that a tool publishes for its arguments, made from the operation's own input schema.
 *
 * Always one flat object without unknown keys and without composition at the root, which is what every client reads.
 * Rules between fields are not in it: they are checked when the tool runs, with a text that shows the fix.
 */
import { Predicate, Schema } from "effect"

export type JsonSchemaObject = Readonly<Record<string, unknown>>

export interface InputSchema extends JsonSchemaObject {
  readonly type: "object"
  readonly properties: Readonly<Record<string, JsonSchemaObject>>
  readonly additionalProperties: false
}

const objectsOf = (value: unknown): Record<string, JsonSchemaObject> => {
  const objects: Record<string, JsonSchemaObject> = {}
  if (!Predicate.isObject(value)) return objects
  for (const [name, member] of Object.entries(value)) if (Predicate.isObject(member)) objects[name] = member
  return objects
}

/**
 * Bounds that no caller comes near, and forms that the name of an argument tells, cost tokens on every listing; they are
 * checked all the same when the tool runs.
 */
const untold = new Set(["minLength", "maxLength", "minItems", "maxItems", "pattern", "format"])

/** Nobody counts below one, or in millions. */
const isUntold = (key: string, part: unknown): boolean =>
  untold.has(key) || typeof part === "number" &&
    (key === "minimum" && (part === 0 || part === 1) ||
      (key === "maximum" || key === "minimum") && Math.abs(part) >= 1_000_000)

const lean = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(lean)
    : Predicate.isReadonlyObject(value)
    ? Object.fromEntries(
      Object.entries(value).flatMap(([key, part]) => isUntold(key, part) ? [] : [[key, lean(part)]])
    )
    : value

/** `published` stands in for the generated schema of the arguments that it names. */
export const make = (
  input: Schema.Codec<unknown, unknown>,
  published: Readonly<Record<string, JsonSchemaObject>> = {}
): InputSchema => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(input, { onExcessProperty: "error" })
  return {
    ...schema,
    type: "object",
    properties: { ...objectsOf(lean(schema["properties"])), ...published },
    additionalProperties: false,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: lean(definitions) })
  }
}
