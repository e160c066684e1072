/** How much of the server clients may hold, before any route sees who they are. docs/operating.md "What clients may hold". */
import type { IpNetwork } from "effect/net"

export interface ServerBounds {
  /** Open connections in all. */
  readonly connections: number
  /** Open connections of one address: an IPv4 address, or an IPv6 /64. */
  readonly connectionsPerAddress: number
  /** Connections of counted addresses that a whole request is still to come by, the first one included. */
  readonly unfinished: number
  /** Requests of one connection that wait for the answer to the one before them. */
  readonly waitingRequests: number
  /** Bytes of answers that were not taken, and of requests that are not complete, over all connections. */
  readonly heldBytes: number
  /** Milliseconds within which a client has to take an answer. */
  readonly answerTimeout: number
  /** Milliseconds for which an address that sent a body in crumbs is not let in. */
  readonly barred: number
  /** Milliseconds from one look at what is held to the next. */
  readonly watchInterval: number
  /** Connections of these count in all alone: many clients stand behind one address. */
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
}

/**
 * The part of each of so many processes that share a port, so that the bounds hold over all of them. Connections go to
 * whichever has time, so one address may meet its part in one of them before it has all that it may have.
 */
export const shareOf = (bounds: ServerBounds, processes: number): ServerBounds => ({
  ...bounds,
  connections: Math.max(1, Math.floor(bounds.connections / processes)),
  connectionsPerAddress: Math.max(1, Math.floor(bounds.connectionsPerAddress / processes)),
  unfinished: Math.max(1, Math.floor(bounds.unfinished / processes)),
  heldBytes: Math.max(1, Math.floor(bounds.heldBytes / processes))
})

export const defaults: ServerBounds = {
  connections: 4096,
  connectionsPerAddress: 512,
  unfinished: 1024,
  waitingRequests: 16,
  heldBytes: 128 * 1_048_576,
  answerTimeout: 30_000,
  barred: 10_000,
  watchInterval: 250,
  trustedProxies: []
}
