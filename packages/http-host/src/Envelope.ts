/**
 * The bodies of all answers: `{ success: true, data, meta? }` and `{ success: false, error, code?, meta? }`.
 *
 * *Gotchas.* `data` is already in its wire shape and is written as it is: one `JSON.stringify`, no schema. service-api
 * "Response envelope".
 */
import { detailOf } from "@freehold/core/operation/RefusalDetail"
import { DateTime } from "effect"
import { HttpServerResponse } from "effect/http"
import { linkOf } from "./errors/ErrorTable.ts"
import type { RequestFault } from "./RequestFault.ts"
import { type AnyRefusal, type Outcome, outcomes } from "./Status.ts"

/** The header in which a cell names the one that the caller's organization moved to. */
export const movedHeader = "freehold-cell"

/** What an operation answered, as REST shows it. */
export interface Answer {
  readonly data: unknown
  readonly meta?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

const write = (status: number, body: object, headers?: Readonly<Record<string, string>>) =>
  HttpServerResponse.text(JSON.stringify(body), {
    status,
    contentType: "application/json",
    ...(headers === undefined ? {} : { headers })
  })

export const success = (answer: Answer): HttpServerResponse.HttpServerResponse =>
  write(
    200,
    { success: true, data: answer.data, ...(answer.meta === undefined ? {} : { meta: answer.meta }) },
    answer.headers
  )

/** The state of a key's or an address's window. */
export const rateHeaders = (
  window: { readonly limit: number; readonly used: number; readonly resetsAt: number }
): Readonly<Record<string, string>> => ({
  "x-ratelimit-limit": String(window.limit),
  "x-ratelimit-remaining": String(Math.max(0, window.limit - window.used)),
  "x-ratelimit-reset": String(Math.ceil(window.resetsAt / 1000))
})

const refusalHeaders = (refusal: AnyRefusal): Readonly<Record<string, string>> => ({
  link: linkOf(refusal._tag),
  // For a front before several cells, which then asks there.
  ...(refusal._tag === "rate_limit_unavailable" && refusal.movedTo !== undefined
    ? { [movedHeader]: refusal.movedTo }
    : {}),
  ...("retryAfterSeconds" in refusal ? { "retry-after": String(refusal.retryAfterSeconds) } : {}),
  ...(refusal._tag === "rate_limited" || refusal._tag === "DAILY_REQUEST_LIMIT_EXCEEDED"
    ? rateHeaders({
      limit: refusal.limit.value,
      used: refusal.limit.used,
      resetsAt: DateTime.makeUnsafe(refusal.limit.resets_at).epochMilliseconds
    })
    : {})
})

export interface RefusalOptions {
  /** The endpoint's table lists this refusal without a code. */
  readonly uncoded?: boolean
  /** Another status than the table of all refusals says. */
  readonly status?: Outcome["status"]
  /** What to do next, told in `meta`. */
  readonly next?: object | undefined
}

/** What a refusal looks like on the wire. */
export const refusalBody = (
  refusal: AnyRefusal,
  options: RefusalOptions = {}
): Readonly<Record<string, unknown>> => {
  const { code, detailOnTop } = outcomes[refusal._tag]
  const { next, uncoded } = options
  const error = refusal.message
  if (uncoded === true) return { success: false, error }
  const detail = detailOf(refusal)
  const meta = {
    ...(code === "nowhere" ? {} : { code: refusal._tag }),
    ...detail,
    ...(next === undefined ? {} : { next })
  }
  return {
    success: false,
    error,
    ...(code === "top and meta" ? { code: refusal._tag } : {}),
    ...(detailOnTop === true ? detail : {}),
    ...(Object.keys(meta).length === 0 ? {} : { meta })
  }
}

export const refusal = (
  refusal: AnyRefusal,
  options: RefusalOptions = {}
): HttpServerResponse.HttpServerResponse =>
  write(options.status ?? outcomes[refusal._tag].status, refusalBody(refusal, options), refusalHeaders(refusal))

export const fault = ({ error, headers, issues, status }: RequestFault): HttpServerResponse.HttpServerResponse =>
  write(status, { success: false, error, ...(issues === undefined ? {} : { meta: { issues } }) }, {
    ...headers,
    ...(issues === undefined ? {} : { link: linkOf("INVALID_ARGUMENTS") })
  })

/** Nothing should be sent here for now; `reason` is a word for programs. */
export const notReady = (reason: string, error: string): HttpServerResponse.HttpServerResponse =>
  write(503, { success: false, error, meta: { reason } }, { "retry-after": "1" })

/** A fault of ours: the caller learns the request's id and nothing else. */
export const unexpected = (requestId: string): HttpServerResponse.HttpServerResponse =>
  write(500, {
    success: false,
    error: `Something went wrong on our side; retry with backoff. If it stays, report the request ${requestId}.`,
    meta: { requestId }
  })
