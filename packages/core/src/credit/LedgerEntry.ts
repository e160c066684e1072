/**
 * One line of an organization's ledger: append-only, numbered 1..n without gaps, with the balance after it.
 *
 * Amounts are whole credits, signed. decisions, section 20 "Credits and limits".
 */
import { Schema } from "effect"
import { EntryActor } from "../access/EntryActor.ts"
import { Bucket } from "./Bucket.ts"

/** What an entry does to the balance. */
export const EntryKind = Schema.Literals(["grant", "charge", "refund", "expiry"])
export type EntryKind = typeof EntryKind.Type

const BucketDeltas = Schema.Struct({
  trial: Schema.Int,
  included: Schema.Int,
  enterprise_pool: Schema.Int,
  purchased: Schema.Int
})

/** What a charge took from one grant, or a refund gave back to it. */
export const Allocation = Schema.Struct({ grantRef: Schema.String, bucket: Bucket, amount: Schema.Int })
export type Allocation = typeof Allocation.Type

/** One line of the ledger, with the balance after it. */
export const LedgerEntry = Schema.Struct({
  entry: Schema.Int,
  at: Schema.String,
  kind: EntryKind,
  /** The external reference of a grant and of its expiry; the reason of a refund; null for a charge. */
  ref: Schema.NullOr(Schema.String),
  action: Schema.NullOr(Schema.String),
  /** `own`: what an embedding application's own action is about. */
  subject_type: Schema.NullOr(Schema.Literals(["property", "contact", "organization", "lead", "own"])),
  /** null as well in what a member is told of a subject beyond their territory. */
  subject_id: Schema.NullOr(Schema.String),
  credits: Schema.Int,
  buckets: BucketDeltas,
  balance_after: Schema.Int,
  actor: EntryActor,
  request_id: Schema.NullOr(Schema.String),
  /** The entry that a refund gives back. */
  refund_of: Schema.NullOr(Schema.Int)
})
export type LedgerEntry = typeof LedgerEntry.Type

/** Entries of an organization are numbered from 1 to it. */
export const maximumEntry = 2_147_483_647

/** An entry before the ledger numbers it. */
export interface EntryDraft extends Omit<LedgerEntry, "entry" | "at" | "balance_after"> {
  /** By grant, so that a refund finds its way back. */
  readonly allocations: ReadonlyArray<Allocation>
}
