/**
 * What every answer has in common, whatever route made it: an id, no caching, an access log line, and an envelope for
 * what no route answered (404) or what broke (500).
 *
 * *Gotchas.* An unknown route needs no key, since it tells nothing; it counts towards the address's requests like any
 * other. When the client goes away the handler is interrupted, and there is nobody to answer.
 */
import * as Trouble from "@freehold/core/operation/Trouble"
import { AddressLimiter } from "@freehold/core/rate/AddressLimiter"
import { Cause, Context, Effect, MutableRef, Option, References, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { addressOf, forwarded, TrustedProxies } from "./ClientAddress.ts"
import * as Cors from "./Cors.ts"
import * as Envelope from "./Envelope.ts"
import * as Refused from "./Refused.ts"
import { type Noted, RequestFacts } from "./RequestFacts.ts"
import { malformedPath, unknownRoute } from "./RequestFault.ts"
import * as RequestLog from "./RequestLog.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import { serviceVersion } from "./Routes.ts"

const isRouteNotFound = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

// The router finds no route for a path that it cannot decode.
const notRouted = (url: string) =>
  Result.isSuccess(Result.try(() => decodeURIComponent(url.split("?")[0] ?? ""))) ? unknownRoute : malformedPath

const dressed = (response: HttpServerResponse.HttpServerResponse, requestId: string) =>
  HttpServerResponse.setHeaders(response, {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...response.headers,
    "service-request-id": requestId,
    "service-version": serviceVersion
  })

const facts = (request: HttpServerRequest.HttpServerRequest, noted: Noted, requestId: string) => ({
  method: request.method,
  route: noted.route ?? "none",
  request_id: requestId,
  ...(noted.code === null ? {} : { code: noted.code }),
  ...(noted.caller === null
    ? {}
    : { org_id: noted.caller.organization.org_id, [noted.caller.kind]: noted.caller.credentialId })
})

/** A router-wide middleware; routes that read `RequestFacts` are provided with it. */
export const layer = HttpRouter.middleware<{ provides: RequestFacts }>()(
  Effect.gen(function*() {
    const random = yield* SecureRandom.SecureRandom
    const addresses = yield* AddressLimiter
    const trust = forwarded(yield* TrustedProxies)
    const origins = yield* Cors.AllowedOrigins
    yield* RequestMetrics.publish

    const unanswered = (request: HttpServerRequest.HttpServerRequest, address: string) =>
      addresses.admit(address).pipe(
        Effect.matchEffect({
          onFailure: (refusal) => Refused.answer(refusal),
          onSuccess: () => Effect.succeed(Envelope.fault(notRouted(request.url)))
        })
      )

    return (httpEffect) =>
      trust(Effect.gen(function*() {
        const request = yield* HttpServerRequest.HttpServerRequest
        const requestId = yield* random.uuidV4()
        const address = addressOf(request)
        const noted = MutableRef.make<Noted>({ route: null, caller: null, code: null })
        yield* Effect.annotateCurrentSpan({ request_id: requestId })
        const trouble = Trouble.listener()
        const answered = httpEffect.pipe(
          Effect.catchCause((cause) => {
            if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
            if (Option.exists(Cause.findErrorOption(cause), isRouteNotFound)) return unanswered(request, address)
            return Effect.logError("A request failed unexpectedly", cause).pipe(
              Effect.annotateLogs(facts(request, MutableRef.get(noted), requestId)),
              Effect.as(Envelope.unexpected(requestId))
            )
          }),
          // At once, since each time copies the context of the whole server.
          Effect.provideContext(
            Context.make(RequestFacts, { requestId, address, noted }).pipe(
              Context.add(References.CurrentLogAnnotations, { request_id: requestId }),
              Context.merge(trouble.context)
            )
          )
        )
        const { answer: response, millis } = yield* RequestMetrics.measured(
          request.method,
          () => MutableRef.get(noted).route,
          answered
        )
        yield* RequestLog.tell({
          status: response.status,
          code: MutableRef.get(noted).code,
          cause: trouble.told(),
          facts: () => ({
            ...facts(request, MutableRef.get(noted), requestId),
            address,
            status: response.status,
            ms: millis
          })
        })
        return HttpServerResponse.setHeaders(dressed(response, requestId), Cors.headersOf(origins, request, response))
      }))
  }),
  { global: true }
)
