/**
 * Where the operator's own system answers research jobs. It belongs to no customer, so that it is outside of the API.
 *
 * An answer is signed like a webhook, with the secret that signs the jobs. It counts once: a second one, and one that comes
 * too late, are told so with a 200, so that nobody sends them again.
 *
 * | request                                  | answer                                                     |
 * | ---------------------------------------- | ---------------------------------------------------------- |
 * | an answer that counts                    | 200 `{ result: "recorded" }`                               |
 * | a job that ended before                  | 200 `{ result: "ignored" }`                                |
 * | no signature, a wrong or an old one      | 401                                                        |
 * | a fault in the answer                    | 400 with `meta.issues`; mended, it may be sent again       |
 * | an unknown job                           | 404                                                        |
 * | too many large ones at once, by anybody  | 503 with Retry-After                                       |
 */
import * as ResearchAnswer from "@freehold/core/research/ResearchAnswer"
import * as AdmittedRoute from "@freehold/http-host/AdmittedRoute"
import * as Envelope from "@freehold/http-host/Envelope"
import * as RequestBody from "@freehold/http-host/RequestBody"
import { methodNotAllowed, RequestFault } from "@freehold/http-host/RequestFault"
import * as RequestFrame from "@freehold/http-host/RequestFrame"
import { verifySignature } from "@freehold/webhook-worker/VerifySignature"
import { Clock, Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { recordId } from "./import/RecordId.ts"

/** Below the public origin. */
export const path = "/research/answers"

const unsigned = HttpServerResponse.text(
  JSON.stringify({ success: false, error: "The answer is not signed with the researcher's secret, or too long ago." }),
  { status: 401, contentType: "application/json" }
)

/** Needs what admission needs, for the limit of requests an address. */
export const layer = (secret: Redacted.Redacted) =>
  HttpRouter.addAll(Effect.gen(function*() {
    const { keyless } = yield* AdmittedRoute.make
    const receive = yield* ResearchAnswer.make(recordId)

    const answered = Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (request.method !== "POST") return Envelope.fault(methodNotAllowed(request.method, "POST"))
      const body = yield* RequestBody.bytes
      const verification = verifySignature({
        header: request.headers["service-signature"],
        body,
        secret: Redacted.value(secret),
        now: Math.floor((yield* Clock.currentTimeMillis) / 1000)
      })
      if (!verification.valid) return unsigned
      const answer = yield* Effect.fromResult(RequestBody.parse(body))
      const ending = yield* receive(answer)
      if (ending === "unknown") return Envelope.fault(new RequestFault({ status: 404, error: "No such job." }))
      return Envelope.success({ data: { result: ending === "done" ? "recorded" : "ignored" } })
    }).pipe(
      Effect.catchTag("RequestFault", (fault) => Effect.succeed(Envelope.fault(fault))),
      Effect.catch((refusal) => Effect.succeed(Envelope.refusal(refusal)))
    )
    return [HttpRouter.route("*", path, keyless(answered))]
  })).pipe(Layer.provide(RequestFrame.layer))
