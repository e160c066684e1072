/** Whom a draft is written to: named with the way to reach them, since the draft itself is sent by nobody here. */
import { Schema } from "effect"
import { type Contact, notToContact } from "../contact/Contact.ts"
import { NotToContact } from "../credit/CreditRefusals.ts"

export const Recipient = Schema.Struct({
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  doNotContact: Schema.optionalKey(NotToContact)
})

export const recipientOf = (contact: Contact): typeof Recipient.Type => ({
  name: contact.fullName,
  email: contact.email,
  ...notToContact(contact)
})

/** What there is to know before a draft to the person is paid for. */
export const forewarned = (contact: Contact) => ({
  ...notToContact(contact),
  ...contact.email === null ? { email_known: false as const } : {}
})
