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

/** Whom the bundle names: people by their ids, each with what they asked for, firms by name and role. */
export const namedBy = ({ contacts, organizations }: Pick<LeadBundle, "contacts" | "organizations">) => {
  const people = new Map(contacts.map(({ do_not_contact, service_contact_id }) => [service_contact_id, do_not_contact]))
  const firms = new Set(organizations.map(({ name, role }) => `${role} ${name}`))
  return {
    person: (each: { readonly service_contact_id: string }): boolean => people.has(each.service_contact_id),
    wish: (each: { readonly service_contact_id: string }) => people.get(each.service_contact_id),
    firm: (each: { readonly name: string; readonly role: string }): boolean => firms.has(`${each.role} ${each.name}`)
  }
}

type Wish = LeadBundle["contacts"][number]["do_not_contact"]

/** Whether more is asked for now than before. */
const isStricter = (now: Wish, before: Wish): boolean => now.email && !before.email || now.phone && !before.phone

/** `text`: the JSON of a bundle of the same property. What cannot be read names too many. */
export const namesMore = (text: string, now: LeadBundle): boolean =>
  Option.match(Schema.decodeOption(Naming)(text), {
    onNone: () => true,
    onSome: (before) => {
      const { firm, wish } = namedBy(now)
      const { ai_rationale, beneficial_owner, record_owner } = before.property
      const isStill = (each: (typeof before.contacts)[number]): boolean => {
        const asked = wish(each)
        return asked !== undefined && !isStricter(asked, each.do_not_contact)
      }
      return !before.contacts.every(isStill) ||
        !before.organizations.every(firm) ||
        record_owner !== null && record_owner !== now.property.record_owner ||
        beneficial_owner !== null && beneficial_owner !== now.property.beneficial_owner ||
        ai_rationale !== null && ai_rationale !== now.property.ai_rationale
    }
  })
