/**
 * What one organization owns, may spend and has used: the port that keeps money and limits exact.
 *
 * A use case is a pure function from a snapshot to a decision or a refusal (see `Charge`, `UnlockProperty`,
 * `RevealContact`). `transact` reads the snapshot, lets the function decide, and applies the decision, all or nothing and
 * under the organization's one lock, to the very state that the snapshot shows. No transaction touches two organizations.
 *
 * *Gotchas.* The function may be called more than once (an adapter may retry), so it must be pure. An adapter that reads
 * before it locks must see, under the lock, that nothing has changed; one that locks first reads after the lock was
 * taken, never with it. An older snapshot would charge for what has just become free.
 */
import { Context, type Effect, type Result } from "effect"
import type { Counted, Usage, UsageQuery } from "../limit/Usage.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import type { Bucket, BucketAmounts } from "./Bucket.ts"
import type { ActionInProgress } from "./CreditRefusals.ts"
import type { Allocation, EntryDraft, LedgerEntry } from "./LedgerEntry.ts"

/** What a command is about; the snapshot holds the facts of it. */
export type Subject =
  | { readonly _tag: "Property"; readonly propertyId: string }
  | { readonly _tag: "Contact"; readonly contactId: string }
  | { readonly _tag: "Firm"; readonly firmId: string }
  /** What an own action (`OwnAction`) is about. */
  | { readonly _tag: "Own"; readonly action: string; readonly subjectId: string }
  /** Metered lead bundles of the UTC month that starts at `monthStart` (milliseconds); one of a property, with its id. */
  | { readonly _tag: "Exports"; readonly monthStart: number; readonly propertyId?: string }
  /** The launch of a paid run; `launch` names what must not be launched twice at once. */
  | { readonly _tag: "Research"; readonly launch: string }
  | { readonly _tag: "Grant"; readonly ref: string }
  | { readonly _tag: "Entry"; readonly entry: number }

/** A grant with credits left. Ordered by bucket, then by expiry (never last), then by age. */
export interface OpenGrant {
  readonly ref: string
  readonly bucket: Bucket
  readonly remaining: number
  /** Milliseconds; null: never. */
  readonly expiresAt: number | null
}

/** What is recorded of one item: a paid access has exactly one charge. */
export interface AccessRecord {
  readonly source: "paid" | "covered" | "free"
  /** The charge of a paid access. */
  readonly chargeEntry: number | null
}

/** The facts under the lock. */
export interface LedgerSnapshot {
  /** The number of the last entry; 0: none. */
  readonly version: number
  readonly organization: Pick<
    Organization,
    "plan" | "status" | "payment_status" | "credits_dormant" | "features" | "export_allowance"
  >
  /**
   * Open grants, expired ones included until an expiry entry closes them. Entry: also those that the entry took from,
   * with nothing left.
   */
  readonly grants: ReadonlyArray<OpenGrant>
  /** The recorded access to the subject (Property, Contact, Own), or to the property that is exported. */
  readonly access: AccessRecord | null
  /** Contact: one of its properties that are not retired is unlocked by payment. Always false for other subjects. */
  readonly openedByProperty: boolean
  /** Exports: deliveries already counted in that month. Otherwise 0. */
  readonly exportsUsed: number
  /** Grant: the entry that made the grant of that ref. Entry: the entry of that number. */
  readonly entry: (LedgerEntry & { readonly allocations: ReadonlyArray<Allocation> }) | null
  /** Entry: that entry was refunded before, by the entry of this number. */
  readonly refundedBy: number | null
  /** What the command's `usage` asks for; all zero without one. */
  readonly usage: Usage
}

/** Something that an organization has access to. An own item is one subject of one own action. */
export type Item =
  | { readonly kind: "property" | "contact"; readonly id: string }
  | { readonly kind: "own"; readonly action: string; readonly id: string }

/** Access to record (replacing what was) or to remove. `paid` ties it to the first charge of the decision. */
export type AccessChange =
  | {
    readonly _tag: "Record"
    readonly kind: "property" | "contact"
    readonly id: string
    readonly source: AccessRecord["source"]
  }
  | {
    readonly _tag: "Record"
    readonly kind: "own"
    readonly action: string
    readonly id: string
    readonly source: "paid"
  }
  /** Opens a property by the decision's charge of that number, unless an earlier charge opened it. */
  | { readonly _tag: "Include"; readonly kind: "property"; readonly id: string; readonly chargeEntry: number }
  /**
   * Closes what this charge opened; what another charge opened stays. Where a later charge that stands includes the same
   * property (a research of it), the property stays open by that one.
   */
  | ({ readonly _tag: "Remove"; readonly chargeEntry: number } & Item)

/** What a use case wants done; empty lists do nothing. */
export interface LedgerDecision<A> {
  readonly value: A
  /** Appended in this order. */
  readonly entries: ReadonlyArray<EntryDraft>
  /** Grants that begin with these entries. */
  readonly newGrants: ReadonlyArray<OpenGrant>
  readonly access: ReadonlyArray<AccessChange>
  /** Metered lead bundles to count in the subject's month. */
  readonly exports: number
  /** What to add to the limits' counters; only a command with `usage` may add anything. */
  readonly counted: Counted
  /**
   * A webhook delivery that counts as under way, with the records that it would take, for as long as that claim is held
   * and its outcome is not recorded.
   */
  readonly holds: { readonly deliveryId: string; readonly claim: number; readonly records: number } | null
}

export interface AccountBalance {
  readonly balance: BucketAmounts
  /** Metered lead bundles of the UTC month of `now`. */
  readonly exportsUsed: number
}

/** Port: the accounts of credits, changed by decisions that are taken one after another for each organization. */
export class Ledger extends Context.Service<Ledger, {
  /**
   * Decides under the organization's lock and applies the decision. Atomic.
   *
   * With `exclusive`, a second call for the same subject while the first runs is refused ACTION_IN_PROGRESS at once;
   * nothing of that stays behind when the first ends, however it ends.
   *
   * What opens a property, or takes the one that the command is about as a record, fails `overtaken` once that was merged
   * away: nothing new is kept about it.
   */
  transact<A, E>(
    command: {
      readonly orgId: OrganizationId
      readonly subject: Subject
      readonly exclusive: boolean
      /** Milliseconds; the time of the entries. */
      readonly now: number
      /** The limits' counters that the decision needs. */
      readonly usage?: UsageQuery
    },
    decide: (snapshot: LedgerSnapshot) => Result.Result<LedgerDecision<A>, E>
  ): Effect.Effect<A, E | ActionInProgress | TemporarilyUnavailable>

  /** Spendable credits at `now` (expired grants left out) and the exports of its month, from one snapshot. */
  balance(orgId: OrganizationId, now: number): Effect.Effect<AccountBalance, TemporarilyUnavailable>

  /** What was used of the limits; takes no lock, so it may be gone when it is answered. Counters only grow. */
  usage(orgId: OrganizationId, query: UsageQuery): Effect.Effect<Usage, TemporarilyUnavailable>

  /** Entries after the number `after`, oldest first; of a span alone, from `since` to before `until` (milliseconds). */
  entries(
    orgId: OrganizationId,
    page: { readonly after: number; readonly limit: number; readonly since?: number; readonly until?: number }
  ): Effect.Effect<ReadonlyArray<LedgerEntry>, TemporarilyUnavailable>
}>()("@freehold/core/credit/Ledger") {}
