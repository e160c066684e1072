/**
 * How many tokens a text has, without a tokenizer's megabytes of vocabulary.
 *
 * The o200k tokenizer first cuts a text into pieces: words with the sign before them, up to three digits, runs of other signs.
 * Most pieces are a token; long and unusual ones are several. What each kind needs was measured over records, and the sum is
 * raised by a little, so that the estimate is above the truth and near it. A test holds it against the real tokenizer.
 */

const pieces = /[^\r\n\p{L}\p{N}]?\p{Lu}*\p{Ll}+|[^\r\n\p{L}\p{N}]?\p{Lu}+|\p{L}+|\p{N}{1,3}|[^\s\p{L}\p{N}]+|\s+/gu

/** Above what was measured, by as much as records of one kind differ from others. */
const margin = 1.03

const lowerCase = /^[^\p{L}]?[\p{Lu}]?[a-z]+$/u
const upperCase = /^[^\p{L}]?[A-Z]+$/u
const plainSigns = /^[!-~\s]+$/

/** By their length. */
const ofWord = (length: number): number => length < 10 ? 1.12 : 1.7
const ofCapitals = (length: number): number => length < 4 ? 1.05 : length / 3
/** Signs of JSON stand in runs that are one token each. */
const ofSigns = (length: number): number => length < 4 ? 1.02 : length / 2

const tokensOf = (piece: string): number => {
  const { length } = piece
  if (lowerCase.test(piece)) return ofWord(length)
  if (upperCase.test(piece)) return ofCapitals(length)
  if (/^\p{N}/u.test(piece)) return 1
  if (plainSigns.test(piece)) return ofSigns(length)
  // Letters of other languages.
  return /^[!-~]+$/.test(piece) ? Math.max(1.3, length / 4) : length * 1.3
}

const inPieces = (text: string): number => {
  let sum = 0
  for (const [piece] of text.matchAll(pieces)) sum += tokensOf(piece)
  return sum
}

/** Kinds of characters, of which a run may have several. */
const sign = 1
const space = 2
const lineEnd = 4
const digit = 8
const upper = 16
const lower = 32
const other = 64

const kindOf = (character: string): number => {
  if (!/^[\t-\r -~]$/.test(character)) return other
  if (/[\r\n]/.test(character)) return lineEnd
  if (/\s/.test(character)) return space
  if (/[0-9]/.test(character)) return digit
  return /[A-Z]/.test(character) ? upper : /[a-z]/.test(character) ? lower : sign
}

/** What each byte is, of a text in UTF-8. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(String.fromCharCode(byte)))

/** Where a run of these kinds ends, at the end of the text at the latest. */
const endOf = (text: Uint8Array, end: number, start: number, run: number): number => {
  let at = start
  while (at < end && ((kinds[text[at] ?? 0] ?? other) & run) !== 0) at++
  return at
}

const encoder = new TextEncoder()

/** Long enough for a plain slice of a text; one after the other. */
const bytes = new Uint8Array(256 * 1024)

/**
 * The same sum in one walk over bytes, since rows are long, and nearly all of them plain; undefined: the text has other characters,
 * or does not fit into the bytes.
 */
const inPlain = (text: string): number | undefined => {
  const { read, written } = encoder.encodeInto(text, bytes)
  if (read < text.length) return undefined
  let sum = 0
  let start = 0
  while (start < written) {
    const kind = kinds[bytes[start] ?? 0] ?? other
    if (kind === other) return undefined
    if (kind === digit) {
      start = endOf(bytes, Math.min(written, start + 3), start + 1, digit)
      sum += 1
      continue
    }
    const letters = (kind & (sign | space)) === 0 ? start : start + 1
    const small = endOf(bytes, written, letters, upper)
    let end = endOf(bytes, written, small, lower)
    if (end > letters) {
      const of = end === small ? ofCapitals : small - letters > 1 ? ofSigns : ofWord
      sum += of(end - start)
    } else {
      end = endOf(bytes, written, start, kind === sign ? sign : space | lineEnd)
      sum += ofSigns(end - start)
    }
    start = end
  }
  return sum
}

/**
 * At least as many as there are, as a rule. A text that is longer than the bytes is counted in slices, each of them in its own way: a
 * piece at their border counts as two.
 */
export const tokensIn = (text: string): number => {
  let sum = 0
  for (let start = 0; start < text.length; start += bytes.length) {
    const slice = text.slice(start, start + bytes.length)
    sum += inPlain(slice) ?? inPieces(slice)
  }
  return Math.ceil(sum * margin)
}

/** For the test that holds the walk against the pieces that it stands for. */
export const ways = { inPieces, inPlain }
