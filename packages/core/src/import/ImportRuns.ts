/**
 * Imports that the operator began in the app: what was uploaded, how far each is, and how it ended.
 *
 * A file arrives in parts, in their order, so that no one request holds it and any process may take any part. It begins to
 * be loaded when it is whole; its parts are gone when that has ended. What ended is kept, the newest `keptRuns` of them; an
 * upload that nobody finished is gone after `uploadTime`. A run whose process is gone tells nothing any more, and of an upload
 * whose client is gone no part comes: after `silence` it counts as interrupted. What it had loaded stays.
 */
import { Context, Duration, type Effect, type Option, Schema, Struct } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { ImportKind } from "./ImportKind.ts"

/** Bytes of a part at most. */
export const largestPart = 1_048_576

/** Parts of a file at most: a gibibyte, as it is stored. */
export const mostParts = 1024

/** Characters of rejects that are kept of one run. */
export const mostRejects = 8_000_000

/** Imports that are kept with their outcome. */
export const keptRuns = 200

/** Time within which an upload becomes a run. */
export const uploadTime = Duration.hours(6)

/** A run that tells nothing for so long was interrupted, and so was an upload of which no part came. */
export const silence = Duration.minutes(5)

/** A run that is at work tells how far it is at least so often, whatever it waits for. */
export const heartbeat = Duration.minutes(1)

/** How far an import is. */
export const ImportState = Schema.Literals(["uploading", "running", "ended", "failed", "interrupted"])
export type ImportState = typeof ImportState.Type

/** Counts of rows, as `freehold import` tells them. */
export const ImportCounts = Schema.Struct({
  read: Schema.Int,
  inserted: Schema.Int,
  updated: Schema.Int,
  unchanged: Schema.Int,
  rejected: Schema.Int
})
export type ImportCounts = typeof ImportCounts.Type

/** Nothing was read yet. */
export const noRows: ImportCounts = { read: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 }

/** A row as the map made it; null: its person was erased for good. */
export const ShownRow = Schema.Struct({ line: Schema.Int, row: Schema.Json })
export type ShownRow = typeof ShownRow.Type

/** An import, as it is told. Times are ISO-8601. */
export const ImportRun = Schema.Struct({
  id: Schema.String,
  kind: ImportKind,
  /** Of the file, as whoever uploaded it calls it. */
  name: Schema.String,
  strict: Schema.Boolean,
  dryRun: Schema.Boolean,
  by: Schema.String,
  state: ImportState,
  ...ImportCounts.fields,
  /** Bytes that have arrived, and that were read. */
  bytes: Schema.Int,
  bytesRead: Schema.Int,
  /** The first rows. */
  shown: Schema.Array(ShownRow),
  /** What there is to know of its rows beside their counts; null: nothing. */
  note: Schema.NullOr(Schema.String),
  /** Why it failed; null: it did not. */
  fault: Schema.NullOr(Schema.String),
  begunAt: Schema.String,
  endedAt: Schema.NullOr(Schema.String)
})
export type ImportRun = typeof ImportRun.Type

/** An import among others: without its rows. */
export const ListedRun = Schema.Struct(Struct.omit(ImportRun.fields, ["shown"]))
export type ListedRun = typeof ListedRun.Type

/** Port: imports and the parts of their files. Times are milliseconds. */
export class ImportRuns extends Context.Service<ImportRuns, {
  /** Begins an upload. `map`: the JSON text of the map of a CSV file; null: it is NDJSON. */
  begin(
    run: Pick<ImportRun, "id" | "kind" | "name" | "strict" | "dryRun" | "by"> & {
      readonly map: string | null
      readonly now: number
    }
  ): Effect.Effect<void, TemporarilyUnavailable>

  /** Keeps a part, the first being 0; one that is there stays. False: it is no part that comes next, or nothing is uploaded. */
  addPart(part: {
    readonly id: string
    readonly number: number
    readonly bytes: Uint8Array
    readonly now: number
  }): Effect.Effect<boolean, TemporarilyUnavailable>

  /** Makes an upload a run, once; none: there is no such upload. */
  start(id: string, now: number): Effect.Effect<
    Option.Option<{ readonly run: ImportRun; readonly map: string | null; readonly parts: number }>,
    TemporarilyUnavailable
  >

  /** A part of a run; none: there is none. */
  part(id: string, number: number): Effect.Effect<Option.Option<Uint8Array>, TemporarilyUnavailable>

  /** How far a run is. */
  progress(
    id: string,
    at: { readonly counts: ImportCounts; readonly bytesRead: number; readonly now: number }
  ): Effect.Effect<void, TemporarilyUnavailable>

  /**
   * Looks what may be told of rows, and keeps it, while nobody is erased for good: so whoever was is not told of, and whoever is
   * erased later is found in what was kept.
   */
  keeping(telling: Effect.Effect<void, TemporarilyUnavailable>): Effect.Effect<void, TemporarilyUnavailable>

  /** Adds a text to the rejects of a run, as long as there is room. */
  reject(id: string, text: string): Effect.Effect<void, TemporarilyUnavailable>

  /** Ends a run. `fault`: why it failed; null: it did not. */
  end(id: string, outcome: {
    readonly counts: ImportCounts
    readonly shown: ReadonlyArray<ShownRow>
    readonly note: string | null
    readonly fault: string | null
    readonly now: number
  }): Effect.Effect<void, TemporarilyUnavailable>

  /** The rejects after so many texts; empty: there are no more. */
  rejects(id: string, after: number): Effect.Effect<ReadonlyArray<string>, TemporarilyUnavailable>

  find(id: string, now: number): Effect.Effect<Option.Option<ImportRun>, TemporarilyUnavailable>

  /** The newest, at most so many. */
  list(limit: number, now: number): Effect.Effect<ReadonlyArray<ListedRun>, TemporarilyUnavailable>
}>()("@freehold/core/import/ImportRuns") {}
