/** How an organization sees a firm. service-api "Organization views". */
import * as Territory from "../coverage/Territory.ts"
import { compareText } from "../operation/TextOrder.ts"
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

const placeOf = (tie: FirmTie): string => `${tie.state ?? "~"} ${tie.countyFips} ${tie.role} ${tie.attributionType}`

/** Ties in the area come first; the others are ordered by what is told of them, since any other order would tell more. */
export const ties = (all: ReadonlyArray<FirmTie>, perspective: Territory.Perspective) => {
  const [outside, inside] = [false, true].map((seen) =>
    all.filter((tie) => Territory.sees(perspective, tie.countyFips) === seen)
  )
  return [
    ...(inside ?? []).map((tie) => ({
      in_your_territory: true as const,
      property_id: tie.propertyId,
      address: tie.address,
      city: tie.city,
      state: tie.state,
      role: tie.role,
      attributionType: tie.attributionType
    })),
    ...(outside ?? []).toSorted((left, right) => compareText(placeOf(left), placeOf(right))).map((tie) => ({
      in_your_territory: false as const,
      state: tie.state,
      county_fips: tie.countyFips,
      role: tie.role,
      attributionType: tie.attributionType
    }))
  ]
}
