/**
 * Whose request it is, by network address: the connection's peer, or the hop before the operator's own proxies.
 *
 * `X-Forwarded-For` is believed only from a peer inside `TrustedProxies` and read from the right: the first address
 * that is not one of the proxies is the client. An entry that is no address ends the reading, and then the peer counts.
 *
 * *Gotcha.* Nothing else is taken from a proxy: many hand on `X-Forwarded-Host` and the like as a client wrote them, so the host of a
 * request is that of its `Host`.
 */
import { remember } from "@freehold/core/operation/Remember"
import { Context, Effect, identity, Option, Result } from "effect"
import { HttpMiddleware, HttpServerRequest, HttpServerResponse } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"
import type { ArrivedRequest } from "./ArrivedRequest.ts"

/** The networks of the operator's own proxies. */
export const TrustedProxies = Context.Reference<ReadonlyArray<IpNetwork.IpNetwork>>(
  "@freehold/http-host/ClientAddress/TrustedProxies",
  { defaultValue: () => [] }
)

/** Whether an address, IPv4-mapped or not, is of one of the networks. */
export const isWithin = (networks: ReadonlyArray<IpNetwork.IpNetwork>, address: string): boolean => {
  const parsed = NetAddress.ipFromString(address)
  if (Result.isFailure(parsed)) return false
  const canonical = NetAddress.toCanonical(parsed.success)
  return networks.some((network) => IpNetwork.contains(network, canonical))
}

/** Replaces the remote address of requests that came through trusted proxies. */
export const forwarded = (networks: ReadonlyArray<IpNetwork.IpNetwork>) => {
  if (networks.length === 0) return identity
  const believed = HttpMiddleware.xForwardedHeaders({ trustedProxies: networks })
  return HttpMiddleware.make((httpEffect) =>
    HttpServerRequest.HttpServerRequest.use((request) =>
      believed(
        Effect.updateService(
          httpEffect,
          HttpServerRequest.HttpServerRequest,
          ({ remoteAddress }) => request.modify({ remoteAddress, peerAddress: request.peerAddress })
        )
      )
    )
  )
}

/** The address to count by. A connection that is already gone has none. */
export const addressOf = (request: HttpServerRequest.HttpServerRequest): string =>
  Option.getOrElse(request.remoteAddress, () => "unknown")

/** So many ways to a client are remembered, those that came first are forgotten first; none whose header is longer. */
const mostKnown = 10_000
const longestKnown = 100

/**
 * The same as `forwarded`, without an effect and with a memory: a client comes by the same hops again and again, and to read
 * its addresses costs more than all else that is read of a request.
 */
export const reader = (networks: ReadonlyArray<IpNetwork.IpNetwork>) => {
  const believed = forwarded(networks)
  const known = new Map<string, Option.Option<string>>()

  const read = (request: ArrivedRequest): HttpServerRequest.HttpServerRequest => {
    let seen: HttpServerRequest.HttpServerRequest = request
    const look = HttpServerRequest.HttpServerRequest.useSync((found) => {
      seen = found
      return HttpServerResponse.empty()
    })
    Effect.runSync(Effect.provideService(believed(look), HttpServerRequest.HttpServerRequest, request))
    return seen
  }

  return (request: ArrivedRequest): HttpServerRequest.HttpServerRequest => {
    const { headers, socket } = request.source
    const hops = headers["x-forwarded-for"]
    if (networks.length === 0 || hops === undefined) return request
    if (hops.length > longestKnown) return read(request)
    const way = `${socket.remoteAddress} ${String(hops)}`
    const remoteAddress = known.get(way)
    if (remoteAddress !== undefined) return request.modify({ remoteAddress, peerAddress: request.peerAddress })
    const seen = read(request)
    remember(known, way, seen.remoteAddress, mostKnown)
    return seen
  }
}
