/**
 * The connections of a server and what each holds of it, kept within `ServerBounds`.
 *
 * | what a client does                                  | what happens                                               |
 * | --------------------------------------------------- | ---------------------------------------------------------- |
 * | opens more than its address, or all, may            | the one that was idle longest makes room; if none, refused |
 * | sends requests without waiting for answers          | they are answered one by one                               |
 * | sends more of them than may wait                    | its connection is closed                                   |
 * | does not take an answer in time                     | its connection is closed                                   |
 * | holds, with all others, more bytes than may be held | who holds longest is closed, until it is enough            |
 *
 * *Gotchas.* Node parses all requests of a chunk and would run them at once, each with its whole answer in memory.
 * What the operating system has taken from an answer counts as taken.
 */
import { addressKey } from "@freehold/core/rate/AddressLimiter"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { isWithin } from "./ClientAddress.ts"
import * as CutConnections from "./CutConnections.ts"
import type { ServerBounds } from "./ServerBounds.ts"

/** A request, from its headers until its answer was taken. */
interface Turn {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly start: () => void
}

interface Connection {
  readonly socket: Socket
  /** null: its address is not counted. */
  readonly address: string | null
  /** The request that is being answered. */
  turn: Turn | null
  readonly waiting: Array<Turn>
  /** When `turn` began, or when the last one ended. */
  since: number
  /** What had been read when `turn` began. */
  readBefore: number
  /** When a look first found the answer not taken. */
  unreadSince: number | null
}

const requestBytes = ({ readBefore, socket, turn }: Connection): number =>
  turn === null || turn.request.complete ? 0 : socket.bytesRead - readBefore

const heldBytes = (connection: Connection): number => connection.socket.writableLength + requestBytes(connection)

const heldSince = ({ since, unreadSince }: Connection): number => unreadSince ?? since

/** `onIdle`: a connection has just been left without a request. */
export const make = (bounds: ServerBounds, onIdle: () => void) => {
  // Those without a request stand in the order in which they became idle, so that the first of them is found at once.
  const open = new Map<Socket, Connection>()
  const perAddress = new Map<string, Set<Connection>>()
  CutConnections.begin()

  const add = (connection: Connection): void => {
    const { address, socket } = connection
    open.set(socket, connection)
    if (address === null) return
    const others = perAddress.get(address)
    if (others === undefined) perAddress.set(address, new Set([connection]))
    else others.add(connection)
  }

  const drop = (connection: Connection): void => {
    const { address, socket } = connection
    if (!open.delete(socket) || address === null) return
    const others = perAddress.get(address)
    others?.delete(connection)
    if (others?.size === 0) perAddress.delete(address)
  }

  const cut = (connection: Connection, bound: CutConnections.Bound): void => {
    CutConnections.count(bound)
    drop(connection)
    connection.socket.destroy()
  }

  /** Closes the connection that was idle longest among those; false when none is idle. */
  const makeRoom = (among: Iterable<Connection>, bound: CutConnections.Bound): boolean => {
    for (const connection of among) {
      if (connection.turn !== null) continue
      cut(connection, bound)
      return true
    }
    CutConnections.count(bound)
    return false
  }

  const hasRoom = (address: string | null): boolean => {
    const own = address === null ? undefined : perAddress.get(address)
    return (own === undefined || own.size < bounds.connectionsPerAddress || makeRoom(own, "connections_per_address")) &&
      (open.size < bounds.connections || makeRoom(open.values(), "connections"))
  }

  const accept = (socket: Socket): void => {
    const { remoteAddress } = socket
    const address = remoteAddress === undefined || isWithin(bounds.trustedProxies, remoteAddress)
      ? null
      : addressKey(remoteAddress)
    if (!hasRoom(address)) {
      socket.destroy()
      return
    }
    const connection: Connection = {
      socket,
      address,
      turn: null,
      waiting: [],
      since: performance.now(),
      readBefore: 0,
      unreadSince: null
    }
    add(connection)
    socket.once("close", () => drop(connection))
  }

  const begin = (connection: Connection, turn: Turn): void => {
    connection.turn = turn
    connection.since = performance.now()
    connection.readBefore = connection.socket.bytesRead
    connection.unreadSince = null
    turn.response.once("close", () => end(connection))
    turn.start()
  }

  const end = (connection: Connection): void => {
    connection.turn = null
    connection.since = performance.now()
    if (connection.socket.destroyed) return
    drop(connection)
    add(connection)
    const next = connection.waiting.shift()
    if (next === undefined) onIdle()
    else begin(connection, next)
  }

  /** Runs `start` once the requests before this one of its connection are answered. */
  const take = (request: IncomingMessage, response: ServerResponse, start: () => void): void => {
    const connection = open.get(request.socket)
    if (connection === undefined) return
    if (connection.turn === null) begin(connection, { request, response, start })
    else if (connection.turn.response === response) start()
    else if (connection.waiting.length < bounds.waitingRequests) connection.waiting.push({ request, response, start })
    else cut(connection, "waiting_requests")
  }

  const isAnswering = (socket: Socket): boolean => (open.get(socket)?.turn ?? null) !== null

  const isLate = (connection: Connection, now: number): boolean => {
    if (connection.socket.writableLength === 0) connection.unreadSince = null
    else connection.unreadSince ??= now
    return connection.unreadSince !== null && now - connection.unreadSince >= bounds.answerTimeout
  }

  /** Closes whoever is late, and then whoever holds longest of too much. */
  const look = (): void => {
    const now = performance.now()
    for (const connection of open.values()) if (isLate(connection, now)) cut(connection, "answer_timeout")
    const holding = [...open.values()].filter((connection) => heldBytes(connection) > 0)
      .sort((left, right) => heldSince(left) - heldSince(right))
    let held = holding.reduce((sum, connection) => sum + heldBytes(connection), 0)
    for (const connection of holding) {
      if (held <= bounds.heldBytes) return
      held -= heldBytes(connection)
      cut(connection, "held_bytes")
    }
  }

  return { accept, take, isAnswering, look }
}
