/**
 * The one failure that every port may answer with: what it needs cannot be reached right now.
 *
 * Nothing was done and nothing was charged; the same call may succeed later. A port dies on every other
 * infrastructure fault, since no caller can act on one.
 */
import { Effect, Schema } from "effect"
import { retryAfter } from "./RetryAfter.ts"

/** A dependency (the database, as a rule) is briefly out of reach. service-api "Research, list and search codes". */
export class TemporarilyUnavailable extends Schema.TaggedError<TemporarilyUnavailable>()("TEMPORARILY_UNAVAILABLE", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `A dependency is briefly unavailable; nothing was done. ${retryAfter(this.retryAfterSeconds)}`
  }
}

/** What the call had looked at was changed before it wrote: made again at once, it finds how things stand now. */
export const overtaken = new TemporarilyUnavailable({ retryAfterSeconds: 0 })

const wasOvertaken = (failure: unknown): boolean =>
  failure instanceof TemporarilyUnavailable && failure.retryAfterSeconds === overtaken.retryAfterSeconds

/** More often than a record, and what it went into, is merged in a row while a call looks at it. */
const attempts = 10

/**
 * Makes a call again that was overtaken; nothing of it was done. A schedule of repetitions would be made for every call, and
 * hardly any is overtaken.
 */
export const lookAgain = <A, E, R>(
  call: Effect.Effect<A, E, R>,
  left = attempts
): Effect.Effect<A, E | TemporarilyUnavailable, R> =>
  Effect.catchIf(
    call,
    wasOvertaken,
    () => left === 0 ? Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 1 })) : lookAgain(call, left - 1)
  )
