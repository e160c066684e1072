/**
 * The records of a CSV file, each with the line on which it starts; the header is the first one, and has to be there.
 *
 * A byte-order mark, LF, CRLF and CR, quoted separators, quotes and line breaks are read; lines without anything are
 * skipped. A quote within an unquoted cell is a character like any other.
 *
 * *Gotcha*: a quote that is opened and never closed swallows what follows, up to the next quote or to the end of the file. Such a
 * record is told with its text and the lines that it took.
 */
import * as NodeStream from "@effect/platform-node/NodeStream"
import { type CsvError, parse } from "csv-parse"
import { parse as parseText } from "csv-parse/sync"
import { Effect, Result, Stream } from "effect"
import { ImportFileFault } from "./ImportFileFault.ts"
import { type BrokenRecord, longestRecord, type SourceRecord } from "./SourceRecord.ts"

/** `isLast`: nothing after it was read. */
export type CsvRecord = SourceRecord<ReadonlyArray<string>> | BrokenRecord & { readonly isLast: boolean }

const lineBreak = /\r\n|\r|\n/

/** The lines that a record takes. The parser counts a CRLF within quotes twice, so its own count is not used. */
const linesOf = (cells: ReadonlyArray<string>): number =>
  cells.reduce((lines, cell) => lines + (/[\r\n]/.test(cell) ? cell.split(lineBreak).length - 1 : 0), 1)

const form = (delimiter: string) => ({ delimiter, record_delimiter: ["\r\n", "\n", "\r"], relax_column_count: true })

/** The bytes that were given to the parser since the beginning of the record that it is at. */
const unfinished = () => {
  const chunks: Array<Uint8Array> = []
  let start = 0
  return {
    add: (chunk: Uint8Array): void => {
      chunks.push(chunk)
    },
    /** Lets go of what lies before that place of the file. */
    begin: (place: number): void => {
      let count = 0
      for (const { length } of chunks) {
        if (start + length > place) break
        start += length
        count += 1
      }
      if (count > 0) chunks.splice(0, count)
    },
    /** What stands between two places; the last one is the end of what was given where it is left out. */
    text: (from: number, to?: number): string =>
      Buffer.concat(chunks).toString("utf8", from - start, to === undefined ? undefined : to - start)
        .replace(/^\uFEFF/, "").replace(/(\r\n|\r|\n)$/, "")
  }
}

/** Whether a cell begins with a quote and has several lines: so it is where its quote did not end it. */
const isDoubtful = (cells: ReadonlyArray<string>): boolean =>
  cells.some((cell) => cell.startsWith("\"") && lineBreak.test(cell))

const isStrict = (text: string, delimiter: string): boolean =>
  Result.isSuccess(Result.try(() => parseText(text, form(delimiter))))

const swallowed = (line: number, lines: number): string =>
  lines < 2
    ? ""
    : lines === 2
    ? `; line ${line + 1} was read as a part of it`
    : `; lines ${line + 1} to ${line + lines - 1} were read as a part of it`

interface Fault {
  readonly error: CsvError
  readonly text: string
}

const reasonOf = ({ error, text }: Fault, line: number): string =>
  error.code === "CSV_QUOTE_NOT_CLOSED"
    ? `opens a quote that is never closed${swallowed(line, linesOf([text]))}`
    : error.code === "CSV_MAX_RECORD_SIZE"
    ? `is longer than ${longestRecord} bytes; nothing after it was read`
    : `is not CSV: ${error.message}`

export const read = <E>(
  file: string,
  delimiter: string,
  bytes: Stream.Stream<Uint8Array, E>
): Stream.Stream<CsvRecord, E | ImportFileFault> =>
  Stream.suspend(() => {
    // The parser would skip what it cannot read and go on, out of step: the first fault ends the records.
    let fault: Fault | undefined
    let line = 1
    let isHeaded = false
    let begun = 0
    const source = unfinished()
    /** The texts of records that quotes made of several. */
    const mingled = new Map<ReadonlyArray<string>, string>()
    const examine = (cells: ReadonlyArray<string>, end: number): void => {
      if (isDoubtful(cells)) {
        const text = source.text(begun, end)
        if (!isStrict(text, delimiter)) mingled.set(cells, text)
      }
      begun = end
      source.begin(end)
    }
    const parser = () =>
      parse({
        ...form(delimiter),
        bom: true,
        relax_quotes: true,
        skip_records_with_error: true,
        max_record_size: longestRecord,
        on_record: (cells, { bytes: end }) => {
          if (fault !== undefined) return null
          examine(cells, end)
          return cells
        },
        on_skip: (error) => {
          if (error !== undefined) fault ??= { error, text: source.text(begun) }
          return undefined
        }
      })
    const records = NodeStream.pipeThroughDuplex<ReadonlyArray<string>, ImportFileFault>({
      evaluate: parser,
      onError: (error) => new ImportFileFault({ file, reason: `is not CSV: ${String(error)}` })
    })(Stream.tap(bytes, (chunk) =>
      Effect.sync(() => {
        if (fault === undefined) source.add(chunk)
      })))
    /** They go on where the first of all, which is the header, can be read. */
    const headed = (found: ReadonlyArray<CsvRecord>): Stream.Stream<CsvRecord, ImportFileFault> => {
      const [first] = found
      if (!isHeaded && first?._tag === "Broken") {
        return Stream.fail(new ImportFileFault({ file, reason: `line ${first.line} ${first.reason}` }))
      }
      isHeaded ||= first !== undefined
      return Stream.fromArray(found)
    }
    const read = Stream.flatMap(
      Stream.chunks(records),
      (chunk) => {
        const found: Array<CsvRecord> = []
        for (const cells of chunk) {
          const lines = linesOf(cells)
          const text = mingled.get(cells)
          if (text !== undefined) {
            const reason = `opens a quote that is closed in the midst of a cell${swallowed(line, lines)}`
            found.push({ _tag: "Broken", line, reason, text, isLast: false })
            mingled.delete(cells)
          } else if (cells.length > 1 || cells[0] !== "") found.push({ _tag: "Read", line, value: cells })
          line += lines
        }
        return headed(found)
      }
    )
    const end = Stream.suspend(() => {
      if (fault !== undefined) {
        return headed([{ _tag: "Broken", line, reason: reasonOf(fault, line), text: fault.text, isLast: true }])
      }
      return isHeaded
        ? Stream.empty
        : Stream.fail(new ImportFileFault({ file, reason: "is empty: its header line is missing" }))
    })
    return Stream.concat(read, end)
  })
