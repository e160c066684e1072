/**
 * The records of a CSV file, each with the line on which it starts; the header is the first one.
 *
 * A byte-order mark, LF, CRLF and CR, quoted separators, quotes and line breaks are read; lines without anything are
 * skipped. A quote within an unquoted cell is a character like any other.
 *
 * *Gotcha*: a quote that is opened and never closed swallows what follows. It is reported at the line where its record
 * begins, and nothing after that is read.
 */
import * as NodeStream from "@effect/platform-node/NodeStream"
import { type CsvError, parse } from "csv-parse"
import { Stream } from "effect"
import { ImportFileFault } from "./ImportFileFault.ts"
import { type BrokenRecord, longestRecord, type SourceRecord } from "./SourceRecord.ts"

export type CsvRecord = SourceRecord<ReadonlyArray<string>> | BrokenRecord

/** The lines that a record takes. The parser counts a CRLF within quotes twice, so its own count is not used. */
const linesOf = (cells: ReadonlyArray<string>): number =>
  cells.reduce((lines, cell) => lines + (/[\r\n]/.test(cell) ? cell.split(/\r\n|\r|\n/).length - 1 : 0), 1)

const reasonOf = (error: CsvError): string =>
  error.code === "CSV_QUOTE_NOT_CLOSED"
    ? "opens a quote that is never closed; nothing after it was read"
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
    let fault: CsvError | undefined
    let line = 1
    const parser = () =>
      parse({
        bom: true,
        delimiter,
        record_delimiter: ["\r\n", "\n", "\r"],
        relax_column_count: true,
        relax_quotes: true,
        skip_records_with_error: true,
        max_record_size: longestRecord,
        on_record: (record) => fault === undefined ? record : null,
        on_skip: (error) => {
          fault ??= error
          return undefined
        }
      })
    const records = NodeStream.pipeThroughDuplex<ReadonlyArray<string>, ImportFileFault>({
      evaluate: parser,
      onError: (error) => new ImportFileFault({ file, reason: `is not CSV: ${String(error)}` })
    })(bytes)
    const read = Stream.flatMap(
      Stream.chunks(records),
      (chunk) => {
        const found: Array<CsvRecord> = []
        for (const cells of chunk) {
          if (cells.length > 1 || cells[0] !== "") found.push({ _tag: "Read", line, value: cells })
          line += linesOf(cells)
        }
        return Stream.fromArray(found)
      }
    )
    const broken = Stream.suspend(() =>
      fault === undefined
        ? Stream.empty
        : Stream.succeed<CsvRecord>({ _tag: "Broken", line, reason: reasonOf(fault), text: "" })
    )
    return Stream.concat(read, broken)
  })
