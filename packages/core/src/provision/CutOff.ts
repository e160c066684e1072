/** What an organization, as it is set up, keeps its keys and people from: sentences for who set it up. */
import type { Credential } from "../access/KeyRing.ts"
import { stateOfCounty } from "../coverage/UsState.ts"
import { minimumPlan } from "../operation/Scope.ts"
import type { Organization } from "../organization/Organization.ts"
import type { Member } from "../organization/Organizations.ts"
import type { StoredOrganization } from "./Describe.ts"

const several = (count: number, what: string): string => count === 1 ? `its ${what}` : `its ${count} ${what}s`

const ofCalls = (organization: Organization, keys: ReadonlyArray<Credential>): ReadonlyArray<string> => {
  const { credits_dormant, payment_status, requests_per_day, requests_per_minute, status } = organization
  const who = keys.length === 0 ? "" : `, of ${several(keys.length, "key")} and of its members`
  return [
    ...status === "active" ? [] : [`every call is refused while it is ${status}${who}`],
    ...requests_per_minute === 0 ? [`every call is refused${who}: requests_per_minute is 0`] : [],
    ...requests_per_day === 0 ? [`every call is refused${who}: requests_per_day is 0`] : [],
    ...payment_status === "failed" ? ["every charge is refused: payment_status is failed"] : [],
    ...credits_dormant ? ["every charge is refused: credits_dormant is true"] : []
  ]
}

const ofKey = (plan: Organization["plan"]) => ({ dailyLimits, name, scopes }: Credential): ReadonlyArray<string> => {
  const beyond = plan === "enterprise" ? [] : scopes.filter((scope) => minimumPlan[scope] === "enterprise")
  const paused = Object.entries(dailyLimits).flatMap(([kind, limit]) => limit === 0 ? [kind] : [])
  return [
    ...scopes.length === 0 ? [`key ${name} may do nothing: it has no scopes`] : [],
    ...beyond.length === 0
      ? []
      : [`key ${name} cannot use ${beyond.join(", ")}: the plan is ${plan}, enterprise is needed`],
    ...paused.length === 0 ? [] : [`key ${name} is paused for ${paused.join(", ")}: the daily limit is 0`]
  ]
}

const sees = ({ serviceable_area: { county_fips, whole_state_abbrs } }: Organization) => {
  const counties = new Set(county_fips)
  const states = new Set(whole_state_abbrs)
  return (county: string): boolean => counties.has(county) || states.has(stateOfCounty(county) ?? "")
}

const ofAreas = (organization: Organization): ReadonlyArray<string> => {
  const { entitlement, serviceable_area } = organization
  if (serviceable_area.county_fips.length === 0 && serviceable_area.whole_state_abbrs.length === 0) {
    return ["it sees no property: the serviceable area is empty"]
  }
  const unseen = entitlement.county_fips.filter((county) => !sees(organization)(county))
  const nowhere = serviceable_area.county_fips.filter((county) => stateOfCounty(county) === undefined)
  return [
    ...nowhere.length === 0
      ? []
      : [`${nowhere.join(", ")} in the serviceable area, and in no state: no county has such a code`],
    ...unseen.length === 0 ? [] : [`${unseen.join(", ")} licensed, and not seen: outside the serviceable area`]
  ]
}

const ofLimits = ({ daily_limits }: Organization): ReadonlyArray<string> =>
  Object.entries(daily_limits).flatMap(([kind, layers]) =>
    layers.service === 0 || layers.organization === 0 ? [`${kind} is paused for everybody: the daily limit is 0`] : []
  )

const ofMember = (organization: Organization) => ({ email, role, seat, territory }: Member): ReadonlyArray<string> => [
  ...seat ? [] : [`member ${email} cannot use an assistant: no seat`],
  ...organization.member_connect === "admins" && role !== "admin"
    ? [`member ${email} cannot connect an assistant: member_connect is admins`]
    : [],
  ...territory !== null && !territory.county_fips.some(sees(organization))
    ? [`member ${email} sees no property: no county of the territory is in the serviceable area`]
    : []
]

/** One sentence for each thing that does not work. */
export const cutOff = ({ credentials, members, organization }: StoredOrganization): ReadonlyArray<string> => {
  const keys = credentials.filter(({ status }) => status === "active")
  return [
    ...ofCalls(organization, keys),
    ...ofAreas(organization),
    ...ofLimits(organization),
    ...keys.flatMap(ofKey(organization.plan)),
    ...members.filter(({ status }) => status === "active").flatMap(ofMember(organization))
  ]
}
