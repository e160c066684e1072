/**
 * `AddressLimiter` over PostgreSQL: exact over all processes of one database.
 *
 * A flood does not reach the database: whoever was refused once is refused here until the window ends, so an address costs
 * it no more than its thousand a minute and one for each process. While the database is away each process counts alone: nobody
 * with a key gets further then. Where counting takes too long, nobody is let in, since it may have been counted or not.
 */
import {
  addressKey,
  AddressLimiter,
  limitName,
  maximumAddresses,
  requestsPerMinutePerAddress
} from "@freehold/core/rate/AddressLimiter"
import { RateLimited, RateLimitUnavailable } from "@freehold/core/rate/RateRefusals"
import { windowMillis } from "@freehold/core/rate/RateWindow"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"

/** Time within which a request must have been counted. */
const patience = Duration.seconds(2)

const retryAfterSeconds = 1

interface Row {
  readonly admitted: boolean
  readonly used: number
  readonly started_at: number
}

/** Until when each address is refused; those that were refused first are forgotten first. */
class Refused {
  readonly #until = new Map<string, number>()

  get(address: string, now: number): number | undefined {
    const until = this.#until.get(address)
    if (until === undefined) return undefined
    // A clock that was set back must not prolong it.
    if (now < until && now >= until - 2 * windowMillis) return until
    this.#until.delete(address)
    return undefined
  }

  add(address: string, until: number): void {
    this.#until.delete(address)
    for (const [first] of this.#until) {
      if (this.#until.size < maximumAddresses) break
      this.#until.delete(first)
    }
    this.#until.set(address, until)
  }
}

const exhausted = (resetsAt: number) => ({
  admitted: false,
  limit: requestsPerMinutePerAddress,
  used: requestsPerMinutePerAddress,
  resetsAt
})

export const layer: Layer.Layer<AddressLimiter, never, Database.Admission> = Layer.effect(
  AddressLimiter,
  Effect.gen(function*() {
    const admission = yield* Database.Admission
    const alone = yield* AddressLimiter.inProcess
    const refused = new Refused()

    const count = (address: string, now: number) =>
      admission<
        Row
      >`SELECT * FROM count_address(${address}::text, ${now}::bigint, ${requestsPerMinutePerAddress}::integer)`
        .pipe(
          Effect.catchTag("SqlError", unavailable),
          Effect.map(([row]) => Option.fromUndefinedOr(row)),
          Effect.catchTag("TEMPORARILY_UNAVAILABLE", () => Effect.succeedNone),
          Effect.timeoutOrElse({
            duration: patience,
            orElse: () => Effect.fail(new RateLimitUnavailable({ retryAfterSeconds }))
          })
        )

    return AddressLimiter.of({
      admit: Effect.fn("AddressLimiter.admit")(function*(address) {
        const now = yield* Clock.currentTimeMillis
        const key = addressKey(address)
        const known = refused.get(key, now)
        if (known !== undefined) return yield* RateLimited.fromCount(limitName, exhausted(known), now)
        const counted = yield* count(key, now)
        if (Option.isNone(counted)) return yield* alone.admit(address)
        if (counted.value.admitted) return
        const resetsAt = counted.value.started_at + windowMillis
        refused.add(key, resetsAt)
        return yield* RateLimited.fromCount(limitName, exhausted(resetsAt), now)
      })
    })
  })
)
