/**
 * The one failure that every port may answer with: what it needs cannot be reached right now.
 *
 * Nothing was done and nothing was charged; the same call may succeed later. A port dies on every other
 * infrastructure fault, since no caller can act on one.
 */
import { Schema } from "effect"
import { retryAfter } from "./RetryAfter.ts"

/** A dependency (the database, as a rule) is briefly out of reach. service-api "Research, list and search codes". */
export class TemporarilyUnavailable extends Schema.TaggedError<TemporarilyUnavailable>()("TEMPORARILY_UNAVAILABLE", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `A dependency is briefly unavailable; nothing was done. ${retryAfter(this.retryAfterSeconds)}`
  }
}
