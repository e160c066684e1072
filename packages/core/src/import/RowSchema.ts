/** A kind of row as JSON Schema, and as a list of its fields: both made of its shape. */
import type { Schema } from "effect"
import type { JsonSchema, Rule } from "./FieldCheck.ts"
import type { ImportKind } from "./ImportKind.ts"
import { shapes } from "./ImportRow.ts"
import type { Member, Shape } from "./RowShape.ts"

/** What rows of a kind are, in a sentence. */
export const kindMeanings: Readonly<Record<ImportKind, string>> = {
  properties: "Properties: parcels with their buildings, owners and values.",
  firms: "Firms that own, manage, operate or rent properties.",
  contacts: "People who decide about properties, with how to reach them.",
  research: "What was found out about properties beyond the public record.",
  changes: "What changed: sales, owners, managers, people."
}

/** Lets a schema of a value take null, which clears what is stored. */
const orNull = (schema: JsonSchema): JsonSchema => {
  const { enum: words, type } = schema
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [...[type].flat(), "null"] }),
    ...(Array.isArray(words) ? { enum: [...words, null] } : {})
  }
}

const described = ({ meaning, rule }: Member): string =>
  rule?.unit === undefined ? meaning : `${meaning} In ${rule.unit}.`

const objectOf = (shape: Shape): { readonly [keyword: string]: Schema.Json } => {
  const needed = Object.entries(shape).flatMap(([name, { need }]) => need === "always" ? [name] : [])
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, memberSchema(member)])),
    ...(needed.length === 0 ? {} : { required: needed }),
    additionalProperties: false
  }
}

const valueSchema = ({ most, parts, rule }: Member): JsonSchema => {
  if (parts === undefined) return rule?.schema ?? {}
  if (most !== undefined) return { type: "array", items: objectOf(parts), maxItems: most }
  const object = objectOf(parts)
  return rule === undefined || rule.schema["type"] === "object"
    ? object
    : { type: ["boolean", "object"], properties: object["properties"] ?? {}, additionalProperties: false }
}

const memberSchema = (member: Member): JsonSchema => ({
  description: described(member),
  ...(member.need === undefined ? orNull(valueSchema(member)) : valueSchema(member)),
  ...(member.standard === undefined ? {} : { default: member.standard })
})

/** The JSON Schema of a row of that kind. */
export const schemaOf = (kind: ImportKind): JsonSchema => {
  const { conditions, fields } = shapes[kind]
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `A row of ${kind}`,
    description: `${kindMeanings[kind]} A field that is absent keeps what is stored, null clears it.`,
    ...objectOf(fields),
    ...(conditions === undefined ? {} : { allOf: conditions })
  }
}

/** A field for people. */
export interface FieldLine {
  /** Its path, such as `buildings[].sqft`. */
  readonly field: string
  readonly type: string
  readonly unit: string | null
  readonly words: ReadonlyArray<string> | null
  readonly needed: "always" | "in a new record" | "no"
  readonly standard: string | boolean | null
  readonly meaning: string
}

const typeOf = ({ most, parts, rule }: Member): string =>
  most !== undefined
    ? `array of at most ${most} objects`
    : parts !== undefined && rule !== undefined && rule.type !== "object"
    ? `${rule.type}, or an object`
    : rule?.type ?? "object"

const wordsOf = (rule: Rule | undefined): ReadonlyArray<string> | null => {
  const words = rule?.schema["enum"]
  return Array.isArray(words) ? words.filter((word) => typeof word === "string") : null
}

const linesOf = (shape: Shape, path: string): ReadonlyArray<FieldLine> =>
  Object.entries(shape).flatMap(([name, member]) => [
    {
      field: path + name,
      type: typeOf(member),
      unit: member.rule?.unit ?? null,
      words: wordsOf(member.rule),
      needed: member.need === "always" ? "always" : member.need === "new" ? "in a new record" : "no",
      standard: member.standard ?? null,
      meaning: member.meaning
    },
    ...(member.parts === undefined
      ? []
      : linesOf(member.parts, `${path}${name}${member.most === undefined ? "" : "[]"}.`))
  ])

/** Every field of a kind, with the parts of objects below them. */
export const fieldLines = (kind: ImportKind): ReadonlyArray<FieldLine> => linesOf(shapes[kind].fields, "")
