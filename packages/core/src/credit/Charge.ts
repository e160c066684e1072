/**
 * Paying a price: whether the organization may pay at all, whether the caller agreed and has enough left of a limit of
 * their own, and from which grants.
 *
 * The price is split over the open grants in burn-down order; grants that are gone by now are closed by expiry entries
 * first, so that nothing is ever spent from them. Implements decisions, section 19 "Burn-down order", section 20
 * "Credits and limits" (payment failed, dormant, limits, money) and section 15 (`maxCredits`).
 */
import { DateTime, Result } from "effect"
import type { EntryActor } from "../access/EntryActor.ts"
import type { Limits } from "../limit/Limits.ts"
import type { Spender } from "../limit/MemberSpending.ts"
import { none, plus, total } from "./Bucket.ts"
import { expire, inBurnDownOrder, isExpired, spendable } from "./BurnDown.ts"
import {
  BillingNotProvisioned,
  CostConfirmationRequired,
  CreditsDormant,
  InsufficientCredits,
  PaymentFailed,
  SubscriptionPaymentFailed,
  UserCreditLimitExceeded
} from "./CreditRefusals.ts"
import type { LedgerSnapshot } from "./Ledger.ts"
import type { Allocation, EntryDraft } from "./LedgerEntry.ts"
import type { OwnAction } from "./OwnAction.ts"
import type { PaidAction } from "./Price.ts"

/** Who pays, and when. */
export interface Payer {
  readonly actor: EntryActor
  readonly requestId: string | null
  /** Milliseconds. */
  readonly now: number
  /** Those of the caller, for a monthly limit of their own; absent: nobody's. */
  readonly limits?: Pick<Limits, "spender"> | undefined
}

/** How much a caller agreed to pay. */
export interface Consent {
  /** The most that the caller agreed to; 0 only asks for the price. Absent: any price. */
  readonly maxCredits?: number | undefined
}

/** What is paid for: an action of the price table, or an embedding application's own. */
export type Purchase =
  & {
    /** A positive whole number. */
    readonly price: number
    readonly subjectId: string
  }
  & (
    | { readonly action: PaidAction; readonly subjectType: "property" | "contact" | "organization" | "lead" }
    | { readonly action: OwnAction["name"]; readonly subjectType: "own" }
  )

export type MoneyRefusal = PaymentFailed | CreditsDormant | UserCreditLimitExceeded | InsufficientCredits

/** Whether the organization may spend credits at all. */
export const mayPay = (snapshot: LedgerSnapshot): Result.Result<void, PaymentFailed | CreditsDormant> => {
  if (snapshot.organization.payment_status === "failed") return Result.fail(new PaymentFailed())
  if (snapshot.organization.credits_dormant) return Result.fail(new CreditsDormant())
  return Result.succeed(undefined)
}

/** Whether research may be started at all: the same in the words of assistants, who are told too that there never was a grant. */
export const mayLaunch = (
  { organization, version }: LedgerSnapshot
): Result.Result<void, BillingNotProvisioned | SubscriptionPaymentFailed | CreditsDormant> => {
  if (version === 0) return Result.fail(new BillingNotProvisioned())
  if (organization.payment_status === "failed") return Result.fail(new SubscriptionPaymentFailed())
  return organization.credits_dormant ? Result.fail(new CreditsDormant()) : Result.succeed(undefined)
}

/**
 * Whether the caller agreed to the price. Asked last, so that a price is never told of what would be refused all the same.
 */
export const agreed = (
  snapshot: LedgerSnapshot,
  price: number,
  { limits, maxCredits, now }: Consent & Pick<Payer, "now" | "limits">
): Result.Result<void, CostConfirmationRequired> =>
  maxCredits === undefined || price <= maxCredits
    ? Result.succeed(undefined)
    : Result.fail(
      new CostConfirmationRequired({
        projectedCredits: price,
        maxCredits,
        balance: total(spendable(snapshot.grants, now)),
        ownLimitRemaining: ownRemaining(limits?.spender ?? null, snapshot.usage.spent)
      })
    )

/** Whether a price can be paid at all: by what is left of the caller's own limit, and by what the organization has. */
export const affords = (
  { grants, usage }: Pick<LedgerSnapshot, "grants" | "usage">,
  price: number,
  { limits, now }: Pick<Payer, "now" | "limits">
): Result.Result<void, UserCreditLimitExceeded | InsufficientCredits> => {
  const personal = allowSpending(limits?.spender ?? null, usage.spent, price)
  if (Result.isFailure(personal)) return personal
  const available = total(spendable(grants, now))
  if (available < price) return Result.fail(new InsufficientCredits({ required: price, available }))
  return Result.void
}

/** The entries that pay for the purchase: expiries, then one charge. */
export const charge = (
  snapshot: LedgerSnapshot,
  purchase: Purchase,
  payer: Payer
): Result.Result<ReadonlyArray<EntryDraft>, UserCreditLimitExceeded | InsufficientCredits> => {
  const { price } = purchase
  const paid = affords(snapshot, price, payer)
  if (Result.isFailure(paid)) return Result.fail(paid.failure)
  const allocations: Array<Allocation> = []
  let buckets = none
  let due = price
  for (const grant of inBurnDownOrder(snapshot.grants)) {
    const amount = isExpired(grant, payer.now) ? 0 : Math.min(due, grant.remaining)
    if (amount === 0) continue
    allocations.push({ grantRef: grant.ref, bucket: grant.bucket, amount })
    buckets = plus(buckets, grant.bucket, -amount)
    due -= amount
  }
  return Result.succeed([...expire(snapshot.grants, payer.now), {
    kind: "charge",
    ref: null,
    action: purchase.action,
    subject_type: purchase.subjectType,
    subject_id: purchase.subjectId,
    credits: -price,
    buckets,
    actor: payer.actor,
    request_id: payer.requestId,
    refund_of: null,
    allocations
  }])
}

/** What is left of the spender's own limit of the month; null: there is none. */
export const ownRemaining = (spender: Spender | null, spent: number): number | null =>
  spender === null ? null : Math.max(0, spender.limit - spent)

/** Whether the spender may spend `price` more; `spent` is what the month has cost so far. */
export const allowSpending = (
  spender: Spender | null,
  spent: number,
  price: number
): Result.Result<void, UserCreditLimitExceeded> => {
  if (spender === null || spent + price <= spender.limit) return Result.succeed(undefined)
  return Result.fail(
    new UserCreditLimitExceeded({
      required: price,
      available: ownRemaining(spender, spent) ?? 0,
      limit: spender.limit,
      resetsAt: DateTime.formatIso(DateTime.makeUnsafe(spender.until))
    })
  )
}
