/**
 * Which credits are spent first, and when they are gone.
 *
 * Buckets in the order of `Bucket`, within a bucket the earliest expiry first (never last), then the oldest grant. A
 * grant is gone at the very millisecond of its expiry, whether or not an entry says so yet: expiry is effective by
 * time, the entry only writes it down. decisions, section 19 "Burn-down order".
 */
import type { EntryActor } from "../access/EntryActor.ts"
import { Bucket, type BucketAmounts, none, plus } from "./Bucket.ts"
import type { OpenGrant } from "./Ledger.ts"
import type { EntryDraft } from "./LedgerEntry.ts"

/** The actor of what happens by the clock alone. */
const clock: EntryActor = { kind: "system", id: null, name: null }

/** Whether the grant may no longer be spent from. */
export const isExpired = (grant: OpenGrant, now: number): boolean => grant.expiresAt !== null && grant.expiresAt <= now

const earlier = (left: OpenGrant, right: OpenGrant): number =>
  Bucket.literals.indexOf(left.bucket) - Bucket.literals.indexOf(right.bucket)
  || (left.expiresAt ?? Infinity) - (right.expiresAt ?? Infinity)
  || 0

/** The grants in the order in which they are spent; of equals the one that comes first stays first. */
export const inBurnDownOrder = (grants: Iterable<OpenGrant>): ReadonlyArray<OpenGrant> => [...grants].sort(earlier)

/** What the grants hold at `now`, by bucket. */
export const spendable = (grants: Iterable<OpenGrant>, now: number): BucketAmounts => {
  let amounts = none
  for (const grant of grants) {
    if (!isExpired(grant, now)) amounts = plus(amounts, grant.bucket, grant.remaining)
  }
  return amounts
}

/** One expiry entry for each grant that is gone at `now` and still holds something. */
export const expire = (grants: ReadonlyArray<OpenGrant>, now: number): ReadonlyArray<EntryDraft> =>
  grants.filter((grant) => grant.remaining > 0 && isExpired(grant, now)).map((grant) => ({
    kind: "expiry",
    ref: grant.ref,
    action: null,
    subject_type: null,
    subject_id: null,
    credits: -grant.remaining,
    buckets: plus(none, grant.bucket, -grant.remaining),
    actor: clock,
    request_id: null,
    refund_of: null,
    allocations: [{ grantRef: grant.ref, bucket: grant.bucket, amount: grant.remaining }]
  }))
