/**
 * Giving credits to an organization, once per external reference.
 *
 * A reference that is known changes nothing, whatever else is asked: a grant may be repeated until it was answered, and a
 * document be applied again when what it granted is over.
 * Implements operator.md (`credits grant`, `grants` of an apply document) and decisions, section 20: a grant's ref is
 * unique within its organization, whether granted by `apply` or by the command.
 */
import { Result } from "effect"
import type { EntryActor } from "../access/EntryActor.ts"
import { invalid, type InvalidInput } from "../operation/InvalidInput.ts"
import { type Bucket, none, plus, total } from "./Bucket.ts"
import { expire, spendable } from "./BurnDown.ts"
import type { LedgerDecision, LedgerSnapshot } from "./Ledger.ts"
import { decide } from "./LedgerDecision.ts"

/** What one organization can hold, far above any order and far below what a database integer holds. */
export const maximumBalance = 1_000_000_000

export interface GrantRequest {
  readonly ref: string
  readonly bucket: Bucket
  readonly amount: number
  /** Milliseconds; null: never. */
  readonly expiresAt: number | null
  readonly actor: EntryActor
  readonly requestId: string | null
  /** Milliseconds. */
  readonly now: number
}

/** The grant's entry, and whether this call made it. */
export interface Granted {
  readonly outcome: "created" | "unchanged"
  readonly entry: number
}

/** `snapshot` is about the subject `Grant` of the same reference. */
export const decideGrant = (
  snapshot: LedgerSnapshot,
  grant: GrantRequest
): Result.Result<LedgerDecision<Granted>, InvalidInput> => {
  if (snapshot.entry !== null) {
    return Result.succeed(decide({ outcome: "unchanged", entry: snapshot.entry.entry }))
  }
  if (!Number.isInteger(grant.amount) || grant.amount < 1) {
    return Result.fail(invalid("amount", "Expected a whole number of credits above 0"))
  }
  if (grant.expiresAt !== null && grant.expiresAt <= grant.now) {
    return Result.fail(invalid("expires_at", "Expected a time that is still to come"))
  }
  if (total(spendable(snapshot.grants, grant.now)) + grant.amount > maximumBalance) {
    return Result.fail(invalid("amount", `Expected a balance of at most ${maximumBalance} credits`))
  }
  const entries = [...expire(snapshot.grants, grant.now), {
    kind: "grant" as const,
    ref: grant.ref,
    action: null,
    subject_type: null,
    subject_id: null,
    credits: grant.amount,
    buckets: plus(none, grant.bucket, grant.amount),
    actor: grant.actor,
    request_id: grant.requestId,
    refund_of: null,
    allocations: []
  }]
  return Result.succeed(decide<Granted>({ outcome: "created", entry: snapshot.version + entries.length }, {
    entries,
    newGrants: [{ ref: grant.ref, bucket: grant.bucket, remaining: grant.amount, expiresAt: grant.expiresAt }]
  }))
}
