/**
 * At most 1,000 requests a minute from one member in the app, from however many addresses and sessions, in each process. People
 * come nowhere near it; a program with a session's cookie would.
 */
import { Clock, Effect } from "effect"
import { RateLimited } from "./RateRefusals.ts"
import * as WindowTable from "./WindowTable.ts"

/** Requests a minute of one member. */
export const requestsPerMinutePerMember = 1000

/** Members that a process remembers at once. */
const maximumMembers = 10_000

export const make = () => {
  const windows = WindowTable.make(maximumMembers)
  return {
    /** Counts one request of a member. */
    admit: Effect.fnUntraced(function*(memberId: string) {
      const now = yield* Clock.currentTimeMillis
      const counted = windows.count(memberId, requestsPerMinutePerMember, now)
      if (!counted.admitted) return yield* RateLimited.fromCount("requests_per_minute", counted, now)
    })
  }
}
