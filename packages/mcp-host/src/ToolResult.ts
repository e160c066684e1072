/**
 * What a tool call answers: the result object, and the same as text for clients that read only text.
 *
 * Above 20,000 tokens a result is cut at the border of a row of its longest list and says so. What may be near that is counted
 * (`TokenCount`), so that nothing is cut that fits, and no row is left out that would have.
 */
import type { RecordsFacts } from "@freehold/core/limit/Metering"
import { detailOf } from "@freehold/core/operation/RefusalDetail"
import { Effect, identity, Predicate } from "effect"
import * as KeptJson from "./KeptJson.ts"
import type { Mistaken } from "./MistakenId.ts"
import { nextStep, sentence } from "./NextStep.ts"
import type { NextStep, RefusedCall } from "./RefusedCall.ts"
import { TokenCount } from "./TokenCount.ts"
import { tokensIn } from "./TokenEstimate.ts"

export interface ToolResult {
  readonly content: Array<{ type: "text"; text: string }>
  readonly structuredContent: Record<string, unknown>
  /** What the call took of the records allowance, where one is in force. */
  readonly _meta?: { readonly records: RecordsFacts }
  readonly isError?: true
}

/** Most tokens of one result. decisions, section 20. */
export const maximumTokens = 20_000

/** Kept for the cursor of the page that is read anew: about as long as one that stands there, or all of one. */
const tokensOfCursor = { another: 30, first: 150 } as const

/** Where the list begins and ends. */
const joints = 4

/** JSON has at most a token a character, or nearly, and at least one in five. */
const isCertain = { small: maximumTokens, large: maximumTokens * 5 } as const

/** It is not certain that the result is small enough: its tokens have to be counted. */
export const mayBeTooLarge = (json: string): boolean =>
  json.length > isCertain.small && (json.length > isCertain.large || tokensIn(json) > maximumTokens)

/** The longest list of a result and how many of its rows fit beside the rest. */
export interface Fit {
  /** The key of the list, or of an object of the result and of a list in it. */
  readonly path: readonly [string] | readonly [string, string]
  readonly rows: ReadonlyArray<unknown>
  readonly kept: number
}

const listsOf = (result: Readonly<Record<string, unknown>>): ReadonlyArray<Pick<Fit, "path" | "rows">> =>
  Object.entries(result).flatMap(([key, value]): ReadonlyArray<Pick<Fit, "path" | "rows">> =>
    Array.isArray(value)
      ? [{ path: [key], rows: value }]
      : Predicate.isObject(value)
      ? Object.entries(value).flatMap(([list, rows]) => Array.isArray(rows) ? [{ path: [key, list], rows }] : [])
      : []
  )

/** What opens a row: it is one piece with the comma before it, after which the tokenizer cuts. */
const openingOf = (json: string): string => /^\{?"/.exec(json)?.[0] ?? ""

/** The first rows, as many as a result may have and some more, as texts whose tokens add up to those of the list. */
const textsOf = (rows: ReadonlyArray<unknown>): ReadonlyArray<string> => {
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

/**
 * How much of a result that may be too large is kept. Undefined: all of it, because it fits, or has no list, so that there is no border to
 * cut at. `rest`: as `truncate` tells it. `isReadAnew`: as a page of so many rows, whose cursor is another one.
 */
export const fit = Effect.fnUntraced(function*(
  result: Readonly<Record<string, unknown>>,
  { isReadAnew, rest }: { readonly rest: string; readonly isReadAnew: boolean }
): Effect.fn.Return<Fit | undefined> {
  const [longest] = listsOf(result)
    .map((list) => ({ ...list, length: JSON.stringify(list.rows).length }))
    .sort((a, b) => b.length - a.length)
  if (longest === undefined) return undefined
  const { path, rows } = longest
  const texts = textsOf(rows)
  const { count } = yield* TokenCount
  const [bare = 0, cut = 0, ...counts] = yield* count([
    JSON.stringify(withRows(result, path, [])),
    JSON.stringify(truncate(result, { path, rows, kept: 0 }, rest)),
    ...texts
  ])
  if (counts.length === rows.length && counts.reduce((sum, tokens) => sum + tokens, bare) <= maximumTokens) {
    return undefined
  }
  const forCursor = typeof result["next_cursor"] === "string" ? tokensOfCursor.another : tokensOfCursor.first
  let left = maximumTokens - joints - cut - (isReadAnew ? forCursor : 0)
  let kept = 0
  for (const tokens of counts) {
    left -= tokens
    if (left < 0) break
    kept += 1
  }
  return { path, rows, kept }
})

const withRows = (
  result: Readonly<Record<string, unknown>>,
  [key, inner]: Fit["path"],
  rows: ReadonlyArray<unknown>
): Record<string, unknown> => {
  const outer = result[key]
  return { ...result, [key]: inner === undefined || !Predicate.isObject(outer) ? rows : { ...outer, [inner]: rows } }
}

/** Keeps the rows that fit and says so. `rest`: how the caller gets what is missing. */
export const truncate = (
  result: Readonly<Record<string, unknown>>,
  { kept, path, rows }: Fit,
  rest: string
) => ({
  ...withRows(result, path, rows.slice(0, kept)),
  truncated: true,
  truncation: { list: path.join("."), rows_shown: kept, rows: rows.length, rest }
})

export const success = (result: Record<string, unknown>, json = JSON.stringify(result)): ToolResult => ({
  content: [{ type: "text", text: json }],
  structuredContent: KeptJson.keep(result, json)
})

/** A typed refusal: its tag is the code, its fields are the detail. */
export interface Refusal {
  readonly _tag: string
  readonly message: string
  readonly cause?: unknown
}

/** What a refusal tells, whoever refused. */
export interface Told {
  readonly code: string
  readonly error: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** The field is read from the error's JSON, since it may be called `cause`. */
export const toldOf = (refused: Refusal): Told => ({
  code: refused._tag,
  error: refused.message,
  detail: detailOf(refused)
})

/** The end of a sentence that may have asked something. */
const ended = (said: string): string => /[.?!]$/.test(said) ? said : `${said}.`

/**
 * A refusal as a result: REST's `meta` plus its `error`, and what to do next about the call. Wrong arguments show their
 * issues alone, with the sentence in the text. `fit`: what of the step is for whoever called. `mistaken`: what an id names
 * instead, told beside REST's sentence.
 */
export const refusal = (
  { code, detail, error }: Told,
  call?: Omit<RefusedCall, "detail">,
  { fit = identity, mistaken }: {
    readonly fit?: (step: NextStep) => NextStep
    readonly mistaken?: Mistaken | undefined
  } = {}
): ToolResult => {
  const named = mistaken === undefined ? {} : { named: mistaken.records }
  const also = mistaken === undefined ? "" : ` ${mistaken.said}`
  const [said, told] = code === "INVALID_ARGUMENTS"
    ? [ended(`These arguments do not fit: ${error}`) + also, { code, ...detail, ...named }]
    : [error + also, { code, error, ...detail, ...named }]
  const found = mistaken?.next ?? (call === undefined ? undefined : nextStep(code, { ...call, detail }))
  const next = found === undefined ? undefined : fit(found)
  const step = next === undefined ? "" : sentence(next, { code, said })
  return {
    content: [{ type: "text", text: step === "" ? said : `${said} ${step}` }],
    structuredContent: next === undefined ? told : { ...told, next },
    isError: true
  }
}
