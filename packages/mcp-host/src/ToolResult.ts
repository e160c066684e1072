/** What a tool call answers: the result object, and the same as text for clients that read only text. */
import type { RecordsFacts } from "@freehold/core/limit/Metering"
import { detailOf } from "@freehold/core/operation/RefusalDetail"
import { identity } from "effect"
import * as KeptJson from "./KeptJson.ts"
import type { Mistaken } from "./MistakenId.ts"
import { nextStep, sentence } from "./NextStep.ts"
import type { NextStep, RefusedCall } from "./RefusedCall.ts"

export interface ToolResult {
  readonly content: Array<{ type: "text"; text: string }>
  readonly structuredContent: Record<string, unknown>
  /** What the call took of the records allowance, where one is in force. */
  readonly _meta?: { readonly records: RecordsFacts }
  readonly isError?: true
}

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
