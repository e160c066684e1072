/** Whom a draft is written to: named with the way to reach them, since the draft itself is sent by nobody here. */
import { Schema } from "effect"
import { type Contact, notToContact } from "../contact/Contact.ts"
import { NotToContact } from "../credit/CreditRefusals.ts"

export const Recipient = Schema.Struct({
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  /** The day's reveals are used up, so that the address is left out. */
  revealCapExceeded: Schema.optionalKey(Schema.Literal(true)),
  doNotContact: Schema.optionalKey(NotToContact)
})

/** `withheld`: those whom the day's reveals do not open. */
export const recipientOf = (contact: Contact, withheld: ReadonlySet<string>): typeof Recipient.Type => ({
  name: contact.fullName,
  ...withheld.has(contact.id) ? { email: null, revealCapExceeded: true } : { email: contact.email },
  ...notToContact(contact)
})

/** What there is to know before a draft to the person is paid for. */
export const forewarned = (contact: Contact) => ({
  ...notToContact(contact),
  ...contact.email === null ? { email_known: false as const } : {}
})
