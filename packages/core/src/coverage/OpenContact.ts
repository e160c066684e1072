/** Whether somebody is open to an organization: revealed, opened with a property, or covered. */
import type { ContactStandingFacts } from "./Standings.ts"
import * as Territory from "./Territory.ts"
import type { Organization } from "../organization/Organization.ts"

export const isOpen = (
  { access, counties, openedByProperty }: ContactStandingFacts,
  organization: Organization
): boolean => access === "paid" || openedByProperty || counties.some((county) => Territory.covers(organization, county))
