/**
 * How much of a result is shown: above 20,000 tokens it is cut at borders of rows and says so.
 *
 * | what is too long                | what is cut                                                      |
 * | ------------------------------- | ---------------------------------------------------------------- |
 * | a list, however deep it is      | that list                                                        |
 * | several                         | each of them, to as many tokens as the others have at most       |
 * | the first row of a list alone   | the lists in that row, which is the only one then                |
 *
 * What may be near the limit is counted (`TokenCount`), so that nothing is cut that fits, and no row is left out that would have.
 */
import { valueAt } from "@freehold/core/operation/InvalidInput"
import { Effect, Predicate } from "effect"
import { changedIn, type Path } from "./MendedArguments.ts"
import { TokenCount } from "./TokenCount.ts"
import { tokensIn } from "./TokenEstimate.ts"

/** Most tokens of one result. decisions, section 20. */
export const maximumTokens = 20_000

/** Kept for the cursor of the page that is read anew: about as long as one that stands there, or all of one. */
const tokensOfCursor = { another: 30, first: 150 } as const

/** Where a list begins and ends. */
const joints = 4

/** JSON has at most a token a character, or nearly, and at least one in five. */
const isCertain = { small: maximumTokens, large: maximumTokens * 5 } as const

/** It is not certain that the result is small enough: its tokens have to be counted. */
export const mayBeTooLarge = (json: string): boolean =>
  json.length > isCertain.small && (json.length > isCertain.large || tokensIn(json) > maximumTokens)

type Result = Readonly<Record<string, unknown>>

/** A list of a result that is cut. */
export interface Cut {
  /** Keys, and `0` where it is in the only row of another list. */
  readonly path: Path
  readonly rows: number
  readonly kept: number
}

interface List {
  readonly path: Path
  readonly rows: ReadonlyArray<unknown>
}

/** Where the value may be cut. A list of one row is cut in that row, unless there is no list in it. */
const listsOf = (value: unknown, path: Path = []): ReadonlyArray<List> => {
  if (!Array.isArray(value)) {
    return Predicate.isObject(value)
      ? Object.entries(value).flatMap(([key, inner]) => listsOf(inner, [...path, key]))
      : []
  }
  const inner = value.length === 1 ? listsOf(value[0], [...path, "0"]) : []
  return inner.length > 0 || value.length === 0 ? inner : [{ path, rows: value }]
}

/** What opens a row: it is one piece with the comma before it, after which the tokenizer cuts. */
const openingOf = (json: string): string => /^(?:\{?"|\[-?)/.exec(json)?.[0] ?? ""

/** The first rows, as many as a result may have and some more, as texts whose tokens add up to those of the list. */
const textsOf = ({ rows }: List): ReadonlyArray<string> => {
  const texts: Array<string> = []
  let length = 0
  for (const row of rows) {
    if (length > isCertain.large) break
    const json = JSON.stringify(row)
    const opening = openingOf(json)
    length += json.length
    texts.push(`${json.slice(opening.length)},${opening}`)
  }
  return texts
}

/** The most tokens that each may have, so that all together have no more than there is room for. */
const levelOf = (sizes: ReadonlyArray<number>, room: number): number => {
  let left = room
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = left / (sizes.length - index)
    if (size > share) return share
    left -= size
  }
  return Number.POSITIVE_INFINITY
}

/** About how many tokens there are; of more than a result may have, that it is too many. */
const sizeOf = (value: unknown): number => {
  const json = JSON.stringify(value)
  return json.length > isCertain.large ? json.length / 5 : tokensIn(json)
}

const emptied = ({ path, rows }: List): Cut => ({ path, rows: rows.length, kept: 0 })

/** The result with the rows that are kept. */
const shortened = (result: Result, cuts: ReadonlyArray<Cut>): Result =>
  cuts.reduce((shown, { kept, path }) => {
    const rows = valueAt(shown, path)
    return Array.isArray(rows) ? changedIn(shown, path, () => rows.slice(0, kept)) : shown
  }, result)

/** The lists that have to be cut, as far as an estimate tells; the longest in any case. */
const longOf = (result: Result): ReadonlyArray<List> => {
  const lists = listsOf(result).map((list) => ({ ...list, size: sizeOf(list.rows) })).sort((a, b) => b.size - a.size)
  if (lists.length <= 1) return lists
  const outside = sizeOf(shortened(result, lists.map(emptied)))
  const level = levelOf(lists.map(({ size }) => size), maximumTokens - outside)
  return lists.filter(({ size }, index) => index === 0 || size > level)
}

const told = ({ kept, path, rows }: Cut) => ({ list: path.join("."), rows_shown: kept, rows })

/** Keeps the rows that fit and says so. `rest`: how the caller gets what is missing. */
export const truncate = (
  result: Result,
  [first, ...others]: ReadonlyArray<Cut>,
  rest: string
): Record<string, unknown> =>
  first === undefined ? { ...result } : {
    ...shortened(result, [first, ...others]),
    truncated: true,
    truncation: { ...told(first), rest, ...others.length === 0 ? {} : { also: others.map(told) } }
  }

interface Options {
  /** How the caller gets what is missing, as `truncate` tells it. */
  readonly rest: string
  /** The result is read anew as a page of so many rows, whose cursor is another one, and which has one row at least. */
  readonly isReadAnew: boolean
}

/** How many rows have no more tokens than the level. */
const fitting = (counts: ReadonlyArray<number>, level: number): number => {
  let left = level
  const first = counts.findIndex((tokens) => (left -= tokens) < 0)
  return first === -1 ? counts.length : first
}

/** Further cuts of a result after some. `isEnough`: it fits by them. */
const further = Effect.fnUntraced(function*(
  result: Result,
  before: ReadonlyArray<Cut>,
  { isReadAnew, rest }: Options
) {
  const shown = shortened(result, before)
  const long = longOf(shown)
  if (long.length === 0) return { cuts: [], isEnough: true }
  const texts = long.map(textsOf)
  const { count } = yield* TokenCount
  const [bare = 0, cut = 0, ...counts] = yield* count([
    JSON.stringify(truncate(shortened(shown, long.map(emptied)), before, rest)),
    JSON.stringify(truncate(shown, [...before, ...long.map(emptied)], rest)),
    ...texts.flat()
  ])
  let next = 0
  const lists = long.map((list, index) => {
    const own = counts.slice(next, next += texts[index]?.length ?? 0)
    return { ...list, counts: own, tokens: own.reduce((sum, tokens) => sum + tokens, 0) }
  })
  const isCounted = lists.every((list) => list.counts.length === list.rows.length)
  if (isCounted && lists.reduce((sum, { tokens }) => sum + tokens, bare) <= maximumTokens) {
    return { cuts: [], isEnough: true }
  }
  const forCursor = typeof result["next_cursor"] === "string" ? tokensOfCursor.another : tokensOfCursor.first
  const room = maximumTokens - cut - joints * lists.length - (isReadAnew ? forCursor : 0)
  const level = levelOf(lists.map(({ tokens }) => tokens), room)
  const found = lists.map(({ counts, path, rows }) => {
    const fits = fitting(counts, level)
    // In its first row there may be a list that can be cut.
    const least = isReadAnew || listsOf(rows[0]).length > 0 ? 1 : 0
    return { fits, path, rows: rows.length, kept: Math.max(fits, least) }
  })
  return {
    cuts: found.filter(({ kept, rows }) => kept < rows).map(({ kept, path, rows }) => ({ path, rows, kept })),
    isEnough: found.every(({ fits, kept }) => fits >= kept)
  }
})

/** A list that is cut once more had as many rows as before the first time. */
const merged = (before: ReadonlyArray<Cut>, cuts: ReadonlyArray<Cut>): ReadonlyArray<Cut> => {
  const all = new Map(before.map((cut) => [cut.path.join("."), cut]))
  for (const cut of cuts) {
    const key = cut.path.join(".")
    all.set(key, { ...cut, rows: all.get(key)?.rows ?? cut.rows })
  }
  return Array.from(all.values())
}

/**
 * By what a result that may be too large is cut, the longest list first. None: all of it fits, or it has no list, so that there is no
 * border to cut at.
 */
export const cutsOf = Effect.fnUntraced(function*(result: Result, options: Options) {
  let cuts: ReadonlyArray<Cut> = []
  while (true) {
    const found = yield* further(result, cuts, options)
    cuts = merged(cuts, found.cuts)
    if (found.isEnough || found.cuts.length === 0) return cuts
  }
})
