/** How an organization sees a firm. service-api "Organization views". */
import * as Territory from "../coverage/Territory.ts"
import type { FirmDetail, FirmSummary, FirmTie } from "./Firms.ts"

export const browseRow = (firm: FirmSummary) => ({
  organization_id: firm.id,
  name: firm.name,
  domain: firm.domain,
  roles: firm.roles,
  property_count_in_territory: firm.properties,
  researched: firm.researched
})

export const detail = ({ firm, people, ...facts }: FirmDetail) => ({
  organization: {
    organization_id: firm.id,
    name: firm.name,
    domain: firm.domain,
    roles: facts.roles,
    socials: {
      linkedin: firm.linkedinUrl,
      twitter: firm.twitterUrl,
      facebook: firm.facebookUrl,
      crunchbase: firm.crunchbaseUrl
    }
  },
  property_count_in_territory: facts.properties,
  researched_property_count: facts.researchedProperties,
  revealed_property_count: facts.revealedProperties,
  properties: facts.first.map(({ address, city, propertyId, role, state }) => ({
    property_id: propertyId,
    address,
    city,
    state,
    role
  })),
  properties_truncated: facts.properties > facts.first.length,
  contacts_by_role: people.map(({ count, roleType }) => ({ role_type: roleType, count }))
})

/** Ties as they are told, in the order of the port. */
export const ties = (found: ReadonlyArray<FirmTie>, perspective: Territory.Perspective) =>
  found.map(({ address, attributionType, city, countyFips, propertyId, role, state }) =>
    Territory.sees(perspective, countyFips)
      ? { in_your_territory: true as const, property_id: propertyId, address, city, state, role, attributionType }
      : { in_your_territory: false as const, state, county_fips: countyFips, role, attributionType }
  )
