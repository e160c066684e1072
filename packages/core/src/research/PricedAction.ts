/** The actions that can be priced: what each is done to, and what does it. */
import { RevealContact } from "../contact/ContactOperations.ts"
import type * as Operation from "../operation/Operation.ts"
import { UnlockProperty } from "../property/PropertyOperations.ts"
import {
  DeepResearchContact,
  DraftEmail,
  FindEmail,
  type PriceResearch,
  ResearchContact,
  ResearchOrganization,
  ResearchProperty
} from "./ResearchOperations.ts"
import { subjectTypes } from "./ResearchRun.ts"

/** The argument of a price that names what the action is done to, by the kind of subject. */
export const subjectArguments = {
  property: "property_ids",
  contact: "contact_id",
  organization: "organization_id"
} as const

export type PricedAction = (typeof PriceResearch)["input"]["Type"]["action"]

/** What the action is done to. */
export const subjectKindOf = (action: PricedAction): keyof typeof subjectArguments =>
  action === "unlock_property" ? "property" : action === "reveal_contact" ? "contact" : subjectTypes[action]

export const subjectArgumentOf = (action: PricedAction) => subjectArguments[subjectKindOf(action)]

/** What does the action that was priced. */
export const pricedOperations = {
  unlock_property: UnlockProperty,
  reveal_contact: RevealContact,
  research_property: ResearchProperty,
  research_contact: ResearchContact,
  research_organization: ResearchOrganization,
  find_email: FindEmail,
  deep_research_contact: DeepResearchContact,
  draft_email: DraftEmail
} as const satisfies Readonly<Record<PricedAction, Operation.AnyOperation>>
