/** The status of an organization, as commands change it. */
import { statusActions } from "@freehold/core/operator/OperatorNote"
import type { OrganizationStatus } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { Effect } from "effect"
import { type Accountable, accountably } from "../Operator.ts"
import { findOrganization } from "./OrganizationFlag.ts"

/** Gives an organization a status, and writes it down unless it had that one; answers the organization as it was. */
export const giveStatus = (given: Accountable, id: string, status: OrganizationStatus) => {
  const giving = Effect.gen(function*() {
    const before = yield* findOrganization(id)
    yield* Organizations.use((organizations) => organizations.setStatus(before.org_id, status))
    return before
  })
  return accountably(given, giving, ({ name, org_id: orgId, status: was }) =>
    was === status ? null : {
      action: statusActions[status],
      orgId,
      subject: orgId,
      told: { id: orgId, name },
      before: { status: was },
      after: { status }
    })
}
