/** Examples of the endpoints about properties. All data is made up. */
import {
  GetProperty,
  GetPropertyRecord,
  type PropertyRecord,
  SearchProperties,
  UnlockProperty
} from "@freehold/core/property/PropertyOperations"
import { example } from "./Example.ts"

/** One record, unlocked, as the endpoints of a property tell of it. */
const property: typeof PropertyRecord.Encoded = {
  id: "984d985b-cf50-5a37-86a9-2c9c6d63499b",
  key: "53903-DEMO00001",
  address: "466 Hypothetical Drive",
  city: "Port Nonesuch (demo)",
  state: "WA",
  zip: "00022",
  county: "Quillgate (demo)",
  countyFips: "53903",
  lat: 46.877468,
  lon: -119.239571,
  apn: "DEMO-00001",
  parcelNumbers: ["DEMO-00001"],
  lotSqft: 40600,
  buildingSqft: 3010,
  footprintArea: 1510,
  footprintAreaSource: "assessor",
  buildingFootprintSqft: 1510,
  roofAreaSqft: 1670,
  landscapableSqft: 13530,
  yearBuilt: 1974,
  yearBuiltDetail: {
    basis: "primary_building",
    newest: 1980,
    oldest: 1974,
    buildings: 3,
    buildingsTotal: 3,
    primaryBuildingBasis: "assessor_primary"
  },
  numFloors: 3,
  numFloorsDetail: {
    max: 3,
    basis: "max",
    buildings: 3,
    buildingsTotal: 3,
    primaryBuilding: 2,
    areaWeightedMean: 2.2,
    primaryBuildingBasis: "assessor_primary"
  },
  effectiveYearBuilt: 2008,
  effectiveYearBuiltDetail: {
    basis: "area_weighted",
    newest: 2008,
    oldest: 2008,
    buildings: 1,
    buildingsTotal: 3,
    primaryBuildingBasis: "assessor_primary"
  },
  totalUnits: 232,
  heatingType: "Package Unit",
  heatingTypeDetail: {
    basis: "area_weighted",
    values: [{ value: "Package Unit", areaShare: 0.5017, buildings: 1 }, {
      value: "Heat Pump",
      areaShare: 0.4983,
      buildings: 2
    }],
    areaShare: 0.5017,
    buildings: 3,
    buildingsTotal: 3
  },
  coolingType: "Central",
  coolingTypeDetail: {
    basis: "area_weighted",
    values: [{ value: "Central", areaShare: 0.701, buildings: 2 }, {
      value: "None",
      areaShare: 0.299,
      buildings: 1
    }],
    areaShare: 0.701,
    buildings: 3,
    buildingsTotal: 3
  },
  primaryConstructionType: "Reinforced Concrete",
  primaryConstructionTypeDetail: {
    basis: "area_weighted",
    values: [{ value: "Reinforced Concrete", areaShare: 0.701, buildings: 2 }, {
      value: "Masonry",
      areaShare: 0.299,
      buildings: 1
    }],
    areaShare: 0.701,
    buildings: 3,
    buildingsTotal: 3
  },
  exteriorWallMaterial: "Brick",
  exteriorWallMaterialDetail: {
    basis: "area_weighted",
    values: [{ value: "Brick", areaShare: 0.701, buildings: 2 }, {
      value: "Metal",
      areaShare: 0.299,
      buildings: 1
    }],
    areaShare: 0.701,
    buildings: 3,
    buildingsTotal: 3
  },
  foundationType: "Basement",
  foundationTypeDetail: {
    basis: "area_weighted",
    values: [{ value: "Basement", areaShare: 0.5017, buildings: 1 }, {
      value: "Pier",
      areaShare: 0.4983,
      buildings: 2
    }],
    areaShare: 0.5017,
    buildings: 3,
    buildingsTotal: 3
  },
  roofCover: "Membrane",
  roofCoverDetail: {
    basis: "area_weighted",
    values: [{ value: "Membrane", areaShare: 0.701, buildings: 2 }, {
      value: "Shingle",
      areaShare: 0.299,
      buildings: 1
    }],
    areaShare: 0.701,
    buildings: 3,
    buildingsTotal: 3
  },
  roofShape: "Gable",
  roofShapeDetail: {
    basis: "area_weighted",
    values: [
      { value: "Gable", areaShare: 0.5017, buildings: 1 },
      { value: "Hip", areaShare: 0.299, buildings: 1 },
      { value: "Flat", areaShare: 0.1993, buildings: 1 }
    ],
    areaShare: 0.5017,
    buildings: 3,
    buildingsTotal: 3
  },
  qualityGrade: "B+",
  qualityGradeDetail: {
    basis: "area_weighted",
    values: [{ value: "B+", areaShare: 0.5017, buildings: 1 }, { value: "A", areaShare: 0.299, buildings: 1 }, {
      value: "B",
      areaShare: 0.1993,
      buildings: 1
    }],
    areaShare: 0.5017,
    buildings: 3,
    buildingsTotal: 3
  },
  hasPool: false,
  hasPoolDetail: { basis: "any", count: 0, buildings: 3, buildingsTotal: 3 },
  hasSprinklers: true,
  hasSprinklersDetail: { basis: "any", count: 2, buildings: 3, buildingsTotal: 3 },
  buildingAttributesBasis: "assessor_buildings",
  assetCategory: "Multifamily",
  assetSubcategory: "Garden",
  commonName: "Silver Center (demo)",
  nameLocked: false,
  recordOwner: "Basalt Anchor Family LP (demo)",
  ownerMailingAddress: { zip: "00022", city: "Port Nonesuch (demo)", line1: "49 Fictional Road", state: "WA" },
  primaryOrganizationId: "195a4d7b-5386-5ba2-ae31-08530f36e8b8",
  managementOrganizationId: "7b9917bc-e58c-5872-a884-aabd020b2442",
  beneficialOwner: "Basalt Anchor Family LP Group (demo)",
  beneficialOwnerType: "family_trust",
  managementCompany: "Copper Mill Property Management (demo)",
  aiRationale:
    "Made up for the demonstration: filings of Basalt Anchor Family LP (demo) name Copper Mill Property Management (demo) as its manager.",
  contactCount: 3,
  zoning: "MU",
  landUseCode: null,
  landUseDescription: "Multifamily (demo)",
  enrichmentStatus: "complete",
  lastEnrichedAt: "2026-05-13T12:00:00.000Z",
  researchedAt: "2026-05-13T12:00:00.000Z",
  researchTier: {
    displayName: "Standard",
    description: "Ownership, management and decision-makers from public and licensed sources.",
    isUpgradeAvailable: true
  },
  propertyValue: 1181000,
  totalParval: 1181000,
  parcelValueType: "assessed",
  lastSaleDate: null,
  lastSalePrice: null,
  premiumDataRedacted: false,
  updatedAt: "2026-11-22T00:37:09.194Z"
}

export const propertyExamples = [
  example(SearchProperties, {
    filters: { countyFips: ["53903"], categories: ["Office"], minBuildingSqft: 20000 },
    sortBy: "buildingSqft",
    limit: 1
  }, {
    results: [{
      id: "29a3335a-cc39-543c-84a2-aea18a686f8d",
      key: "53903-DEMO00271",
      address: "860 Fictional Road",
      city: "Port Nonesuch (demo)",
      state: "WA",
      zip: "00022",
      county: "Quillgate (demo)",
      countyFips: "53903",
      lat: 46.874892,
      lon: -119.173685,
      owner: "Copper Lantern Holdings LLC (demo)",
      commonName: null,
      nameLocked: false,
      assetCategory: "Office",
      assetSubcategory: "Mid Rise",
      buildingSqft: 300740,
      lotSqft: 4540,
      numFloors: 19,
      totalUnits: 5,
      yearBuilt: 1974,
      propertyValue: 111793000,
      premiumDataRedacted: false,
      contactCount: 4,
      enrichmentStatus: "complete",
      researchState: "locked",
      coveredByPlan: false,
      teaser: {
        contacts: 4,
        withEmail: 4,
        withPhone: 3,
        withLinkedin: 3,
        roleTypes: ["executive", "owner_principal", "property_manager", "regional_manager"],
        hasManagementCompany: true,
        hasBeneficialOwner: true,
        summary: "4 contacts, 4 with email, property manager on file, beneficial owner on file"
      }
    }],
    has_more: true,
    next_cursor: null,
    next_offset: 1,
    total_matching: 62,
    category_breakdown: [{ category: "Office", count: 62 }],
    sorted_by: { field: "buildingSqft", direction: "desc" },
    searched_scope: { scoped: true, countyCount: 1, states: ["WA"] }
  }),
  example(GetPropertyRecord, { id: "53903-DEMO00001" }, {
    property,
    researchState: "revealed",
    researchRevealed: true,
    revealSource: "paid",
    coveredByPlan: false
  }),
  example(GetProperty, { id: "53903-DEMO00001" }, {
    property,
    contacts: [{
      id: "8fc389b3-679d-5977-84bb-72594243890a",
      fullName: "Hiro Mockford",
      title: "Managing Partner",
      employerName: "Basalt Anchor Family LP (demo)",
      employer_domain: "basalt-anchor.example",
      organization_id: "195a4d7b-5386-5ba2-ae31-08530f36e8b8",
      location: "Larkmoor City (demo), WA",
      email: "hiro.mockford@basalt-anchor.example",
      emailValidationStatus: "valid",
      phone: "206-555-0112",
      phoneLabel: "Mobile",
      phoneExtension: null,
      phoneFallbackFromEmployer: false,
      linkedinUrl: null,
      role: "owner_principal",
      relationshipStatus: "current",
      revealed: true,
      revealCapExceeded: false,
      employerMismatch: false,
      source: "verified_employer_domain",
      doNotContact: { email: false, phone: false },
      lastVerifiedAt: null
    }],
    contactsSummary: null,
    researchState: "revealed",
    researchRevealed: true,
    revealSource: "paid",
    coveredByPlan: false,
    lastStrategy: {
      run_id: "019bc2f0-6b1e-7c3a-9d52-2f6a1f0c4e11",
      contact_id: "8fc389b3-679d-5977-84bb-72594243890a",
      at: "2026-11-22T00:41:02.530Z"
    },
    lastDraft: null
  }),
  example(UnlockProperty, { id: "53903-DEMO00001" }, { alreadyRevealed: false, creditsCharged: 10 })
] as const
