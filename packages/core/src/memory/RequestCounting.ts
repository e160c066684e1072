/** The counters of requests in memory, the same for keys and connections. */
import type { Organization } from "../access/Organization.ts"
import * as Plan from "../access/Plan.ts"
import { count, type Counted, nextMidnight } from "../limit/RateWindow.ts"
import type { State } from "./MemoryState.ts"

const dayMillis = 86_400_000

export const perMinute = (organization: Organization): number =>
  organization.requests_per_minute ?? Plan.requestsPerMinute[organization.plan]

/** Counts one request of a credential at `now` (milliseconds); one that the minute or the day refuses counts in neither. */
export const countRequest = (
  state: State,
  organization: Organization,
  credentialId: string,
  now: number
): { readonly minute: Counted; readonly day: Counted | null } => {
  const perDay = organization.requests_per_day ?? Plan.requestsPerDay[organization.plan]
  const { counted, window } = count(state.windows.get(credentialId), perMinute(organization), now)
  const day = `${organization.org_id} ${nextMidnight(now) - dayMillis}`
  const requests = state.days.get(day) ?? 0
  const admittedToday = perDay === null || requests < perDay
  if (!counted.admitted || admittedToday) state.windows.set(credentialId, window)
  const takes = counted.admitted && admittedToday ? 1 : 0
  if (perDay !== null && takes === 1) state.days.set(day, requests + 1)
  return {
    minute: counted.admitted && !admittedToday ? { ...counted, used: counted.used - 1 } : counted,
    day: perDay === null
      ? null
      : { admitted: admittedToday, limit: perDay, used: requests + takes, resetsAt: nextMidnight(now) }
  }
}
