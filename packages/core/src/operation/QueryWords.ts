/**
 * Words of a query that was for a name and found nothing: one of them is misspelt, mostly, and the others find whom was meant.
 */
import { Effect } from "effect"
import { quoted } from "./Excerpt.ts"

/** Shorter ones are in too many names. */
const shortest = 3

/** So many are looked for. */
const most = 4

/** The words that may each be looked for by itself; none where there is one alone. */
const wordsOf = (text: string): ReadonlyArray<string> => {
  const words = Array.from(new Set(text.split(/[\s,.]+/).filter((word) => word.length >= shortest)))
  return words.length < 2 ? [] : words.slice(0, most)
}

/** Those of the words that find somebody by themselves. `finds`: whether one does, whom the caller sees. */
export const matching = <E, R>(text: string, finds: (word: string) => Effect.Effect<boolean, E, R>) =>
  Effect.filter(wordsOf(text), finds, { concurrency: 2 })

/** The same in a sentence. */
export const noted = <E, R>(text: string, finds: (word: string) => Effect.Effect<boolean, E, R>) =>
  Effect.map(matching(text, finds), (words): ReadonlyArray<string> =>
    words.length === 0
      ? []
      : [`Alone ${words.map(quoted).join(" or ")} finds some.`])
