/** Refusals of research. Each leaves everything as it was. service-api "Research, list and search codes". */
import { Schema } from "effect"
import { prices } from "../credit/Price.ts"
import { retryAfter } from "../operation/RetryAfter.ts"

/** The same research of the same subject is going on. */
export class AlreadyResearching extends Schema.TaggedError<AlreadyResearching>()("ALREADY_RESEARCHING", {
  /** The run of the organization's own; null: it is another organization's. */
  run_id: Schema.NullOr(Schema.String)
}) {
  override get message() {
    return this.run_id === null
      ? "This property is being researched for somebody else; nothing was charged. Ask for it again later."
      : `This is being researched already (${this.run_id}); nothing was charged.`
  }
}

/** An organization has one batch at a time. */
export class BatchAlreadyRunning extends Schema.TaggedError<BatchAlreadyRunning>()("BATCH_ALREADY_RUNNING", {
  run_id: Schema.String
}) {
  override get message() {
    return `A research batch is running (${this.run_id}); nothing was charged. Start the next one when it has ended.`
  }
}

/** Another batch of the organization is being recorded at this moment. */
export class ResearchLaunchBusy extends Schema.TaggedError<ResearchLaunchBusy>()("RESEARCH_LAUNCH_BUSY", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `Another launch is being recorded; nothing was charged. ${retryAfter(this.retryAfterSeconds)}`
  }
}

/** The same paid action about the same subject is being started at this moment. */
export class CreditActionInProgress extends Schema.TaggedError<CreditActionInProgress>()("CREDIT_ACTION_IN_PROGRESS", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return "The same paid action is being started right now; nothing was charged by this call. " +
      retryAfter(this.retryAfterSeconds)
  }
}

export class BatchTooLarge extends Schema.TaggedError<BatchTooLarge>()("BATCH_TOO_LARGE", {
  maximum: Schema.Int,
  given: Schema.Int
}) {
  override get message() {
    return `A batch holds at most ${this.maximum} properties, not ${this.given}; nothing was charged.`
  }
}

/** No property of the selection can be researched. */
export class EmptySelection extends Schema.TaggedError<EmptySelection>()("EMPTY_SELECTION", {}) {
  override get message() {
    return "None of these properties can be researched: they are not visible, being researched, or open and researched " +
      "already. Nothing was charged."
  }
}

/** The contact belongs to a property whose research is locked. */
export class PropertyUnlockRequired extends Schema.TaggedError<PropertyUnlockRequired>()("PROPERTY_UNLOCK_REQUIRED", {
  property_id: Schema.String,
  /** The contact, where to reveal it alone is enough. */
  contact_id: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    return this.contact_id === undefined
      ? `This needs the property ${this.property_id} unlocked; nothing was charged.`
      : `This contact is locked with the property ${this.property_id}; nothing was charged. An unlock of the property ` +
        `(${prices.unlock_property} credits) opens everybody there; service_reveal_contact (${prices.reveal_contact} ` +
        "credits) opens this contact alone, which is enough here."
  }
}

export class ContactRevealRequired extends Schema.TaggedError<ContactRevealRequired>()("CONTACT_REVEAL_REQUIRED", {}) {
  override get message() {
    return "This contact is not revealed; nothing was charged."
  }
}

/** A draft is written on what deep research found out. */
export class StrategyRequired extends Schema.TaggedError<StrategyRequired>()("STRATEGY_REQUIRED", {}) {
  override get message() {
    return "Deep research on the contact and the property comes first; nothing was charged."
  }
}

/** The person asked not to be emailed. docs/extensions.md. */
export class DoNotContact extends Schema.TaggedError<DoNotContact>()("DO_NOT_CONTACT", {
  channel: Schema.Literals(["email"])
}) {
  override get message() {
    return "This person asked not to be emailed, so that no email is drafted; nothing was charged."
  }
}
