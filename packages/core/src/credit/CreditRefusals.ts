/** Refusals about money. Each leaves everything as it was. service-api "Credit and limit codes". */
import { Schema } from "effect"
import { RecordsAhead } from "../limit/Metering.ts"

const credits = (amount: number): string => amount === 1 ? "1 credit" : `${amount} credits`

/** `available` is what can be spent now. */
export class InsufficientCredits extends Schema.TaggedError<InsufficientCredits>()("INSUFFICIENT_CREDITS", {
  required: Schema.Int,
  available: Schema.Int
}) {
  override get message() {
    return `This costs ${credits(this.required)}, and you have ${credits(this.available)}; nothing was charged.`
  }
}

/** The member's own limit of a UTC calendar month; `available` is what is left of it. */
export class UserCreditLimitExceeded
  extends Schema.TaggedError<UserCreditLimitExceeded>()("USER_CREDIT_LIMIT_EXCEEDED", {
    required: Schema.Int,
    available: Schema.Int,
    limit: Schema.Int,
    resetsAt: Schema.String
  })
{
  override get message() {
    return `This costs ${credits(this.required)}, and you have ${
      credits(this.available)
    } left of your monthly limit of ${this.limit}; ` +
      `nothing was charged. The limit starts anew at ${this.resetsAt}.`
  }
}

export class PaymentFailed extends Schema.TaggedError<PaymentFailed>()("PAYMENT_FAILED", {}) {
  override get message() {
    return "The subscription's payment failed; nothing was charged. An admin can settle it."
  }
}

export class CreditsDormant extends Schema.TaggedError<CreditsDormant>()("CREDITS_DORMANT", {}) {
  override get message() {
    return "Credits cannot be spent on the current plan; nothing was charged."
  }
}

/** Another request is doing the same to the same item. */
export class ActionInProgress extends Schema.TaggedError<ActionInProgress>()("ACTION_IN_PROGRESS", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return "Another request is opening this item right now; nothing was charged. Retry after 1 second."
  }
}

/** In a sentence. */
export const readingOf = ({ needed, remaining }: RecordsAhead): string =>
  `To read what it opens takes ${needed} records; ${remaining} may be taken now.`

/** The projected cost is above the ceiling that the caller gave with `maxCredits`. decisions, section 15. */
export class CostConfirmationRequired
  extends Schema.TaggedError<CostConfirmationRequired>()("COST_CONFIRMATION_REQUIRED", {
    projectedCredits: Schema.Int,
    maxCredits: Schema.Int,
    balance: Schema.Int,
    /** What is left of the member's own limit of the month; null: there is none. */
    ownLimitRemaining: Schema.NullOr(Schema.Int),
    /** Of an unlock, where a daily limit or an allowance of records is in force: what reading what it opens would take. */
    records: Schema.optionalKey(RecordsAhead),
    /** Of deep research and a draft: the property that they would speak of. */
    property_id: Schema.optionalKey(Schema.String)
  })
{
  /** The same with what whoever decides about money does not know. */
  telling(more: Pick<CostConfirmationRequired, "records" | "property_id">): CostConfirmationRequired {
    const { balance, maxCredits, ownLimitRemaining, projectedCredits } = this
    return new CostConfirmationRequired({ projectedCredits, maxCredits, balance, ownLimitRemaining, ...more })
  }
  override get message() {
    const own = this.ownLimitRemaining === null ? "" : ` and ${this.ownLimitRemaining} left of your own monthly limit`
    const reading = this.records === undefined ? "" : ` ${readingOf(this.records)}`
    return `This would cost ${credits(this.projectedCredits)}, above maxCredits ${this.maxCredits}; nothing was ` +
      `charged. You have ${credits(this.balance)}${own}.${reading}`
  }
}

/** Nothing to unlock yet. */
export class NotResearched extends Schema.TaggedError<NotResearched>()("NOT_RESEARCHED", {}) {
  override get message() {
    return "There is no research for this property yet, so there is nothing to unlock."
  }
}

/** The subscription's payment failed. What has a REST twin answers PAYMENT_FAILED instead. */
export class SubscriptionPaymentFailed
  extends Schema.TaggedError<SubscriptionPaymentFailed>()("SUBSCRIPTION_PAYMENT_FAILED", {})
{
  override get message() {
    return "Billing needs attention: the subscription's payment failed. Nothing was charged; an admin can settle it."
  }
}

/** Nothing was ever booked for the organization: it has no credits and never had. */
export class BillingNotProvisioned extends Schema.TaggedError<BillingNotProvisioned>()("BILLING_NOT_PROVISIONED", {}) {
  override get message() {
    return "Billing is not set up: this organization was never given credits. Nothing was charged."
  }
}
