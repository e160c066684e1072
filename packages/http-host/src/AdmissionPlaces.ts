/**
 * How many requests are being admitted at once, of all clients and of one.
 *
 * Statements of admission are pipelined, and their answers come together: all that was sent within a round trip goes on in the
 * same turn of the event loop. So few are under way, the clients by turns; who sends many at once waits behind itself, and
 * what was given up while it waited was never counted.
 */
import * as FairShares from "@freehold/core/load/FairShares"
import * as TimeLimit from "@freehold/core/operation/TimeLimit"
import { RateLimitUnavailable } from "@freehold/core/rate/RateRefusals"
import { Effect } from "effect"

/** Milliseconds within which a request is admitted, waiting included. */
const patience = 5000

/** More than the connections of one client. */
const waiting = 1000

const places = FairShares.make({ inAll: 12, perOrganization: 2, besideBusier: 4, waiting, rest: 1 })

const full = Effect.fail(new RateLimitUnavailable({ retryAfterSeconds: 1 }))

/** Admits a request of the client when it is its turn. `client`: the organization that it says it is, or its address. */
export const within = <A, E, R>(client: string, admit: Effect.Effect<A, E, R>) =>
  TimeLimit.within(places.take(client, admit, full), { millis: patience, late: () => full })
