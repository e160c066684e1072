/**
 * Merging: a property record that turned out to be another one is retired in favour of it.
 *
 * Everything that is kept about it moves to the survivor, for all organizations at once: contacts, firms, research, unlocks,
 * lists, leads, notes, tasks, customer accounts, taken records, changes and events. Nothing is charged again.
 *
 * - Where both were unlocked, both charges stand and the access is one.
 * - Where both are leads, the one whose stage changed last goes on as the survivor's; the other one rests with its history.
 * - Of research, the survivor's own stays.
 *
 * The retired record answers PROPERTY_RETIRED with the last survivor from then on. operator.md "property merge"; decisions,
 * section 20.
 */
import { Context, type Effect, Schema } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

export interface MergedProperty {
  readonly id: string
  readonly key: string
}

/** How many of each were moved to the survivor: none. */
export const nothingMoved = {
  contacts: 0,
  firms: 0,
  research: 0,
  accesses: 0,
  /** Of the accesses, those that were paid for under both ids. */
  paid_twice: 0,
  list_items: 0,
  leads: 0,
  /** Leads that rest from now on, since the organization had one of each. */
  leads_resting: 0,
  notes: 0,
  tasks: 0,
  customer_accounts: 0,
  records_taken: 0,
  changes: 0,
  events: 0
}
export type MergeCounts = Readonly<typeof nothingMoved>

export interface Merged {
  readonly outcome: "merged" | "unchanged"
  readonly from: MergedProperty
  /** The last survivor. */
  readonly into: MergedProperty
  readonly moved: MergeCounts
}

/** Why the two are not merged. */
export class MergeRefused extends Schema.TaggedError<MergeRefused>()("MergeRefused", {
  reason: Schema.Literals(["unknown_from", "unknown_into", "same", "merged_elsewhere", "research_running"]),
  /** The record that the reason is about. */
  named: Schema.String
}) {
  override get message() {
    switch (this.reason) {
      case "unknown_from":
      case "unknown_into":
        return `there is no property ${this.named}`
      case "same":
        return `${this.named} leads back to the record itself`
      case "merged_elsewhere":
        return `${this.named} was merged into another record`
      case "research_running":
        return `research of ${this.named} is running; merge it when that has ended`
    }
  }
}

/** Port: retires one of two records of the same property in favour of the other. */
export class PropertyMerges extends Context.Service<PropertyMerges, {
  /**
   * `from`, `into`: an id or a key. Into a retired record means into its last survivor. All or nothing; with `dryRun` it
   * tells what would be moved, and moves nothing.
   */
  merge(request: {
    readonly from: string
    readonly into: string
    readonly dryRun: boolean
  }): Effect.Effect<Merged, MergeRefused | TemporarilyUnavailable>
}>()("@freehold/core/property/PropertyMerges") {}
