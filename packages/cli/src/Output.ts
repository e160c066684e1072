/**
 * The results of commands on standard output: one JSON document with `--json`, for people otherwise a table of rows or
 * the fields of one record. Everything else a command says goes to standard error.
 */
import { Console, type Effect } from "effect"
import { CliOutput, Flag } from "effect/cli"
import { escaped, escapedLine } from "./Terminal.ts"

/** The flag that every command with a result has. */
export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print the result as one JSON document"),
  Flag.withDefault(false)
)

/** What a cell or field may hold; null and undefined are shown as a dash. */
export type Cell = string | number | boolean | null | undefined

const dash = "-"

// A line break or an escape sequence within a value must not change the table or the terminal.
const shown = (cell: Cell): string =>
  cell === null || cell === undefined || cell === "" ? dash : escapedLine(String(cell))

const pad = (text: string, width: number, right: boolean): string => {
  const filling = " ".repeat(Math.max(0, width - CliOutput.displayWidth(text)))
  return right ? filling + text : text + filling
}

/** Rows below their headings, numbers to the right. */
export const table = (headings: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): string => {
  if (rows.length === 0) return "none"
  const cells = rows.map((row) => row.map(shown))
  const columns = headings.map((heading, index) => ({
    heading,
    right: rows.some((row) => typeof row[index] === "number"),
    width: Math.max(...[heading, ...cells.map((row) => row[index] ?? "")].map(CliOutput.displayWidth))
  }))
  const line = (texts: ReadonlyArray<string>) =>
    columns.map(({ right, width }, index) => pad(texts[index] ?? "", width, right)).join("  ").trimEnd()
  return [line(columns.map(({ heading }) => heading.toUpperCase())), ...cells.map(line)].join("\n")
}

/** One field a line. */
export const record = (fields: ReadonlyArray<readonly [name: string, value: Cell]>): string => {
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`).join("\n")
}

/** Prints a result: `document` with `--json`, what `text` makes of it otherwise. */
export const print = <A>(asJson: boolean, document: A, text: (document: A) => string): Effect.Effect<void> =>
  Console.log(escaped(asJson ? JSON.stringify(document, null, 2) : text(document)))
