/** `freehold import fields`: what the rows of a kind may hold. */
import { ImportKind } from "@freehold/core/import/ImportKind"
import { type FieldLine, fieldLines } from "@freehold/core/import/RowSchema"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { json, print, table } from "../Output.ts"

const typeOf = ({ type, unit, words }: FieldLine): string =>
  words === null ? unit === null ? type : `${type}, ${unit}` : `one of ${words.join(", ")}`

export const importFieldsCommand = Command.make(
  "fields",
  {
    kind: Argument.Literals("kind", ImportKind.literals).pipe(
      Argument.withDescription(`What the rows are: ${ImportKind.literals.join(", ")}`)
    ),
    json
  },
  Effect.fn(function*({ json, kind }) {
    yield* print(json, { kind, fields: fieldLines(kind) }, ({ fields }) =>
      table(
        ["field", "needed", "default", "meaning", "type"],
        fields.map((line) => [line.field, line.needed, line.standard, line.meaning, typeOf(line)])
      ))
  })
).pipe(
  Command.withDescription("List the fields of a kind of row, with type, unit, allowed words and default"),
  Command.withExamples([
    { command: "freehold import fields properties", description: "A line for each field" },
    { command: "freehold import fields contacts --json", description: "The same for scripts" }
  ])
)
