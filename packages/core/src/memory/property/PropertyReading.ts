/** Stored properties as one organization reads them: with what it holds and what is attached to them. */
import { Array } from "effect"
import { type AttachedContact, type Contact, Seniority } from "../../contact/Contact.ts"
import type { PropertyStanding } from "../../coverage/Standings.ts"
import type { AccessRecord } from "../../credit/Ledger.ts"
import { compareText } from "../../operation/TextOrder.ts"
import type { ContactCounts, Property } from "../../property/Property.ts"
import type { PropertyRef } from "../../property/PropertyRef.ts"
import { withRefusals } from "../contact/RefusedAddresses.ts"
import { listedProperty, listedTies } from "../Listed.ts"
import type { PropertyContact, State, StoredAccount, StoredProperty } from "../MemoryState.ts"

/** Left and right by the first comparison that tells them apart. */
export const compareBy =
  <A>(...comparisons: ReadonlyArray<(left: A, right: A) => number>) => (left: A, right: A): number =>
    comparisons.reduce((result, comparison) => result === 0 ? comparison(left, right) : result, 0)

/** At most five role types, most frequent first, then by name. */
const roleTypes = (contacts: ReadonlyArray<Contact>): ReadonlyArray<string> =>
  Array.fromIterable(Map.groupBy(contacts.flatMap(({ roleType }) => roleType ?? []), (roleType) => roleType).values())
    .sort(compareBy(
      (left, right) => right.length - left.length,
      ([left = ""], [right = ""]) => compareText(left, right)
    ))
    .slice(0, 5)
    .flatMap((same) => same.slice(0, 1))

const countsOf = (contacts: ReadonlyArray<Contact>): ContactCounts => ({
  contacts: contacts.length,
  withEmail: contacts.filter(({ email }) => email !== null).length,
  withPhone: contacts.filter(({ phone }) => phone !== null).length,
  withLinkedin: contacts.filter(({ linkedinUrl }) => linkedinUrl !== null).length,
  roleTypes: roleTypes(contacts)
})

const isPaid = (account: StoredAccount | undefined, propertyId: string): boolean =>
  account?.properties.get(propertyId)?.source === "paid"

/** Whether it opens everybody who is attached to it. What was paid for under an id that is retired is its survivor's. */
export const opensPeople = (
  { properties }: Pick<State, "properties">,
  account: StoredAccount | undefined,
  propertyId: string
): boolean => isPaid(account, propertyId) && properties.get(propertyId)?.retiredInto === null

/** One organization's reading of the state as it is now. */
export const readingOf = (state: State, orgId: string) => {
  const account = state.accounts.get(orgId)
  const ties = listedTies(state)
  const refusing = withRefusals(state)
  const byProperty = Map.groupBy(ties, ({ propertyId }) => propertyId)

  const unlocked = (propertyId: string): boolean => isPaid(account, propertyId)
  const paidFor = (contactId: string): boolean => account?.contacts.get(contactId)?.source === "paid"
  const access = (propertyId: string): AccessRecord | undefined => account?.properties.get(propertyId)

  const standing = ({ countyFips, id, research, retiredInto }: StoredProperty): PropertyStanding => {
    const source = access(id)?.source
    return {
      id,
      countyFips,
      retiredInto,
      researched: research !== null,
      access: source === "paid" || source === "covered" ? source : null
    }
  }

  const find = (ref: PropertyRef): StoredProperty | undefined =>
    ref._tag === "Id"
      ? state.properties.get(ref.id)
      : Array.fromIterable(state.properties.values()).find(({ key }) => key === ref.key)

  const attachments = (propertyId: string): ReadonlyArray<readonly [PropertyContact, Contact]> =>
    (byProperty.get(propertyId) ?? []).flatMap((attachment) => {
      const contact = state.contacts.get(attachment.contactId)
      return contact === undefined ? [] : [[attachment, refusing(contact)]]
    })

  const property = (stored: StoredProperty): Property => ({
    ...listedProperty(state, stored),
    contactCounts: countsOf(attachments(stored.id).map(([, contact]) => contact)),
    unlocked: unlocked(stored.id)
  })

  /** By seniority, then id. */
  const attachedContacts = (propertyId: string): ReadonlyArray<AttachedContact> =>
    attachments(propertyId)
      .map(([{ relationshipStatus, role }, contact]) => ({
        ...contact,
        role,
        relationshipStatus,
        opened: paidFor(contact.id) ||
          state.propertyContacts.some((other) =>
            other.contactId === contact.id && other.propertyId !== propertyId &&
            opensPeople(state, account, other.propertyId)
          )
      }))
      .sort(compareBy(
        (left, right) => Seniority.literals.indexOf(left.seniority) - Seniority.literals.indexOf(right.seniority),
        (left, right) => compareText(left.id, right.id)
      ))

  return {
    access,
    attachedContacts,
    find,
    opensPeople: (propertyId: string) => opensPeople(state, account, propertyId),
    property,
    standing,
    unlocked
  }
}
