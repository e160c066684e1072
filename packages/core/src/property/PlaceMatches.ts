/**
 * Records of two sources that may be of one place.
 *
 * A pair is proposed until a person decides about it: a merge cannot be undone, so none is made by itself. A rejected pair never
 * comes back. Records of one source are never compared, since a source knows its own; of records that were imported by hand, those
 * count as of one source whose keys begin with the same letters.
 */
import { Context, type Effect, type Option, Schema } from "effect"
import type { StaleCounty } from "../coverage/StaleCounty.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Merged, MergeRefused } from "./PropertyMerges.ts"
import type { Place, PlaceEvidence, PlaceMatch } from "./SamePlace.ts"

/** How a pair stands. */
export const PairState = Schema.Literals(["proposed", "accepted", "rejected"])
/** How a pair stands. */
export type PairState = typeof PairState.Type

export interface ComparedPlace extends Place {
  readonly id: string
}

/**
 * A record, and those of other sources and a greater id that lie near it, have its house number or its parcel number, or are proposed
 * with it; of a lesser id those whose own parcel number it has among others.
 */
export interface PlaceCandidates {
  readonly place: ComparedPlace
  readonly others: ReadonlyArray<ComparedPlace>
}

export interface FoundPair extends PlaceMatch {
  readonly oneId: string
  readonly otherId: string
}

/** One record of a pair, as the operator sees it. */
export interface PairedRecord {
  readonly id: string
  readonly key: string
  readonly source: string | null
  readonly address: string | null
  readonly name: string | null
}

/** A pair as the operator sees it: `from` would retire in favour of `into`. */
export interface ListedPair {
  readonly id: string
  readonly state: PairState
  readonly confidence: number
  readonly evidence: ReadonlyArray<PlaceEvidence>
  readonly from: PairedRecord
  readonly into: PairedRecord
}

/** Port: records that may be of one place. */
export class PlaceMatches extends Context.Service<PlaceMatches, {
  /** Runs the effect while nobody else compares; none: somebody does. */
  alone<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E | TemporarilyUnavailable, R>
  /** Runs the effect and undoes what it did. */
  undone<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TemporarilyUnavailable, R>

  /** Counties that changed since they were compared, or all; of these alone where some are named. */
  counties(request: { readonly all: boolean; readonly only: ReadonlyArray<string> | null }): Effect.Effect<
    ReadonlyArray<StaleCounty>,
    TemporarilyUnavailable
  >
  /** Records of a county by their ids, after this one. */
  candidates(countyFips: string, after: string | null, limit: number): Effect.Effect<
    ReadonlyArray<PlaceCandidates>,
    TemporarilyUnavailable
  >
  /**
   * Keeps what was found of these records instead of what was proposed for them; what a person decided stays. Answers how many are
   * proposed that were not before.
   */
  keep(ids: ReadonlyArray<string>, pairs: ReadonlyArray<FoundPair>): Effect.Effect<number, TemporarilyUnavailable>
  /** The county is compared as it was then. */
  compared(county: StaleCounty): Effect.Effect<void, TemporarilyUnavailable>

  /** Pairs of a state, the most confident first, after this one; of those that are proposed, those of living records alone. */
  list(request: {
    readonly state: PairState
    readonly countyFips: ReadonlyArray<string> | null
    readonly after: string | null
    readonly limit: number
  }): Effect.Effect<ReadonlyArray<ListedPair>, TemporarilyUnavailable>
  find(id: string): Effect.Effect<Option.Option<ListedPair>, TemporarilyUnavailable>
  /** The pair is of two places: it does not come back. */
  reject(id: string): Effect.Effect<void, TemporarilyUnavailable>
  /** Merges the pair by `merge`, and takes note of it, both or neither. */
  accept<R>(
    id: string,
    merge: Effect.Effect<Merged, MergeRefused | TemporarilyUnavailable, R>
  ): Effect.Effect<Merged, MergeRefused | TemporarilyUnavailable, R>
}>()("@freehold/core/property/PlaceMatches") {}
