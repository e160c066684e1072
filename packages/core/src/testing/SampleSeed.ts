/** The small made-up world that the contracts of `Properties`, `Contacts` and `BundleSource` read. */
import type { BundleNote } from "../lead/BundleSource.ts"
import { defaults } from "../organization/Organization.ts"
import { contact, firm, type OfProperty, property, type Seed, type SeedFirm } from "./Seed.ts"

export const orgId = "sample-org"
export const otherOrgId = "other-org"

/** The `n`-th made-up id. */
export const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const at = "2026-01-01T00:00:00.000Z"

export const research = {
  beneficialOwner: "Sample Family",
  beneficialOwnerType: "family_trust",
  managementCompany: null,
  aiRationale: "Made up.",
  researchedAt: "2026-01-02T03:04:05.678Z",
  tier: "Deep"
} as const

/** Known in every kind of field; `plain` knows nothing. */
export const rich = property({
  id: id(1),
  key: "48001-RICH",
  countyFips: "48001",
  address: "1 Oak",
  city: "Aldermoor",
  state: "TX",
  zip: "75001",
  county: "Sample",
  lat: 32.123456,
  lon: -97.5,
  parcelNumbers: ["A-1", "A-2"],
  ownerMailingAddress: { line1: "PO Box 1", city: null, state: "TX", zip: null },
  buildingSqft: 12_345,
  numFloors: 2.5,
  totalParval: 1_234_567.5,
  lastSaleDate: "2020-02-29",
  hasPool: false,
  isCluster: true,
  sourceUpdatedAt: "2025-12-31T23:59:59.999Z",
  assetCategory: "Office",
  commonName: "Oak Plaza",
  buildingAttributesBasis: "mixed",
  updatedAt: "2026-01-03T00:00:00.001Z",
  research
})
export const plain = property({ id: id(2), countyFips: "48003", retiredInto: id(1) })
export const other = property({ id: id(3), countyFips: "06001", address: "3 Elm", city: "Briarfield", state: "CA" })

export const owner: SeedFirm = firm({ id: id(102), name: "Sample Owner", domain: "example.com", phone: "+15550100" })
const manager = firm({ id: id(101) })

/** Attached to one property. */
export const principal = contact({
  id: id(202),
  seniority: "owner",
  phone: "+15550102",
  phoneLabel: "Mobile",
  doNotContact: { email: true, phone: false },
  lastVerifiedAt: at,
  roleType: "executive"
})

/** Attached to every property. */
export const everywhere = contact({
  id: id(203),
  email: "three@example.com",
  linkedinUrl: "https://example.com/three",
  roleType: "executive"
})

/** 52 notes, the last one newest, two of them at the same instant. */
const notes = Array.from({ length: 52 }, (_, index): OfProperty<BundleNote> => ({
  orgId,
  propertyId: id(1),
  id: id(1000 + index),
  content: `Note ${index}`,
  author: "Sample Member",
  createdAt: `2026-01-01T00:00:${String(Math.max(1, index)).padStart(2, "0")}.000Z`
}))

const task = {
  orgId,
  propertyId: id(1),
  title: "Call",
  description: null,
  type: "call",
  status: "open",
  dueAt: null,
  assigneeName: null,
  completedAt: null
} as const

export const sample: Partial<Seed> = {
  organizations: [defaults(orgId), defaults(otherOrgId)],
  properties: [rich, plain, other],
  firms: [owner, manager],
  propertyFirms: [
    { propertyId: id(1), firmId: id(101), role: "property_manager", attributionType: "management_research" },
    { propertyId: id(1), firmId: id(101), role: "owner", attributionType: "web" },
    { propertyId: id(1), firmId: id(102), role: "owner", attributionType: "county_record" }
  ],
  contacts: [
    contact({
      id: id(201),
      seniority: "manager",
      email: "one@example.com",
      roleType: "property_manager",
      firmId: id(102)
    }),
    principal,
    everywhere,
    contact({ id: id(204), seniority: "manager" })
  ],
  relationships: [
    { propertyId: id(1), contactId: id(204), role: null, relationshipStatus: "former", attributionType: "web" },
    { propertyId: id(1), contactId: id(203), role: "other", relationshipStatus: "current", attributionType: "web" },
    { propertyId: id(1), contactId: id(202), role: "legal", relationshipStatus: "unverified", attributionType: "web" },
    { propertyId: id(1), contactId: id(201), role: null, relationshipStatus: "current", attributionType: "web" },
    { propertyId: id(2), contactId: id(203), role: null, relationshipStatus: "current", attributionType: "web" },
    {
      propertyId: id(3),
      contactId: id(203),
      role: "legal",
      relationshipStatus: "former",
      attributionType: "county_record"
    }
  ],
  accesses: [
    { orgId, kind: "property", id: id(3), source: "paid" },
    { orgId, kind: "property", id: id(1), source: "covered" },
    { orgId, kind: "contact", id: id(201), source: "paid" },
    { orgId, kind: "contact", id: id(202), source: "free" }
  ],
  leads: [{
    orgId,
    propertyId: id(1),
    status: "qualified",
    dealValue: 1234.5,
    qualifiedAt: "2026-01-04T00:00:00.000Z",
    qualifiedBy: { kind: "member", id: "m-1", name: "Sample Member" },
    statusChangedAt: "2026-01-05T00:00:00.000Z",
    version: 3
  }],
  notes,
  tasks: [
    { ...task, id: id(301), createdAt: "2026-01-01T00:00:00.000Z" },
    { ...task, id: id(302), createdAt: "2026-01-02T00:00:00.000Z", dueAt: "2026-02-01T00:00:00.000Z" },
    { ...task, id: id(303), createdAt: "2026-01-01T00:00:00.000Z", status: "done", completedAt: at }
  ],
  customers: [{ orgId, propertyId: id(1), status: "churned" }]
}
