/**
 * At most 1,000 requests a minute from one address, before any key is read, over all processes.
 *
 * `inProcess` counts the requests of this process alone: for one that is alone, and for a store that is away.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { RateLimited, type RateLimitUnavailable } from "./RateRefusals.ts"
import * as WindowTable from "./WindowTable.ts"

/** The name of the limit in what is refused. */
export const limitName = "requests_per_minute_ip"

/** Requests a minute from one address. service-api "Level 1". */
export const requestsPerMinutePerAddress = 1000

/** Addresses that a process remembers at once. */
export const maximumAddresses = 100_000

/** IPv6 addresses count by their /64, IPv4-mapped ones as IPv4. */
export const addressKey = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(":")) return address
  const [head = "", tail] = (address.split("%")[0] ?? "").toLowerCase().split("::")
  const left = head === "" ? [] : head.split(":")
  const right = tail === undefined || tail === "" ? [] : tail.split(":")
  const groups = tail === undefined
    ? left
    : [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0"), ...right]
  return `${groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`
}

/** Counts what comes from one address before anybody knows whose it is. */
export class AddressLimiter extends Context.Service<AddressLimiter, {
  /** Counts one request of an address, or lets it not in where that takes too long. */
  admit(address: string): Effect.Effect<void, RateLimited | RateLimitUnavailable>
}>()("@freehold/core/rate/AddressLimiter") {
  static readonly inProcess = Effect.sync(() => {
    const windows = WindowTable.make(maximumAddresses)
    return AddressLimiter.of({
      admit: Effect.fnUntraced(function*(address) {
        const now = yield* Clock.currentTimeMillis
        const counted = windows.count(addressKey(address), requestsPerMinutePerAddress, now)
        if (!counted.admitted) return yield* RateLimited.fromCount(limitName, counted, now)
      })
    })
  })

  static readonly layer = Layer.effect(AddressLimiter, AddressLimiter.inProcess)
}
