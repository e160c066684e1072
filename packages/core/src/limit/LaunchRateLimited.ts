/** Too many requests of one kind: support, coverage or research. service-api "Credit and limit codes". */
import { Schema } from "effect"
import { retryAfter } from "../operation/RetryAfter.ts"

export class LaunchRateLimited extends Schema.TaggedError<LaunchRateLimited>()("RATE_LIMITED", {
  kind: Schema.Literals(["support", "coverage", "research"]),
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `Too many ${this.kind} requests within an hour; nothing was sent or charged. ` +
      retryAfter(this.retryAfterSeconds)
  }
}

/**
 * Whether what was recorded at `at` counts against a limit for each `span` at `now`, all in milliseconds. What lies further
 * ahead than the span was recorded before a clock was set back.
 */
export const isRecent = (at: number, span: number, now: number): boolean => at > now - span && at <= now + span
