/** How a stored contact is read, alone or with its tie to a property. Queries name the tables `c` (contact), `f` (firm). */
import type { Contact } from "@freehold/core/contact/Contact"
import { isoTime } from "../property/PropertyRowPg.ts"

/** Who asks not to be mailed means the address, so that it holds for every record that has it. */
export const doNotContact = `json_build_object('email', c.do_not_contact_email OR EXISTS (
    SELECT FROM contact same WHERE same.do_not_contact_email AND lower(same.email) = lower(c.email)
  ), 'phone', c.do_not_contact_phone)`

/** A contact as pairs of names and expressions: an object of JSON is made of them, in one statement with its property. */
const fields: Readonly<Record<keyof Contact, string>> = {
  id: "c.id",
  fullName: "c.full_name",
  title: "c.title",
  roleType: "c.role_type",
  seniority: "c.seniority",
  employerName: "c.employer_name",
  employerDomain: "c.employer_domain",
  firmId: "c.firm_id",
  firmName: "f.name",
  email: "c.email",
  emailValidationStatus: "c.email_validation_status",
  phone: "c.phone",
  phoneLabel: "c.phone_label",
  phoneExtension: "c.phone_extension",
  phoneFallbackFromEmployer: "c.phone_fallback_from_employer",
  linkedinUrl: "c.linkedin_url",
  location: "c.location",
  source: "c.source",
  doNotContact,
  lastVerifiedAt: isoTime("c.last_verified_at"),
  updatedAt: isoTime("c.updated_at")
}

/** The pairs of `json_build_object`. */
export const contactPairs = Object.entries(fields).map(([name, expression]) => `'${name}', ${expression}`).join(", ")
