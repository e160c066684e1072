/**
 * Where rejected rows go: the file, when there is one, and the first of them to standard error.
 *
 * One line a fault, `{ "line", "field", "reason", "row" }`; `RowRecords` reads them again. A file of any content is told of in bounded space: what is
 * longer than it may be is cut, a row that is too large or nested too deep stands there as the beginning of its text, and
 * of very many faults of one row the first are told.
 */
import type { RowFault } from "@freehold/core/import/RowReading"
import { Console, Effect, FileSystem } from "effect"
import { escaped, escapedLine } from "../Terminal.ts"
import { whyNot } from "../WhyNot.ts"
import { ImportFileFault } from "./ImportFileFault.ts"

/** Rejects that are shown at once; all of them go to the file. */
const shownRejects = 10

const mostFaults = 20
const longestField = 200
const longestReason = 500
const longestRow = 16_384
const longestExcerpt = 2000
const deepestRow = 50
const writtenAtOnce = 262_144

/** A record as the file has it. */
export interface Original {
  /** The line on which it starts. */
  readonly line: number
  readonly value: () => unknown
  /** Its text, or what is nearest to it. */
  readonly text: () => string
}

export interface Rejected {
  readonly record: Original
  readonly faults: ReadonlyArray<RowFault>
}

interface Reject {
  readonly line: number
  readonly field: string | null
  readonly reason: string
  readonly row: unknown
}

const cut = (text: string, most: number): string => text.length <= most ? text : `${text.slice(0, most)}...`

/** Level by level, since a row may be nested deeper than functions can call each other. */
const isShallow = (value: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; depth < deepestRow && level.length > 0; depth++) {
    level = level.flatMap((item): ReadonlyArray<unknown> =>
      typeof item === "object" && item !== null ? Object.values(item) : []
    )
  }
  return level.length === 0
}

const rowOf = ({ text, value: read }: Original): unknown => {
  const value = read()
  return isShallow(value) && JSON.stringify(value).length <= longestRow ? value : cut(text(), longestExcerpt)
}

const rejectsOf = ({ faults, record }: Rejected): ReadonlyArray<Reject> => {
  const { line } = record
  const row = rowOf(record)
  const told = faults.slice(0, mostFaults).map(({ field, reason }): Reject => ({
    line,
    field: field === null ? null : cut(field, longestField),
    reason: cut(reason, longestReason),
    row
  }))
  const more = faults.length - told.length
  return more === 0 ? told : [...told, { line, field: null, reason: `has ${more} faults more`, row }]
}

/** As JSON, in which nothing steers a terminal that shows the file. */
const lineOf = (reject: Reject): string => `${escaped(JSON.stringify(reject))}\n`

/** The lines that tell of rejected rows, and as objects. */
export const linesOf = (rejected: ReadonlyArray<Rejected>): string => rejected.flatMap(rejectsOf).map(lineOf).join("")

/** Opens the file; answers what writes and shows. */
export const sink = Effect.fnUntraced(function*(path: string | undefined) {
  const write = path === undefined ? () => Effect.void : yield* Effect.gen(function*() {
    const fileSystem = yield* FileSystem.FileSystem
    const faulty = (error: { readonly message: string }) =>
      new ImportFileFault({ file: path, reason: `cannot be written: ${whyNot(error)}` })
    const file = yield* fileSystem.open(path, { flag: "w" }).pipe(Effect.mapError(faulty))
    const encoder = new TextEncoder()
    return (text: string) => file.writeAll(encoder.encode(text)).pipe(Effect.mapError(faulty))
  })
  let shown = 0
  return Effect.fnUntraced(function*(rejected: ReadonlyArray<Rejected>) {
    let text = ""
    for (const each of rejected) {
      const rejects = rejectsOf(each)
      for (const { field, line, reason } of rejects.slice(0, Math.max(0, shownRejects - shown))) {
        yield* Console.error(escapedLine(`line ${line}: ${field === null ? "the row" : field} ${reason}`))
      }
      shown += rejects.length
      for (const reject of rejects) text += lineOf(reject)
      if (text.length > writtenAtOnce) {
        yield* write(text)
        text = ""
      }
    }
    yield* write(text)
  })
})
