/**
 * Whether an unlock is free, what it costs otherwise, and what is recorded of it.
 *
 * | recorded | covered now | answer                 | recorded after |
 * | -------- | ----------- | ---------------------- | -------------- |
 * | paid     | any         | already, 0 credits     | paid           |
 * | covered  | yes         | already, 0 credits     | covered        |
 * | nothing  | yes         | not already, 0 credits | covered        |
 * | covered  | no          | not already, charged   | paid           |
 * | nothing  | no          | not already, charged   | paid           |
 *
 * What is free is free before any other check, and no limit counts it; then come research, payment, dormancy, limits
 * and money. Implements
 * decisions, section 19 ("Paid beats covered") and section 20 "Credits and limits". Coverage that ended closed what it
 * had opened, so that unlock is charged as a first one: `alreadyRevealed` never stands beside a charge.
 */
import { Result } from "effect"
import { agreed, charge, type Consent, mayPay, type MoneyRefusal, type Payer } from "../credit/Charge.ts"
import { type CostConfirmationRequired, NotResearched } from "../credit/CreditRefusals.ts"
import type { LedgerDecision, LedgerSnapshot } from "../credit/Ledger.ts"
import { decide } from "../credit/LedgerDecision.ts"
import type { DailyRefusal } from "../limit/LimitRefusals.ts"
import type { Limits } from "../limit/Limits.ts"
import { allow, counting } from "../limit/Metering.ts"

export interface UnlockRequest extends Payer, Consent {
  /** The canonical id. */
  readonly propertyId: string
  /** The subscription covers the property's county. */
  readonly covered: boolean
  /** There is research to unlock. */
  readonly researched: boolean
  readonly price: number
  /** Those of the key or connection that calls; absent: nobody limits this, and nothing is counted. */
  readonly limits?: Limits | undefined
}

/** The answer of an unlock, in its wire form. */
export interface Unlocked {
  readonly alreadyRevealed: boolean
  readonly creditsCharged: number
}

/** `snapshot` is about the subject `Property` of the same id. */
export const decideUnlock = (
  snapshot: LedgerSnapshot,
  request: UnlockRequest
): Result.Result<LedgerDecision<Unlocked>, NotResearched | CostConfirmationRequired | MoneyRefusal | DailyRefusal> => {
  const { covered, limits, price, propertyId: id } = request
  if (snapshot.access?.source === "paid" || (covered && snapshot.access !== null)) {
    return Result.succeed(decide({ alreadyRevealed: true, creditsCharged: 0 }))
  }
  if (covered) {
    return Result.succeed(decide({ alreadyRevealed: false, creditsCharged: 0 }, {
      access: [{ _tag: "Record", kind: "property", id, source: "covered" }]
    }))
  }
  if (!request.researched) return Result.fail(new NotResearched())
  return Result.gen(function*() {
    yield* mayPay(snapshot)
    if (limits !== undefined) yield* allow(limits, snapshot.usage, "paid_property_unlock", 1)
    const entries = yield* charge(
      snapshot,
      { action: "unlock_property", price, subjectType: "property", subjectId: id },
      request
    )
    yield* agreed(snapshot, price, request)
    return decide({ alreadyRevealed: false, creditsCharged: price }, {
      entries,
      access: [{ _tag: "Record", kind: "property", id, source: "paid" }],
      counted: counting(limits, { paid_property_unlock: 1 })
    })
  })
}
