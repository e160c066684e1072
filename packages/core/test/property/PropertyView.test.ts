import { assert, describe, it } from "@effect/vitest"
import { decoder } from "@freehold/core/operation/InvalidInput"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import type { Property } from "@freehold/core/property/Property"
import { PropertyRecord } from "@freehold/core/property/PropertyOperations"
import { compactRow, fullRow, record, revealOf } from "@freehold/core/property/PropertyView"
import { CompactRow, FullRow } from "@freehold/core/property/SearchRow"
import * as Seed from "@freehold/core/testing/Seed"
import { Result } from "effect"

const researched: Property = {
  ...Seed.property({
    id: "00000000-0000-4000-8000-000000000001",
    countyFips: "99001",
    address: "1 Sample Street",
    city: "Sampleton",
    state: "ZZ",
    zip: "00001",
    county: "Sample",
    recordOwner: "SAMPLE OWNER LLC",
    ownerName: "SAMPLE OWNER",
    rawAddress: "1 SAMPLE ST",
    commonName: "Sample Tower",
    totalParval: 1_000_000,
    lastSaleDate: "2025-05-05",
    lastSalePrice: 900_000
  }),
  hasManagementCompany: true,
  hasBeneficialOwner: false,
  researchedAt: "2026-01-01T00:00:00.000Z",
  lastEnrichedAt: "2026-01-01T00:00:00.000Z",
  primaryOrganizationId: null,
  managementOrganizationId: "00000000-0000-4000-8000-00000000000f",
  source: null,
  unlocked: false,
  ownerWithheld: false,
  beneficialOwnerWithheld: false,
  contactCounts: { contacts: 4, withEmail: 3, withPhone: 0, withLinkedin: 0, roleTypes: ["property_manager"] },
  research: {
    beneficialOwner: "Sample Holdings",
    beneficialOwnerType: "reit",
    managementCompany: "Sample Managers",
    aiRationale: "Because.",
    researchedAt: "2026-01-01T00:00:00.000Z",
    tier: "Deep"
  }
}

const organization: Organization = {
  ...defaults("org_test"),
  serviceable_area: { whole_state_abbrs: [], county_fips: ["99001"] }
}
const covered: Organization = {
  ...organization,
  entitlement: { nationwide: false, state_abbrs: [], county_fips: ["99001"] }
}
const plain: Organization = {
  ...organization,
  features: { ...organization.features, premium_values: false, common_names: false }
}

describe("a property's state for an organization", () => {
  it("is none without research, locked with it, revealed once unlocked or covered; paid beats covered", () => {
    const state = (property: Property, as: Organization) => {
      const { researchState, revealSource } = revealOf(property, as)
      return [researchState, revealSource]
    }
    const unlocked = { ...researched, unlocked: true }
    assert.deepStrictEqual(state({ ...researched, researchedAt: null }, covered), ["none", null])
    assert.deepStrictEqual(state(researched, organization), ["locked", null])
    assert.deepStrictEqual(state(unlocked, organization), ["revealed", "paid"])
    assert.deepStrictEqual(state(researched, covered), ["revealed", "geo"])
    assert.deepStrictEqual(state(unlocked, covered), ["revealed", "paid"])
  })
})

describe("the record", () => {
  it("fits its schema and holds no researched value while locked", () => {
    const locked = record(researched, organization)
    assert.isTrue(Result.isSuccess(decoder(PropertyRecord)(locked)))
    assert.strictEqual(locked.recordOwner, "SAMPLE OWNER LLC")
    for (
      const field of [
        "beneficialOwner",
        "beneficialOwnerType",
        "managementCompany",
        "aiRationale",
        "managementOrganizationId"
      ] as const
    ) {
      assert.isNull(locked[field], field)
      assert.isNotNull(record({ ...researched, unlocked: true }, organization)[field], field)
    }
  })

  it("withholds value, sale and name from a plan without them, and says so", () => {
    const masked = record(researched, plain)
    assert.deepStrictEqual(
      [masked.totalParval, masked.propertyValue, masked.lastSaleDate, masked.lastSalePrice, masked.commonName],
      [null, null, null, null, null]
    )
    assert.isTrue(masked.premiumDataRedacted && masked.nameLocked)
  })
})

describe("search rows", () => {
  it("have the 27 keys of a compact row in their order", () => {
    assert.deepStrictEqual(
      Object.keys(compactRow(researched, organization)).join(", "),
      "id, key, address, city, state, zip, county, countyFips, lat, lon, owner, commonName, nameLocked, " +
        "assetCategory, assetSubcategory, buildingSqft, lotSqft, numFloors, totalUnits, yearBuilt, propertyValue, " +
        "premiumDataRedacted, contactCount, enrichmentStatus, researchState, coveredByPlan, teaser"
    )
  })

  it("fit their schemas and tell counts, never names", () => {
    assert.isTrue(Result.isSuccess(decoder(CompactRow)(compactRow(researched, organization))))
    assert.isTrue(Result.isSuccess(decoder(FullRow)(fullRow(researched, organization))))
    assert.strictEqual(
      compactRow(researched, organization).teaser.summary,
      "4 contacts, 3 with email, property manager on file"
    )
    assert.isFalse(JSON.stringify(fullRow(researched, organization)).includes("Sample Managers"))
  })

  it("are about 40 % smaller when compact", () => {
    const size = (row: object) => JSON.stringify(row).length
    assert.isAtMost(size(compactRow(researched, organization)) / size(fullRow(researched, organization)), 0.65)
  })
})
