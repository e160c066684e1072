/**
 * The connections of a server and what each holds of it, kept within `ServerBounds`.
 *
 * | what a client does                                  | what happens                                               |
 * | --------------------------------------------------- | ---------------------------------------------------------- |
 * | opens more than its address, or all, may            | one that is idle, or takes no answer, makes room           |
 * | opens more while all of them are being answered     | it is refused                                              |
 * | keeps more of all waiting for the rest of a request | the first of them is closed                                |
 * | sends requests without waiting for answers          | they are answered one by one                               |
 * | sends much at once, from one address                | others' requests are begun in between (`Turns`)            |
 * | sends a request slowly                              | it is begun when it is whole, or fills what is held of it  |
 * | sends more of them than may wait                    | its connection is closed, and its address let in later     |
 * | does not take an answer in time                     | its connection is closed                                   |
 * | holds, with all others, more bytes than may be held | who holds longest is closed, until it is enough            |
 * | sends a body in crumbs (`GatheredRequest`)          | its connection is closed, and its address let in later     |
 *
 * Who makes room for others is of the address that has most connections, so whoever has few keeps them; and strangers do before
 * those whose last request had a credential that was let in. A connection whose request has not arrived whole is idle.
 *
 * *Gotchas.* Node parses all requests of a chunk and would run them at once, each with its whole answer in memory.
 * What the operating system has taken from an answer counts as taken.
 */
import { addressKey } from "@freehold/core/rate/AddressLimiter"
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { isWithin } from "./ClientAddress.ts"
import type { GatheredRequest } from "./GatheredRequest.ts"
import * as KnownCallers from "./KnownCallers.ts"
import * as Parsing from "./Parsing.ts"
import type { ServerBounds } from "./ServerBounds.ts"
import * as Turns from "./Turns.ts"

/** A request, from its headers until its answer was taken. It is begun when it has arrived (`arrived`). */
interface Turn {
  readonly request: GatheredRequest
  readonly response: ServerResponse
  readonly start: () => void
}

/** Which bound cut a connection. */
export type Cause = "address" | "all" | "unfinished" | "requests" | "answer" | "bytes" | "pieces" | "barred"

/** Is told of each connection that is cut. */
export type OnCut = (cause: Cause, address: string) => void

interface Connection {
  readonly socket: Socket
  /** null: its address is not counted. */
  readonly address: string | null
  /** Whether its last request had a credential that was let in before. */
  isKnown: boolean
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

export interface Listeners {
  /** A connection has just been left without a request. */
  readonly onIdle: () => void
  readonly onCut: OnCut
}

export type Connections = ReturnType<typeof make>

export const make = (bounds: ServerBounds, { onCut, onIdle }: Listeners) => {
  // Those without a request stand in the order in which they became idle, so that the first of them is found at once.
  const open = new Map<Socket, Connection>()
  const perAddress = new Map<string, Set<Connection>>()
  /** Addresses whose connections are closed at once, and until when. */
  const barredUntil = new Map<string, number>()
  /** Those of counted addresses whose request has not arrived whole, in the order in which they began to keep one waiting. */
  const unfinished = new Set<Connection>()

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
    unfinished.delete(connection)
    if (!open.delete(socket) || address === null) return
    const others = perAddress.get(address)
    others?.delete(connection)
    if (others?.size === 0) perAddress.delete(address)
  }

  const cut = (connection: Connection, cause: Cause): void => {
    onCut(cause, connection.socket.remoteAddress ?? "unknown")
    drop(connection)
    connection.socket.destroy()
    Parsing.end(connection.socket)
  }

  const isIdle = (connection: Connection): boolean => connection.turn === null || unfinished.has(connection)

  /** Whether its client has not taken all of an answer. */
  const isUntaken = ({ socket, turn }: Connection): boolean => turn !== null && socket.writableLength > 0

  const givesWay = (connection: Connection): boolean => isIdle(connection) || isUntaken(connection)

  const isStranger = (connection: Connection): boolean => !connection.isKnown && givesWay(connection)

  /** The connections of the address that has most of them. */
  const largest = (): Iterable<Connection> => {
    let most: ReadonlySet<Connection> = new Set()
    for (const own of perAddress.values()) if (own.size > most.size) most = own
    return most
  }

  /** Closes the first of those that may be closed; false when there is none. */
  const makeRoom = (
    among: Iterable<Connection>,
    cause: Cause,
    mayClose: (connection: Connection) => boolean = isIdle
  ): boolean => {
    for (const connection of among) {
      if (!mayClose(connection)) continue
      cut(connection, cause)
      return true
    }
    return false
  }

  const isUnfinished = (connection: Connection): boolean => unfinished.has(connection)

  /** A whole request is still to come by the connection. */
  const expectRequest = (connection: Connection): void => {
    if (connection.address === null || unfinished.has(connection)) return
    const isFull = unfinished.size >= bounds.unfinished
    if (isFull && !makeRoom(largest(), "unfinished", isUnfinished)) makeRoom(unfinished, "unfinished")
    unfinished.add(connection)
  }

  const makeRoomAmongAll = (): boolean => {
    const most = largest()
    return makeRoom(most, "all", isStranger) || makeRoom(open.values(), "all", isStranger) ||
      makeRoom(most, "all", givesWay) || makeRoom(open.values(), "all")
  }

  /** The bound that leaves no room for another one of the address; null: there is room. */
  const lacking = (address: string | null): Cause | null => {
    const own = address === null ? undefined : perAddress.get(address)
    if (
      own !== undefined && own.size >= bounds.connectionsPerAddress && !makeRoom(own, "address") &&
      !makeRoom(own, "address", isUntaken)
    ) return "address"
    return open.size >= bounds.connections && !makeRoomAmongAll() ? "all" : null
  }

  const accept = (socket: Socket): void => {
    const { remoteAddress } = socket
    const address = remoteAddress === undefined || isWithin(bounds.trustedProxies, remoteAddress)
      ? null
      : addressKey(remoteAddress)
    const full = isBarred(address, performance.now()) ? "barred" : lacking(address)
    if (full !== null) {
      onCut(full, remoteAddress ?? "unknown")
      socket.destroy()
      return
    }
    const connection: Connection = {
      socket,
      address,
      isKnown: false,
      turn: null,
      waiting: [],
      since: performance.now(),
      readBefore: 0,
      unreadSince: null
    }
    expectRequest(connection)
    add(connection)
    socket.once("close", () => drop(connection))
  }

  /** Starts it in a turn of its client, unless the client is gone by then. */
  const start = (connection: Connection, turn: Turn): void => {
    const { address, socket } = connection
    const orgId = KnownCallers.ofProcess.find(turn.request.claim)
    connection.isKnown = orgId !== null
    Turns.ofProcess.take({ orgId, address: address ?? socket.remoteAddress ?? "unknown" }, () => {
      if (!socket.destroyed) turn.start()
    })
  }

  const begin = (connection: Connection, turn: Turn): void => {
    connection.turn = turn
    connection.since = performance.now()
    connection.readBefore = connection.socket.bytesRead
    connection.unreadSince = null
    turn.response.once("close", () => end(connection))
    if (turn.request.hasArrived) start(connection, turn)
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

  /**
   * Runs `start` once the requests before this one of its connection are answered and it has arrived. `isAwaited`: its
   * client does not send the body before it is asked to.
   */
  const take = (request: GatheredRequest, response: ServerResponse, isAwaited: boolean, start: () => void): void => {
    const connection = open.get(request.socket)
    if (connection === undefined) return
    if (!request.complete) expectRequest(connection)
    if (isAwaited) request.hasArrived = true
    if (connection.turn === null) begin(connection, { request, response, start })
    else if (connection.turn.response === response) start()
    else if (connection.waiting.length < bounds.waitingRequests) connection.waiting.push({ request, response, start })
    else bar(connection, "requests")
  }

  /** The request has arrived whole, or so much of it as is held before it is read. */
  const arrived = (request: GatheredRequest): void => {
    const connection = open.get(request.socket)
    if (connection === undefined) return
    if (request.complete) unfinished.delete(connection)
    if (request.hasArrived) return
    request.hasArrived = true
    if (connection.turn?.request === request) start(connection, connection.turn)
  }

  const isBarred = (address: string | null, now: number): boolean =>
    address !== null && now < (barredUntil.get(address) ?? now)

  /** Forgets those whose time is over: they stand in the order in which it is. */
  const forgetBarred = (now: number): void => {
    for (const [address, until] of barredUntil) {
      if (until > now && barredUntil.size <= bounds.connections) return
      barredUntil.delete(address)
    }
  }

  /**
   * Closes a connection by which too much comes at once that is small. To take it apart costs the more the more of it there is, and
   * more than to refuse a connection, so the address is not heard for a while: all that it has not sent whole is closed.
   */
  const bar = (connection: Connection, cause: Cause): void => {
    cut(connection, cause)
    const { address } = connection
    if (address === null) return
    const now = performance.now()
    barredUntil.delete(address)
    barredUntil.set(address, now + bounds.barred)
    forgetBarred(now)
    for (const other of perAddress.get(address) ?? []) if (isUnfinished(other)) cut(other, cause)
  }

  /** A request of the connection comes in too many pieces. */
  const cutPieces = (socket: Socket): void => {
    const connection = open.get(socket)
    if (connection !== undefined) bar(connection, "pieces")
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
    for (const connection of open.values()) if (isLate(connection, now)) cut(connection, "answer")
    const holding = [...open.values()].filter((connection) => heldBytes(connection) > 0)
      .sort((left, right) => heldSince(left) - heldSince(right))
    let held = holding.reduce((sum, connection) => sum + heldBytes(connection), 0)
    for (const connection of holding) {
      if (held <= bounds.heldBytes) return
      held -= heldBytes(connection)
      cut(connection, "bytes")
    }
  }

  return { accept, take, arrived, isAnswering, cutPieces, look }
}
