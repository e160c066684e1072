/** How often a delivery is tried, and when an endpoint is given up. service-api "Delivery outcome and retries". */
import { Duration } from "effect"

/** An operator may set as many waits, and so retries. */
export const mostRetries = 20

/** Deliveries in a row whose attempts are used up: so many disable the endpoint. */
export const maximumConsecutiveFailures = 20

/** So long a place of an endpoint rests whose attempt failed, unless others arrived at the same moment: it is not hammered. */
export const restAfterFailure = Duration.seconds(1)

/** The waits between the attempts. */
export const defaultRetryDelays: ReadonlyArray<Duration.Duration> = [
  Duration.seconds(30),
  Duration.minutes(1),
  Duration.minutes(2),
  Duration.minutes(4)
]

/** The first attempt, and one after each wait. */
export const attemptsWithin = (delays: ReadonlyArray<Duration.Duration>): number => delays.length + 1

/** The wait after an attempt (1 is the first); none after the last. */
export const delayAfter = (attempt: number, delays: ReadonlyArray<Duration.Duration>): Duration.Duration =>
  delays[attempt - 1] ?? Duration.zero
