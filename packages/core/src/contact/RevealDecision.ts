/**
 * Whether a reveal is free, what it costs otherwise, and what is recorded of it.
 *
 * Free: already paid for, attached to a property that was unlocked by payment, or covered by the subscription. A free
 * reveal is recorded as `free`, so that the next one answers `alreadyRevealed`; the record opens nothing by itself, and
 * when its reason has gone the contact is locked, and charged as a first one. Implements decisions, section 20 "Credits
 * and limits". An unlock opens every attached contact; a reveal that was paid before gives no discount on it.
 */
import { Result } from "effect"
import { agreed, charge, type Consent, mayPay, type MoneyRefusal, type Payer } from "../credit/Charge.ts"
import type { CostConfirmationRequired } from "../credit/CreditRefusals.ts"
import type { LedgerDecision, LedgerSnapshot } from "../credit/Ledger.ts"
import { decide } from "../credit/LedgerDecision.ts"

export interface RevealRequest extends Payer, Consent {
  /** The canonical id. */
  readonly contactId: string
  /** The subscription covers the county of one of its properties. */
  readonly covered: boolean
  readonly price: number
}

/** The part of a reveal's answer that is about money. */
export interface Revealed {
  readonly alreadyRevealed: boolean
  readonly creditsCharged: number
}

/** `snapshot` is about the subject `Contact` of the same id. */
export const decideReveal = (
  snapshot: LedgerSnapshot,
  request: RevealRequest
): Result.Result<LedgerDecision<Revealed>, CostConfirmationRequired | MoneyRefusal> => {
  const { contactId: id, price } = request
  const free = request.covered || snapshot.openedByProperty
  if (snapshot.access?.source === "paid" || (free && snapshot.access !== null)) {
    return Result.succeed(decide({ alreadyRevealed: true, creditsCharged: 0 }))
  }
  if (free) {
    return Result.succeed(decide({ alreadyRevealed: false, creditsCharged: 0 }, {
      access: [{ _tag: "Record", kind: "contact", id, source: "free" }]
    }))
  }
  return Result.gen(function*() {
    yield* mayPay(snapshot)
    yield* agreed(snapshot, price, request)
    const entries = yield* charge(
      snapshot,
      { action: "reveal_contact", price, subjectType: "contact", subjectId: id },
      request
    )
    return decide({ alreadyRevealed: false, creditsCharged: price }, {
      entries,
      access: [{ _tag: "Record", kind: "contact", id, source: "paid" }]
    })
  })
}
