/**
 * Whether a bundle that was built before may still be sent: not when it names a person or an owner whom the bundle of now
 * does not name, since they may have asked meanwhile not to be listed, nor when it does not say of a person that they asked not
 * to be mailed or called.
 */
import { Option, Schema } from "effect"
import { LeadBundle } from "./LeadOperations.ts"

const { contacts, organizations, property } = LeadBundle.fields
const { ai_rationale, beneficial_owner, record_owner } = property.fields

/** What of a bundle names somebody. */
const Naming = Schema.fromJsonString(
  Schema.Struct({ contacts, organizations, property: Schema.Struct({ ai_rationale, beneficial_owner, record_owner }) })
)

/** Whom the bundle names: people by their ids, firms by name and role. */
export const namedBy = ({ contacts, organizations }: Pick<LeadBundle, "contacts" | "organizations">) => {
  const people = new Set(contacts.map(({ service_contact_id }) => service_contact_id))
  const firms = new Set(organizations.map(({ name, role }) => `${role} ${name}`))
  return {
    person: (each: { readonly service_contact_id: string }): boolean => people.has(each.service_contact_id),
    firm: (each: { readonly name: string; readonly role: string }): boolean => firms.has(`${each.role} ${each.name}`)
  }
}

type People = LeadBundle["contacts"]

/** Whether somebody of now asked for more than the bundle of before says of them. */
const isLaxer = (before: People, now: People): boolean => {
  const wishes = new Map(now.map(({ do_not_contact, service_contact_id }) => [service_contact_id, do_not_contact]))
  return before.some(({ do_not_contact, service_contact_id }) => {
    const wish = wishes.get(service_contact_id)
    return wish !== undefined && (wish.email && !do_not_contact.email || wish.phone && !do_not_contact.phone)
  })
}

/** `text`: the JSON of a bundle of the same property. What cannot be read names too many. */
export const namesMore = (text: string, now: LeadBundle): boolean =>
  Option.match(Schema.decodeOption(Naming)(text), {
    onNone: () => true,
    onSome: (before) => {
      const { firm, person } = namedBy(now)
      const { ai_rationale, beneficial_owner, record_owner } = before.property
      return isLaxer(before.contacts, now.contacts) || !before.contacts.every(person) ||
        !before.organizations.every(firm) ||
        record_owner !== null && record_owner !== now.property.record_owner ||
        beneficial_owner !== null && beneficial_owner !== now.property.beneficial_owner ||
        ai_rationale !== null && ai_rationale !== now.property.ai_rationale
    }
  })
