/**
 * What an organization may see (its serviceable area) and what its subscription covers (its licensed area).
 *
 * A property belongs to the area of its county; the county's FIPS code alone decides, never the state as written in
 * the address.
 */
import { Effect } from "effect"
import type { Organization } from "../access/Organization.ts"
import { NoVisibleTerritory } from "./CoverageRefusals.ts"
import { fipsOf } from "./UsState.ts"

/** A set of counties: everything, or whole states (FIPS prefixes) and single counties. */
export interface Area {
  readonly nationwide: boolean
  /** Two-digit FIPS prefixes. */
  readonly stateFips: ReadonlyArray<string>
  /** Five-digit codes. */
  readonly countyFips: ReadonlyArray<string>
}

const prefixes = (abbrs: ReadonlyArray<string>): ReadonlyArray<string> =>
  abbrs.flatMap((abbr) => {
    const fips = fipsOf(abbr)
    return fips === undefined ? [] : [fips]
  })

/** The area that the organization switched on. */
export const serviceable = (organization: Organization): Area => ({
  nationwide: false,
  stateFips: prefixes(organization.serviceable_area.whole_state_abbrs),
  countyFips: organization.serviceable_area.county_fips
})

/** The area that the subscription covers, free of credits. */
export const licensed = (organization: Organization): Area => ({
  nationwide: organization.entitlement.nationwide,
  stateFips: prefixes(organization.entitlement.state_abbrs),
  countyFips: organization.entitlement.county_fips
})

export const contains = (area: Area, countyFips: string): boolean =>
  area.nationwide || area.stateFips.includes(countyFips.slice(0, 2)) || area.countyFips.includes(countyFips)

export const isEmpty = (area: Area): boolean =>
  !area.nationwide && area.stateFips.length === 0 && area.countyFips.length === 0

/** Whether the organization sees what lies in the county. */
export const sees = (organization: Organization, countyFips: string): boolean =>
  contains(serviceable(organization), countyFips)

/** Whether the subscription covers the county; only what is seen is covered. */
export const covers = (organization: Organization, countyFips: string): boolean =>
  sees(organization, countyFips) && contains(licensed(organization), countyFips)

/** Refuses whoever sees nothing at all. */
export const requireSome = (organization: Organization): Effect.Effect<void, NoVisibleTerritory> =>
  isEmpty(serviceable(organization))
    ? Effect.fail(new NoVisibleTerritory({ cause: "no_serviceable_area" }))
    : Effect.void
