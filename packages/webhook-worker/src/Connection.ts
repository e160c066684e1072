/**
 * A kept connection to the vetted addresses of a target: one request at a time is written to it, and its answer read.
 *
 * - It leads to the target's addresses and nowhere else, and its certificate is checked against the name.
 * - Nothing is written before it is connected and, where there is TLS, its certificate has been found good.
 * - A body is read off so far that the connection can be used again: at most 16 KiB of it, for at most two seconds. Of a longer one no
 *   more is read, and it lasts for those two seconds: what a receiver is told costs more than its answer, so one that says much is not
 *   told more often than one that says it slowly.
 * - What arrives when nothing was asked ends it.
 */
import * as Net from "node:net"
import * as Tls from "node:tls"
import type { VettedTarget } from "./AddressGuard.ts"
import * as AnswerReader from "./AnswerReader.ts"
import { answerLimit } from "./SendOutcome.ts"

/** The steps of a request, each named after the failure that it can have. */
export type Phase = "connect" | "tls" | "protocol"

/** Whoever asked, told what comes of it. Of `ended` and `failed` one is called, once. */
export interface Hearing {
  readonly reached: (phase: Phase) => void
  /** The headers have arrived. */
  readonly answered: (status: number) => void
  /** The answer is over, or enough of it was read; how its body begins. */
  readonly ended: (beginning: Uint8Array) => void
  /** There is no answer. `isStale`: the connection had been used, and ended before anything was heard on it. */
  readonly failed: (detail: string, isStale: boolean) => void
}

export interface Connection {
  /** May be asked: it was answered, and is open. */
  readonly isIdle: () => boolean
  /** `head`: request line and headers with the empty line, in ASCII. */
  readonly ask: (head: string, body: Uint8Array, hearing: Hearing) => void
  /** Ends it, and tells nobody. */
  readonly close: () => void
}

const connectDeadline = 2_000
const idleMillis = 30_000
const bodyLimit = 16 * 1024
const bodyMillis = 2_000
/** Up to there a body is written in one piece with its head. */
const onePiece = 16 * 1024

const pinned = (addresses: ReadonlyArray<string>): Net.LookupFunction => {
  const found = addresses.map((address) => ({ address, family: Net.isIPv6(address) ? 6 : 4 }))
  return (_hostname, _options, done) => done(null, found)
}

const connect = ({ addresses, hostname, port, secure }: VettedTarget, ca: ReadonlyArray<string> | undefined) => {
  const options = {
    host: hostname,
    port,
    noDelay: true,
    lookup: pinned(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: connectDeadline
  }
  return secure
    ? Tls.connect({
      ...options,
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: true,
      ...Net.isIP(hostname) === 0 ? { servername: hostname } : {},
      ...ca === undefined ? {} : { ca: [...ca] }
    })
    : Net.connect(options)
}

const codeOf = (cause: Error): string => "code" in cause && typeof cause.code === "string" ? cause.code : cause.name

/** `released`: it can be asked again, or it is closed. */
export const open = (
  target: VettedTarget,
  ca: ReadonlyArray<string> | undefined,
  released: (connection: Connection) => void
): Connection => {
  const socket = connect(target, ca)
  let reader = AnswerReader.make(answerLimit)
  let hearing: Hearing | undefined
  let unsent: (() => void) | undefined
  let isReady = false
  let wasUsed = false
  let isSilent = true
  let bodyTimer: NodeJS.Timeout | undefined

  const settle = (tell: (to: Hearing) => void, mayStay: boolean): void => {
    const told = hearing
    if (told === undefined) return
    clearTimeout(bodyTimer)
    bodyTimer = undefined
    hearing = undefined
    wasUsed = true
    if (!mayStay) socket.destroy()
    released(connection)
    tell(told)
  }
  const end = (mayStay: boolean) => settle(({ ended }) => ended(reader.beginning), mayStay)
  const fail = (detail: string, isStale = false) => settle(({ failed }) => failed(detail, isStale), false)
  const lost = (code: string): void => {
    if (reader.status !== undefined) end(false)
    else fail(code, wasUsed && isSilent && (code === "ECONNRESET" || code === "EPIPE"))
  }

  const hear = (piece: Buffer): void => {
    if (hearing === undefined) return void socket.destroy()
    isSilent = false
    const isFirst = reader.status === undefined
    reader.read(piece)
    if (reader.fault !== undefined) return reader.status === undefined ? fail(reader.fault) : end(false)
    if (reader.status === undefined) return
    if (isFirst) hearing.answered(reader.status)
    if (reader.isOver) return end(reader.isKept && !reader.hasMore && socket.writableLength === 0)
    bodyTimer ??= setTimeout(() => end(false), bodyMillis)
    if (reader.bodyBytes > bodyLimit) socket.pause()
  }

  const reach = (phase: Phase): void => {
    hearing?.reached(phase)
    if (phase !== "protocol") return
    isReady = true
    unsent?.()
    unsent = undefined
  }

  socket.once("connect", () => reach(target.secure ? "tls" : "protocol"))
  if (target.secure) socket.once("secureConnect", () => reach("protocol"))
  socket.on("data", hear)
  socket.on("error", (cause) => lost(codeOf(cause)))
  socket.once("close", () => {
    lost("ECONNRESET")
    released(connection)
  })
  socket.setTimeout(idleMillis, () => {
    if (hearing === undefined) socket.destroy()
  })

  const connection: Connection = {
    isIdle: () => hearing === undefined && !socket.destroyed && socket.writable,
    ask: (head, body, by) => {
      hearing = by
      isSilent = true
      reader = AnswerReader.make(answerLimit)
      const write = () => {
        const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
        // One string is written by one call of the system, and no object is made for it.
        if (bytes.length <= onePiece) return void socket.write(head + bytes.toString("latin1"), "latin1")
        socket.cork()
        socket.write(head, "latin1")
        socket.write(bytes)
        socket.uncork()
      }
      by.reached(isReady ? "protocol" : "connect")
      if (isReady) write()
      else unsent = write
    },
    close: () => {
      clearTimeout(bodyTimer)
      hearing = undefined
      socket.destroy()
    }
  }
  return connection
}
