/** A company that owns, manages, operates or rents property. On the wire it is an `organization`. */
import { Schema } from "effect"

export const FirmRole = Schema.Literals(["owner", "property_manager", "operator", "tenant"])
export type FirmRole = typeof FirmRole.Type

/**
 * Kinds of attribution that only research knows. A tie of such a kind is listed and counted for properties alone whose
 * research is revealed to the organization. decisions, section 20 "Search and records".
 */
export const researchedAttributions: ReadonlyArray<string> = ["beneficial_research", "management_research"]

export interface Firm {
  readonly id: string
  readonly name: string
  readonly domain: string | null
  readonly linkedinUrl: string | null
  readonly twitterUrl: string | null
  readonly facebookUrl: string | null
  readonly crunchbaseUrl: string | null
}
