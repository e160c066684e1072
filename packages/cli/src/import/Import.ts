/**
 * The import of a file: read, map, check and load, row by row, in constant memory.
 *
 * While batches are loaded the next one is read. A row that cannot be used is told and left out; the rest is loaded. A
 * fault of the file itself ends the import; what was loaded before it stays, unless the import is strict.
 */
import * as FormerCountyRows from "@freehold/core/coverage/FormerCountyRows"
import { erasedFault, knownBy } from "@freehold/core/import/ContactRow"
import type { ImportKind } from "@freehold/core/import/ImportKind"
import { type ImportBatch, parsers, recordsOf } from "@freehold/core/import/ImportRow"
import { ImportStore, type LoadOutcome } from "@freehold/core/import/ImportStore"
import { isObject, type Parsed, type RowContext } from "@freehold/core/import/RowReading"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { DateTime, Effect, Equal, FileSystem, Option, Result, Schema, type Scope, Stream } from "effect"
import { whyNot } from "../WhyNot.ts"
import * as ByteSource from "./ByteSource.ts"
import { ImportFileFault } from "./ImportFileFault.ts"
import * as ImportMap from "./ImportMap.ts"
import * as LoadOrder from "./LoadOrder.ts"
import { recordId } from "./RecordId.ts"
import * as Rejects from "./Rejects.ts"
import { check } from "./RowCheck.ts"
import * as RowRecords from "./RowRecords.ts"

type ImportFault = ImportFileFault | TemporarilyUnavailable

/** The files that an import is asked for with. */
export interface ImportFiles {
  readonly kind: ImportKind
  /** A path, or `-` for standard input. */
  readonly file: string
  /** The map of a CSV file; without one the file is NDJSON. */
  readonly map?: string | undefined
  /** Where the rejected rows go, as NDJSON. */
  readonly rejects?: string | undefined
}

export interface ImportOptions {
  /** One bad row: nothing is loaded. */
  readonly strict: boolean
  /** Everything is done as it would be, and taken back. */
  readonly dryRun?: boolean | undefined
  /** Hears after each batch how far the import is, and what came of it so far. */
  readonly onProgress?:
    | ((progress: ImportProgress, counts: Omit<ImportSummary, "kind">) => Effect.Effect<void, ImportFault>)
    | undefined
  /** Rows loaded at once. */
  readonly batchSize?: number | undefined
}

export interface ImportProgress {
  readonly rows: number
  /** Bytes read, as they are stored; they may be ahead of the rows by some batches. */
  readonly bytes: number
  /** The size of the file; null for standard input. */
  readonly totalBytes: number | null
}

/** Counts of rows. `read` is the sum of the others, except after a strict import that was refused. */
export interface ImportSummary {
  readonly kind: ImportKind
  readonly read: number
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
}

/** A row with its values as they would be stored; one that is rejected is as the map made it, or as the file has it. */
export interface ShownRow {
  /** The line on which its record starts. */
  readonly line: number
  /** null: its person was erased for good, and it is kept. */
  readonly row: unknown
  /** Whether it is left out of what is loaded; `row` is then what was refused. */
  readonly rejected: boolean
}

export interface Imported {
  readonly summary: ImportSummary
  /** How many rows that could be read are of each county whose land has another code now. */
  readonly ofFormerCounties: FormerCountyRows.FormerCountyRows
  /** The first rows, as they may be told of in the moment in which they are asked for. */
  readonly shown: Effect.Effect<ReadonlyArray<ShownRow>, TemporarilyUnavailable>
}

const shownRows = 10

const defaultBatchSize = 500

/** So many inserted rows are soon loaded in any case; from then on it pays to make ready for more. */
const manyRows = 5000

/** Rows that are checked before it is heard what the database answered to other batches: it waits for what it is asked next. */
const checkedAtOnce = 50

/** Batches that are loaded at once: each keeps one processor of the database busy. */
const loadsAtOnce = 2

interface RejectedRow extends Rejects.Rejected {
  readonly record: RowRecords.RowRecord
}

/** Rows ready to load, with the records they came from, and the records that are not. */
interface Prepared {
  readonly batch: ImportBatch
  readonly records: ReadonlyArray<RowRecords.RowRecord>
  readonly rejected: ReadonlyArray<RejectedRow>
}

const prepare = Effect.fnUntraced(function*(
  kind: ImportKind,
  found: ReadonlyArray<RowRecords.RowRecord>,
  context: RowContext
): Effect.fn.Return<Prepared> {
  const records: Array<RowRecords.RowRecord> = []
  const rejected: Array<RejectedRow> = []
  const collect = Effect.fnUntraced(function*<R>(parse: (row: unknown, context: RowContext) => Parsed<R>) {
    const rows: Array<R> = []
    for (const [index, record] of found.entries()) {
      if ((index + 1) % checkedAtOnce === 0) yield* Effect.yieldNow
      if (record.row === undefined) {
        rejected.push({ record, faults: record.faults })
        continue
      }
      const checked = check(parse(record.row, context), record.faults)
      if (Result.isFailure(checked)) rejected.push({ record, faults: checked.failure })
      else {
        rows.push(checked.success)
        records.push(record)
      }
    }
    return rows
  })
  const batch = yield* Effect.gen(function*(): Effect.fn.Return<ImportBatch> {
    switch (kind) {
      case "properties":
        return { kind, rows: yield* collect(parsers.properties) }
      case "firms":
        return { kind, rows: yield* collect(parsers.firms) }
      case "contacts":
        return { kind, rows: yield* collect(parsers.contacts) }
      case "research":
        return { kind, rows: yield* collect(parsers.research) }
      case "changes":
        return { kind, rows: yield* collect(parsers.changes) }
    }
  })
  return { batch, records, rejected }
})

/** The row with the plain values that were read of it. */
const asStored = (row: unknown, parsed: ImportBatch["rows"][number]): unknown => {
  if (!isObject(row) || !("values" in parsed)) return row
  const values = new Map<string, unknown>(parsed.values)
  return Object.fromEntries(
    Object.entries(row).map(([name, given]) => [name, values.has(name) ? values.get(name) : given])
  )
}

/** A strict import met a bad row, or the import was only tried: what was loaded is taken back. */
class TakenBack extends Schema.TaggedError<TakenBack>()("TakenBack", {
  inserted: Schema.Int,
  updated: Schema.Int,
  unchanged: Schema.Int,
  read: Schema.Int,
  rejected: Schema.Int
}) {
  override get message() {
    return "Nothing was loaded"
  }
}

const nothing: LoadOutcome = { inserted: 0, updated: 0, unchanged: 0, rejected: [] }

const isCsvName = (file: string): boolean => /\.(csv|tsv)(\.gz)?$/i.test(file)

/** What rows are checked against at this moment. */
export const rowContext: Effect.Effect<RowContext> = Effect.map(DateTime.now, (now) => ({
  latestYear: DateTime.getPartUtc(now, "year") + 1,
  idOf: recordId
}))

/** The size of a file that can be read. */
const sizeOf = Effect.fnUntraced(function*(file: string) {
  const fileSystem = yield* FileSystem.FileSystem
  const faulty = (why: string) => new ImportFileFault({ file, reason: `cannot be read: ${why}` })
  const { size, type } = yield* fileSystem.stat(file).pipe(
    Effect.tap(() => fileSystem.access(file, { readable: true })),
    Effect.mapError((error) => faulty(whyNot(error)))
  )
  return type === "Directory" ? yield* faulty("it is a directory") : Number(size)
})

/** The file that a name leads to; none: there is none yet. */
const identityOf = Effect.fnUntraced(function*(file: string) {
  const fileSystem = yield* FileSystem.FileSystem
  const found = yield* Effect.option(fileSystem.stat(file))
  return Option.map(found, ({ dev, ino }) => `${dev} ${Option.getOrElse(ino, () => file)}`)
})

/** The file for the rejects is emptied first, so it is none of those that are read, by whatever name or link. */
const refuseOverwriting = Effect.fnUntraced(function*(rejects: string, read: ReadonlyArray<string>) {
  if (rejects === ByteSource.standardInput) {
    return yield* new ImportFileFault({
      file: "--rejects",
      reason: "expected a file; the result is on standard output"
    })
  }
  const identity = yield* identityOf(rejects)
  for (const file of read) {
    if (Option.isSome(identity) && Equal.equals(identity, yield* identityOf(file))) {
      return yield* new ImportFileFault({
        file: rejects,
        reason: `is ${file} itself; write the rejects to another file`
      })
    }
  }
})

/** Looks at every file that is named, and opens the one for the rejects: what is wrong with one is told before anything else begins. */
export const open = Effect.fn("Import.open")(function*(
  { file, kind, map: mapFile, rejects }: ImportFiles
): Effect.fn.Return<ImportSource, ImportFileFault, FileSystem.FileSystem | Scope.Scope> {
  const map = mapFile === undefined ? undefined : yield* ImportMap.load(mapFile, kind, yield* rowContext)
  const totalBytes = file === ByteSource.standardInput ? null : yield* sizeOf(file)
  if (map === undefined && isCsvName(file)) {
    return yield* new ImportFileFault({ file, reason: "is CSV, which needs --map; freehold source try proposes one" })
  }
  if (rejects !== undefined) yield* refuseOverwriting(rejects, [file, ...mapFile === undefined ? [] : [mapFile]])
  const sink = yield* Rejects.sink(rejects)
  return {
    kind,
    name: file,
    map,
    totalBytes,
    read: (onBytes) => ByteSource.read(file, onBytes),
    reject: Effect.flatMap(sink),
    isKept: false
  }
})

/** Where an import comes from, and where its rejects go. */
export interface ImportSource {
  readonly kind: ImportKind
  readonly name: string
  readonly map: ImportMap.ImportMap | undefined
  /** null: not known. */
  readonly totalBytes: number | null
  /** The bytes, decompressed; the function hears how many were read as they are stored. */
  readonly read: (onBytes: (count: number) => Effect.Effect<void>) => Stream.Stream<Uint8Array, ImportFault>
  /** Hears of rejected rows, as they may be told of in the moment in which they are asked for. */
  readonly reject: (
    rejected: Effect.Effect<ReadonlyArray<Rejects.Rejected>, TemporarilyUnavailable>
  ) => Effect.Effect<void, ImportFault>
  /** Whether what is told of its rows is kept by the database, and so nothing of people who were erased for good. */
  readonly isKept: boolean
}

/** Imports it. Succeeds with rejected rows too; it is the caller who makes them an exit code. */
export const run = Effect.fn("Import.run")(function*(
  { isKept, kind, map, name, read: bytesOf, reject, totalBytes }: ImportSource,
  options: ImportOptions
): Effect.fn.Return<Imported, ImportFault, ImportStore> {
  const { dryRun = false, strict } = options
  const together = strict || dryRun
  const store = yield* ImportStore
  const context = yield* rowContext

  let ofFormerCounties = FormerCountyRows.none
  const noteCounties = ({ batch }: Prepared): void => {
    if (batch.kind !== "properties") return
    const found = FormerCountyRows.count(batch.rows.map(({ values }) => values.get("countyFips")))
    ofFormerCounties = FormerCountyRows.sum(ofFormerCounties, found)
  }

  const shown: Array<ShownRow> = []
  const show = ({ batch, records, rejected }: Prepared): void => {
    if (shown.length === shownRows) return
    const loaded = batch.rows.map((row, index): ShownRow => ({
      line: records[index]?.line ?? 0,
      row: asStored(records[index]?.row, row),
      rejected: false
    }))
    const others = rejected.flatMap(({ record: { line, row } }): ReadonlyArray<ShownRow> =>
      row === undefined ? [] : [{ line, row, rejected: true }]
    )
    shown.push(...[...loaded, ...others].sort((a, b) => a.line - b.line).slice(0, shownRows - shown.length))
  }
  /** The store refuses rows that were shown before it saw them. */
  const markRefused = (refused: ReadonlyArray<RejectedRow>): void => {
    for (const { record: { line } } of refused) {
      const index = shown.findIndex((row) => row.line === line)
      const row = shown[index]
      if (row !== undefined) shown[index] = { ...row, rejected: true }
    }
  }

  const erasedAmong = (rows: ReadonlyArray<unknown>) =>
    isKept && kind === "contacts" && rows.length > 0
      ? store.erased(rows.map(knownBy))
      : Effect.succeed<ReadonlySet<number>>(new Set())
  /** Of people who were erased for good, only where their rows stand is kept: a fault may quote a cell. */
  const rejectAll = (rows: ReadonlyArray<RejectedRow>) =>
    rows.length === 0 ? Effect.void : reject(Effect.map(
      erasedAmong(rows.map(({ record }) => record.row)),
      (erased) =>
        rows.map((row, place) =>
          erased.has(place)
            ? { faults: [erasedFault], record: { line: row.record.line, value: () => null, text: () => "" } }
            : row
        )
    ))

  const importAll = Effect.gen(function*() {
    let bytesRead = 0
    const bytes = bytesOf((count) =>
      Effect.sync(() => {
        bytesRead += count
      })
    )
    const rows = RowRecords.read(name, map, bytes)
    const counts = { read: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 }
    const inOrder = LoadOrder.make()
    let expectsMore = false
    const loading = (prepared: Prepared) => {
      const { batch } = prepared
      const load = batch.rows.length === 0 ? Effect.succeed(nothing) : store.load(batch)
      return Effect.map(inOrder(recordsOf(batch), load), (outcome) => ({ prepared, outcome }))
    }
    const tell = Effect.fnUntraced(function*(
      { outcome, prepared: { batch, records, rejected } }: {
        readonly prepared: Prepared
        readonly outcome: LoadOutcome
      }
    ) {
      const refused = Array.from(
        Map.groupBy(outcome.rejected, ({ index }) => index),
        ([index, faults]) => records[index] === undefined ? [] : [{ record: records[index], faults }]
      ).flat()
      markRefused(refused)
      counts.read += batch.rows.length + rejected.length
      counts.inserted += outcome.inserted
      counts.updated += outcome.updated
      counts.unchanged += outcome.unchanged
      counts.rejected += rejected.length + refused.length
      yield* rejectAll([...rejected, ...refused].sort((a, b) => a.record.line - b.record.line))
      if (!together && !expectsMore && counts.inserted >= manyRows) {
        expectsMore = true
        const left = totalBytes === null ? null : Math.max(0, Math.round(counts.read * (totalBytes / bytesRead - 1)))
        yield* store.expectMore(kind, { inserted: counts.inserted, left })
      }
      if (options.onProgress !== undefined) {
        yield* options.onProgress({ rows: counts.read, bytes: bytesRead, totalBytes }, { ...counts })
      }
    })
    yield* rows.pipe(
      Stream.grouped(options.batchSize ?? defaultBatchSize),
      Stream.mapEffect((found) =>
        Effect.map(prepare(kind, found, context), (prepared) => {
          show(prepared)
          noteCounties(prepared)
          return loading(prepared)
        })
      ),
      Stream.buffer({ capacity: 1 }),
      // Statements of one transaction go one by one anyway.
      Stream.mapEffect((load) => load, { concurrency: together ? 1 : loadsAtOnce }),
      Stream.runForEach(tell)
    )
    // What a strict import found before it was refused is not told as if it had happened.
    if (strict && counts.rejected > 0) {
      return yield* new TakenBack({ ...counts, inserted: 0, updated: 0, unchanged: 0 })
    }
    if (dryRun) return yield* new TakenBack(counts)
    yield* store.settle(kind, counts.inserted + counts.updated)
    return counts
  })

  const loaded = Effect.scoped(importAll)
  const { inserted, read, rejected, unchanged, updated } = yield* (together ? store.atomically(loaded) : loaded)
    .pipe(Effect.catchTag("TakenBack", (counts) => Effect.succeed(counts)))
  return {
    summary: { kind, read, inserted, updated, unchanged, rejected },
    ofFormerCounties,
    shown: Effect.map(
      erasedAmong(shown.map(({ row }) => row)),
      (erased) => shown.map((each, place) => erased.has(place) ? { ...each, row: null } : each)
    )
  }
})
