/**
 * Made-up events in the exact form of a webhook's body, for who builds a receiver. Nothing in them exists, and `test` is
 * true. decisions, section 13.
 */
import { DateTime, Record } from "effect"
import type { SubscribableEvent } from "../event/SubscribableEvent.ts"
import type { BundleFacts } from "../lead/BundleSource.ts"
import { bundleOf } from "../lead/LeadBundles.ts"
import type { Organization } from "../organization/Organization.ts"
import { noDetails } from "../property/Property.ts"
import { propertyFields } from "../property/PropertyField.ts"

const id = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`
const at = "2026-01-01T00:00:00.000Z"

const facts: BundleFacts = {
  property: {
    ...Record.map(propertyFields, () => null),
    id: id(1),
    key: "00000-SAMPLE",
    countyFips: "00000",
    address: "1 Sample Street",
    city: "Sampleton",
    state: "TX",
    zip: "00000",
    assetCategory: "Office",
    buildingSqft: 12_000,
    recordOwner: "Sample Owner LLC",
    enrichmentStatus: "complete",
    lastEnrichedAt: at,
    researchedAt: at,
    updatedAt: at,
    hasManagementCompany: true,
    hasBeneficialOwner: false,
    contactCounts: { contacts: 1, withEmail: 1, withPhone: 1, withLinkedin: 0, roleTypes: ["asset_manager"] },
    unlocked: true,
    retiredInto: null,
    buildingAttributesBasis: "none",
    details: noDetails,
    research: {
      beneficialOwner: null,
      beneficialOwnerType: null,
      managementCompany: "Sample Management",
      aiRationale: null,
      researchedAt: at,
      tier: "Standard"
    },
    primaryOrganizationId: id(2),
    managementOrganizationId: null,
    source: null,
    ownerWithheld: false,
    beneficialOwnerWithheld: false
  },
  contacts: [{
    id: id(3),
    fullName: "Sam Sample",
    title: "Asset Manager",
    roleType: "asset_manager",
    seniority: "manager",
    employerName: "Sample Owner LLC",
    employerDomain: "owner.example",
    firmId: id(2),
    firmName: "Sample Owner LLC",
    email: "sam@owner.example",
    emailValidationStatus: "valid",
    phone: "+15550100",
    phoneLabel: "Office",
    phoneExtension: null,
    phoneFallbackFromEmployer: false,
    linkedinUrl: null,
    location: "Sampleton, TX",
    source: "public_record",
    doNotContact: { email: false, phone: false },
    lastVerifiedAt: at,
    updatedAt: at,
    role: "asset_manager",
    relationshipStatus: "current",
    opened: false
  }],
  firms: [{
    id: id(2),
    role: "owner",
    name: "Sample Owner LLC",
    domain: "owner.example",
    attributionType: "county_record",
    linkedinUrl: null,
    websiteUrl: "https://owner.example",
    phone: "+15550101"
  }],
  lead: {
    propertyId: id(1),
    status: "qualified",
    dealValue: 25_000,
    qualifiedAt: at,
    qualifiedBy: { kind: "member", id: id(4), name: "Sample Member" },
    statusChangedAt: at,
    version: 1,
    ownerId: null,
    ownerName: null,
    lossReasonCode: null,
    lossReasonNote: null,
    disqualifiedReason: null
  },
  notes: [],
  tasks: [],
  customerAccountStatus: null
}

/** What a change is about. */
const subjectOf = (event: SubscribableEvent) =>
  event.startsWith("signal.contact") ? { type: "contact", id: id(3) } : { type: "property", id: id(1) }

const signalOf = (event: SubscribableEvent) => ({
  payload_version: "signal.v1" as const,
  event_id: id(5),
  kind: event.slice("signal.".length),
  subject: subjectOf(event),
  detected_at: at,
  ...event === "signal.withdrawn"
    ? { withdraws_event_id: id(6), reason: "source_correction" }
    : { source: "county_record", signal_id: id(7) }
})

/** The body of a webhook about that event; `now` in milliseconds. */
export const sampleOf = (
  event: SubscribableEvent,
  context: { readonly organization: Organization; readonly appUrl: string | null; readonly now: number }
) => ({
  event_id: id(8),
  feed_event_id: event === "lead.qualified" ? id(9) : id(5),
  event_type: event,
  created_at: DateTime.formatIso(DateTime.makeUnsafe(context.now)),
  test: true as const,
  data: event === "lead.qualified" ? bundleOf(facts, { ...context, partial: false }) : signalOf(event)
})
