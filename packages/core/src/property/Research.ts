/**
 * What research found out about a property, and whether the organization may read it.
 *
 * | researchState | meaning                                   | unlock answers                  |
 * | ------------- | ----------------------------------------- | ------------------------------- |
 * | none          | no research exists                        | NOT_RESEARCHED                  |
 * | locked        | research exists and is not readable       | opens it, 10 credits            |
 * | revealed      | unlocked by the organization, or covered  | free                            |
 *
 * service-api "Property research state".
 */
import { Schema } from "effect"

export const BeneficialOwnerType = Schema.Literals([
  "individual",
  "family_trust",
  "private_company",
  "public_company",
  "partnership",
  "reit",
  "fund",
  "government",
  "nonprofit",
  "institution",
  "unknown"
])
export type BeneficialOwnerType = typeof BeneficialOwnerType.Type

export const EnrichmentStatus = Schema.Literals([
  "not_started",
  "queued",
  "processing",
  "complete",
  "partial",
  "failed"
])
export type EnrichmentStatus = typeof EnrichmentStatus.Type

export const ResearchState = Schema.Literals(["revealed", "locked", "none"])
export type ResearchState = typeof ResearchState.Type

export const ResearchTierName = Schema.Literals(["Standard", "Deep"])
export type ResearchTierName = typeof ResearchTierName.Type

/** One property's research. */
export interface Research {
  readonly beneficialOwner: string | null
  readonly beneficialOwnerType: BeneficialOwnerType | null
  readonly managementCompany: string | null
  readonly aiRationale: string | null
  /** ISO-8601. */
  readonly researchedAt: string
  readonly tier: ResearchTierName
}

/** How an organization came to see a property's research: `paid` beats `geo`. decisions, section 19. */
export interface Reveal {
  readonly researchState: ResearchState
  readonly researchRevealed: boolean
  readonly revealSource: "paid" | "geo" | null
  readonly coveredByPlan: boolean
}

/** The state of one property for one organization. */
export const reveal = (facts: {
  readonly researched: boolean
  readonly unlocked: boolean
  readonly covered: boolean
}): Reveal => {
  const researchRevealed = facts.researched && (facts.unlocked || facts.covered)
  return {
    researchState: !facts.researched ? "none" : researchRevealed ? "revealed" : "locked",
    researchRevealed,
    revealSource: !researchRevealed ? null : facts.unlocked ? "paid" : "geo",
    coveredByPlan: facts.covered
  }
}

/** How deep the research went and whether a deeper one can be had. */
export const tierOf = (research: Research | null) => {
  const displayName = research?.tier ?? "Standard"
  return {
    displayName,
    description: displayName === "Deep"
      ? "Ownership, management and decision-makers, each verified one by one."
      : "Ownership, management and decision-makers from public and licensed sources.",
    isUpgradeAvailable: displayName === "Standard"
  }
}
