/**
 * Whose request it is, by network address: the connection's peer, or the hop before the operator's own proxies.
 *
 * `X-Forwarded-For` is believed only from a peer inside `TrustedProxies` and read from the right: the first address
 * that is not one of the proxies is the client. An entry that is no address ends the reading, and then the peer counts.
 */
import { Context, identity, Option, Result } from "effect"
import { HttpMiddleware, type HttpServerRequest } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"

/** The networks of the operator's own proxies. */
export const TrustedProxies = Context.Reference<ReadonlyArray<IpNetwork.IpNetwork>>(
  "@freehold/http-host/ClientAddress/TrustedProxies",
  { defaultValue: () => [] }
)

/** Reads CIDRs separated by commas (`10.0.0.0/8, fd00::/8`); fails with the first text that is none. */
export const parseNetworks = (text: string): Result.Result<ReadonlyArray<IpNetwork.IpNetwork>, string> =>
  Result.all(
    text.split(",").map((part) => part.trim()).filter((part) => part !== "").map((part) =>
      Result.mapError(IpNetwork.fromString(part), (error) => `${part}: ${error.message}`)
    )
  )

/** Whether an address, IPv4-mapped or not, is of one of the networks. */
export const isWithin = (networks: ReadonlyArray<IpNetwork.IpNetwork>, address: string): boolean => {
  const parsed = NetAddress.ipFromString(address)
  if (Result.isFailure(parsed)) return false
  const canonical = NetAddress.toCanonical(parsed.success)
  return networks.some((network) => IpNetwork.contains(network, canonical))
}

/** Replaces the remote address of requests that came through trusted proxies. */
export const forwarded = (networks: ReadonlyArray<IpNetwork.IpNetwork>) =>
  networks.length === 0 ? identity : HttpMiddleware.xForwardedHeaders({ trustedProxies: networks })

/** The address to count by. A connection that is already gone has none. */
export const addressOf = (request: HttpServerRequest.HttpServerRequest): string =>
  Option.getOrElse(request.remoteAddress, () => "unknown")
