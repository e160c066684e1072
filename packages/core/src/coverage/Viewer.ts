/** Whose rights a search runs with: the organization, what it sees, and what its subscription covers. */
import type { Organization, OrganizationId } from "../access/Organization.ts"
import * as Territory from "./Territory.ts"

export interface Viewer {
  readonly orgId: OrganizationId
  /** The area that is searched. */
  readonly visible: Territory.Area
  /** What the subscription covers; only what is visible is covered. */
  readonly covered: Territory.Area
}

export const viewerOf = (organization: Organization): Viewer => ({
  orgId: organization.org_id,
  visible: Territory.serviceable(organization),
  covered: Territory.licensed(organization)
})
