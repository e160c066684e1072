/**
 * What a webhook delivery may use, and what it is booked for.
 *
 * Whether it may be sent is decided when an attempt starts; it is booked once, when its 2xx is recorded. In between it
 * counts as under way, so that however many are sent at once, no cap is passed.
 *
 * | an attempt starts while                          | then                                                  |
 * | ------------------------------------------------ | ----------------------------------------------------- |
 * | everything allows it                             | it is sent                                            |
 * | a daily cap is used up                           | it waits until shortly after midnight UTC             |
 * | the records allowance is used up                 | it waits until shortly after the period's end         |
 * | a credit is needed and cannot be paid            | it is refused for good                                |
 * | only what others have under way stands against it | it waits a second                                     |
 *
 * What arrived is booked whatever the limits say by then. A credit that can no longer be paid is not charged.
 * decisions, sections 7, 19 and 20.
 */
import { Result } from "effect"
import type { Limits } from "../limit/Limits.ts"
import { allow, countRecords, takeRecords } from "../limit/Metering.ts"
import { nothing, type RecordRef, type Usage } from "../limit/Usage.ts"
import { nextMidnight } from "../operation/UtcTime.ts"
import { total } from "./Bucket.ts"
import { spendable } from "./BurnDown.ts"
import { charge, mayPay, type Payer } from "./Charge.ts"
import { isFreeExport } from "./ExportDecision.ts"
import type { LedgerDecision, LedgerSnapshot, OpenGrant } from "./Ledger.ts"
import { decide } from "./LedgerDecision.ts"
import type { EntryDraft } from "./LedgerEntry.ts"
import { prices } from "./Price.ts"

/** How long after midnight or a period's end a postponed delivery is due. */
const shortly = 5_000
/** How long a delivery waits for what others have under way. */
const moment = 1_000

export type AttemptVerdict =
  | { readonly _tag: "Admitted" }
  /** `limited`: a limit is used up; else only what is under way stands against it. */
  | { readonly _tag: "Later"; readonly until: number; readonly limited: boolean; readonly reason: string }
  | { readonly _tag: "Refused"; readonly reason: string }

const admitted: AttemptVerdict = { _tag: "Admitted" }

const withoutOthers = (usage: Usage): Usage => ({ ...usage, underWay: { exports: 0, records: 0 } })

/** What the limits say. */
const limitsVerdict = (limits: Limits, usage: Usage, records: ReadonlyArray<RecordRef>): AttemptVerdict => {
  const refused = Result.gen(function*() {
    yield* allow(limits, usage, "lead_export", 1)
    return yield* takeRecords(limits, usage, records)
  })
  if (Result.isSuccess(refused)) return admitted
  const { _tag: code } = refused.failure
  const ends = code === "RECORDS_ALLOWANCE_EXCEEDED" ? limits.period.end : nextMidnight(limits.now)
  return { _tag: "Later", until: ends + shortly, limited: true, reason: code }
}

/** What the organization's credits say, with so many exports under way before this one. */
const moneyVerdict = (snapshot: LedgerSnapshot, limits: Limits, underWay: number): AttemptVerdict => {
  const { export_allowance: allowance } = snapshot.organization
  if (isFreeExport(snapshot.exportsUsed + underWay, allowance, limits.allowance !== null)) return admitted
  const payable = mayPay(snapshot)
  if (Result.isFailure(payable)) return { _tag: "Refused", reason: payable.failure._tag }
  const owed = snapshot.exportsUsed + underWay + 1 - Math.max(snapshot.exportsUsed, allowance.max_exports_per_month)
  return total(spendable(snapshot.grants, limits.now)) < owed * prices.lead_delivery
    ? { _tag: "Refused", reason: "INSUFFICIENT_CREDITS" }
    : admitted
}

/** `snapshot` is about the subject `Exports` of the month of `limits.now`, with the usage of the bundle's records. */
export const decideAttempt = (
  snapshot: LedgerSnapshot,
  request: {
    readonly deliveryId: string
    readonly claim: number
    readonly records: ReadonlyArray<RecordRef>
    readonly limits: Limits
  }
): Result.Result<LedgerDecision<AttemptVerdict>> => {
  const { limits, records } = request
  const { usage } = snapshot
  const alone = [limitsVerdict(limits, withoutOthers(usage), records), moneyVerdict(snapshot, limits, 0)]
  const standing = alone.find(({ _tag }) => _tag === "Later") ?? alone.find(({ _tag }) => _tag === "Refused")
  if (standing !== undefined) return Result.succeed(decide(standing))
  const among = [limitsVerdict(limits, usage, records), moneyVerdict(snapshot, limits, usage.underWay.exports)]
  if (among.some(({ _tag }) => _tag !== "Admitted")) {
    return Result.succeed(decide<AttemptVerdict>({
      _tag: "Later",
      until: limits.now + moment,
      limited: false,
      reason: "other deliveries are under way"
    }))
  }
  const { deliveryId, claim } = request
  const taken = countRecords(limits, usage, records).counted.records.length
  return Result.succeed(decide(admitted, { holds: { deliveryId, claim, records: taken } }))
}

/** A delivery whose 2xx is being recorded. */
export interface ArrivedDelivery {
  readonly deliveryId: string
  readonly propertyId: string
  readonly records: ReadonlyArray<RecordRef>
}

/** The grants after such entries. */
const after = (grants: ReadonlyArray<OpenGrant>, entries: ReadonlyArray<EntryDraft>): ReadonlyArray<OpenGrant> => {
  const taken = new Map<string, number>()
  for (const { amount, grantRef } of entries.flatMap(({ allocations }) => allocations)) {
    taken.set(grantRef, (taken.get(grantRef) ?? 0) + amount)
  }
  return grants.map((grant) => ({ ...grant, remaining: grant.remaining - (taken.get(grant.ref) ?? 0) }))
}

/**
 * Books deliveries that arrived, one export each; answers how many credits could not be charged. `snapshot` is about the
 * subject `Exports` of the month of `limits.now`, with the usage of all their records.
 */
export const decideBooking = (
  snapshot: LedgerSnapshot,
  request: {
    readonly arrived: ReadonlyArray<ArrivedDelivery>
    readonly limits: Limits
    readonly actor: Payer["actor"]
  }
): Result.Result<LedgerDecision<{ readonly uncharged: number }>> => {
  const { actor, arrived, limits } = request
  const { export_allowance: allowance } = snapshot.organization
  const entries: Array<EntryDraft> = []
  let { grants } = snapshot
  let uncharged = 0
  for (const [index, { deliveryId, propertyId }] of arrived.entries()) {
    if (isFreeExport(snapshot.exportsUsed + index, allowance, limits.allowance !== null)) continue
    const paid = Result.andThen(mayPay(snapshot), () =>
      charge(
        { ...snapshot, grants },
        { action: "lead_delivery", price: prices.lead_delivery, subjectType: "lead", subjectId: propertyId },
        { actor, requestId: deliveryId, now: limits.now }
      ))
    if (Result.isFailure(paid)) {
      uncharged += prices.lead_delivery
      continue
    }
    entries.push(...paid.success)
    grants = after(grants, paid.success)
  }
  const { counted } = countRecords(limits, snapshot.usage, arrived.flatMap(({ records }) => records))
  return Result.succeed(decide({ uncharged }, {
    entries,
    exports: arrived.length,
    counted: { ...nothing, ...counted, kinds: { lead_export: arrived.length } }
  }))
}
