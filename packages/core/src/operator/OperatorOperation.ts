/** What the operations of the operator's area have in common: no caller of an organization may run them, by any door. */
import { Schema } from "effect"
import { oneLine } from "../operation/PlainText.ts"
import { OrganizationId } from "../organization/Organization.ts"

export const access = { scope: null, plan: "team", app: "nobody" } as const

const longestReason = 200

/** Why it is done, for whoever reads the log. */
export const Reason = Schema.String.check(
  Schema.makeFilter((text: string) =>
    text.trim() !== "" && text.length <= longestReason || `Expected 1 to ${longestReason} characters`
  ),
  oneLine
)

/** The organization that is meant. */
export const ofOrganization = { org_id: OrganizationId }
