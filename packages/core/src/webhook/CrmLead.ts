/**
 * A lead as any CRM takes it: a company (the property), people, and a deal. decisions, section 13.
 *
 * | bundle                                | CRM                                                         |
 * | ------------------------------------- | ----------------------------------------------------------- |
 * | property, by `service_property_id`    | company; called by its common name, else by its address     |
 * | firm with the role owner              | domain, website and phone of the company                    |
 * | contacts, by email, else by their id  | contacts of the company                                     |
 * | pipeline, by `service_property_id`    | deal of the company, in the stage of the map                |
 * | `notes_digest`                        | description of the deal                                     |
 *
 * Where somebody must not be written to or called, the address or the number is left out: whoever works in a CRM does not
 * see the mark beside it.
 */
import type { LeadBundle } from "../lead/LeadOperations.ts"
import type { Stage } from "../stage/Stage.ts"

/** Of a person; a bundle has at most one with the same address. */
export interface CrmContact {
  readonly id: string
  readonly email: string | null
  readonly firstName: string | null
  readonly lastName: string
  readonly title: string | null
  readonly phone: string | null
}

/** What is written into the CRM; `null`: not known. */
export interface CrmLead {
  readonly propertyId: string
  readonly stage: Stage
  readonly company: {
    readonly name: string
    readonly domain: string | null
    readonly website: string | null
    readonly phone: string | null
    readonly street: string | null
    readonly city: string | null
    readonly state: string | null
    readonly zip: string | null
  }
  readonly contacts: ReadonlyArray<CrmContact>
  readonly deal: {
    readonly name: string
    readonly value: number | null
    /** ISO-8601, null of what was never qualified. */
    readonly qualifiedAt: string | null
    readonly description: string
  }
}

const contactsOf = (contacts: LeadBundle["contacts"]): ReadonlyArray<CrmContact> => {
  const addresses = new Set<string>()
  return contacts.map((contact) => {
    const address = contact.do_not_contact.email ? null : contact.email?.toLowerCase() ?? null
    const email = address !== null && addresses.has(address) ? null : address
    if (email !== null) addresses.add(email)
    return {
      id: contact.service_contact_id,
      email,
      firstName: contact.first_name,
      lastName: contact.last_name ?? contact.full_name,
      title: contact.title,
      phone: contact.do_not_contact.phone ? null : contact.phone
    }
  })
}

const descriptionOf = ({ notes_digest, partial, property }: LeadBundle): string =>
  [
    partial ? "Not unlocked yet: people and research are missing." : "",
    property.deep_link_url ?? "",
    notes_digest
  ].filter((line) => line !== "").join("\n")

/** What a bundle comes to in a CRM. */
export const leadOf = (bundle: LeadBundle): CrmLead => {
  const { contacts, organizations, pipeline, property, service_property_id: propertyId } = bundle
  const owner = organizations.find(({ role }) => role === "owner")
  const name = property.common_name ?? property.address ?? propertyId
  return {
    propertyId,
    stage: pipeline.status ?? "qualified",
    company: {
      name,
      domain: owner?.domain ?? null,
      website: owner?.website_url ?? null,
      phone: owner?.phone ?? null,
      street: property.address,
      city: property.city,
      state: property.state,
      zip: property.zip
    },
    contacts: contactsOf(contacts),
    deal: {
      name,
      value: pipeline.deal_value,
      qualifiedAt: pipeline.qualified_at,
      description: descriptionOf(bundle)
    }
  }
}
