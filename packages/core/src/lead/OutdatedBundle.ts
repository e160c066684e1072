/**
 * Whether a bundle that was built before may still be sent: not when it names a person or an owner whom the bundle of now
 * does not name, since they may have asked meanwhile not to be listed.
 */
import { Option, Schema } from "effect"
import { LeadBundle } from "./LeadOperations.ts"

const { contacts, organizations, property } = LeadBundle.fields
const { ai_rationale, beneficial_owner, record_owner } = property.fields

/** What of a bundle names somebody. */
const Naming = Schema.fromJsonString(
  Schema.Struct({ contacts, organizations, property: Schema.Struct({ ai_rationale, beneficial_owner, record_owner }) })
)

/** `text`: the JSON of a bundle of the same property. What cannot be read names too many. */
export const namesMore = (text: string, now: LeadBundle): boolean =>
  Option.match(Schema.decodeOption(Naming)(text), {
    onNone: () => true,
    onSome: (before) => {
      const people = new Set(now.contacts.map(({ service_contact_id }) => service_contact_id))
      const firms = new Set(now.organizations.map(({ name, role }) => `${role} ${name}`))
      const { ai_rationale, beneficial_owner, record_owner } = before.property
      return before.contacts.some(({ service_contact_id }) => !people.has(service_contact_id)) ||
        before.organizations.some(({ name, role }) => !firms.has(`${role} ${name}`)) ||
        record_owner !== null && record_owner !== now.property.record_owner ||
        beneficial_owner !== null && beneficial_owner !== now.property.beneficial_owner ||
        ai_rationale !== null && ai_rationale !== now.property.ai_rationale
    }
  })
