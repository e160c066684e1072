/** A decision-maker attached to properties: the stored person, before any mask. decisions, section 3. */
import { Schema } from "effect"

export const RoleType = Schema.Literals([
  "owner_principal",
  "executive",
  "asset_manager",
  "property_manager",
  "regional_manager",
  "facilities_manager",
  "chief_engineer",
  "maintenance",
  "construction_manager",
  "leasing_agent",
  "development",
  "acquisitions",
  "procurement",
  "finance",
  "legal",
  "sustainability",
  "operations",
  "tenant_contact",
  "registered_agent",
  "association_board",
  "other"
])
export type RoleType = typeof RoleType.Type

export const Seniority = Schema.Literals([
  "owner",
  "founder",
  "c_suite",
  "partner",
  "vp",
  "head",
  "director",
  "manager",
  "senior",
  "entry",
  "unknown"
])
export type Seniority = typeof Seniority.Type

export const RelationshipStatus = Schema.Literals(["current", "former", "unverified"])
export type RelationshipStatus = typeof RelationshipStatus.Type

export const EmailValidationStatus = Schema.Literals([
  "valid",
  "catch_all",
  "risky",
  "invalid",
  "unknown",
  "unvalidated"
])
export type EmailValidationStatus = typeof EmailValidationStatus.Type

export const PhoneLabel = Schema.Literals(["Mobile", "Direct", "Office"])
export type PhoneLabel = typeof PhoneLabel.Type

/** The kind of source of a contact, never a supplier. */
export const ContactSource = Schema.Literals([
  "manual",
  "data_provider",
  "verified_employer_domain",
  "enrichment",
  "web",
  "public_record"
])
export type ContactSource = typeof ContactSource.Type

export interface Contact {
  readonly id: string
  readonly fullName: string
  readonly title: string | null
  readonly roleType: RoleType | null
  readonly seniority: Seniority
  readonly employerName: string | null
  readonly employerDomain: string | null
  /** The firm that the person is attached to. */
  readonly firmId: string | null
  readonly firmName: string | null
  readonly email: string | null
  readonly emailValidationStatus: EmailValidationStatus
  readonly phone: string | null
  readonly phoneLabel: PhoneLabel | null
  readonly phoneExtension: string | null
  readonly phoneFallbackFromEmployer: boolean
  readonly linkedinUrl: string | null
  readonly location: string | null
  readonly source: ContactSource
  readonly doNotContact: { readonly email: boolean; readonly phone: boolean }
  /** ISO-8601. */
  readonly lastVerifiedAt: string | null
  /** ISO-8601. */
  readonly updatedAt: string
}

/** A contact's tie to one property. */
export interface Relationship {
  readonly propertyId: string
  readonly countyFips: string
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
  readonly role: RoleType | null
  readonly relationshipStatus: RelationshipStatus
  readonly attributionType: string
  /** There is research of the property. */
  readonly researched: boolean
  /** The organization that reads has unlocked this property. */
  readonly unlocked: boolean
}

/** There is an email, and it was found valid. */
export const hasValidEmail = (contact: Pick<Contact, "email" | "emailValidationStatus">): boolean =>
  contact.email !== null && contact.emailValidationStatus === "valid"

/** Whether the employer held for the person disagrees with the firm they are attached to. */
export const employerMismatch = (contact: Pick<Contact, "employerName" | "firmName">): boolean =>
  contact.employerName !== null && contact.firmName !== null &&
  contact.employerName.trim().toLowerCase() !== contact.firmName.trim().toLowerCase()

/** Whether an email address is known that mail can be expected to reach. */
export const hasUsableEmail = (
  { email, emailValidationStatus }: Pick<Contact, "email" | "emailValidationStatus">
): boolean => email !== null && emailValidationStatus !== "invalid"

/** A person at a property, with what the organization holds of the person. */
export interface AttachedContact extends Contact {
  readonly role: RoleType | null
  readonly relationshipStatus: RelationshipStatus
  /** The organization paid for this person, or has unlocked another property that the person is attached to. */
  readonly opened: boolean
}

/** What the person asked not to be reached by; nothing where they did not ask. */
export const notToContact = ({ doNotContact }: Pick<Contact, "doNotContact">) =>
  doNotContact.email || doNotContact.phone ? { doNotContact } : {}
