/** What an organization's admins read of its ledger: newest first, what can still be spent, and what charges add up to. */
import { Context, type Effect } from "effect"
import type { EntryActor } from "../access/EntryActor.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { OpenGrant } from "./Ledger.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"

/** Which entries are asked for; null: any. Times are milliseconds, `until` is the first one after the span. */
export interface EntryFilter {
  readonly kind: LedgerEntry["kind"] | null
  readonly action: string | null
  /** The id of a key or a member. */
  readonly actorId: string | null
  readonly since: number | null
  readonly until: number | null
}

/** Charges of a span, added up. Credits are positive. */
export interface Spending {
  /** By UTC day (`YYYY-MM-DD`) and action, in this order. */
  readonly days: ReadonlyArray<{
    readonly day: string
    readonly action: string
    readonly credits: number
    readonly charges: number
  }>
  /** By whoever was charged, the one with the most first. */
  readonly actors: ReadonlyArray<{
    readonly kind: EntryActor["kind"]
    readonly id: string | null
    /** As it was at their last charge of the span. */
    readonly name: string | null
    readonly credits: number
    readonly charges: number
  }>
}

/** Port: the ledger as people read it. */
export class LedgerReport extends Context.Service<LedgerReport, {
  /** Entries before the number `before` (null: from the last on) that the filter lets through, newest first. */
  latest(
    orgId: OrganizationId,
    page: EntryFilter & { readonly before: number | null; readonly limit: number }
  ): Effect.Effect<ReadonlyArray<LedgerEntry>, TemporarilyUnavailable>

  /** Grants that have credits to spend at `now`, in the order in which they are spent. */
  grants(orgId: OrganizationId, now: number): Effect.Effect<ReadonlyArray<OpenGrant>, TemporarilyUnavailable>

  /** What the charges of a span come to, those that were refunded left out. */
  spending(
    orgId: OrganizationId,
    span: { readonly since: number; readonly until: number }
  ): Effect.Effect<Spending, TemporarilyUnavailable>
}>()("@freehold/core/credit/LedgerReport") {}
