/**
 * What a tool call answers: the result object, and the same as text for clients that read only text.
 *
 * Above 20,000 tokens a result is cut at the border of a row of its longest list and says so.
 *
 * *Gotchas.* Tokens are estimated from the UTF-8 length of the JSON. Ids, numbers and short keys make JSON dense: 2.5
 * bytes a token is below what the o200k tokenizer needs for these results, so that the estimate errs towards cutting.
 */
import type { RecordsFacts } from "@freehold/core/limit/Metering"
import { Predicate } from "effect"

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
  readonly list: string
  readonly rows: ReadonlyArray<unknown>
  readonly kept: number
}

/** None where the result has no list, so that there is no border to cut at. */
export const fit = (result: Readonly<Record<string, unknown>>): Fit | undefined => {
  const [longest] = Object.entries(result)
    .flatMap(([list, rows]) => (Array.isArray(rows) ? [{ list, rows, bytes: bytesOfValue(rows) }] : []))
    .sort((a, b) => b.bytes - a.bytes)
  if (longest === undefined) return undefined
  const { bytes, list, rows } = longest
  let left = maximumBytes - reservedBytes - (bytesOfValue(result) - bytes)
  let kept = 0
  for (const row of rows) {
    left -= bytesOfValue(row) + 1
    if (left < 0) break
    kept += 1
  }
  return { list, rows, kept }
}

/** Keeps the rows that fit and says so. `rest`: how the caller gets what is missing. */
export const truncate = (result: Readonly<Record<string, unknown>>, { kept, list, rows }: Fit, rest: string) => ({
  ...result,
  [list]: rows.slice(0, kept),
  truncated: true,
  truncation: { list, rows_shown: kept, rows: rows.length, rest }
})

export const success = (result: Record<string, unknown>, json = JSON.stringify(result)): ToolResult => ({
  content: [{ type: "text", text: json }],
  structuredContent: result
})

/** A typed refusal: its tag is the code, its fields are the detail. */
export interface Refusal {
  readonly _tag: string
  readonly message: string
  toJSON(): unknown
}

/**
 * A refusal as a result: REST's `meta` plus its `error`. Wrong arguments show their issues alone, with the sentence in
 * the text. The fields are read from the error's JSON, since one of them may be called `cause`.
 */
export const refusal = (refused: Refusal): ToolResult => {
  const fields = refused.toJSON()
  const { _tag, ...detail } = Predicate.isObject(fields) ? fields : {}
  const [text, structuredContent] = refused._tag === "INVALID_ARGUMENTS"
    ? [`These arguments do not fit: ${refused.message}`, { code: refused._tag, ...detail }]
    : [refused.message, { code: refused._tag, error: refused.message, ...detail }]
  return { content: [{ type: "text", text }], structuredContent, isError: true }
}
