/** Answers a refusal; its code is counted, and noted for the access log. */
import * as RefusalCount from "@freehold/core/operation/RefusalCount"
import type { RateLimited, RateLimitUnavailable } from "@freehold/core/rate/RateRefusals"
import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Envelope from "./Envelope.ts"
import * as ErrorPage from "./ErrorPage.ts"
import { RequestFacts } from "./RequestFacts.ts"
import type { AnyRefusal } from "./Status.ts"

export const answer = (
  refusal: AnyRefusal,
  options: Envelope.RefusalOptions = {}
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, RequestFacts> =>
  answerWith(refusal, Envelope.refusal(refusal, options))

/** The same, in another form than that of an envelope. */
export const answerWith = (
  refusal: AnyRefusal,
  response: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, RequestFacts> =>
  RequestFacts.use(({ noted }) => {
    noted.code = refusal._tag
    return Effect.as(RefusalCount.count("rest", refusal._tag), response)
  })

/** Of an address that has no requests left: where it goes to a page, it is shown one. */
export const keyless = (
  refusal: RateLimited | RateLimitUnavailable,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, RequestFacts> =>
  ErrorPage.isAskedFor(request) ? answerWith(refusal, ErrorPage.ofRefusal(refusal)) : answer(refusal)
