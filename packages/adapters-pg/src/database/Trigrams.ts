/**
 * What an index of trigrams can find: texts that hold three letters or digits in a row. Asked for less, it answers with every row.
 *
 * A pair is found by whatever follows it in ASCII, or by its end: each makes a trigram. Texts of other characters are few, and
 * found by an index of their own (`…_beyond_ascii`). To ask for so many patterns pays for pairs that few texts hold; of the others
 * some are found as soon as one begins to look.
 *
 * A locale may know no letters beyond ASCII, as that of the embedded server: there `жжж` has no trigram. Only texts beyond ASCII hold
 * such a text, so it is looked for among those.
 */
import { isBeyondAscii } from "@freehold/core/operation/Accents"
import type { SqlClient, Statement } from "effect/sql"
import { containing } from "./StorableText.ts"

/**
 * Pairs that are in so many addresses, cities and names that a page is full before much was read; the pairs of the others are
 * few. What is wrong here is slower, and finds the same.
 */
const common = new RegExp(
  [
    "[aeiou][bcdfghklmnprstvwy]",
    "[bcdfghklmnprstvw][aeiou]",
    "a[iu]|e[aeiu]|i[aeio]|o[aou]|u[aei]|[aeo]y|[dlnrt]y",
    "[bcdfgpt]r|[bcfgps]l|[cgpstw]h|[lr][dklmnst]|n[cdgkst]|s[kmnpstw]|t[lmtw]|c[kt]|ff|gh|kw|mm|mp|nn|pp|rc|rg|rr|lc|lp|nv|ii|dg|hw|qu",
    "[0-9]{2}"
  ].map((pairs) => `^(?:${pairs})$`).join("|")
)

/** ASCII, but for NUL, which no text has, and for A to Z, which none has in lower case. */
const ascii = Array.from({ length: 127 }, (_, code) => String.fromCharCode(code + 1)).filter((char) =>
  !/[A-Z]/.test(char)
)

/** Whether texts that hold this one, in lower case, are found by it, whatever the locale. */
export const has = (text: string): boolean => /[a-z0-9]{3}/.test(text)

/** Whether the text, in lower case, is a pair that few texts hold. */
export const isRarePair = (text: string): boolean => /^[a-z0-9]{2}$/.test(text) && !common.test(text)

/** The letters and digits of addresses and names, from the rarest. */
const fromRarest = "zqxj0987654321kvwbypgfmcudhlsrtnioae"

/** Of words in lower case, those first that fewer texts hold: the longer ones, and of the same length those with the rarest character. */
export const byRarity = (one: string, other: string): number => other.length - one.length || rarest(one) - rarest(other)

const rarest = (word: string): number => Math.min(...Array.from(word, (char) => fromRarest.indexOf(char)))

/** The patterns of all that can follow a pair, of which each has a trigram. */
const continued = (pair: string): ReadonlyArray<string> => [
  `%${pair}`,
  ...ascii.map((char) => containing(`${pair}${char}`))
]

/**
 * Whether a rare pair may stand in what one of the expressions says, in lower case, as indexes tell. `beyond`: how many more bytes than characters
 * they say; an index has those with more.
 */
export const mayHoldPair = (
  sql: SqlClient.SqlClient,
  expressions: ReadonlyArray<string>,
  pair: string,
  beyond: string
): Statement.Fragment => {
  const patterns = continued(pair)
  return sql.or([
    ...expressions.map((expression) => sql`${sql.literal(expression)} LIKE ANY(${patterns}::text[])`),
    sql`${sql.literal(beyond)} > 0`
  ])
}

/**
 * The same condition, which only what holds the text fulfils, among what can hold it: an index has what is beyond ASCII. `beyond`: as for
 * `mayHoldPair`.
 */
export const amongBeyond = (
  sql: SqlClient.SqlClient,
  condition: Statement.Fragment,
  text: string,
  beyond: string
): Statement.Fragment => isBeyondAscii(text) ? sql.and([sql`${sql.literal(beyond)} > 0`, condition]) : condition

/** Whether what the expression says, in lower case, holds the text. Where no trigram is, another collation keeps the index from being asked. */
export const holds = (sql: SqlClient.SqlClient, expression: string, text: string): Statement.Fragment =>
  sql`${sql.literal(has(text) ? expression : `${expression} COLLATE "C"`)} LIKE ${containing(text)}`
