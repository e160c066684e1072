/**
 * What every answer has in common, whatever route made it: an id, no caching, an access log line, and an envelope for
 * what no route answered (404) or what broke (500).
 *
 * *Gotchas.* An unknown route needs no key, since it tells nothing, and shows a browser a page (`ErrorPage`); it counts towards the address's requests like any
 * other. When the client goes away the handler is interrupted, and there is nobody to answer.
 */
import * as Span from "@freehold/core/operation/Span"
import * as Trouble from "@freehold/core/operation/Trouble"
import { AddressLimiter } from "@freehold/core/rate/AddressLimiter"
import { Cause, Context, Effect, Exit, Option, References, Result } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomUUID } from "node:crypto"
import { addressOf, forwarded, TrustedProxies } from "./ClientAddress.ts"
import * as Cors from "./Cors.ts"
import * as Envelope from "./Envelope.ts"
import * as ErrorPage from "./ErrorPage.ts"
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

/** A request of which nothing is learnt yet. */
export const begin = (request: HttpServerRequest.HttpServerRequest): RequestFacts["Service"] => ({
  requestId: randomUUID(),
  address: addressOf(request),
  noted: { route: null, caller: null, code: null, headers: {} }
})

/** Everything that the headers of an answer say, put together at once. `shared`: those of `Cors`. */
export const headersOf = (
  { headers }: HttpServerResponse.HttpServerResponse,
  noted: Noted,
  requestId: string,
  shared: Readonly<Record<string, string>>
): Readonly<Record<string, string>> => ({
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  ...headers,
  ...noted.headers,
  ...shared,
  "service-request-id": requestId,
  "service-version": serviceVersion
})

/** What the log says of a request. */
export const factsOf = (request: HttpServerRequest.HttpServerRequest, noted: Noted, requestId: string) => ({
  method: request.method,
  route: noted.route ?? "none",
  request_id: requestId,
  ...(noted.code === null ? {} : { code: noted.code }),
  ...(noted.caller === null
    ? {}
    : { org_id: noted.caller.organization.org_id, [noted.caller.kind]: noted.caller.credentialId })
})

/** What the log hears of an answered request. */
export const toldOf = (
  request: HttpServerRequest.HttpServerRequest,
  { address, noted, requestId }: RequestFacts["Service"],
  { status }: HttpServerResponse.HttpServerResponse,
  cause: Option.Option<string>,
  measure: RequestMetrics.Measure
): RequestLog.Told => ({
  status,
  code: noted.code,
  cause,
  facts: () => ({ ...factsOf(request, noted, requestId), address, status, ms: measure.millis() })
})

/** Logs a defect of ours; the caller learns the request's id. */
export const failed = (cause: Cause.Cause<unknown>, facts: Readonly<Record<string, unknown>>): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logError("A request failed unexpectedly", cause), facts)

/** A router-wide middleware; routes that read `RequestFacts` are provided with it. */
export const layer = HttpRouter.middleware<{ provides: RequestFacts }>()(
  Effect.gen(function*() {
    const addresses = yield* AddressLimiter
    const trust = forwarded(yield* TrustedProxies)
    const origins = yield* Cors.AllowedOrigins
    yield* RequestMetrics.publish

    const unanswered = (request: HttpServerRequest.HttpServerRequest, address: string) =>
      addresses.admit(address).pipe(
        Effect.matchEffect({
          onFailure: (refusal) => Refused.keyless(refusal, request),
          onSuccess: () => {
            const fault = notRouted(request.url)
            return Effect.succeed(ErrorPage.isAskedFor(request) ? ErrorPage.ofFault(fault) : Envelope.fault(fault))
          }
        })
      )

    return (httpEffect) =>
      trust(Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
        const request = Context.get(context, HttpServerRequest.HttpServerRequest)
        const facts = begin(request)
        const { address, noted, requestId } = facts
        const trouble = Trouble.listener()
        const measure = RequestMetrics.begin(request.method, context)
        const answered = httpEffect.pipe(
          Effect.catchCause((cause) => {
            if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
            if (Option.exists(Cause.findErrorOption(cause), isRouteNotFound)) return unanswered(request, address)
            return Effect.as(failed(cause, factsOf(request, noted, requestId)), Envelope.unexpected(requestId))
          }),
          // To add costs little; to merge contexts copies that of the whole server.
          Effect.updateContext((outer: Context.Context<never>) =>
            trouble.heard(outer).pipe(
              Context.add(RequestFacts, facts),
              Context.add(References.CurrentLogAnnotations, { request_id: requestId })
            )
          )
        )
        // It fails only when nobody waits for its answer any more.
        return Effect.onExitPrimitive(answered, (exit) => {
          measure.end(Exit.isSuccess(exit) ? exit.value.status : null, noted.route)
          return undefined
        }).pipe(
          Effect.flatMap((response) =>
            RequestLog.telling(
              HttpServerResponse.setHeaders(
                response,
                headersOf(response, noted, requestId, Cors.headersOf(origins, request, response))
              ),
              toldOf(request, facts, response, trouble.told(), measure)
            )
          ),
          Span.annotated({ request_id: requestId })
        )
      }))
  }),
  { global: true }
)
