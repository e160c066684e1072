/** Whose rights a search runs with: the organization, what the caller sees, and what the subscription covers. */
import type { OrganizationId } from "../organization/Organization.ts"
import * as Territory from "./Territory.ts"

export interface Viewer {
  readonly orgId: OrganizationId
  /** The area that is searched. */
  readonly visible: Territory.Area
  /** What the subscription covers, also where a member does not see it. */
  readonly covered: Territory.Area
}

export const viewerOf = (perspective: Territory.Perspective): Viewer => ({
  orgId: perspective.organization.org_id,
  visible: Territory.visible(perspective),
  covered: Territory.covered(perspective.organization)
})
