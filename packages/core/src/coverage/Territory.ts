/**
 * What a caller may see and what the subscription covers (the licensed area).
 *
 * A key sees the area that its organization switched on, a member what of it lies in their territory. The licence is the
 * organization's: it covers the same for everyone.
 *
 * A property belongs to the area of its county; the county's FIPS code alone decides, never the state as written in
 * the address.
 */
import { Effect, Result } from "effect"
import type { Organization } from "../organization/Organization.ts"
import type { MemberTerritory } from "../organization/Organizations.ts"
import { NoVisibleTerritory, OutOfTerritory } from "./CoverageRefusals.ts"
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

/** Whose view it is: the organization's, or a member's within a territory. A caller is one. */
export interface Perspective {
  readonly organization: Organization
  readonly territory: MemberTerritory
}

/** What a key, the operator and a delivery see. */
export const wholeArea = (organization: Organization): Perspective => ({ organization, territory: null })

/** An organization's area, found once for as long as its settings are held: every row of an answer asks for it. */
const kept = (areaOf: (organization: Organization) => Area) => {
  const areas = new WeakMap<Organization, Area>()
  return (organization: Organization): Area => {
    const area = areas.get(organization) ?? areaOf(organization)
    areas.set(organization, area)
    return area
  }
}

/** The area that the organization switched on. */
export const switchedOn = kept((organization) => ({
  nationwide: false,
  stateFips: prefixes(organization.serviceable_area.whole_state_abbrs),
  countyFips: organization.serviceable_area.county_fips
}))

/** The area that the subscription covers, free of credits. */
export const licensed = kept((organization) => ({
  nationwide: organization.entitlement.nationwide,
  stateFips: prefixes(organization.entitlement.state_abbrs),
  countyFips: organization.entitlement.county_fips
}))

/** What lies in both areas. */
export const intersection = (one: Area, other: Area): Area => ({
  nationwide: one.nationwide && other.nationwide,
  stateFips: [
    ...one.stateFips.filter((state) => other.nationwide || other.stateFips.includes(state)),
    ...one.nationwide ? other.stateFips : []
  ],
  countyFips: Array.from(
    new Set([
      ...one.countyFips.filter((county) => contains(other, county)),
      ...other.countyFips.filter((county) => contains(one, county))
    ])
  )
})

export const contains = (area: Area, countyFips: string): boolean =>
  area.nationwide || area.stateFips.includes(countyFips.slice(0, 2)) || area.countyFips.includes(countyFips)

/** Whether what lies in the first area lies in the other. */
export const isPart = (one: Area, other: Area): boolean =>
  other.nationwide || !one.nationwide && one.stateFips.every((state) => other.stateFips.includes(state)) &&
    one.countyFips.every((county) => contains(other, county))

export const isEmpty = (area: Area): boolean =>
  !area.nationwide && area.stateFips.length === 0 && area.countyFips.length === 0

/** What is visible: the serviceable area, or the counties of the member's territory that lie in it. */
export const visible = ({ organization, territory }: Perspective): Area => {
  const area = switchedOn(organization)
  return territory === null ? area : {
    nationwide: false,
    stateFips: [],
    countyFips: territory.county_fips.filter((countyFips) => contains(area, countyFips))
  }
}

/** Whether what lies in the county is visible. */
export const sees = ({ organization, territory }: Perspective, countyFips: string): boolean =>
  contains(switchedOn(organization), countyFips) && (territory === null || territory.county_fips.includes(countyFips))

/** The area in which what lies there is covered by the subscription: only what the organization switched on is. */
export const covered = kept((organization) => intersection(switchedOn(organization), licensed(organization)))

/** Whether the subscription covers the county. */
export const covers = (organization: Organization, countyFips: string): boolean =>
  contains(covered(organization), countyFips)

/** Refuses what is not visible, and tells whether the organization's area or the member's own ends before it. */
export const requireVisible = (
  perspective: Perspective,
  countyFips: string
): Effect.Effect<void, OutOfTerritory> => {
  if (sees(perspective, countyFips)) return Effect.void
  return Effect.fail(
    contains(switchedOn(perspective.organization), countyFips)
      ? new OutOfTerritory({ reason: "territory" })
      : new OutOfTerritory({ reason: "subscription", county_fips: countyFips })
  )
}

/** Refuses a caller to whom nothing at all is visible. */
export const some = (perspective: Perspective): Result.Result<void, NoVisibleTerritory> => {
  if (!isEmpty(visible(perspective))) return Result.succeed(undefined)
  const cause = isEmpty(switchedOn(perspective.organization)) ? "no_serviceable_area" : "member_territory_empty"
  return Result.fail(new NoVisibleTerritory({ cause }))
}

/** The same as an effect. */
export const requireSome = (perspective: Perspective): Effect.Effect<void, NoVisibleTerritory> =>
  Effect.fromResult(some(perspective))
