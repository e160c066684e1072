/**
 * How an organization sees a contact: with name, email, phone and LinkedIn only once revealed.
 *
 * service-api "Contact views", decisions section 3. No view ever carries a confidence score or a photo.
 */
import * as Territory from "../coverage/Territory.ts"
import { prices } from "../credit/Price.ts"
import { compareText } from "../operation/TextOrder.ts"
import { type AttachedContact, type Contact, employerMismatch, hasValidEmail, type Relationship } from "./Contact.ts"
import type { ContactStanding, LastWritten, Written } from "./Contacts.ts"
import type { BrowsedContact, FoundContact } from "./ContactSearch.ts"

/** Which details exist, as booleans. */
const availabilityOf = (contact: Contact) => ({
  email: contact.email !== null,
  phone: contact.phone !== null,
  linkedin: contact.linkedinUrl !== null
})

/** A person inside property detail, opened. */
export const revealedContact = (contact: AttachedContact) => ({
  id: contact.id,
  fullName: contact.fullName,
  title: contact.title,
  employerName: contact.employerName,
  employer_domain: contact.employerDomain,
  organization_id: contact.firmId,
  location: contact.location,
  email: contact.email,
  emailValidationStatus: contact.emailValidationStatus,
  phone: contact.phone,
  phoneLabel: contact.phoneLabel,
  phoneExtension: contact.phoneExtension,
  phoneFallbackFromEmployer: contact.phoneFallbackFromEmployer,
  linkedinUrl: contact.linkedinUrl,
  role: contact.role ?? contact.roleType,
  relationshipStatus: contact.relationshipStatus,
  revealed: true,
  revealCapExceeded: false,
  employerMismatch: employerMismatch(contact),
  source: contact.source,
  doNotContact: contact.doNotContact,
  lastVerifiedAt: contact.lastVerifiedAt
})

/** A person inside property detail whom the day's reveals no longer open: no name, and no way to reach the person. */
export const withheldContact = (contact: AttachedContact) => ({
  ...revealedContact(contact),
  fullName: null,
  email: null,
  emailValidationStatus: null,
  phone: null,
  phoneLabel: null,
  phoneExtension: null,
  phoneFallbackFromEmployer: false,
  linkedinUrl: null,
  revealed: false,
  revealCapExceeded: true
})

/** What is told of the people that are still locked: how many there are, their titles, and which details exist. */
export const contactsSummary = (all: number, locked: ReadonlyArray<AttachedContact>) => ({
  totalCount: all,
  contacts: locked.map((contact) => ({ title: contact.title, availability: availabilityOf(contact) }))
})

/** Somebody at a property who can be revealed: no name, and no way to reach the person. */
export const lockedContact = (contact: AttachedContact) => ({
  contact_id: contact.id,
  title: contact.title,
  role_type: contact.role ?? contact.roleType,
  availability: availabilityOf(contact)
})

/** How a contact stands with a caller: what is visible is the caller's, what is open the organization's. */
export interface ContactRights {
  /** One of its properties is visible. */
  readonly visible: boolean
  readonly paid: boolean
  readonly openedByProperty: boolean
  readonly covered: boolean
}

export const rightsOf = (standing: ContactStanding, perspective: Territory.Perspective): ContactRights => ({
  visible: standing.relationships.some((each) => Territory.sees(perspective, each.countyFips)),
  paid: standing.access === "paid",
  openedByProperty: standing.relationships.some((each) => each.unlocked),
  covered: standing.relationships.some((each) => Territory.covers(perspective.organization, each.countyFips))
})

export const isRevealed = (rights: ContactRights): boolean => rights.paid || rights.openedByProperty || rights.covered

/** Whether nothing was paid for them: the subscription alone opens one who is revealed. */
export const isOpenUnpaid = (rights: ContactRights): boolean => !rights.paid && !rights.openedByProperty

/** The person, if nothing was paid for them: to be told how to reach them counts as a reveal of the day. */
export const unpaidOf = (standing: ContactStanding, perspective: Territory.Perspective): ReadonlyArray<string> =>
  isOpenUnpaid(rightsOf(standing, perspective)) ? [standing.contact.id] : []

const placeOf = (each: Relationship): string => `${each.state ?? "~"} ${each.countyFips}`

/**
 * The properties of the contact, those in the area first. Of the others only state and county are told, and these give
 * their order, since any other order would tell more.
 */
export const relationships = (all: ReadonlyArray<Relationship>, perspective: Territory.Perspective) => {
  const inside = all.filter((each) => Territory.sees(perspective, each.countyFips))
  const outside = all.filter((each) => !Territory.sees(perspective, each.countyFips))
  return [
    ...inside.map((each) => ({
      in_your_territory: true as const,
      property_id: each.propertyId,
      address: each.address,
      city: each.city,
      state: each.state,
      role_type: each.role,
      relationshipStatus: each.relationshipStatus,
      attributionType: each.attributionType
    })),
    ...outside.toSorted((left, right) => compareText(placeOf(left), placeOf(right))).map((each) => ({
      in_your_territory: false as const,
      state: each.state,
      county_fips: each.countyFips
    }))
  ]
}

/** A row of GET /contacts/search. */
export const searchRow = (contact: FoundContact) => ({
  id: contact.id,
  name: contact.fullName,
  title: contact.title,
  employer: contact.employerName,
  location: contact.location
})

/** A row of POST /contacts/browse: never a name, never a detail. */
export const browseRow = ({ market, ...contact }: BrowsedContact) => ({
  contact_id: contact.id,
  title: contact.title,
  role_type: contact.roleType,
  seniority: contact.seniority,
  employer_name: contact.employerName,
  property_count_in_territory: contact.properties,
  revealed: contact.revealed,
  email_validated: contact.emailValidated,
  has_phone: contact.hasPhone,
  ...market === null
    ? {}
    : { in_market: market.properties > 0, market_property_count: market.properties, market_rank: market.rank }
})

/** What is told of a person, revealed or not. */
const summary = ({ contact: person, relationships: ties }: ContactStanding, perspective: Territory.Perspective) => ({
  contact_id: person.id,
  title: person.title,
  role_type: person.roleType,
  seniority: person.seniority,
  employer_name: person.employerName,
  employer_organization_id: person.firmId,
  location: person.location,
  email_validated: hasValidEmail(person),
  has_phone: person.phone !== null,
  relationships: relationships(ties, perspective),
  updated_at: person.updatedAt
})

/** GET /contacts/{id}, locked. */
export const lockedView = (standing: ContactStanding, perspective: Territory.Perspective) => ({
  ...summary(standing, perspective),
  revealed: false as const,
  reveal_price_credits: prices.reveal_contact
})

const written = (last: Written | null) =>
  last === null ? null : { run_id: last.runId, property_id: last.propertyId, at: last.at }

/** GET /contacts/{id}, revealed. */
export const openView = (standing: ContactStanding, perspective: Territory.Perspective, last: LastWritten) => ({
  ...summary(standing, perspective),
  revealed: true as const,
  ...details(standing.contact),
  last_strategy: written(last.strategy),
  last_draft: written(last.draft)
})

const details = (person: Contact) => ({
  fullName: person.fullName,
  email: person.email,
  phone: person.phone,
  phoneLabel: person.phoneLabel,
  phoneExtension: person.phoneExtension,
  phoneFallbackFromEmployer: person.phoneFallbackFromEmployer,
  linkedinUrl: person.linkedinUrl,
  doNotContact: person.doNotContact
})

/** The answer of a reveal. */
export const revealResult = (person: Contact) => ({
  id: person.id,
  ...details(person),
  title: person.title,
  employerName: person.employerName
})
