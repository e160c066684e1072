/** Refusals about money. Each leaves everything as it was. service-api "Credit and limit codes". */
import { Schema } from "effect"
import { readingOf, RecordsAhead } from "../limit/Metering.ts"

/** In a sentence. */
export const credits = (amount: number): string => amount === 1 ? "1 credit" : `${amount} credits`

/** `available` is what can be spent now. */
export class InsufficientCredits extends Schema.TaggedError<InsufficientCredits>()("INSUFFICIENT_CREDITS", {
  required: Schema.Int,
  available: Schema.Int,
  /** Of several that are paid for together: for how many of them it would be enough. */
  affordable: Schema.optionalKey(Schema.Int)
}) {
  override get message() {
    const some = this.affordable === undefined || this.affordable === 0 ? "" : ` That is enough for ${this.affordable}.`
    return `This costs ${credits(this.required)}, and you have ${credits(this.available)}; nothing was charged.${some}`
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

/** What of a batch is left out, by what it was named with, and why. */
export const Skipped = Schema.Array(Schema.Struct({ id: Schema.String, reason: Schema.String }))

/** What the person asked not to be reached by; told where they asked for any of it. */
export const NotToContact = Schema.Struct({ email: Schema.Boolean, phone: Schema.Boolean })

/** What is told with a price by whoever knows more than what decides about money. */
export const PriceDetail = Schema.Struct({
  /** Where a daily limit or an allowance of records is in force: what reading what it opens or finds would take. */
  records: Schema.optionalKey(RecordsAhead),
  /** Of deep research and a draft: the property that they would speak of. */
  property_id: Schema.optionalKey(Schema.String),
  /** How many others the person has that it could speak of, where none was asked for. */
  other_properties: Schema.optionalKey(Schema.Int),
  /** The person whom it is about, by name, where they are open. */
  person: Schema.optionalKey(Schema.String),
  /** The properties that it is about, by their addresses or keys; of a batch the first of them. */
  places: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Of a batch: how many properties are paid for. */
  properties: Schema.optionalKey(Schema.Int),
  /** Of a batch: what is left out. */
  skipped: Schema.optionalKey(Skipped),
  /** Of a list that is longer than a batch: how many are left out of it, since they are open already. */
  open_already: Schema.optionalKey(Schema.Int),
  doNotContact: Schema.optionalKey(NotToContact),
  /** Of a draft: there is no address to send it to. */
  email_known: Schema.optionalKey(Schema.Literal(false))
})
export type PriceDetail = typeof PriceDetail.Type

/** So many places of a batch are told with its price. */
const placesTold = 3

export const placesOf = (all: ReadonlyArray<{ readonly address: string | null; readonly key: string }>) => ({
  places: all.slice(0, placesTold).map(({ address, key }) => address ?? key)
})

const channelsOf = ({ email, phone }: typeof NotToContact.Type): string =>
  [...email ? ["emailed"] : [], ...phone ? ["called"] : []].join(" or ")

/** The price detail that a person has to know before they pay, in sentences. */
export const toldOf = (
  { doNotContact, email_known, open_already, other_properties: others, records, skipped }: PriceDetail
): ReadonlyArray<string> => [
  ...open_already === undefined
    ? []
    : [`${open_already} of the list ${open_already === 1 ? "is" : "are"} open already and skipped.`],
  ...skipped === undefined || skipped.length === 0 ? [] : [
    `${skipped.length} of what was named ${skipped.length === 1 ? "is" : "are"} skipped: ` +
    `${[...new Set(skipped.map(({ reason }) => reason))].join(", ")}.`
  ],
  ...others === undefined
    ? []
    : [
      `The person has ${others} other ${others === 1 ? "property" : "properties"}: property_id says which it is about.`
    ],
  ...doNotContact === undefined ? [] : [`This person asked not to be ${channelsOf(doNotContact)}.`],
  ...email_known === undefined ? [] : ["No email address of this person is known to send it to."],
  ...records === undefined ? [] : [readingOf(records)]
]

/** The projected cost is above the ceiling that the caller gave with `maxCredits`. decisions, section 15. */
export class CostConfirmationRequired
  extends Schema.TaggedError<CostConfirmationRequired>()("COST_CONFIRMATION_REQUIRED", {
    projectedCredits: Schema.Int,
    maxCredits: Schema.Int,
    balance: Schema.Int,
    /** What is left of the member's own limit of the month; null: there is none. */
    ownLimitRemaining: Schema.NullOr(Schema.Int),
    ...PriceDetail.fields
  })
{
  /** The same with what whoever decides about money does not know. */
  telling(more: PriceDetail): CostConfirmationRequired {
    const { balance, maxCredits, ownLimitRemaining, projectedCredits } = this
    return new CostConfirmationRequired({ projectedCredits, maxCredits, balance, ownLimitRemaining, ...more })
  }
  override get message() {
    const own = this.ownLimitRemaining === null ? "" : ` and ${this.ownLimitRemaining} left of your own monthly limit`
    return [
      `This would cost ${credits(this.projectedCredits)}, above maxCredits ${this.maxCredits}; nothing was charged.`,
      `You have ${credits(this.balance)}${own}.`,
      ...toldOf(this)
    ].join(" ")
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
