/**
 * How many requests are being admitted at once, of all addresses and of one.
 *
 * Statements of admission are pipelined, and their answers come together: all that was sent within a round trip goes on in the
 * same turn of the event loop. So few are under way, the addresses by turns; who sends many at once waits behind itself, and
 * what was given up while it waited was never counted.
 */
import * as FairShares from "@freehold/core/load/FairShares"
import * as TimeLimit from "@freehold/core/operation/TimeLimit"
import { RateLimitUnavailable } from "@freehold/core/rate/RateRefusals"
import { Effect } from "effect"

/** Milliseconds within which a request is admitted, waiting included. */
const patience = 5000

/** More than the connections of one address. */
const waiting = 1000

const places = FairShares.make({ inAll: 12, perOrganization: 2, besideBusier: 4, waiting, rest: 1 })

const full = Effect.fail(new RateLimitUnavailable({ retryAfterSeconds: 1 }))

/** Admits a request of the address when it is its turn. */
export const within = <A, E, R>(address: string, admit: Effect.Effect<A, E, R>) =>
  TimeLimit.within(places.take(address, admit, full), { millis: patience, late: () => full })
