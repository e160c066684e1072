/** Words of two letters, which have no trigram of their own: which of them are rare, and the trigrams that begin with one. */
import { containing } from "../database/StorableText.ts"

/**
 * Pairs that are in so many addresses, cities and names that a page is full before much was read; the pairs of the others are
 * few. What is wrong here is slower, and finds the same.
 */
const commonPair = new RegExp(
  [
    "[aeiou][bcdfghklmnprstvwy]",
    "[bcdfghklmnprstvw][aeiou]",
    "a[iu]|e[aeiu]|i[aeio]|o[aou]|u[aei]|[aeo]y|[dlnrt]y",
    "[bcdfgpt]r|[bcfgps]l|[cgpstw]h|[lr][dklmnst]|n[cdgkst]|s[kmnpstw]|t[lmtw]|c[kt]|ff|gh|kw|mm|mp|nn|pp|rc|rg|rr|lc|lp|nv|ii|dg|hw|qu",
    "[0-9]{2}"
  ].map((pairs) => `^(?:${pairs})$`).join("|")
)

/** A word of two letters or digits that hardly any text has. */
export const isRarePair = (word: string): boolean => /^[a-z0-9]{2}$/.test(word) && !commonPair.test(word)

/** ASCII, but for NUL, which no text has, and for A to Z, which none has in lower case. */
const ascii = Array.from({ length: 127 }, (_, code) => String.fromCharCode(code + 1)).filter((char) =>
  !/[A-Z]/.test(char)
)

/**
 * A word of two letters with whatever can follow it in ASCII, or with nothing: each has a trigram. Texts of other characters
 * are few, and found by `property_beyond_ascii`.
 */
export const continued = (word: string): ReadonlyArray<string> => [
  `%${word}`,
  ...ascii.map((char) => containing(`${word}${char}`))
]
