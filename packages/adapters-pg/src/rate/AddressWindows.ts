/**
 * The windows of addresses as one process sees them: what it knows without asking, the call that counts, and what counts
 * while the database is away.
 *
 * A flood does not reach the database: whoever was refused once is refused here until the window ends, so an address costs
 * it no more than its thousand a minute and one for each process. While the database is away each process counts alone: nobody
 * with a key gets further then.
 */
import { remember } from "@freehold/core/operation/Remember"
import {
  AddressLimiter,
  limitName,
  maximumAddresses,
  requestsPerMinutePerAddress
} from "@freehold/core/rate/AddressLimiter"
import { RateLimited } from "@freehold/core/rate/RateRefusals"
import { windowMillis } from "@freehold/core/rate/RateWindow"
import { Context, Effect, Layer } from "effect"

/** What `count_address` answers. */
export interface Row {
  readonly admitted: boolean
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
    remember(this.#until, address, until, maximumAddresses)
  }
}

const refusal = (resetsAt: number, now: number): RateLimited =>
  RateLimited.fromCount(limitName, {
    admitted: false,
    limit: requestsPerMinutePerAddress,
    used: requestsPerMinutePerAddress,
    resetsAt
  }, now)

/** The call that counts requests, by the expressions of an address's `addressKey`, of the time and of how many they are. */
export const counting = (key: string, now: string, times = "1"): string =>
  `count_address(${key}::text, ${now}::bigint, ${requestsPerMinutePerAddress}::integer, ${times}::integer)`

/** An address is given by its `addressKey`. */
export class AddressWindows extends Context.Service<AddressWindows, {
  /** The refusal of an address that is known to have used up its minute; undefined: it has to be counted. */
  readonly known: (key: string, now: number) => RateLimited | undefined
  /** The refusal of the address, if the call refused it. */
  readonly counted: (row: Row, key: string, now: number) => RateLimited | undefined
  /** Counts in this process, for a database that is away. */
  readonly alone: AddressLimiter["Service"]["admit"]
}>()("@freehold/adapters-pg/rate/AddressWindows") {
  static readonly layer = Layer.effect(
    AddressWindows,
    Effect.gen(function*() {
      const alone = yield* AddressLimiter.inProcess
      const refused = new Refused()

      return AddressWindows.of({
        known: (key, now) => {
          const until = refused.get(key, now)
          return until === undefined ? undefined : refusal(until, now)
        },
        counted: ({ admitted, started_at }, key, now) => {
          if (admitted) return undefined
          refused.add(key, started_at + windowMillis)
          return refusal(started_at + windowMillis, now)
        },
        alone: alone.admit
      })
    })
  )
}
