/** What a monthly allotment means for an organization, in a sentence for whoever set it. */
import { grantsNothing, isGranted } from "@freehold/core/credit/MonthlyGrant"
import type { Organization, OrganizationId } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { Console, Effect, Option } from "effect"

const note = (organization: Organization): string | null => {
  const { monthly_credit_allotment: credits, monthly_grant_rolls_over: rollsOver, org_id, status } = organization
  if (grantsNothing(organization)) {
    return `${org_id}: monthly_credit_allotment ${credits} grants no credits, it sets the default of daily pipeline changes;`
      + ` "monthly_grant": true has it granted each month`
  }
  if (!isGranted(organization)) return null
  const end = rollsOver === true ? "do not expire" : "expire with the month"
  const until = status === "active" ? "" : `, once it is active (it is ${status})`
  return `${org_id}: ${credits} included credits are granted at the start of each UTC month and ${end}${until}`
}

/** Tells on standard error, so that the result stays a document. */
export const tellOfAllotments = (orgIds: ReadonlyArray<OrganizationId>) =>
  Effect.forEach(
    orgIds,
    (orgId) =>
      Effect.flatMap(Organizations.use((organizations) => organizations.find(orgId)), (found) => {
        const told = Option.isNone(found) ? null : note(found.value)
        return told === null ? Effect.void : Console.error(told)
      }),
    { discard: true }
  )
