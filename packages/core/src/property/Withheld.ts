/** What a plan withholds of the records, so that it cannot be asked for by a filter or a sort either. */
import type { Organization } from "../access/Organization.ts"
import type { InputIssue } from "../operation/InvalidInput.ts"

const premium: ReadonlySet<string> = new Set([
  "propertyValue",
  "minPropertyValue",
  "maxPropertyValue",
  "lastSaleDate",
  "lastSaleAfter",
  "lastSaleBefore"
])

export const notOnPlan = (field: string): InputIssue => ({ field, message: "Not available on your plan" })

/** Whether the plan withholds the data behind a filter or sort key. */
export const withheld = (key: string, organization: Organization): boolean =>
  premium.has(key) && !organization.features.premium_values ||
  key === "commonName" && !organization.features.common_names
