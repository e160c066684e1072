/**
 * Whether a reveal is free, what it costs otherwise, and what is recorded and counted of it.
 *
 * Free: already paid for, attached to a property that was unlocked by payment, or covered by the subscription. A free
 * reveal is recorded as `free`, so that the next one answers `alreadyRevealed`; the record opens nothing by itself, and
 * when its reason has gone the contact is locked, and charged as a first one. Implements decisions, section 20 "Credits
 * and limits". An unlock opens every attached contact; a reveal that was paid before gives no discount on it.
 *
 * | reveal                             | contact_reveal               | record |
 * | ---------------------------------- | ---------------------------- | ------ |
 * | repeated                           | not counted                  | taken  |
 * | first, free by an unlocked property | not counted                  | taken  |
 * | first, covered                     | once a contact and day       | taken  |
 * | paid                               | counted                      | taken  |
 */
import { Result } from "effect"
import { agreed, charge, type Consent, mayPay, type MoneyRefusal, type Payer } from "../credit/Charge.ts"
import type { CostConfirmationRequired } from "../credit/CreditRefusals.ts"
import type { LedgerDecision, LedgerSnapshot } from "../credit/Ledger.ts"
import { decide } from "../credit/LedgerDecision.ts"
import type { LimitRefusal } from "../limit/LimitRefusals.ts"
import type { Limits } from "../limit/Limits.ts"
import { allow, counting, decideReading, type RecordsFacts, takeRecords } from "../limit/Metering.ts"
import { nothing } from "../limit/Usage.ts"

export interface RevealRequest extends Payer, Consent {
  /** The canonical id. */
  readonly contactId: string
  /** The subscription covers the county of one of its properties. */
  readonly covered: boolean
  readonly price: number
  /** Those of the key or connection that calls; absent: nobody limits this, and nothing is counted. */
  readonly limits?: Limits | undefined
}

/** The part of a reveal's answer that is about money, and what it took where a records allowance is in force. */
export interface Revealed {
  readonly alreadyRevealed: boolean
  readonly creditsCharged: number
  readonly records?: RecordsFacts
}

const told = (records: RecordsFacts | null) => records === null ? {} : { records }

/** `snapshot` is about the subject `Contact` of the same id, with the usage of that contact and its record. */
export const decideReveal = (
  snapshot: LedgerSnapshot,
  request: RevealRequest
): Result.Result<LedgerDecision<Revealed>, CostConfirmationRequired | MoneyRefusal | LimitRefusal> => {
  const { contactId: id, limits, price } = request
  const record = [{ kind: "contact" as const, id }]
  const free = request.covered || snapshot.openedByProperty
  const repeated = snapshot.access?.source === "paid" || free && snapshot.access !== null
  return Result.gen(function*() {
    if (repeated || free) {
      const covered = repeated || snapshot.openedByProperty ? [] : [id]
      const reading = limits === undefined
        ? { counted: nothing, facts: null }
        : yield* decideReading(limits, snapshot.usage, { covered, whole: true, records: record })
      return decide<Revealed>({ alreadyRevealed: repeated, creditsCharged: 0, ...told(reading.facts) }, {
        access: repeated ? [] : [{ _tag: "Record", kind: "contact", id, source: "free" }],
        counted: reading.counted
      })
    }
    yield* mayPay(snapshot)
    if (limits !== undefined) yield* allow(limits, snapshot.usage, "contact_reveal", 1)
    const taking = limits === undefined ? null : yield* takeRecords(limits, snapshot.usage, record)
    const entries = yield* charge(
      snapshot,
      { action: "reveal_contact", price, subjectType: "contact", subjectId: id },
      request
    )
    yield* agreed(snapshot, price, request)
    return decide<Revealed>({ alreadyRevealed: false, creditsCharged: price, ...told(taking?.facts ?? null) }, {
      entries,
      access: [{ _tag: "Record", kind: "contact", id, source: "paid" }],
      counted: { ...counting(limits, { contact_reveal: 1 }), ...taking?.counted }
    })
  })
}
