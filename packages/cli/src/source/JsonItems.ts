/**
 * The elements of one array of a JSON document of any size, one after the other: of the array that the document is, or of the
 * one under a name in the object that it is.
 */
import { Result, Stream } from "effect"
import { longestRecord } from "../import/SourceRecord.ts"

/** An element by its place, which is counted from 1; undefined: it is not JSON, or too long. */
export interface JsonItem {
  readonly place: number
  readonly value: unknown
  readonly fault: string | undefined
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma, colon] = Buffer.from("\"\\{}[],:")

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Steps through the bytes; knows strings, so that a bracket within one is none. */
class Splitter {
  #depth = 0
  /** The depth at which the elements are; 0: the array was not met. */
  #elements = 0
  #isText = false
  #isEscaped = false
  #text: Array<number> = []
  #lastText = ""
  #isNamed = false
  #parts: Array<Uint8Array> = []
  #length = 0
  #count = 0
  #isOver = false
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  /** Whether the array was there, and ended. */
  get isComplete(): boolean {
    return this.#isOver
  }

  #item(): JsonItem | undefined {
    const bytes = Buffer.concat(this.#parts)
    const length = this.#length
    this.#parts = []
    this.#length = 0
    if (length > longestRecord) {
      return {
        place: ++this.#count,
        value: bytes.toString("utf8", 0, 200),
        fault: `is longer than ${longestRecord} bytes`
      }
    }
    const text = bytes.toString("utf8").trim()
    if (text === "") return undefined
    return Result.match(Result.try((): unknown => JSON.parse(text)), {
      onFailure: () => ({ place: ++this.#count, value: text.slice(0, 200), fault: "is not JSON" }),
      onSuccess: (value) => ({ place: ++this.#count, value, fault: undefined })
    })
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.length
    if (this.#length <= longestRecord) this.#parts.push(bytes)
  }

  /** What stands outside strings; true: an element ended before it. */
  #mark(byte: number): boolean {
    if (byte === colon && this.#depth === 1) this.#isNamed = this.#lastText === this.#name
    if (byte === openBracket || byte === openBrace) {
      this.#depth++
      const isArray = byte === openBracket
      if (this.#elements === 0 && isArray && (this.#depth === 1 || this.#depth === 2 && this.#isNamed)) {
        this.#elements = this.#depth
        this.#parts = []
        this.#length = 0
      }
      if (this.#depth > 1) this.#isNamed = false
      return false
    }
    if (byte === closeBracket || byte === closeBrace) {
      const ends = this.#depth === this.#elements
      this.#depth--
      if (ends) this.#isOver = true
      return ends
    }
    return byte === comma && this.#depth === this.#elements && this.#elements > 0
  }

  push(chunk: Uint8Array): ReadonlyArray<JsonItem> {
    const items: Array<JsonItem> = []
    let start = this.#elements > 0 ? 0 : -1
    for (let at = 0; at < chunk.length && !this.#isOver; at++) {
      const byte = chunk[at] ?? 0
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === backslash) this.#isEscaped = true
        else if (byte === quote) {
          this.#isText = false
          if (this.#elements === 0) this.#lastText = Buffer.from(this.#text).toString("utf8")
        } else if (this.#elements === 0 && this.#text.length < 100) this.#text.push(byte)
        continue
      }
      if (byte === quote) {
        this.#isText = true
        this.#text = []
        continue
      }
      if (isBlank(byte)) continue
      const wasIn = this.#elements > 0
      if (this.#mark(byte)) {
        this.#keep(chunk.subarray(start, at))
        const item = this.#item()
        if (item !== undefined) items.push(item)
        start = at + 1
      } else if (!wasIn && this.#elements > 0) start = at + 1
    }
    if (start >= 0 && !this.#isOver) this.#keep(chunk.subarray(start))
    return items
  }
}

/** Fails by `incomplete` where the document ends before its array does. */
export const read = <E, F>(
  name: string,
  bytes: Stream.Stream<Uint8Array, E>,
  incomplete: () => F
): Stream.Stream<JsonItem, E | F> =>
  Stream.suspend(() => {
    const splitter = new Splitter(name)
    const items = Stream.flatMap(bytes, (chunk) => Stream.fromArray(splitter.push(chunk)))
    return Stream.concat(
      items,
      Stream.suspend(() => splitter.isComplete ? Stream.empty : Stream.fail(incomplete()))
    )
  })
