/** How much is known of each county, for whoever asks what the service covers. May lag behind an import. */
import { Context, type Effect } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

/** Where records come from, and what is shown with them. */
export interface CountySource {
  readonly title: string
  readonly licence: string
  readonly attribution: string
}

export interface CountyCount {
  readonly countyFips: string
  readonly name: string | null
  /** Properties that were not merged into others. */
  readonly properties: number
  /** When an import last brought rows of the county, ISO-8601; null: never. */
  readonly lastRefresh: string | null
  /** The sources that brought properties of the county by themselves, by their titles. */
  readonly sources: ReadonlyArray<CountySource>
}

/** Port: how many records each county holds, and how fresh they are. */
export class CountyCensus extends Context.Service<CountyCensus, {
  /** The counties with a property, by their codes. */
  readonly read: Effect.Effect<ReadonlyArray<CountyCount>, TemporarilyUnavailable>

  /** Another text after every import of properties; costs little. */
  readonly revision: Effect.Effect<string, TemporarilyUnavailable>
}>()("@freehold/core/coverage/CountyCensus") {}
