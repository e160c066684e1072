/**
 * The first two steps of admission as one: a request of an address is counted, and then one of a key.
 *
 * An adapter that has both in one place answers them in one way there and back. None: they are asked in turn.
 */
import { Context, Effect, Option } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { AddressLimiter } from "../rate/AddressLimiter.ts"
import type { RateLimited, RateLimitUnavailable } from "../rate/RateRefusals.ts"
import type { Authorization, KeyRing, OrganizationMoved } from "./KeyRing.ts"

export interface Entrance {
  /**
   * Counts a request of the address as `AddressLimiter.admit` does, also where the store is away. Unless that refuses it:
   * finds the key of the hash and counts one of it, as `KeyRing.authorize` does.
   */
  admit(
    address: string,
    secretHash: string,
    now: number
  ): Effect.Effect<
    Option.Option<Authorization>,
    RateLimited | RateLimitUnavailable | OrganizationMoved | TemporarilyUnavailable
  >
}

export const Entrance = Context.Reference<Option.Option<Entrance>>("@freehold/core/access/Entrance", {
  defaultValue: Option.none
})

/** One after the other. */
export const inTurn = (addresses: AddressLimiter["Service"], keys: KeyRing["Service"]): Entrance => ({
  admit: (address, secretHash, now) => Effect.andThen(addresses.admit(address), keys.authorize(secretHash, now))
})
