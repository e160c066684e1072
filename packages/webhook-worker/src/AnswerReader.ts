/**
 * Reads one answer of HTTP/1.1 from the bytes of its connection, as they come.
 *
 * As little as a sender of webhooks needs to know: the status, where the answer ends, whether the connection can be used again,
 * and how the body begins. Of its rules (RFC 9112) it takes the strict side: what could be read in two ways is no answer, so that
 * nobody's bytes pass for the next answer.
 *
 * - Informational responses are passed over, but for `101 Switching Protocols`, which ends what the connection can be used for.
 * - A body is never inflated and never kept, but for its first bytes where it is not packed.
 *
 * *Gotchas*: an answer that tells no length lasts as long as its connection. `left` says what came after the answer.
 */
import { informationalLimit, tooManyInformational } from "./Informational.ts"

/** Bytes of status line and headers, of all responses up to the one that counts. */
const headLimit = 16 * 1024

/** Digits of a chunk's size, and of a length: beyond what anybody reads off. */
const digitsLimit = 15

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\r\n]*)?$/
const headerLine = /^([!#$%&'*+\-.^_`|~\dA-Za-z]+):([\t\x20-\x7e\x80-\xff]*)$/
const chunkLine = /^([\da-fA-F]+)[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/

interface Head {
  readonly status: number
  /** Bytes of the body; `chunked`: the body says it; `closing`: until the connection ends. */
  readonly length: number | "chunked" | "closing"
  readonly isKept: boolean
  readonly isPacked: boolean
}

/** The head's lines, in Latin-1 and without the empty one; a text: what is wrong with it. */
const readHead = (lines: ReadonlyArray<string>): Head | string => {
  const [, minor, status] = statusLine.exec(lines[0] ?? "") ?? []
  if (status === undefined) return "no status line of HTTP/1.1"
  let length: string | undefined
  let coding: string | undefined
  let connection = ""
  let isPacked = false
  for (const line of lines.slice(1)) {
    const [, name, value = ""] = headerLine.exec(line) ?? []
    if (name === undefined) return "a malformed header"
    switch (name.toLowerCase()) {
      case "content-length":
        if (length !== undefined && length !== value.trim()) return "two lengths"
        length = value.trim()
        break
      case "transfer-encoding":
        coding = coding === undefined ? value.trim().toLowerCase() : `${coding}, ${value.trim().toLowerCase()}`
        break
      case "connection":
        connection += `,${value.toLowerCase()}`
        break
      case "content-encoding":
        isPacked = true
    }
  }
  if (length !== undefined && (!/^\d+$/.test(length) || length.length > digitsLimit)) return "a malformed length"
  if (length !== undefined && coding !== undefined) return "a length and a transfer coding"
  const isEmpty = status === "204" || status === "304" || status.startsWith("1")
  return {
    status: Number(status),
    length: isEmpty
      ? 0
      : coding === "chunked"
      ? "chunked"
      : coding !== undefined || length === undefined
      ? "closing"
      : Number(length),
    isKept: minor === "1" && status !== "101" && !connection.split(",").some((token) => token.trim() === "close"),
    isPacked
  }
}

/** Where a chunked body stands. */
type ChunkStep = "size" | "data" | "after data" | "trailer"

export interface AnswerReader {
  /** Of the answer that counts, when its headers have come. */
  status: number | undefined
  /** Bytes of the body so far, with what stands around its chunks. */
  bodyBytes: number
  /** The answer is complete. */
  isOver: boolean
  /** After this answer the connection can be asked again, unless more came than the answer. */
  isKept: boolean
  /** Bytes came after the answer. */
  hasMore: boolean
  /** Why this is no answer. */
  fault: string | undefined
  /** How the body begins; nothing of one that is packed. */
  beginning: Buffer
  readonly read: (piece: Buffer) => void
}

/** `keep`: so many bytes of the beginning of the body. */
export const make = (keep: number): AnswerReader => {
  /** What came of a head, or of a line about a chunk, and is not read. */
  let pending = ""
  let headBytes = 0
  let informational = 0
  let head: Head | undefined
  /** Of the body, or of the chunk. */
  let missing = 0
  let step: ChunkStep = "size"

  const reader: AnswerReader = {
    status: undefined,
    bodyBytes: 0,
    isOver: false,
    isKept: false,
    hasMore: false,
    fault: undefined,
    beginning: Buffer.alloc(0),
    read: (piece) => {
      const from = head === undefined ? readHeads(piece) : 0
      if (head !== undefined && reader.fault === undefined) readBody(head, piece, from)
    }
  }

  /** Reads off informational responses and the head that counts; answers where the body begins in the piece. */
  const readHeads = (piece: Buffer): number => {
    const before = pending.length
    pending += piece.toString("latin1")
    let from = 0
    // What came before was looked through, but for an end that is not whole: a receiver may send its head byte by byte.
    const unread = Math.max(0, before - 3)
    while (head === undefined) {
      const end = pending.indexOf("\r\n\r\n", Math.max(from, unread))
      if (headBytes + (end < 0 ? pending.length : end) > headLimit) {
        reader.fault = `headers beyond ${headLimit / 1024} KiB`
        return piece.length
      }
      if (end < 0) break
      const found = readHead(pending.slice(from, end).split("\r\n"))
      if (typeof found === "string") {
        reader.fault = found
        return piece.length
      }
      from = end + 4
      if (found.status >= 200 || found.status === 101) {
        head = found
        reader.status = found.status
        reader.isKept = found.isKept
        if (typeof found.length === "number") missing = found.length
      } else if (++informational > informationalLimit) {
        reader.fault = tooManyInformational
        return piece.length
      }
    }
    headBytes += from
    pending = head === undefined ? pending.slice(from) : ""
    return from - before
  }

  const readBody = ({ isPacked, length }: Head, piece: Buffer, from: number): void => {
    if (reader.isOver) {
      reader.hasMore ||= from < piece.length
      return
    }
    reader.bodyBytes += piece.length - from
    let at = from
    const take = (most: number): void => {
      const end = Math.min(piece.length, at + most)
      const wanted = keep - reader.beginning.length
      if (!isPacked && wanted > 0 && end > at) {
        reader.beginning = Buffer.concat([reader.beginning, piece.subarray(at, Math.min(end, at + wanted))])
      }
      missing -= end - at
      at = end
    }
    if (length === "closing") take(piece.length)
    else if (length === "chunked") {
      at = readChunks(piece, at, (from, most) => {
        at = from
        take(most)
        return at
      })
    } else {
      take(missing)
      reader.isOver = missing === 0
    }
    reader.hasMore = reader.isOver && at < piece.length
  }

  /** `take` reads data off from a place and answers where it stopped. */
  const readChunks = (piece: Buffer, from: number, take: (from: number, most: number) => number): number => {
    let at = from
    while (at < piece.length && !reader.isOver) {
      if (step === "data") {
        at = take(at, missing)
        if (missing === 0) step = "after data"
        continue
      }
      const end = piece.indexOf(10, at)
      pending += piece.toString("latin1", at, end < 0 ? piece.length : end + 1)
      at = end < 0 ? piece.length : end + 1
      if (pending.length > headLimit) reader.fault = "a chunk without size"
      else if (end >= 0) readChunkLine()
      if (reader.fault !== undefined) return piece.length
    }
    return at
  }

  const readChunkLine = (): void => {
    const line = pending.endsWith("\r\n") ? pending.slice(0, -2) : undefined
    pending = ""
    const [, size] = step === "size" ? chunkLine.exec(line ?? "?") ?? [] : []
    if (step === "size" && size !== undefined && size.length <= digitsLimit) {
      missing = Number.parseInt(size, 16)
      step = missing === 0 ? "trailer" : "data"
    } else if (step === "after data" && line === "") step = "size"
    else if (step === "trailer" && line === "") reader.isOver = true
    else if (step !== "trailer" || line === undefined || !headerLine.test(line)) reader.fault = "a malformed chunk"
  }

  return reader
}
