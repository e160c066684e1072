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

const [sign, space, lineEnd, digit, upper, lower] = [0, 1, 2, 3, 4, 5]

const plain = /^[\t-\r -~]*$/

/** What each plain character is. */
const kinds = Uint8Array.from({ length: 127 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[\r\n]/.test(character)) return lineEnd
  if (/\s/.test(character)) return space
  if (/[0-9]/.test(character)) return digit
  return /[A-Z]/.test(character) ? upper : /[a-z]/.test(character) ? lower : sign
})

/** Where a run of these kinds ends. */
const endOf = (text: string, start: number, one: number, other = one): number => {
  let end = start
  for (; end < text.length; end++) {
    const kind = kinds[text.charCodeAt(end)]
    if (kind !== one && kind !== other) break
  }
  return end
}

/** The same sum in one walk: rows are long, and nearly all of them plain. */
const inPlain = (text: string): number => {
  let sum = 0
  let start = 0
  while (start < text.length) {
    const kind = kinds[text.charCodeAt(start)]
    const letters = kind === sign || kind === space ? start + 1 : start
    const small = endOf(text, letters, upper)
    let end = endOf(text, small, lower)
    if (end > letters) {
      const of = end === small ? ofCapitals : small - letters > 1 ? ofSigns : ofWord
      sum += of(end - start)
    } else if (kind === digit) {
      end = Math.min(endOf(text, start, digit), start + 3)
      sum += 1
    } else {
      end = kind === sign ? endOf(text, start, sign) : endOf(text, start, space, lineEnd)
      sum += ofSigns(end - start)
    }
    start = end
  }
  return sum
}

/** At least as many as there are, as a rule. */
export const tokensIn = (text: string): number =>
  Math.ceil((plain.test(text) ? inPlain(text) : inPieces(text)) * margin)

/** For the test that holds the walk against the pieces that it stands for. */
export const ways = { inPieces, inPlain }
