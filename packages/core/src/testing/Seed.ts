/**
 * Made-up data that a test puts under the ports, the same for every adapter.
 *
 * `Seeder` adds it as an import and the use cases would have left it: counts over contacts, the table of counties and a
 * lawful ledger included. Each adapter has one, in memory (`SeederMemory`) or in a database.
 *
 * *Gotchas*: a seed is added to what is there, so tests that share a store use ids, keys and counties of their own, or
 * `clear` a store that is theirs alone. All accesses of an organization come in one seed.
 */
import { Context, Effect, Record } from "effect"
import type { Contact } from "../contact/Contact.ts"
import type { OpenGrant } from "../credit/Ledger.ts"
import type { Allocation, LedgerEntry } from "../credit/LedgerEntry.ts"
import { prices } from "../credit/Price.ts"
import type { Firm } from "../firm/Firm.ts"
import type { AttachedFirm, BundleNote, BundleTask } from "../lead/BundleSource.ts"
import type { PropertyContact, StoredChange, StoredProperty } from "../memory/MemoryState.ts"
import type { Organization } from "../organization/Organization.ts"
import type { Member } from "../organization/Organizations.ts"
import type { Lead } from "../pipeline/Pipeline.ts"
import { noDetails } from "../property/Property.ts"
import { propertyFields } from "../property/PropertyField.ts"

/** A property without what follows from its research and its firms. */
export type SeedProperty = Omit<
  StoredProperty,
  | "hasManagementCompany"
  | "hasBeneficialOwner"
  | "researchedAt"
  | "lastEnrichedAt"
  | "primaryOrganizationId"
  | "managementOrganizationId"
  | "source"
>

export type SeedFirm = Firm & Omit<AttachedFirm, "role" | "attributionType">

export interface SeedPropertyFirm extends Pick<AttachedFirm, "role" | "attributionType"> {
  readonly propertyId: string
  readonly firmId: string
}

export interface SeedAccess {
  readonly orgId: string
  readonly kind: "property" | "contact"
  readonly id: string
  /** A property is `paid` or `covered`, a contact `paid` or `free`. */
  readonly source: "paid" | "covered" | "free"
}

/** A lead without what it has only after some moves. */
export type SeedLead = Omit<Lead, keyof typeof freshLead> & Partial<Pick<Lead, keyof typeof freshLead>>

/** Of a lead that an agent qualified and that was never lost or disqualified. */
export const freshLead = {
  lossReasonCode: null,
  lossReasonNote: null,
  disqualifiedReason: null,
  ownerId: null,
  ownerName: null
} satisfies Partial<Lead>

/** Something that one organization keeps about one property. */
export type OfProperty<A> = A & { readonly orgId: string; readonly propertyId: string }

/** What is left out is none; the source is the county's record. */
export type SeedChange =
  & Pick<StoredChange, "id" | "kind" | "propertyId" | "detectedAt" | "withdraws">
  & Partial<StoredChange>

/** A change with nothing left out. */
export const change = (given: SeedChange): StoredChange => ({
  contactId: null,
  effectiveDate: null,
  source: "county_record",
  before: null,
  after: null,
  ...given
})

export interface Seed {
  readonly organizations: ReadonlyArray<Organization>
  readonly properties: ReadonlyArray<SeedProperty>
  readonly firms: ReadonlyArray<SeedFirm>
  readonly propertyFirms: ReadonlyArray<SeedPropertyFirm>
  /** `firmName` is that of the firm. */
  readonly contacts: ReadonlyArray<Omit<Contact, "firmName">>
  readonly relationships: ReadonlyArray<PropertyContact>
  readonly accesses: ReadonlyArray<SeedAccess>
  readonly leads: ReadonlyArray<OfProperty<SeedLead>>
  readonly notes: ReadonlyArray<OfProperty<BundleNote>>
  readonly tasks: ReadonlyArray<OfProperty<BundleTask>>
  readonly customers: ReadonlyArray<OfProperty<{ readonly status: "active" | "churned" }>>
  /** Lists of properties, the team's. */
  readonly lists: ReadonlyArray<
    { readonly orgId: string; readonly id: string; readonly propertyIds: ReadonlyArray<string> }
  >
  readonly members: ReadonlyArray<Member & { readonly orgId: string }>
  readonly changes: ReadonlyArray<SeedChange>
}

/** Sets the scene of a suite: what an import would have brought. */
export class Seeder extends Context.Service<Seeder, {
  /** Adds the data; what is left out is empty. */
  add(seed: Partial<Seed>): Effect.Effect<void>
  /** Removes whatever a seed can hold, and all that hangs on it. */
  clear: Effect.Effect<void>
}>()("@freehold/core/testing/Seed/Seeder") {}

/** Empties the store and adds the data. */
export const startOver = Effect.fnUntraced(function*(seed: Partial<Seed>) {
  const seeder = yield* Seeder
  yield* seeder.clear
  yield* seeder.add(seed)
})

/** An active member with a seat, who sees all of the organization's area, and what is given. */
export const member = (given: Pick<Member, "memberId"> & Partial<Member>): Member => ({
  email: `${given.memberId}@sample.example`,
  name: "Sample Member",
  role: "member",
  seat: true,
  status: "active",
  territory: null,
  monthlyCreditLimit: null,
  ...given
})

/** A key that may nothing, to be kept by its hash. */
export const key = (given: { readonly credentialId: string; readonly orgId: string; readonly secretHash: string }) => ({
  name: "sample",
  label: "sample fhk_00000000",
  scopes: [],
  dailyLimits: {},
  ...given
})

/** A property of which nothing is known but what is given. */
export const property = (given: Pick<SeedProperty, "id" | "countyFips"> & Partial<SeedProperty>): SeedProperty => ({
  ...Record.map(propertyFields, () => null),
  key: `${given.countyFips}-${given.id}`,
  enrichmentStatus: given.research === undefined || given.research === null ? "not_started" : "complete",
  updatedAt: "2026-01-01T00:00:00.000Z",
  retiredInto: null,
  buildingAttributesBasis: "none",
  details: noDetails,
  research: null,
  ...given
})

/** That the person is at the property today, in whatever role. */
export const tie = (propertyId: string, contactId: string): PropertyContact => ({
  propertyId,
  contactId,
  role: null,
  relationshipStatus: "current",
  attributionType: "web"
})

/** A contact of whom only the name is known, and what is given. */
export const contact = (
  given: Pick<Contact, "id"> & Partial<Omit<Contact, "firmName">>
): Omit<Contact, "firmName"> => ({
  fullName: `Sample Person ${given.id}`,
  title: null,
  roleType: null,
  seniority: "unknown",
  employerName: null,
  employerDomain: null,
  firmId: null,
  email: null,
  emailValidationStatus: "unvalidated",
  phone: null,
  phoneLabel: null,
  phoneExtension: null,
  phoneFallbackFromEmployer: false,
  linkedinUrl: null,
  location: null,
  source: "manual",
  doNotContact: { email: false, phone: false },
  lastVerifiedAt: null,
  updatedAt: "2026-01-01T00:00:00.000Z",
  ...given
})

/** A firm of which only what matters is given. */
export const firm = (given: Pick<SeedFirm, "id"> & Partial<SeedFirm>): SeedFirm => ({
  name: `Sample Firm ${given.id}`,
  domain: null,
  linkedinUrl: null,
  twitterUrl: null,
  facebookUrl: null,
  crunchbaseUrl: null,
  websiteUrl: null,
  phone: null,
  ...given
})

/** The ledger of one organization that bought exactly its paid accesses. */
export interface SeedLedger {
  readonly entries: ReadonlyArray<LedgerEntry & { readonly allocations: ReadonlyArray<Allocation> }>
  /** The one grant, used up; null when nothing was bought. */
  readonly grant: (OpenGrant & { readonly amount: number }) | null
  readonly accesses: ReadonlyArray<SeedAccess & { readonly chargeEntry: number | null }>
}

const seededAt = "2026-01-01T00:00:00.000Z"
const grantRef = "seed"

/** One grant of what the paid accesses cost, then their charges, in their order. */
export const ledgerOf = (accesses: ReadonlyArray<SeedAccess>): SeedLedger => {
  const price = (access: SeedAccess) => access.kind === "property" ? prices.unlock_property : prices.reveal_contact
  const paid = accesses.filter((access) => access.source === "paid")
  const amount = paid.reduce((sum, access) => sum + price(access), 0)
  const line = {
    at: seededAt,
    actor: { kind: "system", id: null, name: null },
    request_id: null,
    refund_of: null
  } as const
  const grant: SeedLedger["entries"] = paid.length === 0 ? [] : [{
    ...line,
    entry: 1,
    kind: "grant",
    ref: grantRef,
    action: null,
    subject_type: null,
    subject_id: null,
    credits: amount,
    buckets: { trial: 0, included: 0, enterprise_pool: 0, purchased: amount },
    balance_after: amount,
    allocations: []
  }]
  const charges = paid.map((access, index): SeedLedger["entries"][number] => {
    const credits = price(access)
    const spent = paid.slice(0, index + 1).reduce((sum, earlier) => sum + price(earlier), 0)
    return {
      ...line,
      entry: index + 2,
      kind: "charge",
      ref: null,
      action: access.kind === "property" ? "unlock_property" : "reveal_contact",
      subject_type: access.kind,
      subject_id: access.id,
      credits: -credits,
      buckets: { trial: 0, included: 0, enterprise_pool: 0, purchased: -credits },
      balance_after: amount - spent,
      allocations: [{ grantRef, bucket: "purchased", amount: credits }]
    }
  })
  return {
    entries: [...grant, ...charges],
    grant: paid.length === 0
      ? null
      : { ref: grantRef, bucket: "purchased", amount, remaining: 0, expiresAt: null },
    accesses: accesses.map((access) => ({
      ...access,
      chargeEntry: access.source === "paid" ? paid.indexOf(access) + 2 : null
    }))
  }
}
