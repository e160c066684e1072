/** JSON Schemas of what an operator writes: the rows of imports, maps, and the document of `apply`. */
import { ImportKind } from "@freehold/core/import/ImportKind"
import { schemaOf } from "@freehold/core/import/RowSchema"
import { defaults } from "@freehold/core/organization/Organization"
import { memberDefaults } from "@freehold/core/provision/Apply"
import { ApplyDocument } from "@freehold/core/provision/ApplyDocument"
import { Predicate, Schema } from "effect"
import { MapDocument } from "./import/MapDocument.ts"

export const schemaKinds = [...ImportKind.literals, "map", "apply"] as const
export type SchemaKind = typeof schemaKinds[number]

type Json = { readonly [keyword: string]: unknown }

/** An annotation ends up beside the keywords of its schema, and in a document of several in `allOf`. */
const documentOf = <S extends Schema.Top>(schema: S, title: string, description: string): Json => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    description,
    ...root,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions })
  }
}

/** Writes to each property of an object the value that it has where a new one is silent. */
const withDefaults = (schema: Json, values: object): Json => {
  const { properties } = schema
  if (!Predicate.isObject(properties)) return schema
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const value = Object.entries(values).find(([known]) => known === name)?.[1]
        if (value === undefined || !Predicate.isObject(property)) return [name, property]
        return [name, Predicate.isObject(value) ? withDefaults(property, value) : { ...property, default: value }]
      })
    )
  }
}

/** Changes the schema at the end of a path of keywords. */
const changed = (schema: Json, path: ReadonlyArray<string>, change: (schema: Json) => Json): Json => {
  const [keyword, ...rest] = path
  if (keyword === undefined) return change(schema)
  const inner = schema[keyword]
  return Predicate.isObject(inner) ? { ...schema, [keyword]: changed(inner, rest, change) } : schema
}

const { monthlyCreditLimit: monthly_credit_limit, ...memberValues } = memberDefaults

const organization = ["properties", "organizations", "items"]

const applySchema = (): Json => {
  const { name: _name, org_id: _id, ...values } = defaults("")
  const document = documentOf(
    ApplyDocument,
    "The document of freehold apply",
    "Organizations with their keys, members and grants. What is left out keeps its value, or has its default when new."
  )
  return changed(
    changed(document, organization, (schema) => withDefaults(schema, values)),
    [...organization, "properties", "members", "items"],
    (schema) => withDefaults(schema, { ...memberValues, monthly_credit_limit })
  )
}

/** The JSON Schema of that kind of document. */
export const schema = (kind: SchemaKind): Json =>
  kind === "apply"
    ? applySchema()
    : kind === "map"
    ? documentOf(MapDocument, "A map", "How the columns of a CSV file become the fields of rows.")
    : schemaOf(kind)

/** The text that is checked in as `docs/schemas/<kind>.json`. */
export const text = (kind: SchemaKind): string => `${JSON.stringify(schema(kind), null, 2)}\n`
