/**
 * The sync of one source: its rows are read and kept aside page by page, then it is decided whether they may be loaded, then
 * those that differ are loaded batch by batch, and last what vanished is marked.
 *
 * Each step is one transaction. A process that ends anywhere is followed by another that goes on there; what comes out is
 * what an undisturbed sync brings.
 */
import * as FormerCountyRows from "@freehold/core/coverage/FormerCountyRows"
import { type ImportBatch, parsers } from "@freehold/core/import/ImportRow"
import { ImportStore, type LoadOutcome } from "@freehold/core/import/ImportStore"
import type { Parsed, RowContext, RowFault } from "@freehold/core/import/RowReading"
import { hint } from "@freehold/core/operation/Nearest"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { objection } from "@freehold/core/source/RunVerdict"
import { durationOf, type SourceDocument, type SourceRows } from "@freehold/core/source/SourceDocument"
import { SourceFault, type SourcePage, SourceReader } from "@freehold/core/source/SourceReader"
import {
  type KeptRow,
  type RunReject,
  type RunTaken,
  type Source,
  type SourceRun,
  Sources
} from "@freehold/core/source/Sources"
import { Clock, DateTime, Duration, Effect, Option, Predicate, Result, type Schema, Stream } from "effect"
import { hash } from "node:crypto"
import type { ImportFileFault } from "../import/ImportFileFault.ts"
import * as ImportMap from "../import/ImportMap.ts"
import { columnFault } from "../import/MapColumns.ts"
import { recordId } from "../import/RecordId.ts"
import { check } from "../import/RowCheck.ts"

const batchSize = 2000

/** More rows than any county has: a source that goes on for ever is ended. */
const mostRows = 20_000_000

const weekly = Duration.weeks(1)

/** What became of a sync. */
export type SyncOutcome =
  | { readonly _tag: "Ended"; readonly run: SourceRun }
  /** It cannot go on now; the next one does. */
  | { readonly _tag: "Postponed"; readonly run: SourceRun; readonly reason: string }

export interface SyncOptions {
  /** What a run that asks would do is wanted. */
  readonly accept: boolean
  readonly onProgress?: ((run: SourceRun) => Effect.Effect<void>) | undefined
}

const isWorn = (source: Source, now: number): boolean => {
  const { full_every } = source.document
  const every = full_every === undefined ? weekly : Option.getOrElse(durationOf(full_every), () => weekly)
  return source.fullAt === null || now - Date.parse(source.fullAt) >= Duration.toMillis(every)
}

/** A column of the map that the source does not have, or has twice, is no row's fault. */
export const checkColumns = (map: ImportMap.ImportMap, { columns }: SourcePage): Effect.Effect<void, SourceFault> => {
  if (columns === null) return Effect.void
  const reason = columnFault(
    map.columns,
    columns,
    // The column itself, or the one that it is a part of.
    (column) => columns.includes(column) || columns.includes(column.split(".")[0] ?? column),
    (column) => hint(column, columns)
  )
  return reason === undefined ? Effect.void : Effect.fail(new SourceFault({ reason, lasting: true }))
}

export const rowsOf = (document: SourceDocument): SourceRows => document.rows ?? "properties"

/** The map of a document, ready to make rows. */
export const mapOf = (document: SourceDocument, context: RowContext) =>
  ImportMap.make(
    { format: "csv", ...document.map },
    { file: `the map of ${document.name}`, folder: null },
    rowsOf(document),
    context
  )

export const rowContext = Effect.map(
  DateTime.now,
  (now): RowContext => ({ latestYear: DateTime.getPartUtc(now, "year") + 1, idOf: recordId })
)

const textOf = (row: unknown, field: string): string | undefined => {
  const value = Predicate.isObject(row) ? row[field] : undefined
  return typeof value === "string" ? value : undefined
}

const momentOf = (row: unknown): string | null =>
  Option.fromUndefinedOr(textOf(row, "sourceUpdatedAt")).pipe(
    Option.flatMap(DateTime.make),
    Option.match({ onNone: () => null, onSome: DateTime.formatIso })
  )

/** Every fault of a row; none: it can be used. */
const faultsOf = (
  kind: SourceRows,
  row: Schema.Json,
  cellFaults: ReadonlyArray<RowFault>,
  context: RowContext
): ReadonlyArray<RowFault> => {
  const checked = kind === "properties"
    ? check<unknown>(parsers.properties(row, context), cellFaults)
    : check<unknown>(parsers.firms(row, context), cellFaults)
  return Result.isFailure(checked) ? checked.failure : []
}

/** The rows of a page of former counties. */
export const formerCountiesOf = (kind: SourceRows, rows: ReadonlyArray<KeptRow>): FormerCountyRows.FormerCountyRows =>
  kind === "properties"
    ? FormerCountyRows.count(rows.map(({ row }) => textOf(row, "countyFips")))
    : FormerCountyRows.none

/** The rows of a page, and what is wrong with the others. */
export const rowsOfPage = (
  map: ImportMap.ImportMap,
  kind: SourceRows,
  page: SourcePage,
  context: RowContext
): { readonly rows: ReadonlyArray<KeptRow>; readonly rejects: ReadonlyArray<RunReject>; readonly rejected: number } => {
  const rows = new Map<string, KeptRow>()
  const rejects: Array<RunReject> = []
  let rejected = 0
  for (const record of page.records) {
    if (record._tag === "Unreadable") {
      rejected++
      rejects.push({ place: record.place, field: null, reason: record.reason })
      continue
    }
    const faults: Array<RowFault> = []
    const row = map.row(record.cells, faults)
    const key = textOf(row, "key")
    const told = faultsOf(kind, row, faults, context)
    if (told.length > 0) rejected++
    for (const { field, reason } of told) rejects.push({ place: record.place, field, reason })
    // A key that is none was never a record's, and is not to be kept.
    if (key === undefined || told.some(({ field }) => field === "key")) continue
    const asOf = momentOf(row)
    const before = rows.get(key)
    if (before !== undefined && asOf !== null && before.asOf !== null && asOf < before.asOf) continue
    rows.set(
      key,
      told.length > 0
        ? before ?? { key, digest: null, row: null, asOf: null }
        : { key, digest: hash("sha256", JSON.stringify(row), "base64url").slice(0, 22), row, asOf }
    )
  }
  return { rows: [...rows.values()], rejects, rejected }
}

const batchOf = (kind: SourceRows, rows: ReadonlyArray<Schema.Json>, context: RowContext) => {
  const indexes: Array<number> = []
  const rejected: Array<LoadOutcome["rejected"][number]> = []
  const collect = <R>(parse: (row: unknown, context: RowContext) => Parsed<R>): ReadonlyArray<R> =>
    rows.flatMap((row, index) => {
      const parsed = parse(row, context)
      if (Result.isFailure(parsed)) {
        for (const fault of parsed.failure) rejected.push({ index, ...fault })
        return []
      }
      indexes.push(index)
      return [parsed.success]
    })
  const batch: ImportBatch = kind === "properties"
    ? { kind, rows: collect(parsers.properties) }
    : { kind, rows: collect(parsers.firms) }
  return { batch, indexes, rejected }
}

export const make = Effect.gen(function*() {
  const sources = yield* Sources
  const reader = yield* SourceReader
  const store = yield* ImportStore

  const load = (kind: SourceRows, rows: ReadonlyArray<KeptRow>, context: RowContext) => {
    const { batch, indexes, rejected } = batchOf(kind, rows.map(({ row }) => row), context)
    return Effect.map(store.load(batch), (outcome): LoadOutcome => ({
      ...outcome,
      rejected: [...rejected, ...outcome.rejected.map((each) => ({ ...each, index: indexes[each.index] ?? 0 }))]
    }))
  }

  const reading = Effect.fnUntraced(function*(
    source: Source,
    open: SourceRun,
    map: ImportMap.ImportMap,
    context: RowContext,
    progress: (run: SourceRun) => Effect.Effect<void>
  ) {
    const { document, token } = source
    const { name } = document
    const kind = rowsOf(document)
    const isConditional = !reader.tellsChanges(document)
    let run = open
    let isUnchanged = false
    yield* reader.read({
      document,
      token,
      since: isConditional || !open.full ? source.mark : null,
      position: open.position
    }).pipe(Stream.runForEach(Effect.fnUntraced(function*(page) {
      if (page.position === null) {
        isUnchanged = true
        return
      }
      yield* checkColumns(map, page)
      const { rejected, rejects, rows } = rowsOfPage(map, kind, page, context)
      const seen = page.columns === null
        ? new Set(page.records.flatMap((record) => record._tag === "Read" ? [...record.cells.keys()] : []))
        : map.columns
      run = yield* sources.keep({
        name,
        run: run.number,
        page: run.page,
        position: page.position,
        mark: page.mark,
        unseen: run.unseen.filter((column) => !seen.has(column)),
        rows,
        full: page.records.every((record) => record._tag === "Read" || record.text === ""),
        read: page.records.length,
        formerCounties: formerCountiesOf(kind, rows),
        rejects,
        rejected
      })
      if (run.read > mostRows) {
        return yield* new SourceFault({ reason: `has more than ${mostRows} rows`, lasting: true })
      }
      yield* progress(run)
    })))
    if (run.read > 0 && run.unseen.length > 0) {
      return yield* new SourceFault({
        reason: `has no record with ${
          run.unseen.map((column) => JSON.stringify(column)).join(", ")
        }, which the map names`,
        lasting: true
      })
    }
    return { run, isUnchanged }
  })

  const loading = Effect.fnUntraced(function*(
    { document }: Source,
    open: SourceRun,
    context: RowContext,
    progress: (run: SourceRun) => Effect.Effect<void>
  ) {
    let run = open
    while (true) {
      const rows = yield* sources.next(document.name, run, batchSize)
      if (rows.length === 0) return run
      run = yield* sources.load(document.name, run, rows, load(rowsOf(document), rows, context))
      yield* progress(run)
    }
  })

  const begin = Effect.fnUntraced(function*(source: Source, map: ImportMap.ImportMap) {
    const now = yield* Clock.currentTimeMillis
    const full = !reader.tellsChanges(source.document) || source.mark === null || isWorn(source, now)
    return yield* sources.begin(source.document.name, full, full ? [...map.columns] : [])
  })

  /** An open run, or a new one. One that asks is taken up where that is accepted. */
  const opened = (source: Source, map: ImportMap.ImportMap, accept: boolean) => {
    const last = source.lastRun
    return last?.state === "reading" || last?.state === "loading" || last?.state === "asks" && accept
      ? Effect.succeed(last)
      : begin(source, map)
  }

  /** The source did not change: what it has is what was loaded, and nothing has vanished. */
  const unchanged = (source: Source, run: SourceRun) =>
    sources.finish(source.document.name, { ...run, full: false, mark: source.mark }, source.records)

  /** Takes the run to its end, or to where it asks. */
  const carry = Effect.fnUntraced(function*(
    source: Source,
    open: SourceRun,
    map: ImportMap.ImportMap,
    context: RowContext,
    { accept, onProgress = () => Effect.void }: SyncOptions
  ) {
    const { document } = source
    const { name } = document
    let run = open
    if (run.state === "reading") {
      const read = yield* reading(source, open, map, context, onProgress)
      if (read.isUnchanged) return yield* unchanged(source, read.run)
      run = read.run
    }
    const plan = yield* sources.plan(name, run)
    if (run.state !== "loading") {
      const reason = accept ? undefined : objection(document, plan)
      if (reason !== undefined) return yield* sources.turn(name, run, "asks", reason)
      run = yield* sources.turn(name, run, "loading", null)
    }
    // Rows that a process before this one has loaded are kept like those that were the same.
    const same = plan.same - run.inserted - run.changed - run.unchanged
    // Of a loading that goes on it is not known what was refused before it.
    const rejected = open.state === "loading" ? 0 : run.rejected
    run = yield* loading(source, run, context, onProgress)
    // What a load refuses may be right by now, while the file is still the same.
    const comesAgain = run.rejected > rejected && !reader.tellsChanges(document)
    const done = yield* sources.finish(name, comesAgain ? { ...run, mark: null } : run, same)
    yield* store.settle(rowsOf(document), done.inserted + done.changed)
    return done
  })

  /** A document whose map was made for an older program. */
  const refused = (source: Source, { message }: ImportFileFault) =>
    Effect.gen(function*() {
      const run = yield* sources.begin(source.document.name, false, [])
      const ended: SyncOutcome = {
        _tag: "Ended",
        run: yield* sources.turn(source.document.name, run, "failed", message)
      }
      return ended
    })

  const sync = Effect.fn("SourceSync.sync")(function*(
    source: Source,
    options: SyncOptions
  ): Effect.fn.Return<SyncOutcome, RunTaken | TemporarilyUnavailable> {
    const { document } = source
    const context = yield* rowContext
    const read = yield* Effect.result(mapOf(document, context))
    if (Result.isFailure(read)) return yield* refused(source, read.failure)
    const map = read.success
    const open = yield* opened(source, map, options.accept)
    const first = carry(source, open, map, context, options)
    // What was begun cannot always be gone on with: a file may be another one by now.
    const persistent = open.position === null || open.state !== "reading" ? first : first.pipe(
      Effect.catchTag("SourceFault", (fault) =>
        fault.lasting
          ? Effect.flatMap(begin(source, map), (again) => carry(source, again, map, context, options))
          : Effect.fail(fault))
    )
    return yield* persistent.pipe(
      Effect.map((run): SyncOutcome => ({ _tag: "Ended", run })),
      Effect.catchTag(
        "SourceFault",
        ({ lasting, reason }) =>
          Effect.gen(function*(): Effect.fn.Return<SyncOutcome, RunTaken | TemporarilyUnavailable> {
            const [run = open] = yield* sources.runs(document.name, 1)
            if (lasting) return { _tag: "Ended", run: yield* sources.turn(document.name, run, "failed", reason) }
            yield* sources.postpone(document.name, run, reason)
            return { _tag: "Postponed", run, reason }
          })
      )
    )
  })

  return { sync }
})
