/**
 * The records of an import file of any format, each with its row: NDJSON, CSV by a map, and the rejects of an earlier import,
 * whose rows were mended and are read by the map that they were made by.
 */
import { isObject, type RowFault } from "@freehold/core/import/RowReading"
import { hint } from "@freehold/core/operation/Nearest"
import { Effect, Result, Sink, Stream } from "effect"
import * as CsvRecords from "./CsvRecords.ts"
import { ImportFileFault } from "./ImportFileFault.ts"
import type * as ImportMap from "./ImportMap.ts"
import * as JsonLines from "./JsonLines.ts"
import { columnFault } from "./MapColumns.ts"
import { otherDelimiter } from "./OtherDelimiter.ts"
import type * as Rejects from "./Rejects.ts"
import type { BrokenRecord } from "./SourceRecord.ts"

/** A record of any format: its row as NDJSON would have it, its faults so far, and what a reject shows of it. */
export interface RowRecord extends Rejects.Original {
  readonly row: unknown
  readonly faults: ReadonlyArray<RowFault>
}

const brokenRow = ({ line, reason, text }: BrokenRecord): RowRecord => ({
  line,
  row: undefined,
  faults: [{ field: null, reason }],
  value: () => text,
  text: () => text
})

const jsonRows = <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<RowRecord, E> =>
  JsonLines.read(bytes).pipe(Stream.map((record): RowRecord =>
    record._tag === "Broken"
      ? brokenRow(record)
      : { line: record.line, row: record.value, faults: [], value: () => record.value, text: () => record.text }
  ))

const delimiterHint = (names: ReadonlyArray<string>): string | undefined => {
  const found = otherDelimiter(names)
  return found === undefined
    ? undefined
    : `; its one column seems to be several: "delimiter": ${JSON.stringify(found)} in the map`
}

const csvRows = <E>(
  file: string,
  map: ImportMap.ImportMap,
  bytes: Stream.Stream<Uint8Array, E>
): Stream.Stream<RowRecord, E | ImportFileFault> =>
  Stream.suspend(() => {
    let header: ReadonlyArray<string> | undefined
    // One for all records, which have the same columns: what a map makes of it keeps nothing of it.
    const record = new Map<string, string>()
    const read = (names: ReadonlyArray<string>, cells: ReadonlyArray<string>, faults: Array<RowFault>): unknown => {
      if (cells.length !== names.length) {
        faults.push({ field: null, reason: `has ${cells.length} cells where the header has ${names.length}` })
        return undefined
      }
      for (const [index, name] of names.entries()) record.set(name, (cells[index] ?? "").trim())
      return map.row(record, faults)
    }
    const rowOf = (line: number, names: ReadonlyArray<string>, cells: ReadonlyArray<string>): RowRecord => {
      const faults: Array<RowFault> = []
      // Made for a reject alone. Cells that are too few or too many have no columns.
      const value = () =>
        cells.length === names.length ? Object.fromEntries(names.map((name, index) => [name, cells[index]])) : cells
      return { line, row: read(names, cells, faults), faults, value, text: () => JSON.stringify(value()) }
    }
    return CsvRecords.read(file, map.delimiter, bytes).pipe(
      Stream.filterMapEffect((record) => {
        if (record._tag === "Broken") return Effect.succeed(Result.succeed(brokenRow(record)))
        if (header !== undefined) return Effect.succeed(Result.succeed(rowOf(record.line, header, record.value)))
        const names = record.value.map((name) => name.trim())
        header = names
        const reason = columnFault(
          map.columns,
          names,
          (column) => names.includes(column),
          (column) => delimiterHint(names) ?? hint(column, names)
        )
        return reason === undefined
          ? Effect.succeed(Result.failVoid)
          : Effect.fail(new ImportFileFault({ file, reason }))
      })
    )
  })

/** A line of a file of rejects, as `Rejects` writes it. */
const mendedRow = (value: unknown): { readonly of: number; readonly row: unknown } | undefined =>
  isObject(value) && typeof value["line"] === "number" && "field" in value && "reason" in value && "row" in value
    ? { of: value["line"], row: value["row"] }
    : undefined

/** Cells by the names of their columns, as text. */
const cellsOf = (row: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(row).map((
      [name, cell]
    ) => [name, cell === null ? "" : typeof cell === "string" ? cell.trim() : JSON.stringify(cell)])
  )

const mappedRow = (map: ImportMap.ImportMap, value: unknown, faults: Array<RowFault>): unknown => {
  if (!isObject(value)) {
    faults.push({ field: null, reason: "is not an object of columns" })
    return undefined
  }
  const missing = Array.from(map.columns).filter((column) => !Object.hasOwn(value, column))
  if (missing.length === 0) return map.row(cellsOf(value), faults)
  faults.push(...missing.map((column) => ({ field: column, reason: "is a column that the map names, and is missing" })))
  return undefined
}

/**
 * The rows of rejects: what stands in `row`. A row with several faults has a line for each of them, and is read once unless it
 * was mended in one of them alone.
 */
const rejectedRows = <E>(
  map: ImportMap.ImportMap | undefined,
  bytes: Stream.Stream<Uint8Array, E>
): Stream.Stream<RowRecord, E> =>
  JsonLines.read(bytes).pipe(
    Stream.mapAccum((): string => "", (last, record): readonly [string, ReadonlyArray<RowRecord>] => {
      if (record._tag === "Broken") return ["", [brokenRow(record)]]
      const { line, value } = record
      const mended = mendedRow(value)
      if (mended === undefined) return ["", [brokenRow({ ...record, _tag: "Broken", reason: "is not a rejected row" })]]
      const { of, row } = mended
      const text = JSON.stringify(row)
      const seen = `${of} ${text}`
      if (seen === last) return [last, []]
      const faults: Array<RowFault> = []
      const read = map === undefined ? row : mappedRow(map, row, faults)
      return [seen, [{ line, row: read, faults, value: () => row, text: () => text }]]
    })
  )

/** Enough of a file to tell what it is. */
const head = Sink.reduceWhile(
  () => new Uint8Array(0),
  (bytes: Uint8Array) => bytes.length < 64,
  (bytes, more: Uint8Array) => Buffer.concat([bytes, more])
)

/** What begins so is none of what is read here; undefined: it may be. */
const otherThanRows = (beginning: string, isMapped: boolean): string | undefined =>
  beginning.startsWith("PK\u0003\u0004")
    ? "is a zip archive or a workbook; unpack it, or save it as CSV"
    : isMapped
    ? undefined
    : /^\{\s*"type"\s*:\s*"FeatureCollection"/.test(beginning)
    ? "is GeoJSON, which is read by a source: freehold source try"
    : beginning.startsWith("[")
    ? "is one JSON array; expected NDJSON, an object a line, such as jq -c '.[]' makes of it"
    : /^\{\s*[\r\n]/.test(beginning)
    ? "is JSON over several lines; expected NDJSON, an object a line, such as jq -c . makes of it"
    : undefined

/** The records of a file; with a map it is CSV, or what was rejected of CSV. */
export const read = <E>(
  file: string,
  map: ImportMap.ImportMap | undefined,
  bytes: Stream.Stream<Uint8Array, E>
): Stream.Stream<RowRecord, E | ImportFileFault> =>
  Stream.unwrap(Effect.gen(function*() {
    const [start, rest] = yield* Stream.peel(bytes, head)
    const beginning = Buffer.from(start).toString("utf8").replace(/^\uFEFF/, "").trimStart()
    const reason = otherThanRows(beginning, map !== undefined)
    if (reason !== undefined) return yield* new ImportFileFault({ file, reason })
    const whole = Stream.concat(Stream.succeed(start), rest)
    return beginning.startsWith("{\"line\":")
      ? rejectedRows(map, whole)
      : map === undefined
      ? jsonRows(whole)
      : csvRows(file, map, whole)
  }))
