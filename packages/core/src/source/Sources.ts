/**
 * The sources of an installation, what is known of each, and their runs.
 *
 * A run reads first and loads after: rows are kept aside until all of them are there, so that what it would do is known
 * before anything happens. Every step is one transaction that says how far the run is, and is refused to whoever
 * is not the last one that took it (`page`): a run may stop anywhere, and goes on there.
 */
import { Context, type Effect, type Option, type Redacted, Schema } from "effect"
import type { FormerCountyRows } from "../coverage/FormerCountyRows.ts"
import type { LoadOutcome } from "../import/ImportStore.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { SourceDocument } from "./SourceDocument.ts"

/**
 * How a run stands.
 *
 * | state    | what it means                                                   | next                      |
 * | -------- | --------------------------------------------------------------- | ------------------------- |
 * | reading  | rows are being read and kept aside                              | loading, asks, done, failed |
 * | asks     | it would change or retire more than it may, and waits for leave | loading; or it is left    |
 * | loading  | rows that differ are being loaded                               | done, failed              |
 * | done     | the records are those of the source                             |                           |
 * | failed   | the source cannot be read as it is; nothing more is loaded      |                           |
 * | left     | another run took its place                                      |                           |
 */
export const RunState = Schema.Literals(["reading", "asks", "loading", "done", "failed", "left"])
export type RunState = typeof RunState.Type

/** A row that could not be used. */
export interface RunReject {
  readonly place: string
  readonly field: string | null
  readonly reason: string
}

/** Rows of a run. `inserted`, `changed` and `unchanged` are known when it is done. */
export interface RunCounts {
  readonly read: number
  readonly inserted: number
  readonly changed: number
  readonly unchanged: number
  readonly rejected: number
  readonly retired: number
}

export interface SourceRun extends RunCounts {
  readonly number: number
  readonly state: RunState
  /** Everything is read, and what is not among it has vanished. Not so any more once a record could not be read. */
  readonly full: boolean
  readonly startedAt: string
  readonly endedAt: string | null
  /** Steps taken so far; the next one has to name it. */
  readonly page: number
  readonly position: Schema.Json
  readonly mark: Schema.Json
  /** Columns of the map that no record had so far. */
  readonly unseen: ReadonlyArray<string>
  /** Of the rows that it read. */
  readonly formerCounties: FormerCountyRows
  /** Why it asks, failed or waits. */
  readonly reason: string | null
  readonly rejects: ReadonlyArray<RunReject>
}

/** Rows that gave way to another row of the same key. Known when the run is done. */
export const repeated = (
  { changed, inserted, read, rejected, state, unchanged }: RunCounts & { readonly state: RunState }
) => state === "done" ? Math.max(0, read - inserted - changed - unchanged - rejected) : 0

export interface Source {
  readonly document: SourceDocument
  readonly token: Redacted.Redacted | null
  readonly paused: boolean
  readonly addedAt: string
  /** Null: when it is asked for. */
  readonly dueAt: string | null
  /** When everything was last read. */
  readonly fullAt: string | null
  readonly mark: Schema.Json
  /** Records that the source has, as far as is known. */
  readonly records: number
  readonly lastRun: SourceRun | null
}

/** A row that was read: kept aside until it is loaded. */
export interface KeptRow {
  readonly key: string
  /** Of the row; null: it is faulty, and all that is known is that it is there. It takes no other row's place. */
  readonly digest: string | null
  readonly row: Schema.Json
  /** As of when the source says this; of two rows with one key the later one counts, then the one read last. */
  readonly asOf: string | null
}

/** One page that was read. */
export interface ReadStep {
  readonly name: string
  readonly run: number
  /** The step before. */
  readonly page: number
  readonly position: Schema.Json
  readonly mark: Schema.Json
  readonly unseen: ReadonlyArray<string>
  readonly rows: ReadonlyArray<KeptRow>
  /** It is known which records it has; otherwise one that the run does not come upon may be there all the same. */
  readonly full: boolean
  readonly read: number
  /** Of these rows. */
  readonly formerCounties: FormerCountyRows
  readonly rejects: ReadonlyArray<RunReject>
  readonly rejected: number
}

/** What a run that has read everything would do. */
export interface RunPlan {
  /** Records that the source had before. */
  readonly known: number
  readonly fresh: number
  readonly different: number
  readonly same: number
  readonly gone: number
}

/** Another process took the run, or the source was removed: the step was not taken. */
export class RunTaken extends Schema.TaggedError<RunTaken>()("RunTaken", { name: Schema.String }) {
  override get message() {
    return `the run of ${this.name} was taken over by another process`
  }
}

/** Port: the sources and their runs. */
export class Sources extends Context.Service<Sources, {
  /** Adds a source, or replaces its document and token; an open run of another document is left. */
  put(
    document: SourceDocument,
    token: Redacted.Redacted | null
  ): Effect.Effect<"added" | "changed" | "unchanged", TemporarilyUnavailable>
  /** All of them, by name. */
  readonly list: Effect.Effect<ReadonlyArray<Source>, TemporarilyUnavailable>
  find(name: string): Effect.Effect<Option.Option<Source>, TemporarilyUnavailable>
  /** The last runs, newest first. */
  runs(name: string, limit: number): Effect.Effect<ReadonlyArray<SourceRun>, TemporarilyUnavailable>
  /** Whether there is such a source. */
  pause(name: string, paused: boolean): Effect.Effect<boolean, TemporarilyUnavailable>
  /** The source and its runs; the records that it brought stay. */
  remove(name: string): Effect.Effect<boolean, TemporarilyUnavailable>
  /** The names of what is due, the longest first. One that is paused, or asks, is not. */
  readonly due: Effect.Effect<ReadonlyArray<string>, TemporarilyUnavailable>

  /** Runs the effect while nobody else syncs; none: somebody does. */
  alone<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E | TemporarilyUnavailable, R>

  /** A new run; one that was open is left. */
  begin(name: string, full: boolean, unseen: ReadonlyArray<string>): Effect.Effect<SourceRun, TemporarilyUnavailable>
  /** Keeps the rows of a page. Atomic. */
  keep(step: ReadStep): Effect.Effect<SourceRun, RunTaken | TemporarilyUnavailable>
  plan(name: string, run: SourceRun): Effect.Effect<RunPlan, TemporarilyUnavailable>
  /** Another state of an open run, with its reason. */
  turn(
    name: string,
    run: SourceRun,
    state: RunState,
    reason: string | null
  ): Effect.Effect<SourceRun, RunTaken | TemporarilyUnavailable>
  /** The next rows that differ, by key. */
  next(name: string, run: SourceRun, limit: number): Effect.Effect<ReadonlyArray<KeptRow>, TemporarilyUnavailable>
  /**
   * Loads rows by `load` and takes note of them; what it rejects is not known. Atomic.
   */
  load<R>(
    name: string,
    run: SourceRun,
    rows: ReadonlyArray<KeptRow>,
    load: Effect.Effect<LoadOutcome, TemporarilyUnavailable, R>
  ): Effect.Effect<SourceRun, RunTaken | TemporarilyUnavailable, R>
  /**
   * Marks what vanished where the run that is given is full, forgets what was kept aside, takes over the mark that it has, and
   * says when the next is due. `same`: rows that were not loaded, being the same. Atomic.
   */
  finish(name: string, run: SourceRun, same: number): Effect.Effect<SourceRun, RunTaken | TemporarilyUnavailable>
  /** Tries again later, for a reason that a run under way tells: the run stays as it is. */
  postpone(name: string, run: SourceRun, reason: string): Effect.Effect<void, TemporarilyUnavailable>
}>()("@freehold/core/source/Sources") {}
