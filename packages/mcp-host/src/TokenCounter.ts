/**
 * The program of a thread that counts tokens with o200k's own tokenizer: a message is texts, its answer their numbers of tokens.
 *
 * *Gotchas.* The tokenizer's time grows with the square of a piece's length. So a very long one is counted in slices, each of which has
 * a token more at most: their sum is some hundredths above the truth.
 */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { parentPort } from "node:worker_threads"

export interface Question {
  readonly id: number
  readonly texts: ReadonlyArray<string>
}

export interface Answer {
  readonly id: number
  /** Of each text. */
  readonly counts: ReadonlyArray<number>
}

/** As much of a word, or of a run of signs or spaces, as no record has unless somebody means it. */
const long = /[\p{L}\p{M}]{100}|[^\s\p{L}\p{N}]{100}|\s{100}/gu

/** The text, cut where a run has gone on so long. */
const slicesOf = (text: string): ReadonlyArray<string> => {
  const ends = Array.from(text.matchAll(long), ({ 0: run, index }) => index + run.length)
  return [0, ...ends].map((from, index) => text.slice(from, ends[index]))
}

/** What marks the ends of texts in a tokenizer is a text like any other here. */
const asText = { disallowedSpecial: new Set<string>() }

/** With a token for each cut: what it parts may have been less together, and seldom is more. */
const countOf = (text: string): number => {
  const slices = slicesOf(text)
  return slices.reduce((sum, slice) => sum + countTokens(slice, asText), slices.length - 1)
}

parentPort?.on("message", ({ id, texts }: Question) => {
  const answer: Answer = { id, counts: texts.map(countOf) }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer)
})
