/** Newline-delimited JSON: one value a line; blank lines are skipped, a byte-order mark and CRLF are no part of it. */
import { Result, Stream } from "effect"
import { type BrokenRecord, longestRecord, type SourceRecord } from "./SourceRecord.ts"

export type JsonRecord = SourceRecord<unknown> & { readonly text: string } | BrokenRecord

interface State {
  /** The line that `pending` is the beginning of. */
  readonly line: number
  readonly pending: Array<Uint8Array>
  readonly pendingLength: number
}

const newline = 0x0a

const recordOf = (line: number, bytes: Buffer): JsonRecord | undefined => {
  if (bytes.length > longestRecord) {
    return {
      _tag: "Broken",
      line,
      reason: `is longer than ${longestRecord} bytes`,
      text: bytes.toString("utf8", 0, 200)
    }
  }
  const decoded = bytes.toString("utf8")
  const text = (line === 1 && decoded.startsWith("\uFEFF") ? decoded.slice(1) : decoded).trim()
  if (text === "") return undefined
  return Result.match(Result.try((): unknown => JSON.parse(text)), {
    onFailure: (): JsonRecord => ({
      _tag: "Broken",
      line,
      reason: text.includes("\0") ? "is not JSON; expected UTF-8, and this looks like UTF-16" : "is not JSON",
      text
    }),
    onSuccess: (value) => ({ _tag: "Read", line, value, text })
  })
}

/**
 * What there was of a line that is too long already is enough to say so: the rest is dropped. A line may come in very many pieces,
 * so that they are added to and not copied.
 */
const extend = (state: State, bytes: Uint8Array): State => {
  if (state.pendingLength > longestRecord) return state
  state.pending.push(bytes)
  return { ...state, pendingLength: state.pendingLength + bytes.length }
}

const step = (state: State, chunk: Uint8Array): readonly [State, ReadonlyArray<JsonRecord>] => {
  const records: Array<JsonRecord> = []
  let current = state
  let start = 0
  for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
    const { line, pending } = extend(current, chunk.subarray(start, end))
    const record = recordOf(line, Buffer.concat(pending))
    if (record !== undefined) records.push(record)
    current = { line: line + 1, pending: [], pendingLength: 0 }
    start = end + 1
  }
  return [start < chunk.length ? extend(current, chunk.subarray(start)) : current, records]
}

export const read = <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<JsonRecord, E> =>
  Stream.mapAccum(bytes, (): State => ({ line: 1, pending: [], pendingLength: 0 }), step, {
    onHalt: ({ line, pending }) => {
      const last = recordOf(line, Buffer.concat(pending))
      return last === undefined ? [] : [last]
    }
  })
