/**
 * The pieces that the o200k tokenizer cuts a text into: words with the sign before them, up to three digits, runs of other
 * signs; and how many tokens each kind has.
 *
 * Most pieces are a token; long and unusual ones are several. What each kind needs was measured over records.
 */

const pieces = /[^\r\n\p{L}\p{N}]?\p{Lu}*\p{Ll}+|[^\r\n\p{L}\p{N}]?\p{Lu}+|\p{L}+|\p{N}{1,3}|[^\s\p{L}\p{N}]+|\s+/gu

const lowerCase = /^[^\p{L}]?[\p{Lu}]?[a-z]+$/u
const upperCase = /^[^\p{L}]?[A-Z]+$/u
const plain = /^[!-~\s]+$/

/** Words of records are shorter. What goes on beyond may be anything, and has as many tokens for each character. */
const usual = 12
const endless = (length: number): number => Math.max(0, length - usual) * 0.65

/** By their length. */
const ofWord = (length: number): number => length < 10 ? 1.12 : 1.7 + endless(length)
const ofCapitals = (length: number): number => length < 4 ? 1.05 : Math.min(length, usual) / 3 + endless(length)
/** Signs of JSON stand in runs that are one token each. */
const ofSigns = (length: number): number => length < 4 ? 1.02 : Math.min(length, usual) / 2 + endless(length)

/** Of one piece. */
export const tokensOf = (piece: string): number => {
  const { length } = piece
  if (lowerCase.test(piece)) return ofWord(length)
  if (upperCase.test(piece)) return ofCapitals(length)
  if (/^\p{N}/u.test(piece)) return 1
  // Words with several capitals, too.
  if (plain.test(piece)) return ofSigns(length)
  // Letters of other languages.
  return length * 1.3
}

/** The text, cut. */
export const cut = (text: string): ReadonlyArray<string> => text.match(pieces) ?? []

/** Of any text, piece by piece. */
export const inPieces = (text: string): number => {
  let sum = 0
  for (const [piece] of text.matchAll(pieces)) sum += tokensOf(piece)
  return sum
}
