/**
 * The records that a lead bundle delivers in full: the property, and each distinct firm and person in it.
 *
 * A partial bundle delivers nothing in full. decisions, section 5.
 */
import { type Option, Schema } from "effect"
import type { RecordRef } from "../limit/Usage.ts"

/** The part of a bundle that tells. */
const BundleIds = Schema.Struct({
  service_property_id: Schema.String,
  partial: Schema.Boolean,
  organizations: Schema.Array(Schema.Struct({ service_organization_id: Schema.String })),
  contacts: Schema.Array(Schema.Struct({ service_contact_id: Schema.String }))
})
type BundleIds = typeof BundleIds.Type

export const recordsOf = (bundle: BundleIds): ReadonlyArray<RecordRef> => {
  if (bundle.partial) return []
  const firms = new Set(bundle.organizations.map((firm) => firm.service_organization_id))
  const people = new Set(bundle.contacts.map((contact) => contact.service_contact_id))
  return [
    { kind: "property", id: bundle.service_property_id },
    ...Array.from(firms, (id): RecordRef => ({ kind: "organization", id })),
    ...Array.from(people, (id): RecordRef => ({ kind: "contact", id }))
  ]
}

/** The ids of a bundle from its JSON text; none for anything else. */
export const parse: (text: string) => Option.Option<BundleIds> = Schema.decodeUnknownOption(
  Schema.fromJsonString(BundleIds)
)
