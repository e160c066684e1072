/**
 * Where imported rows go: properties, firms, contacts, research and changes, upserted by key.
 *
 * The outcome is that of loading the rows one after the other, however they are batched: of two rows with one key the
 * later one changes what the earlier one made. A properties row whose `sourceUpdatedAt` is older than the stored one
 * changes nothing and counts as unchanged; so of a source with several years a building the newest wins in any order.
 *
 * An implementation keeps what is derived from rows: the headline values and details of buildings, the contact counts
 * of properties, the enrichment status, the counties that have properties.
 */
import { Context, type Effect, type Scope } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { KnownBy } from "./ContactRow.ts"
import type { ImportKind } from "./ImportKind.ts"
import type { ImportBatch } from "./ImportRow.ts"

/** A row that could not be loaded: its index in the batch, and what about it is wrong. One entry a fault. */
export interface RejectedRow {
  readonly index: number
  readonly field: string | null
  readonly reason: string
}

/** `inserted`, `updated` and `unchanged` count rows and, with the rejected ones, sum to the batch. */
export interface LoadOutcome {
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: ReadonlyArray<RejectedRow>
}

/** How far an import got. */
export interface ImportedSoFar {
  readonly inserted: number
  /** How many rows are likely to come yet; null: nobody can tell. */
  readonly left: number | null
}

export class ImportStore extends Context.Service<ImportStore, {
  /** Loads the rows that can be loaded and names the others. Atomic. Any number of loads may be under way. */
  load(batch: ImportBatch): Effect.Effect<LoadOutcome, TemporarilyUnavailable>

  /** Which of these people were erased for good, and are not to be told of: their places. */
  erased(people: ReadonlyArray<KnownBy>): Effect.Effect<ReadonlySet<number>, TemporarilyUnavailable>

  /** Runs an effect whose loads take effect together, and not at all when it fails. */
  atomically<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TemporarilyUnavailable, R>

  /**
   * To be called once by an import that inserted many rows and has more to come, unless its loads take effect together:
   * a first load is made ready for. That lasts until `settle`, or else until the scope closes.
   */
  expectMore(kind: ImportKind, soFar: ImportedSoFar): Effect.Effect<void, TemporarilyUnavailable, Scope.Scope>

  /** To be called once after the last load of `rows` rows: brings up to date what answers quickly only if it is. */
  settle(kind: ImportKind, rows: number): Effect.Effect<void, TemporarilyUnavailable>
}>()("@freehold/core/import/ImportStore") {}
