/**
 * Giving a charge back: the whole of it, once, to the grants that it came from.
 *
 * A grant that is gone by now takes its part back too and loses it at once by an expiry entry, so that the history says
 * what happened and nobody can spend it. What the charge had opened is closed again. Implements decisions, section 20
 * ("A refund closes what its charge opened") and operator.md (`credits refund`).
 */
import { Result } from "effect"
import type { EntryActor } from "../access/EntryActor.ts"
import { invalid, type InvalidInput } from "../operation/InvalidInput.ts"
import { expire } from "./BurnDown.ts"
import type { Item, LedgerDecision, LedgerSnapshot } from "./Ledger.ts"
import { decide } from "./LedgerDecision.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"

export interface RefundRequest {
  /** Why, for people; kept as the entry's `ref`. */
  readonly reason?: string
  readonly actor: EntryActor
  readonly requestId: string | null
  /** Milliseconds. */
  readonly now: number
}

/** The refund's entry, and whether this call made it. */
export interface Refunded {
  readonly outcome: "created" | "unchanged"
  readonly entry: number
}

/** What the charge opened; nothing, for a lead bundle. */
const itemOf = ({ action, subject_id: id, subject_type: kind }: LedgerEntry): Item | null => {
  if (id === null) return null
  if (kind === "own") return action === null ? null : { kind, action, id }
  return kind === "property" || kind === "contact" ? { kind, id } : null
}

/** `snapshot` is about the subject `Entry` of the charge. */
export const decideRefund = (
  snapshot: LedgerSnapshot,
  refund: RefundRequest
): Result.Result<LedgerDecision<Refunded>, InvalidInput> => {
  const charged = snapshot.entry
  if (charged === null) return Result.fail(invalid("entry", "There is no such entry"))
  if (charged.kind !== "charge") return Result.fail(invalid("entry", "Expected a charge; only those are refunded"))
  if (snapshot.refundedBy !== null) {
    return Result.succeed(decide({ outcome: "unchanged", entry: snapshot.refundedBy }))
  }
  const back = new Map(charged.allocations.map(({ amount, grantRef }) => [grantRef, amount]))
  const grants = snapshot.grants.map((grant) => ({
    ...grant,
    remaining: grant.remaining + (back.get(grant.ref) ?? 0)
  }))
  const opened = itemOf(charged)
  return Result.succeed(decide<Refunded>({ outcome: "created", entry: snapshot.version + 1 }, {
    entries: [
      {
        kind: "refund",
        ref: refund.reason ?? null,
        action: charged.action,
        subject_type: charged.subject_type,
        subject_id: charged.subject_id,
        credits: -charged.credits,
        buckets: {
          trial: 0 - charged.buckets.trial,
          included: 0 - charged.buckets.included,
          enterprise_pool: 0 - charged.buckets.enterprise_pool,
          purchased: 0 - charged.buckets.purchased
        },
        actor: refund.actor,
        request_id: refund.requestId,
        refund_of: charged.entry,
        allocations: charged.allocations
      },
      ...expire(grants, refund.now)
    ],
    access: opened === null ? [] : [{ _tag: "Remove", ...opened, chargeEntry: charged.entry }]
  }))
}
