/** `docs/import.md`: what the rows of each kind, maps and the apply document may hold, as the code has it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { schema } from "../packages/cli/src/Schemas.ts"
import { ImportKind } from "../packages/core/src/import/ImportKind.ts"
import { type FieldLine, fieldLines, kindMeanings } from "../packages/core/src/import/RowSchema.ts"

const typeOf = ({ type, unit, words }: FieldLine): string =>
  words === null
    ? unit === null ? type : `${type}, in ${unit}`
    : `one of ${words.map((word) => `\`${word}\``).join(", ")}`

const line = (told: FieldLine): string => {
  const facts = [
    typeOf(told),
    ...(told.needed === "no" ? [] : [`needed ${told.needed === "always" ? "in every row" : told.needed}`]),
    ...(told.standard === null ? [] : [`default \`${told.standard}\``])
  ]
  return `- \`${told.field}\`: ${told.meaning} _${facts.join("; ")}_`
}

const example = (kind: string): string =>
  readFileSync(join(import.meta.dirname, `../examples/import/${kind}.ndjson`), "utf8").split("\n")[0] ?? ""

const kindSection = (kind: ImportKind): ReadonlyArray<string> => [
  `## ${kind}`,
  "",
  `${
    kindMeanings[kind]
  } Schema: [${kind}.json](schemas/${kind}.json). Example: [${kind}.ndjson](../examples/import/${kind}.ndjson).`,
  "",
  ...fieldLines(kind).map(line),
  "",
  "```json",
  JSON.stringify(JSON.parse(example(kind)), null, 2),
  "```",
  ""
]

interface Told {
  readonly description?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: ReadonlyArray<string>
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Told>>
  readonly items?: Told
  readonly anyOf?: ReadonlyArray<Told>
  readonly allOf?: ReadonlyArray<Told>
}

const typeWords = (told: Told): string => {
  const alternatives = told.anyOf?.map(typeWords)
  if (alternatives !== undefined) return [...new Set(alternatives)].join(" or ")
  if (told.enum !== undefined) return told.enum.map((word) => `\`${word}\``).join(", ")
  if (told.items !== undefined) return `array of ${typeWords(told.items)}`
  return { integer: "whole number", boolean: "true or false", string: "text" }[told.type ?? ""] ?? told.type ??
    "any value"
}

/** A line for each property, with the parts of objects below it. */
const propertyLines = (told: Told, path: string): ReadonlyArray<string> => [
  ...Object.entries(told.properties ?? {}).flatMap(([name, property]) => {
    const about = [property, ...property.allOf ?? [], ...property.anyOf ?? []].find((each) =>
      each.description !== undefined
    )
    const standard = property.default === undefined ? "" : `; default \`${JSON.stringify(property.default)}\``
    return [
      `- \`${path}${name}\`: ${about === undefined ? "" : `${about.description} `}_${typeWords(property)}${standard}_`,
      ...propertyLines(property, `${path}${name}.`)
    ]
  }),
  ...(told.items === undefined ? [] : propertyLines(told.items, `${path.slice(0, -1)}[].`)),
  ...(told.anyOf ?? []).flatMap((each) => propertyLines(each, path))
]

const parsed = (kind: "map" | "apply"): Told => JSON.parse(JSON.stringify(schema(kind)))

export const page = (): string =>
  [
    "# What an operator writes",
    "",
    "<!-- Made by `pnpm reference` from the rules that the parsers go by. -->",
    "",
    "Rows of imports, the map of a CSV file, and the document of `freehold apply`. `freehold import fields KIND` lists the fields",
    "of a kind of row, `freehold schema KIND` prints its JSON Schema, with which an editor checks while you write; the schemas lie",
    "in [schemas](schemas). Tests import and apply every example of this page.",
    "",
    "A row is one JSON object on a line of its own (NDJSON), or a line of a CSV file with a map. A field that is absent keeps what is",
    "stored, null or an empty text clears it. An unknown field, or a value that is not of its type, rejects the row; the reason names the",
    "field, the rule and the name that may have been meant. Texts are trimmed. `freehold import KIND FILE --dry-run` shows the first ten",
    "rows as they would be loaded, marks those that are rejected, and tells how many would be inserted, updated, left as they are and",
    "rejected; it writes nothing.",
    "",
    ...ImportKind.literals.flatMap(kindSection),
    "## map",
    "",
    "How the columns of a CSV file become fields; [examples/maps](../examples/maps/README.md) explains the language by four public data",
    "sets. Schema: [map.json](schemas/map.json). What a map puts into rows as it stands there (`const`, `values`, `otherwise`,",
    "`zeroIs`) is checked by the rule of the field before the first row is read.",
    "",
    ...propertyLines(parsed("map"), ""),
    "",
    "## apply",
    "",
    "Schema: [apply.json](schemas/apply.json). Example: [organizations.json](../examples/apply/organizations.json).",
    "`freehold org show ORG --json` prints an organization as such a document, `freehold apply FILE --dry-run` tells what a document",
    "would change.",
    "",
    ...propertyLines(parsed("apply"), ""),
    ""
  ].join("\n")
