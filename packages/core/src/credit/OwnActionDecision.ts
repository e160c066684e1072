/**
 * What an own action costs about one subject, and what is recorded of it: its price the first time, then nothing.
 *
 * The same laws hold as for an unlock: what was paid for is free before any other check, then come payment, dormancy,
 * the caller's consent and money; each charge that was not refunded is the charge of exactly one recorded access.
 */
import { Result } from "effect"
import { agreed, charge, type Consent, mayPay, type MoneyRefusal, type Payer } from "./Charge.ts"
import type { CostConfirmationRequired } from "./CreditRefusals.ts"
import type { LedgerDecision, LedgerSnapshot } from "./Ledger.ts"
import { decide } from "./LedgerDecision.ts"
import type { OwnAction } from "./OwnAction.ts"

export interface OwnActionRequest extends Payer, Consent {
  readonly action: OwnAction
  readonly subjectId: string
}

export interface OwnActionBill {
  readonly alreadyPaid: boolean
  readonly creditsCharged: number
  /** The charge, whenever it was made: what a refund names. */
  readonly entry: number
}

/** `snapshot` is about the subject `Own` of the same action and subject. */
export const decideOwnAction = (
  snapshot: LedgerSnapshot,
  request: OwnActionRequest
): Result.Result<LedgerDecision<OwnActionBill>, CostConfirmationRequired | MoneyRefusal> => {
  const { action: { name: action, price }, subjectId: id } = request
  const paid = snapshot.access?.chargeEntry ?? null
  if (paid !== null) return Result.succeed(decide({ alreadyPaid: true, creditsCharged: 0, entry: paid }))
  return Result.gen(function*() {
    yield* mayPay(snapshot)
    const entries = yield* charge(snapshot, { action, price, subjectType: "own", subjectId: id }, request)
    yield* agreed(snapshot, price, request)
    const entry = snapshot.version + entries.length
    return decide<OwnActionBill>({ alreadyPaid: false, creditsCharged: price, entry }, {
      entries,
      access: [{ _tag: "Record", kind: "own", action, id, source: "paid" }]
    })
  })
}
