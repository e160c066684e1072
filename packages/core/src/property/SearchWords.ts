/**
 * The words of a free text, and of an address as people paste it: `1 Sample Street, Quillgate, WA 98601, USA`.
 *
 * What stands between words is no part of one. State, zip code and country are no part of what free text looks at, so that an
 * address is found without them alone.
 */
import { Option } from "effect"
import { stateNamed } from "../coverage/UsState.ts"
import { isTold } from "../operation/Accents.ts"
import { parseId } from "../operation/Uuid.ts"
import { begunWith, spellingsOf } from "./AddressMatch.ts"

/** A word without the signs around it. */
export const withoutSigns = (word: string): string => word.replaceAll(/^[,;.]+|[,;.]+$/g, "")

/** The words that free text looks for, in lower case, each once. */
export const wordsOf = (query: string): ReadonlyArray<string> =>
  Array.from(new Set(query.toLowerCase().split(/\s+/).map(withoutSigns).filter((word) => word !== "")))

const zip = /^\d{5}(-\d{4})?$/

const isPlace = (words: string): boolean =>
  zip.test(words) || stateNamed(words) !== undefined || ["us", "usa", "united states"].includes(words)

/** How many of the last words name a state, a zip code or the country. */
const lastPlace = (words: ReadonlyArray<string>): number =>
  [3, 2, 1].find((count) => count < words.length && isPlace(words.slice(-count).join(" "))) ?? 0

/** The words without state, zip code and country at their end, but for the first; all of them where there are none. */
export const withoutState = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const count = lastPlace(words)
  return count === 0 ? words : withoutState(words.slice(0, -count))
}

/** A shorter word is in too many texts to look for it alone. */
const shortestAlone = 3

/**
 * The spellings in the address of a word that is too short to be told from a part of another one, `rd` in `Orchard`: beside other
 * words it fits either way.
 */
export const alsoSpelled = (word: string, words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.length > 1 && word.length < shortestAlone ? spellingsOf(word) : []

/** What is looked for: words that stand anywhere, and spellings of which one stands in the address as a word. */
export interface Spelled {
  readonly words: ReadonlyArray<string>
  readonly spellings: ReadonlyArray<ReadonlyArray<string>>
  /** Whether letters stand for those with accents, and those for the letters; left out: as they are written. */
  readonly anyAccents?: boolean
}

/**
 * The same in any spelling of the words that sources write in full or shortened, `Main Road` as `MAIN RD`; undefined: there are
 * none, or nothing else. The last word may be under way: `main roa`.
 */
export const inAnySpelling = (words: ReadonlyArray<string>): Spelled | undefined => {
  const whole = words.map((word, index) => index === words.length - 1 ? begunWith(word) : word)
  const spellings = whole.map(spellingsOf).filter((each) => each.length > 0)
  const others = whole.filter((word) => spellingsOf(word).length === 0)
  return spellings.length === 0 || !others.some((word) => word.length >= shortestAlone)
    ? undefined
    : { words: others, spellings }
}

/** How words are looked for, each way where none before it finds anything: as they are written, as addresses spell them, in any accents. */
export const waysOfSaying = (words: ReadonlyArray<string>): readonly [Spelled, ...ReadonlyArray<Spelled>] => {
  const asWritten = { words, spellings: [] }
  const spelled = inAnySpelling(words)
  return [
    asWritten,
    ...spelled === undefined ? [] : [spelled],
    ...words.some(isTold) ? [{ ...spelled ?? asWritten, anyAccents: true }] : []
  ]
}

/** The whole text, if it is an id or has the form of a key: the code of a county and a parcel number. */
export const referenceIn = (query: string): string | undefined => {
  const text = query.trim()
  return Option.isSome(parseId(text)) || /^\d{5}-[\dA-Z]+$/i.test(text) && !zip.test(text) ? text : undefined
}
