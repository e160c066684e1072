/** Refusals of level 1: too many requests. service-api "Level 1" and "Shape of limit refusals". */
import { DateTime, Schema } from "effect"
import { retryAfter } from "../operation/RetryAfter.ts"
import { type Counted, secondsUntil } from "./RateWindow.ts"

/** The structured limit of a level 1 refusal. */
const RateLimitFacts = Schema.Struct({
  name: Schema.Literals(["requests_per_minute", "requests_per_minute_ip", "requests_per_day"]),
  level: Schema.Literal(1),
  value: Schema.Int,
  used: Schema.Int,
  resets_at: Schema.String
}).annotate({ identifier: "RequestLimit" })
type RateLimitFacts = typeof RateLimitFacts.Type

const refusalFields = { retryAfterSeconds: Schema.Int, limit: RateLimitFacts }

const factsOf = (name: RateLimitFacts["name"], counted: Counted, now: number) => ({
  retryAfterSeconds: secondsUntil(counted.resetsAt, now),
  limit: {
    name,
    level: 1 as const,
    value: counted.limit,
    used: counted.used,
    resets_at: DateTime.formatIso(DateTime.makeUnsafe(counted.resetsAt))
  }
})

/** Too many requests this minute, from one key or one address. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("rate_limited", refusalFields) {
  static fromCount(name: "requests_per_minute" | "requests_per_minute_ip", counted: Counted, now: number) {
    return new RateLimited(factsOf(name, counted, now))
  }
  override get message() {
    return `Too many requests: ${this.limit.value} a minute. ${retryAfter(this.retryAfterSeconds)}`
  }
}

/** The organization's requests of this UTC day are used up. */
export class DailyRequestLimitExceeded extends Schema.TaggedError<DailyRequestLimitExceeded>()(
  "DAILY_REQUEST_LIMIT_EXCEEDED",
  refusalFields
) {
  static fromCount(counted: Counted, now: number) {
    return new DailyRequestLimitExceeded(factsOf("requests_per_day", counted, now))
  }
  override get message() {
    return `Too many requests today: ${this.limit.value} a day. The count restarts at midnight UTC.`
  }
}

/** The limiter cannot count, so nobody is let in. */
export class RateLimitUnavailable extends Schema.TaggedError<RateLimitUnavailable>()("rate_limit_unavailable", {
  retryAfterSeconds: Schema.Int,
  movedTo: Schema.optionalKey(
    Schema.String.annotate({ description: "The cell that the organization moved to, where its requests are counted." })
  )
}) {
  override get message() {
    return `Requests cannot be counted right now and are refused. ${retryAfter(this.retryAfterSeconds)}`
  }
}
