/** The document of a map: what may stand in it, and what of it the JSON Schema tells. */
import { decoder } from "@freehold/core/operation/InvalidInput"
import { Result, Schema } from "effect"
import { CellType, DateFormat } from "./CellValue.ts"

const told = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))

const options = {
  type: told(CellType, "What the cell holds; what the field needs where it is not given."),
  dateFormat: told(DateFormat, "Of a date: an order of YYYY, MM and DD, or excel; YYYY-MM-DD where it is not given."),
  separator: told(Schema.NonEmptyString, "Of texts: what stands between them; a comma where it is not given."),
  times: told(
    Schema.Finite.check(Schema.isGreaterThan(0)),
    "Of a number: what it is multiplied by, to be in the unit of the field, such as 43560 for acres."
  ),
  round: told(Schema.Boolean, "Of an integer: a fraction is rounded, half up, and not refused."),
  zeroIs: told(Schema.Json, "What stands for a zero."),
  null: told(Schema.Array(Schema.String), "Texts that mean nothing is known, besides those of the whole map."),
  match: told(
    Schema.String.check(
      Schema.makeFilter((text) =>
        Result.isSuccess(Result.try(() => new RegExp(text))) || "expected a regular expression"
      )
    ),
    "A regular expression that the cell must match; its first group, where it has one, is what is read."
  ),
  values: told(
    Schema.Record(Schema.String, Schema.Json),
    "What stands for each text; a key that ends in * stands for all that begin so, the longest first."
  ),
  otherwise: told(
    Schema.Json,
    "What stands for a text that does not match, or is not among values; without it such a row is rejected."
  )
}
export type Options = Schema.Struct.Type<typeof options>

const Column = Schema.Struct({
  column: Schema.NonEmptyString.annotate({ description: "The heading of the column." }),
  ...options
})
const Template = Schema.Struct({
  template: Schema.NonEmptyString.annotate({
    description:
      "A text with {Column} where the cell of a column goes; null when one of them is. What stands in [brackets] is left out instead; \\[ and \\] are brackets themselves."
  }),
  ...options
})
const Lookup = Schema.Struct({
  lookup: Schema.NonEmptyString.annotate({ description: "Another CSV file, relative to the map." }),
  on: Schema.NonEmptyString.annotate({ description: "The column whose cell is looked up." }),
  from: Schema.NonEmptyString.annotate({ description: "The column of the other file that it is looked up in." }),
  take: Schema.NonEmptyString.annotate({ description: "The column of the other file that is taken." }),
  ...options
})
const Table = Schema.Struct({
  table: Schema.Record(Schema.String, Schema.String).annotate({
    description: "What is looked up, by the text of the cell: what a file of lookup holds, in the map itself."
  }),
  on: Schema.NonEmptyString.annotate({ description: "The column whose cell is looked up." }),
  ...options
})
const Const = Schema.Struct({ const: Schema.Json.annotate({ description: "The value of the field in every row." }) })

const delimiter = Schema.String.check(Schema.isPattern(/^.$/s, { message: "Expected one character" }))

const CsvMap = Schema.Struct({
  format: Schema.Literal("csv").annotate({ description: "What the file is." }),
  delimiter: told(delimiter, "What stands between cells; a comma where it is not given."),
  key: told(
    Schema.NonEmptyString,
    "The template of the key, such as gsa:{Location Code}. Needed but for rows of kind research, which have none."
  ),
  null: told(Schema.Array(Schema.String), "Texts that mean nothing is known, in every column."),
  fields: Schema.Record(Schema.String, Schema.Unknown)
})

const strict = { hints: true }

export const decodeMap = decoder(CsvMap, strict)
export const decodeColumn = decoder(Column, strict)
export const decodeTemplate = decoder(Template, strict)
export const decodeLookup = decoder(Lookup, strict)
export const decodeTable = decoder(Table, strict)
export const decodeConst = decoder(Const, strict)

const Source = Schema.Union([
  Schema.NonEmptyString.annotate({ description: "The heading of a column." }),
  Column,
  Template,
  Lookup,
  Table,
  Const
])

const Sources = Schema.Array(Schema.Record(Schema.String, Source)).annotate({
  description: "An array of objects, each of fields; one of which nothing but constants is known is left out."
})

/** The whole document. It is read by parts instead, so that each fault names its place. */
export const MapDocument = Schema.Struct({
  ...CsvMap.fields,
  fields: Schema.Record(Schema.String, Schema.Union([Source, Sources])).annotate({
    description: "Where each field of a row comes from. A name is a field or a part of one (ownerMailingAddress.city)."
  })
})
