/**
 * Decides, before every attempt, which addresses a delivery may connect to.
 *
 * The URL is vetted again (the policy may have changed since it was registered), its name is resolved, and every
 * address must be allowed: one private address among public ones refuses the target, since a connection could pick it.
 * The caller connects to the addresses given here and resolves nothing itself, so that the name cannot change its mind
 * between the check and the connection.
 */
import type { TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import { isPublicAddress } from "@freehold/core/webhook/PublicAddress"
import { type TargetRefused, vetUrl, type WebhookTarget } from "@freehold/core/webhook/WebhookTarget"
import { Context, Effect, Layer, Schema } from "effect"
import { HostResolver, type HostUnresolved } from "./HostResolver.ts"

/** The name of the target leads to an address that is not public. */
export class PrivateAddress extends Schema.TaggedError<PrivateAddress>()("PrivateAddress", {
  hostname: Schema.String,
  address: Schema.String
}) {
  override get message() {
    return `${this.hostname} resolves to ${this.address}, which is a private, local or reserved address`
  }
}

export interface VettedTarget extends WebhookTarget {
  /** At least one and at most four; the first is the one to try first. */
  readonly addresses: ReadonlyArray<string>
}

export interface GuardOptions {
  readonly policy: TargetPolicy
  /** Which addresses count as public; a test that has only loopback addresses replaces it. */
  readonly isPublic?: (address: string) => boolean
}

/** Two of each family: enough to survive a dead address, and a name with thousands costs nothing. */
const tried = (addresses: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...addresses.filter((address) => !address.includes(":")).slice(0, 2),
  ...addresses.filter((address) => address.includes(":")).slice(0, 2)
]

export class AddressGuard extends Context.Service<AddressGuard, {
  vet(url: string): Effect.Effect<VettedTarget, TargetRefused | PrivateAddress | HostUnresolved>
}>()("@freehold/webhook-worker/AddressGuard") {
  /** Needs a `HostResolver`. */
  static readonly layerNoDeps = ({ isPublic = isPublicAddress, policy }: GuardOptions) =>
    Layer.effect(
      AddressGuard,
      Effect.gen(function*() {
        const resolver = yield* HostResolver
        return AddressGuard.of({
          vet: Effect.fnUntraced(function*(url) {
            const target = yield* Effect.fromResult(vetUrl(url, policy))
            if (target.isAddress) return { ...target, addresses: [target.hostname] }
            const addresses = yield* resolver.resolve(target.hostname)
            const refused = policy === "public" ? addresses.find((address) => !isPublic(address)) : undefined
            if (refused !== undefined) {
              return yield* new PrivateAddress({ hostname: target.hostname, address: refused })
            }
            return { ...target, addresses: tried(addresses) }
          })
        })
      })
    )

  /** With the resolver that suits the policy: name servers for `public`, the operating system for `any`. */
  static readonly layer = (options: GuardOptions) =>
    AddressGuard.layerNoDeps(options).pipe(
      Layer.provide(options.policy === "public" ? HostResolver.layer() : HostResolver.layerSystem)
    )
}
