/**
 * A request whose body is gathered from the pieces in which it arrives: each piece costs an object many times its size, so
 * they are copied together at once, and whoever sends too many too small ones is cut off.
 *
 * *Gotchas.* A reader sees what was gathered when it is enough or at the end, not when it arrives.
 */
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import * as KnownCallers from "./KnownCallers.ts"

/** A piece of this size is handed on as it is, and smaller ones once they are so much. */
const enough = 16 * 1024

/** What is gathered begins in a buffer of this size. */
const first = 1024

/** Pieces of any size that a body may come in. */
const freePieces = 256

/** Bytes that the pieces beyond those have on average. */
const leastBytes = 64

const grown = (buffer: Buffer, length: number, needed: number): Buffer => {
  if (length + needed <= buffer.length) return buffer
  const larger = Buffer.allocUnsafe(Math.max(first, 2 * buffer.length, length + needed))
  buffer.copy(larger, 0, 0, length)
  return larger
}

const none: Buffer = Buffer.alloc(0)

export interface Listeners {
  /** The request has arrived whole, or so much of it as is held before somebody reads it. */
  readonly arrived: (request: GatheredRequest) => void
  /** It comes in crumbs: its connection is to be closed. */
  readonly cutPieces: (socket: Socket) => void
}

/** What is known of a request before anybody reads it. */
export class GatheredRequest extends IncomingMessage {
  #claim: KnownCallers.Claim | null = null

  /** It has arrived whole, or so much of it as is held before it is read. */
  hasArrived = false

  /** Whose it says it is. */
  get claim(): KnownCallers.Claim {
    return this.#claim ??= KnownCallers.claimOf(this.headers)
  }
}

/** Whose a request says it is; where it came by `NodeServer`, that was asked before. */
export const claimOf = ({ headers, source }: HttpServerRequest.HttpServerRequest): KnownCallers.Claim =>
  source instanceof GatheredRequest ? source.claim : KnownCallers.claimOf(headers)

/** The class of requests of one server. */
export const make = ({ arrived, cutPieces }: Listeners): typeof GatheredRequest =>
  class extends GatheredRequest {
    #pieces = 0
    #bytes = 0
    #gathered = none
    #length = 0

    override push(piece: unknown, encoding?: BufferEncoding): boolean {
      if (!(piece instanceof Uint8Array)) {
        this.#handOn()
        const more = super.push(piece, encoding)
        arrived(this)
        return more
      }
      // Whoever reads no further takes the socket from the request, and more of it may come all the same.
      if (this.destroyed || this.socket.destroyed) return false
      this.#bytes += piece.length
      if (++this.#pieces > freePieces + this.#bytes / leastBytes) {
        cutPieces(this.socket)
        return false
      }
      if (this.#length === 0 && (piece.length >= enough || this.#isWhole())) return this.#hand(piece)
      this.#gathered = grown(this.#gathered, this.#length, piece.length)
      this.#gathered.set(piece, this.#length)
      this.#length += piece.length
      return this.#length < enough || this.#handOn()
    }

    #isWhole(): boolean {
      return this.#bytes === Number(this.headers["content-length"])
    }

    #handOn(): boolean {
      if (this.#length === 0) return true
      const gathered = this.#gathered.subarray(0, this.#length)
      this.#gathered = none
      this.#length = 0
      return this.#hand(gathered)
    }

    #hand(bytes: Uint8Array): boolean {
      const more = super.push(bytes)
      if (!more) arrived(this)
      return more
    }
  }
