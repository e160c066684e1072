/**
 * How an organization sees a property: the record, the compact and the full search row, with everything masked that the
 * plan or a lock withholds.
 *
 * service-api "Property record" and "Search result row", decisions sections 1 and 2.
 */
import { Struct } from "effect"
import * as Territory from "../coverage/Territory.ts"
import type { Organization } from "../organization/Organization.ts"
import type { Property, PropertySummary } from "./Property.ts"
import { type Reveal, reveal, tierOf } from "./Research.ts"
import { type ChosenRow, isColumn } from "./SearchRow.ts"

/** What the organization's plan withholds, and how the property stands with it. */
interface View extends Reveal {
  readonly premium: boolean
  readonly names: boolean
}

/** How the property stands with the organization. */
export const revealOf = (property: PropertySummary, organization: Organization): Reveal =>
  reveal({
    researched: property.researchedAt !== null,
    unlocked: property.unlocked,
    covered: Territory.covers(organization, property.countyFips)
  })

const viewOf = (property: PropertySummary, organization: Organization): View => {
  const { coveredByPlan, researchRevealed, researchState, revealSource } = revealOf(property, organization)
  const { common_names: names, premium_values: premium } = organization.features
  return { coveredByPlan, researchRevealed, researchState, revealSource, premium, names }
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`

/** What is known, in words; null: nothing. */
const knownOf = ({ contactCounts, hasBeneficialOwner, hasManagementCompany }: PropertySummary): string | null => {
  const { contacts, withEmail } = contactCounts
  const known: Array<string> = []
  if (contacts > 0) known.push(plural(contacts, "contact"))
  if (contacts > 0 && withEmail > 0) known.push(`${withEmail} with email`)
  if (hasManagementCompany) known.push("property manager on file")
  if (hasBeneficialOwner) known.push("beneficial owner on file")
  return known.length === 0 ? null : known.join(", ")
}

/** Counts and flags that tell what an unlock would open; never a name. */
const teaserOf = (property: PropertySummary) => {
  const { contacts, roleTypes, withEmail, withLinkedin, withPhone } = property.contactCounts
  return {
    contacts,
    withEmail,
    withPhone,
    withLinkedin,
    roleTypes,
    hasManagementCompany: property.hasManagementCompany,
    hasBeneficialOwner: property.hasBeneficialOwner,
    summary: knownOf(property)
  }
}

/** What every view of a property begins with: which one it is, and where. */
const identity = (property: PropertySummary) => ({
  id: property.id,
  key: property.key,
  address: property.address,
  city: property.city,
  state: property.state,
  zip: property.zip,
  county: property.county,
  countyFips: property.countyFips,
  lat: property.lat,
  lon: property.lon
})

/** Present only when an owner asked not to be listed. */
const withheldOwner = (withheld: boolean) => withheld ? { ownerWithheld: true as const } : {}

/**
 * The 27 fields of a compact row, in their fixed order. Written down as one object: what is put together of several takes
 * V8 several times as long, and there are fifty to a page.
 */
const compact = (property: PropertySummary, { coveredByPlan, names, premium, researchState }: View) => {
  const row = {
    id: property.id,
    key: property.key,
    address: property.address,
    city: property.city,
    state: property.state,
    zip: property.zip,
    county: property.county,
    countyFips: property.countyFips,
    lat: property.lat,
    lon: property.lon,
    owner: property.recordOwner,
    commonName: names ? property.commonName : null,
    nameLocked: !names,
    assetCategory: property.assetCategory,
    assetSubcategory: property.assetSubcategory,
    buildingSqft: property.buildingSqft,
    lotSqft: property.lotSqft,
    numFloors: property.numFloors,
    totalUnits: property.totalUnits,
    yearBuilt: property.yearBuilt,
    propertyValue: premium ? property.totalParval : null,
    premiumDataRedacted: !premium,
    contactCount: property.contactCounts.contacts,
    enrichmentStatus: property.enrichmentStatus,
    researchState,
    coveredByPlan,
    teaser: teaserOf(property)
  }
  return property.ownerWithheld ? { ...row, ...withheldOwner(true) } : row
}

/** A row of a search, unless more is asked for. */
export const compactRow = (property: PropertySummary, organization: Organization) =>
  compact(property, viewOf(property, organization))

/** A compact row and its plumbing. */
export const fullRow = (property: PropertySummary, organization: Organization) => {
  const view = viewOf(property, organization)
  return {
    ...compact(property, view),
    parcelNumbers: property.parcelNumbers ?? [],
    apn: property.apn,
    accountNumber: property.accountNumber,
    isCluster: property.isCluster ?? false,
    clusterId: property.clusterId,
    clusterSize: property.clusterSize,
    isClusterPrimary: property.isClusterPrimary,
    ownerName: property.ownerName,
    ownerNameRaw: property.ownerNameRaw,
    ownerName2: property.ownerName2,
    ownerMailingAddress: property.ownerMailingAddress,
    rawAddress: property.rawAddress,
    addressSource: property.addressSource,
    landUseCode: property.landUseCode,
    landUseDescription: property.landUseDescription,
    zoning: property.zoning,
    effectiveYearBuilt: property.effectiveYearBuilt,
    footprintArea: property.footprintArea,
    footprintAreaSource: property.footprintAreaSource,
    buildingFootprintSqft: property.footprintArea,
    roofAreaSqft: property.roofAreaSqft,
    landscapableSqft: property.landscapableSqft,
    totalParval: view.premium ? property.totalParval : null,
    lastSaleDate: view.premium ? property.lastSaleDate : null,
    lastSalePrice: view.premium ? property.lastSalePrice : null,
    hasPool: property.hasPool,
    hasSprinklers: property.hasSprinklers,
    primaryConstructionType: property.primaryConstructionType,
    roofCover: property.roofCover,
    lastEnrichedAt: property.lastEnrichedAt,
    researchedAt: property.researchedAt,
    updatedAt: property.updatedAt,
    sourceUpdatedAt: property.sourceUpdatedAt
  }
}

/**
 * A row with those columns alone, in its own order. The teaser's sentence is left out, since its numbers say the same; a
 * withheld owner is told with the owner.
 */
export const chosenRow = (
  property: PropertySummary,
  organization: Organization,
  fields: ReadonlyArray<string>
): typeof ChosenRow.Encoded => {
  const { teaser: { summary: _, ...teaser }, ...row } = fullRow(property, organization)
  const chosen = Struct.pick({ ...row, teaser }, fields.filter(isColumn))
  return fields.includes("owner") ? { ...chosen, ...withheldOwner(property.ownerWithheld) } : chosen
}

/** The property record. Researched values are null until the property is revealed. */
export const record = (property: Property, organization: Organization) => {
  const view = viewOf(property, organization)
  const { details, research } = property
  const readable = view.researchRevealed ? research : null
  // What was written about the property may name its owner.
  const withheld = property.ownerWithheld || view.researchRevealed && property.beneficialOwnerWithheld
  return {
    ...identity(property),
    apn: property.apn,
    parcelNumbers: property.parcelNumbers ?? [],
    lotSqft: property.lotSqft,
    buildingSqft: property.buildingSqft,
    footprintArea: property.footprintArea,
    footprintAreaSource: property.footprintAreaSource,
    buildingFootprintSqft: property.footprintArea,
    roofAreaSqft: property.roofAreaSqft,
    landscapableSqft: property.landscapableSqft,
    yearBuilt: property.yearBuilt,
    yearBuiltDetail: details.yearBuiltDetail,
    numFloors: property.numFloors,
    numFloorsDetail: details.numFloorsDetail,
    effectiveYearBuilt: property.effectiveYearBuilt,
    effectiveYearBuiltDetail: details.effectiveYearBuiltDetail,
    totalUnits: property.totalUnits,
    heatingType: property.heatingType,
    heatingTypeDetail: details.heatingTypeDetail,
    coolingType: property.coolingType,
    coolingTypeDetail: details.coolingTypeDetail,
    primaryConstructionType: property.primaryConstructionType,
    primaryConstructionTypeDetail: details.primaryConstructionTypeDetail,
    exteriorWallMaterial: property.exteriorWallMaterial,
    exteriorWallMaterialDetail: details.exteriorWallMaterialDetail,
    foundationType: property.foundationType,
    foundationTypeDetail: details.foundationTypeDetail,
    roofCover: property.roofCover,
    roofCoverDetail: details.roofCoverDetail,
    roofShape: property.roofShape,
    roofShapeDetail: details.roofShapeDetail,
    qualityGrade: property.qualityGrade,
    qualityGradeDetail: details.qualityGradeDetail,
    hasPool: property.hasPool,
    hasPoolDetail: details.hasPoolDetail,
    hasSprinklers: property.hasSprinklers,
    hasSprinklersDetail: details.hasSprinklersDetail,
    buildingAttributesBasis: property.buildingAttributesBasis,
    assetCategory: property.assetCategory,
    assetSubcategory: property.assetSubcategory,
    commonName: view.names ? property.commonName : null,
    nameLocked: !view.names,
    recordOwner: property.recordOwner,
    ...withheldOwner(withheld),
    ownerMailingAddress: property.ownerMailingAddress,
    primaryOrganizationId: property.primaryOrganizationId,
    managementOrganizationId: view.researchRevealed ? property.managementOrganizationId : null,
    beneficialOwner: readable?.beneficialOwner ?? null,
    beneficialOwnerType: readable?.beneficialOwnerType ?? null,
    managementCompany: readable?.managementCompany ?? null,
    aiRationale: withheld ? null : readable?.aiRationale ?? null,
    contactCount: property.contactCounts.contacts,
    zoning: property.zoning,
    landUseCode: property.landUseCode,
    landUseDescription: property.landUseDescription,
    enrichmentStatus: property.enrichmentStatus,
    lastEnrichedAt: property.lastEnrichedAt,
    researchedAt: property.researchedAt,
    researchTier: tierOf(research),
    propertyValue: view.premium ? property.totalParval : null,
    totalParval: view.premium ? property.totalParval : null,
    parcelValueType: property.parcelValueType,
    lastSaleDate: view.premium ? property.lastSaleDate : null,
    lastSalePrice: view.premium ? property.lastSalePrice : null,
    premiumDataRedacted: !view.premium,
    source: property.source,
    updatedAt: property.updatedAt
  }
}
