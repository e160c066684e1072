/**
 * The help of commands: usage as it is accepted, and lines of a bounded width.
 *
 *     USAGE
 *       freehold suppress (--contact C | --owner NAME | --property P) [flags]
 *       freehold suppress <subcommand> [flags]
 */
import { Context } from "effect"
import { CliOutput, type HelpDoc } from "effect/cli"
import { stripVTControlCharacters } from "node:util"

/** Flags of which a command takes exactly one, such as `--contact C | --owner NAME`. */
export const OneOf = Context.Reference<string | null>("@freehold/cli/Help/OneOf", { defaultValue: () => null })

const widest = 100
const narrowest = 60

/** Of the terminal, where it is one and no wider than is good to read. */
const width = (): number => Math.max(narrowest, Math.min(process.stdout.columns ?? widest, widest))

/** The parts in lines; those after the first begin at a column. */
export const folded = (parts: ReadonlyArray<string>, begun: number, column: number): string => {
  const lines = [""]
  for (const part of parts) {
    const line = lines.at(-1) ?? ""
    const before = lines.length === 1 ? begun : column
    if (line !== "" && before + line.length + 1 + part.length > width()) lines.push(part)
    else lines[lines.length - 1] = line === "" ? part : `${line} ${part}`
  }
  return lines.join(`\n${" ".repeat(column)}`)
}

/** What the flag's value is called: a name in capitals, where the flag has one. */
const valueOf = ({ name, type }: HelpDoc.FlagDoc): string => /[A-Z]/.test(type) ? type : name.toUpperCase()

/** A command that does something by itself, and has subcommands beside, is called in two ways. */
const usageOf = ({ annotations, args = [], commandPath = [], flags, subcommands = [] }: HelpDoc.HelpDoc): string => {
  const path = commandPath.join(" ")
  const oneOf = Context.get(annotations, OneOf)
  const own = [
    path,
    ...oneOf === null ? [] : [`(${oneOf})`],
    ...flags.flatMap((flag) => flag.required ? [`--${flag.name} ${valueOf(flag)}`] : []),
    "[flags]",
    ...args.map(({ name, required, variadic }) => {
      const place = `<${name}${variadic ? "..." : ""}>`
      return required ? place : `[${place}]`
    })
  ]
  const ways = [
    ...subcommands.length === 0 || flags.length + args.length > 0 ? [own] : [],
    ...subcommands.length === 0 ? [] : [[path, "<subcommand>", "[flags]"]]
  ]
  return ways.map((parts) => folded(parts, 2, 4)).join("\n  ")
}

/** Folds what stands to the right of a column, and texts without one. */
const foldedLine = (line: string): string => {
  const shown = stripVTControlCharacters(line)
  const column = /^ {2}\S.*? {2,}(?=\S)/.exec(shown)?.[0].length ?? 2
  const right = shown.slice(column)
  // Where colours stand in it, it stays as it is.
  return shown.length <= width() || !line.endsWith(right)
    ? line
    : line.slice(0, line.length - right.length) + folded(right.split(" "), column, column)
}

const { formatHelpDoc } = CliOutput.defaultFormatter()

/** An example is a line to be copied, and stays one. */
export const format = (doc: HelpDoc.HelpDoc): string => {
  const lines = formatHelpDoc({ ...doc, usage: usageOf(doc) }).split("\n")
  const examples = lines.findIndex((line) => stripVTControlCharacters(line) === "EXAMPLES")
  const end = examples === -1 ? lines.length : examples
  const before = lines.slice(0, end).map(foldedLine)
  return [...before, ...before.at(-1) === "" || examples === -1 ? [] : [""], ...lines.slice(end)].join("\n")
}
