/**
 * JSON that is put together piece by piece. Where a long text is to stand in it as a string, it becomes bytes, and the text is
 * quoted on its own: in memory that every message uses again, two bytes at a time, and without a copy in between.
 *
 * A tool's answer has its JSON twice, once as a string within JSON. Put together as texts, that is as long again three times for
 * the collector of garbage, and quoting looks at every character.
 *
 * *Gotchas.* One message at a time: the next may begin once `take` has answered, or when nobody asks for it any more.
 */

const encoder = new TextEncoder()

/** Shorter texts are not worth the way over bytes. */
const long = 256

/** So much memory is kept from one message to the next. */
const keptBytes = 512 * 1024

/** Most bytes that a character of a text is encoded in. */
const widest = 3

const [space, quote, backslash] = [0x20, 0x22, 0x5c]

/** Beside how many bytes two become: one of them is a control character, which is escaped otherwise. */
const control = 8

/** What each two bytes become within a string of JSON: four bytes as one number, and how many of those count. */
const quoted = new Uint32Array(2 ** 16)
const counts = new Uint8Array(2 ** 16)

const isEscaped = (byte: number): boolean => byte === quote || byte === backslash
const one = (byte: number): number => isEscaped(byte) ? backslash + byte * 256 : byte
const count = (byte: number): number => isEscaped(byte) ? 2 : 1

for (let second = 0; second < 256; second++) {
  for (let first = 0; first < 256; first++) {
    const both = second * 256 + first
    quoted[both] = one(first) + one(second) * 256 ** count(first)
    counts[both] = count(first) + count(second) + (Math.min(first, second) < space ? control : 0)
  }
}

/** Memory of all messages: for what is said of one, and for the text in it that is being quoted. */
let bytes = new Uint8Array(keptBytes)
let unquoted = new Uint8Array(keptBytes)

/** As long as is needed, with what it has so far. */
const grown = (memory: typeof bytes, length: number, needed: number): typeof bytes => {
  if (needed <= memory.length) return memory
  const larger = new Uint8Array(Math.max(needed, 2 * memory.length))
  larger.set(memory.subarray(0, length))
  return larger
}

/** Lets go what a long message needed. */
const shrink = (): void => {
  if (bytes.length > keptBytes) bytes = new Uint8Array(keptBytes)
  if (unquoted.length > keptBytes) unquoted = new Uint8Array(keptBytes)
}

/** One message. */
export class JsonBytes {
  #length = 0
  /** What comes after the bytes. */
  #text = ""

  /** Adds JSON as it is. */
  add(json: string): void {
    if (this.#length === 0 || json.length < long) {
      this.#text += json
    } else {
      this.#settle()
      this.#encode(json)
    }
  }

  /** Adds the string of JSON that says the text. */
  addString(text: string): void {
    if (text.length < long || !text.isWellFormed() || !this.#quote(text)) this.add(JSON.stringify(text))
  }

  /** All that was added: bytes if a long text is quoted in it. */
  take(): string | Uint8Array {
    if (this.#length === 0) return this.#text
    this.#settle()
    const taken = Buffer.from(bytes.subarray(0, this.#length))
    shrink()
    return taken
  }

  /** Makes bytes of what is text so far. */
  #settle(): void {
    this.#encode(this.#text)
    this.#text = ""
  }

  #encode(json: string): void {
    bytes = grown(bytes, this.#length, this.#length + widest * json.length)
    this.#length += encoder.encodeInto(json, bytes.subarray(this.#length)).written
  }

  /** Whether the text was added: one with control characters is not. */
  #quote(text: string): boolean {
    unquoted = grown(unquoted, 0, widest * text.length + 1)
    const { written } = encoder.encodeInto(text, unquoted)
    // Of an odd number the last stands before a space, which is taken off again.
    unquoted[written] = space
    this.#settle()
    bytes = grown(bytes, this.#length, this.#length + 2 * written + 8)
    const [from, to] = [new DataView(unquoted.buffer), new DataView(bytes.buffer)]
    let end = this.#length
    let seen = 0
    to.setUint8(end++, quote)
    for (let at = 0; at < written; at += 2) {
      const both = from.getUint16(at, true)
      const counted = counts[both] ?? control
      to.setUint32(end, quoted[both] ?? 0, true)
      end += counted % control
      seen |= counted
    }
    if ((seen & control) !== 0) return false
    end -= written % 2
    to.setUint8(end++, quote)
    this.#length = end
    return true
  }
}
