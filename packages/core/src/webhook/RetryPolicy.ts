/** How often a delivery is tried, and when an endpoint is given up. service-api "Delivery outcome and retries". */
import { Duration } from "effect"

export const maximumAttempts = 5

/** Deliveries in a row whose attempts are used up: so many disable the endpoint. */
export const maximumConsecutiveFailures = 20

/** The waits between the attempts. */
export const defaultRetryDelays: ReadonlyArray<Duration.Duration> = [
  Duration.seconds(30),
  Duration.minutes(1),
  Duration.minutes(2),
  Duration.minutes(4)
]

/** The wait after an attempt (1 is the first); the last delay stands for every later one. */
export const delayAfter = (attempt: number, delays: ReadonlyArray<Duration.Duration>): Duration.Duration =>
  delays[Math.min(attempt, delays.length) - 1] ?? Duration.zero
