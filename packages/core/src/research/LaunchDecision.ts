/**
 * What a launch costs and books: one charge for each subject, all of them or none.
 *
 * The checks come in the order of decisions section 20: billing, payment, dormancy, the day's unlocks, money, and last the
 * caller's consent, so that no price is told of what would be refused. A property's research includes its unlock: its charge
 * opens the property, and each counts as a paid unlock of the day. What is open already costs the same, since it is
 * researched anew.
 */
import { Result } from "effect"
import { total } from "../credit/Bucket.ts"
import { spendable } from "../credit/BurnDown.ts"
import { agreed, allowSpending, charge, type Consent, mayLaunch, type Payer } from "../credit/Charge.ts"
import {
  type BillingNotProvisioned,
  type CostConfirmationRequired,
  type CreditsDormant,
  InsufficientCredits,
  type SubscriptionPaymentFailed,
  type UserCreditLimitExceeded
} from "../credit/CreditRefusals.ts"
import type { AccessChange, LedgerDecision, LedgerSnapshot, OpenGrant } from "../credit/Ledger.ts"
import { decide } from "../credit/LedgerDecision.ts"
import type { EntryDraft } from "../credit/LedgerEntry.ts"
import type { DailyRefusal } from "../limit/LimitRefusals.ts"
import type { Limits } from "../limit/Limits.ts"
import { allow, counting } from "../limit/Metering.ts"
import { priceOf, type ResearchAction, subjectTypes } from "./ResearchRun.ts"

export interface LaunchRequest extends Payer, Consent {
  readonly action: ResearchAction
  /** At least one, each once. */
  readonly subjectIds: ReadonlyArray<string>
  /** Those of the key or connection that calls; absent: nobody limits this, and nothing is counted. */
  readonly limits?: Limits | undefined
}

export type LaunchMoneyRefusal =
  | BillingNotProvisioned
  | SubscriptionPaymentFailed
  | CreditsDormant
  | UserCreditLimitExceeded
  | InsufficientCredits
  | CostConfirmationRequired
  | DailyRefusal

/** The grants after the entries. */
const after = (grants: ReadonlyArray<OpenGrant>, entries: ReadonlyArray<EntryDraft>): ReadonlyArray<OpenGrant> => {
  const taken = new Map<string, number>()
  for (const { amount, grantRef } of entries.flatMap(({ allocations }) => allocations)) {
    taken.set(grantRef, (taken.get(grantRef) ?? 0) + amount)
  }
  return grants.map((grant) => ({ ...grant, remaining: grant.remaining - (taken.get(grant.ref) ?? 0) }))
}

/** Answers the numbers of the charges, in the order of the subjects. `snapshot` is about a launch. */
export const decideLaunch = (
  snapshot: LedgerSnapshot,
  request: LaunchRequest
): Result.Result<LedgerDecision<ReadonlyArray<number>>, LaunchMoneyRefusal> => {
  const { action, limits, now, subjectIds } = request
  const price = priceOf(action)
  const required = price * subjectIds.length
  const unlocks = action === "research_property" ? subjectIds.length : 0
  return Result.gen(function*() {
    yield* mayLaunch(snapshot)
    if (limits !== undefined) yield* allow(limits, snapshot.usage, "paid_property_unlock", unlocks)
    yield* allowSpending(limits?.spender ?? null, snapshot.usage.spent, required)
    const available = total(spendable(snapshot.grants, now))
    if (available < required) {
      const several = subjectIds.length > 1 ? { affordable: Math.floor(available / price) } : {}
      return yield* Result.fail(new InsufficientCredits({ required, available, ...several }))
    }
    yield* agreed(snapshot, required, request)
    const entries: Array<EntryDraft> = []
    const charges: Array<number> = []
    const access: Array<AccessChange> = []
    let grants = snapshot.grants
    for (const subjectId of subjectIds) {
      const drafts = yield* charge(
        { ...snapshot, grants },
        { action, price, subjectType: subjectTypes[action], subjectId },
        request
      )
      grants = after(grants, drafts)
      entries.push(...drafts)
      const chargeEntry = snapshot.version + entries.length
      charges.push(chargeEntry)
      if (unlocks > 0) access.push({ _tag: "Include", kind: "property", id: subjectId, chargeEntry })
    }
    return decide<ReadonlyArray<number>>(charges, {
      entries,
      access,
      counted: counting(limits, { paid_property_unlock: unlocks })
    })
  })
}
