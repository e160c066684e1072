/**
 * How many tokens a text has at most, without a tokenizer and in some millionths of a second: what needs no closer look (`TokenCount`).
 *
 * What the pieces of a text have (`TokenPieces`) is summed and raised, so that the estimate is above the truth. A test holds it against
 * the real tokenizer.
 */
import { inPieces } from "./TokenPieces.ts"
import { capacity, inPlain } from "./TokenWalk.ts"

/** Above what was measured, by more than records of one kind differ from others. */
export const margin = 1.08

/**
 * At least as many as there are, as a rule. A text that is longer than what is walked at once is counted in slices, each of them in
 * its own way: a piece at their border counts as two.
 */
export const tokensIn = (text: string): number => {
  let sum = 0
  for (let from = 0; from < text.length; from += capacity) {
    const slice = text.slice(from, from + capacity)
    sum += inPlain(slice) ?? inPieces(slice)
  }
  return Math.ceil(sum * margin)
}
