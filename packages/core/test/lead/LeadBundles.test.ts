import { assert, describe, it } from "@effect/vitest"
import type { AttachedContact } from "@freehold/core/contact/Contact"
import type { BundleFacts } from "@freehold/core/lead/BundleSource"
import { bundleOf } from "@freehold/core/lead/LeadBundles"
import { LeadBundle } from "@freehold/core/lead/LeadOperations"
import { decoder } from "@freehold/core/operation/InvalidInput"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import * as Seed from "@freehold/core/testing/Seed"
import { Result } from "effect"

const organization = defaults("org_test")
const id = "00000000-0000-4000-8000-000000000001"
const person = (last: string, given: Partial<AttachedContact>): AttachedContact => ({
  ...Seed.contact({ id: `00000000-0000-4000-8000-0000000000${last}`, fullName: "Ada Sample Person", ...given }),
  firmName: null,
  role: null,
  relationshipStatus: "current",
  opened: false,
  ...given
})

const facts: BundleFacts = {
  property: {
    ...Seed.property({
      id,
      countyFips: "99001",
      totalParval: 5,
      lastSaleDate: "2026-01-01",
      commonName: "Sample Tower"
    }),
    hasManagementCompany: true,
    hasBeneficialOwner: true,
    researchedAt: "2026-01-01T00:00:00.000Z",
    lastEnrichedAt: "2026-01-01T00:00:00.000Z",
    primaryOrganizationId: null,
    managementOrganizationId: null,
    source: null,
    unlocked: true,
    ownerWithheld: false,
    beneficialOwnerWithheld: false,
    contactCounts: { contacts: 3, withEmail: 1, withPhone: 0, withLinkedin: 0, roleTypes: [] },
    research: {
      beneficialOwner: "Sample Holdings",
      beneficialOwnerType: "private_company",
      managementCompany: "Sample Managers",
      aiRationale: "Because.",
      researchedAt: "2026-01-01T00:00:00.000Z",
      tier: "Standard"
    }
  },
  contacts: [
    person("c3", { roleType: null }),
    person("c2", { roleType: "leasing_agent", email: "ada@sample.example" }),
    person("c1", { roleType: "other", role: "property_manager" })
  ],
  firms: [
    { ...Seed.firm({ id: "f1", name: "Sample Owners" }), role: "owner", attributionType: "county_record" },
    { ...Seed.firm({ id: "f2", name: "Sample Backers" }), role: "owner", attributionType: "beneficial_research" },
    {
      ...Seed.firm({ id: "f3", name: "Sample Managers" }),
      role: "property_manager",
      attributionType: "management_research"
    }
  ],
  lead: null,
  notes: [{ id: "n1", content: "Called.\nNo answer.", author: "Ana", createdAt: "2026-02-03T04:05:06.000Z" }],
  tasks: [],
  customerAccountStatus: null
}

const build = (partial: boolean, given: Partial<BundleFacts> = {}, as: Organization = organization) =>
  bundleOf({ ...facts, ...given }, { organization: as, partial, appUrl: "https://app.example", now: 0 })

describe("a full lead bundle", () => {
  it("fits its schema", () => {
    assert.isTrue(Result.isSuccess(decoder(LeadBundle)(build(false))))
  })

  it("tells where the lead stands, why, and whose it is", () => {
    const lead = {
      propertyId: id,
      status: "lost" as const,
      dealValue: 900,
      lossReasonCode: "price",
      lossReasonNote: "half of it",
      disqualifiedReason: null,
      qualifiedAt: "2026-02-01T00:00:00.000Z",
      qualifiedBy: { kind: "agent" as const, id: "key", name: "Sample Key" },
      statusChangedAt: "2026-02-02T00:00:00.000Z",
      ownerId: "member",
      ownerName: "Ana Sample",
      version: 4
    }
    assert.deepStrictEqual(build(false, { lead, customerAccountStatus: "active" }).pipeline, {
      in_pipeline: true,
      status: "lost",
      deal_value: 900,
      currency: "USD",
      qualified_at: "2026-02-01T00:00:00.000Z",
      qualified_by: { kind: "agent", name: "Sample Key" },
      status_changed_at: "2026-02-02T00:00:00.000Z",
      loss_reason_code: "price",
      loss_reason_note: "half of it",
      disqualified_reason: null,
      is_current_customer: true,
      customer_account_status: "active",
      owner_name: "Ana Sample"
    })
  })

  it("lists the most useful role first, then people by id", () => {
    assert.deepStrictEqual(build(false).contacts.map((each) => each.role_type), [
      "property_manager",
      "leasing_agent",
      null
    ])
  })

  it("digests notes to one line each, at most 4,000 characters", () => {
    assert.strictEqual(build(false).notes_digest, "2026-02-03 Ana: Called. No answer.")
    const notes = Array.from({ length: 50 }, (_, index) => ({
      id: `n${index}`,
      content: "long ".repeat(100),
      author: "Ana",
      createdAt: "2026-02-03T04:05:06.000Z"
    }))
    const { notes: listed, notes_digest } = build(false, { notes })
    assert.isAtMost(notes_digest.length, 4000)
    assert.isAbove(notes_digest.length, 3000)
    assert.strictEqual(listed.length, 50)
  })

  it("withholds what the plan lacks", () => {
    const { property } = build(false, {}, {
      ...organization,
      features: { ...organization.features, premium_values: false, common_names: false }
    })
    assert.deepStrictEqual(
      [property.assessed_value, property.last_sale_date, property.common_name, property.premium_data_redacted],
      [null, null, null, true]
    )
  })
})

describe("a partial lead bundle", () => {
  it("says so and gives away nothing that an unlock opens", () => {
    const bundle = build(true)
    assert.isTrue(Result.isSuccess(decoder(LeadBundle)(bundle)))
    assert.strictEqual(bundle.partial_reason, "not_revealed")
    assert.deepStrictEqual(bundle.contacts, [])
    assert.deepStrictEqual(bundle.organizations.map((firm) => firm.name), ["Sample Owners"])
    assert.strictEqual(bundle.contacts_summary?.total_count, 3)
    const text = JSON.stringify(bundle)
    for (const secret of ["Sample Holdings", "Sample Managers", "Sample Backers", "Because.", "Ada", "ada@"]) {
      assert.isFalse(text.includes(secret), secret)
    }
  })
})
