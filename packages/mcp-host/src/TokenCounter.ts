/**
 * The program of a thread that counts tokens with o200k's own tokenizer: a message is texts, its answer their numbers of tokens.
 *
 * *Gotchas.* The tokenizer's time grows with the square of a piece's length. So a text with a very long one is not counted.
 */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { parentPort } from "node:worker_threads"

export interface Question {
  readonly id: number
  readonly texts: ReadonlyArray<string>
}

export interface Answer {
  readonly id: number
  /** Of each text; null: it is not counted. */
  readonly counts: ReadonlyArray<number | null>
}

/** A word, or a run of signs or spaces, that no record has unless somebody means it. */
const isLong = /[\p{L}\p{M}]{100}|[^\s\p{L}\p{N}]{100}|\s{100}/u

/** What marks the ends of texts in a tokenizer is a text like any other here. */
const asText = { disallowedSpecial: new Set<string>() }

const countOf = (text: string): number | null => isLong.test(text) ? null : countTokens(text, asText)

parentPort?.on("message", ({ id, texts }: Question) => {
  const answer: Answer = { id, counts: texts.map(countOf) }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer)
})
