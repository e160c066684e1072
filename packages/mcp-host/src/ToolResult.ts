/**
 * What a tool call answers: the result object, and the same as text for clients that read only text.
 *
 * Above 20,000 tokens a result is cut at the border of a row of its longest list and says so.
 *
 * *Gotchas.* Tokens are estimated from the UTF-8 length of the JSON. Ids, numbers and short keys make JSON dense: 2.5
 * bytes a token is below what the o200k tokenizer needs for these results, so that the estimate errs towards cutting.
 */
import type { RecordsFacts } from "@freehold/core/limit/Metering"
import { detailOf } from "@freehold/core/operation/RefusalDetail"
import { Predicate } from "effect"
import { nextStep, type RefusedCall, sentence } from "./NextStep.ts"

export interface ToolResult {
  readonly content: Array<{ type: "text"; text: string }>
  readonly structuredContent: Record<string, unknown>
  /** What the call took of the records allowance, where one is in force. */
  readonly _meta?: { readonly records: RecordsFacts }
  readonly isError?: true
}

/** Most tokens of one result. decisions, section 20. */
export const maximumTokens = 20_000

const bytesPerToken = 2.5
const maximumBytes = maximumTokens * bytesPerToken
/** Bytes kept for the keys that a cut adds. */
const reservedBytes = 600

const encoder = new TextEncoder()
const bytesOf = (json: string): number => encoder.encode(json).byteLength
const bytesOfValue = (value: unknown): number => bytesOf(JSON.stringify(value))

export const isTooLarge = (json: string): boolean => bytesOf(json) > maximumBytes

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

/** None where the result has no list, so that there is no border to cut at. */
export const fit = (result: Readonly<Record<string, unknown>>): Fit | undefined => {
  const [longest] = listsOf(result)
    .map((list) => ({ ...list, bytes: bytesOfValue(list.rows) }))
    .sort((a, b) => b.bytes - a.bytes)
  if (longest === undefined) return undefined
  const { bytes, path, rows } = longest
  let left = maximumBytes - reservedBytes - (bytesOfValue(result) - bytes)
  let kept = 0
  for (const row of rows) {
    left -= bytesOfValue(row) + 1
    if (left < 0) break
    kept += 1
  }
  return { path, rows, kept }
}

/** Keeps the rows that fit and says so. `rest`: how the caller gets what is missing. */
export const truncate = (
  result: Readonly<Record<string, unknown>>,
  { kept, path: [key, inner], rows }: Fit,
  rest: string
) => {
  const shown = rows.slice(0, kept)
  const outer = result[key]
  return {
    ...result,
    [key]: inner === undefined || !Predicate.isObject(outer) ? shown : { ...outer, [inner]: shown },
    truncated: true,
    truncation: { list: inner === undefined ? key : `${key}.${inner}`, rows_shown: kept, rows: rows.length, rest }
  }
}

export const success = (result: Record<string, unknown>, json = JSON.stringify(result)): ToolResult => ({
  content: [{ type: "text", text: json }],
  structuredContent: result
})

/** A typed refusal: its tag is the code, its fields are the detail. */
export interface Refusal {
  readonly _tag: string
  readonly message: string
  readonly cause?: unknown
}

/**
 * A refusal as a result: REST's `meta` plus its `error`, and what to do next about the call. Wrong arguments show their issues alone, with the sentence in
 * the text. The fields are read from the error's JSON, since one of them may be called `cause`.
 */
export const refusal = (refused: Refusal, call?: Omit<RefusedCall, "detail">): ToolResult => {
  const detail = detailOf(refused)
  const [said, told] = refused._tag === "INVALID_ARGUMENTS"
    ? [`These arguments do not fit: ${refused.message}.`, { code: refused._tag, ...detail }]
    : [refused.message, { code: refused._tag, error: refused.message, ...detail }]
  const next = call === undefined ? undefined : nextStep(refused._tag, { ...call, detail })
  return {
    content: [{ type: "text", text: next === undefined ? said : `${said} ${sentence(next)}` }],
    structuredContent: next === undefined ? told : { ...told, next },
    isError: true
  }
}
