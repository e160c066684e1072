/**
 * The first two steps of admission as one: requests of addresses are counted, and then those of a key.
 *
 * An adapter that has both in one place answers them in one way there and back. None: they are asked in turn.
 */
import { Context, Effect, type Exit, Option } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { AddressLimiter } from "../rate/AddressLimiter.ts"
import type { RateLimited, RateLimitUnavailable } from "../rate/RateRefusals.ts"
import type { Authorization, KeyRing, OrganizationMoved } from "./KeyRing.ts"

/** What one request comes to; none: there is no such key. */
export type Outcome = Exit.Exit<
  Option.Option<Authorization>,
  RateLimited | RateLimitUnavailable | OrganizationMoved | TemporarilyUnavailable
>

export interface Entrance {
  /**
   * Counts requests that were made with one key at the same time, one of each of the addresses, as if one came after the
   * other: of its address as `AddressLimiter.admit` does, also where the store is away; unless that refuses it, of the key of
   * the hash as `KeyRing.authorize` does. Answers what each comes to, in the order of the addresses.
   */
  admit(
    addresses: ReadonlyArray<string>,
    secretHash: string,
    now: number
  ): Effect.Effect<ReadonlyArray<Outcome>>
}

export const Entrance = Context.Reference<Option.Option<Entrance>>("@freehold/core/access/Entrance", {
  defaultValue: Option.none
})

/** One after the other. */
export const inTurn = (limiter: AddressLimiter["Service"], keys: KeyRing["Service"]): Entrance => ({
  admit: (addresses, secretHash, now) =>
    Effect.forEach(
      addresses,
      (address) => Effect.exit(Effect.andThen(limiter.admit(address), keys.authorize(secretHash, now)))
    )
})
