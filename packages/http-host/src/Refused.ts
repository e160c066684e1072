/** Answers a refusal; its code is counted, and noted for the access log. */
import * as RefusalCount from "@freehold/core/operation/RefusalCount"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import * as Envelope from "./Envelope.ts"
import { RequestFacts } from "./RequestFacts.ts"
import type { AnyRefusal } from "./Status.ts"

export const answer = (
  refusal: AnyRefusal,
  options: Envelope.RefusalOptions = {}
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, RequestFacts> =>
  RequestFacts.use(({ noted }) => {
    noted.code = refusal._tag
    return Effect.as(RefusalCount.count("rest", refusal._tag), Envelope.refusal(refusal, options))
  })
