/** Refusals of research. Each leaves everything as it was. service-api "Research, list and search codes". */
import { Schema } from "effect"
import { credits, Skipped } from "../credit/CreditRefusals.ts"
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
  /** null: the caller sees nothing of what it is about. */
  run_id: Schema.NullOr(Schema.String)
}) {
  override get message() {
    const named = this.run_id === null ? "" : ` (${this.run_id})`
    return `A research batch is running${named}; nothing was charged. Start the next one when it has ended.`
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
  given: Schema.Int,
  /** Of a list: how many of it are open already, beside those. */
  open_already: Schema.optionalKey(Schema.Int),
  /** Of a list: the counties that the caller sees, where a search may name all of them. */
  county_fips: Schema.optionalKey(Schema.Array(Schema.String))
}) {
  override get message() {
    const beside = this.open_already === undefined
      ? ""
      : `, beside ${this.open_already} of the list that are open already`
    return `A batch holds at most ${this.maximum} properties, not ${this.given}${beside}; nothing was charged.`
  }
}

/** No property of the selection can be researched. */
export class EmptySelection extends Schema.TaggedError<EmptySelection>()("EMPTY_SELECTION", {
  skipped: Skipped,
  /** Of a list that is longer than a batch: how many of it are open already, which are not named one by one. */
  open_already: Schema.optionalKey(Schema.Int)
}) {
  override get message() {
    if (this.open_already !== undefined) {
      const others = this.skipped.length === 0 ? "" : `, and ${this.skipped.length} cannot be researched now`
      return `${this.open_already} of this list are open and researched already${others}; nothing was charged.`
    }
    return this.skipped.length === 0
      ? "There is no property in this selection; nothing was charged."
      : "None of these properties can be researched: they are not visible, being researched, or open and researched " +
        "already. Nothing was charged."
  }
}

const lackingFields = {
  /** What there is to spend, where it is less than what is to be opened first costs. */
  available: Schema.optionalKey(Schema.Int)
}

/** In a sentence. */
const lack = ({ available }: { readonly available?: number }): string =>
  available === undefined ? "" : ` You have ${credits(available)}.`

/** The contact belongs to a property whose research is locked. */
export class PropertyUnlockRequired extends Schema.TaggedError<PropertyUnlockRequired>()("PROPERTY_UNLOCK_REQUIRED", {
  property_id: Schema.String,
  /** The contact, where to reveal it alone is enough. */
  contact_id: Schema.optionalKey(Schema.String),
  /** There is no research of the property yet, so that it is opened by having it researched. */
  researched: Schema.optionalKey(Schema.Literal(false)),
  ...lackingFields
}) {
  override get message() {
    const opened = this.contact_id !== undefined
      ? `This contact is locked with the property ${this.property_id}; nothing was charged. An unlock of the property ` +
        `(${prices.unlock_property} credits) opens everybody there; service_reveal_contact (${prices.reveal_contact} ` +
        "credits) opens this contact alone, which is enough here."
      : this.researched === undefined
      ? `This needs the property ${this.property_id} unlocked (${prices.unlock_property} credits); nothing was charged.`
      : `This needs the property ${this.property_id} open, which is not researched yet; nothing was charged. Its ` +
        `research (${prices.research_property} credits) includes the unlock.`
    return opened + lack(this)
  }
}

export class ContactRevealRequired extends Schema.TaggedError<ContactRevealRequired>()("CONTACT_REVEAL_REQUIRED", {
  /** The property that is not researched yet, where what is asked for is about it: its research opens the contact, too. */
  property_id: Schema.optionalKey(Schema.String),
  ...lackingFields
}) {
  override get message() {
    const opened = this.property_id === undefined
      ? ""
      : ` Research of the property ${this.property_id} (${prices.research_property} credits) opens it with its people.`
    return `This contact is not revealed; nothing was charged.${opened}${lack(this)}`
  }
}

/** A draft is written on what deep research found out. */
export class StrategyRequired extends Schema.TaggedError<StrategyRequired>()("STRATEGY_REQUIRED", {
  /** The deep research that goes on; null: none does. */
  run_id: Schema.NullOr(Schema.String)
}) {
  override get message() {
    return this.run_id === null
      ? "Deep research on the contact and the property comes first; nothing was charged."
      : `Deep research on the contact and the property is going on (${this.run_id}); nothing was charged.`
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
