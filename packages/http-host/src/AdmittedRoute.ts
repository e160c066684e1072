/**
 * A route behind admission: address, key, rate, daily ceiling, organization, scope and plan come first, in that order,
 * and only then is anything else of the request looked at. Refusals of admission have REST's bodies on every route; a foreign
 * endpoint may add to `meta` what to do next.
 *
 * `make` is for this host's own routes. `layer` mounts a foreign endpoint (the MCP endpoint) that knows nothing of
 * HTTP servers: it is given method, headers and body, and says status, headers and body.
 *
 *     Layer.unwrap(Effect.map(McpEndpoint, ({ handle, originHeaders, preflight }) =>
 *       AdmittedRoute.layer({
 *         path: "/v1/mcp",
 *         access: { scope: "mcp", plan: "enterprise", feature: "apiAccess", person: "allowed" },
 *         handle,
 *         preflight,
 *         answerHeaders: originHeaders,
 *         advise: EntranceAdvice.of
 *       })))
 */
import { Admission, permit } from "@freehold/core/access/Admission"
import { Caller, type CallerFacts } from "@freehold/core/access/Caller"
import type { Access } from "@freehold/core/operation/Operation"
import { AddressLimiter } from "@freehold/core/rate/AddressLimiter"
import { Clock, Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as AdmissionPlaces from "./AdmissionPlaces.ts"
import * as Envelope from "./Envelope.ts"
import { claimOf } from "./GatheredRequest.ts"
import * as KnownCallers from "./KnownCallers.ts"
import * as Lane from "./Lane.ts"
import * as Refused from "./Refused.ts"
import * as RequestBody from "./RequestBody.ts"
import { RequestFacts } from "./RequestFacts.ts"
import * as RequestFrame from "./RequestFrame.ts"
import type { AnyRefusal } from "./Status.ts"
import * as Turns from "./Turns.ts"

/** What an endpoint asks of its callers. */
export type Asked = Pick<Access, "scope" | "plan" | "feature" | "person"> & Partial<Pick<Access, "gate">>

/** What a request lacks: a credential, one that is valid, or the scope. */
export type Lack = "token" | "valid token" | "scope"

/** The WWW-Authenticate header of a refusal; undefined: none. */
export type Challenge = (lack: Lack) => string | undefined

const unchallenged: Challenge = () => undefined

/** What a refusal tells of what to do next; undefined: nothing. `lack`: what it says of the credential, null: nothing. */
export type Advise = (refusal: AnyRefusal, lack: Lack | null) => object | undefined

const unadvised: Advise = () => undefined

/** What the refusal says of the credential. A key's scopes are not for its client to widen. */
const lackOf = ({ _tag }: AnyRefusal, caller: CallerFacts | null): Lack | null => {
  if (_tag === "UNAUTHENTICATED") return "token"
  if (_tag === "INVALID_OAUTH_TOKEN") return "valid token"
  return _tag === "SCOPE_NOT_GRANTED" && caller?.kind === "person" ? "scope" : null
}

const refused = Effect.fnUntraced(function*(
  refusal: AnyRefusal,
  caller: CallerFacts | null,
  { advise, challenge }: { readonly advise: Advise; readonly challenge: Challenge }
) {
  const lack = lackOf(refusal, caller)
  const header = lack === null ? undefined : challenge(lack)
  const response = yield* Refused.answer(refusal, { next: advise(refusal, lack) })
  return header === undefined ? response : HttpServerResponse.setHeader(response, "www-authenticate", header)
})

/** What every route of this host is given. */
type OfRequest = RequestFacts | HttpRouter.RouteContext | HttpServerRequest.HttpServerRequest

/** Writes down the matched route for metrics, traces and the access log; answers the facts of the request. */
const noted = (context: Context.Context<RequestFacts | HttpRouter.RouteContext>): RequestFacts["Service"] => {
  const facts = Context.get(context, RequestFacts)
  facts.noted.route = Context.get(context, HttpRouter.RouteContext).route.path
  return facts
}

/** The same, for a route that looks at nothing else. */
export const noteRoute = Effect.contextWith((context: Context.Context<RequestFacts | HttpRouter.RouteContext>) => {
  noted(context)
  return Effect.void
})

/**
 * Finds out who makes the request, by something else than a key or a token: in the places and within the time of admission, with those
 * of the organization that was let in with the same last.
 */
export const identify = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    Effect.all([RequestFacts, HttpServerRequest.HttpServerRequest]),
    ([{ address }, request]) =>
      AdmissionPlaces.identify({ address, orgId: KnownCallers.ofProcess.find(claimOf(request)) }, effect)
  )

/** From here on it is a request of the organization: that its credential is one of it is known, and it goes on in its turn. */
export const letIn = (claim: KnownCallers.Claim, orgId: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    KnownCallers.ofProcess.remember(claim, orgId)
    return Turns.next(orgId)
  })

export const make = Effect.gen(function*() {
  const places = AdmissionPlaces.make(yield* Admission)
  const addresses = yield* AddressLimiter

  /**
   * Answers an admitted and permitted caller with `handle`, and everyone else with the refusal. Every request goes through
   * this, so it is few effects.
   */
  const admitted = <R>(
    asked: Asked,
    handle: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>,
    challenge: Challenge = unchallenged,
    advise: Advise = unadvised
  ) => {
    const told = { advise, challenge }
    const answer = (caller: CallerFacts) =>
      Effect.matchEffect(permit(caller, asked), {
        onFailure: (refusal) => refused(refusal, caller, told),
        onSuccess: () => Effect.provideService(handle, Caller, caller)
      })

    return Effect.contextWith((context: Context.Context<OfRequest>) => {
      const { address, noted: learnt, requestId } = noted(context)
      const claim = claimOf(Context.get(context, HttpServerRequest.HttpServerRequest))
      const known = KnownCallers.ofProcess.find(claim)
      const clock = Context.get(context, Clock.Clock)
      return places.admit({ arrival: { address, requestId }, claim, orgId: known }, clock).pipe(
        Effect.flatMap(({ caller, minute }) => {
          return Effect.flatMap(letIn(claim, caller.organization.org_id), () => {
            learnt.caller = caller
            learnt.headers = { ...learnt.headers, ...Envelope.rateHeaders(minute) }
            return answer(caller)
          })
        }),
        Effect.catch((refusal) => refused(refusal, null, told))
      )
    })
  }

  /**
   * Answers without a key, as long as the address has requests left: what is about the request line alone. `refuse`: what is answered
   * otherwise, where that is no envelope.
   */
  const keyless = <R>(
    handle: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>,
    refuse: typeof Refused.keyless = Refused.keyless
  ) =>
    Effect.contextWith((context: Context.Context<OfRequest>) =>
      Effect.matchEffect(addresses.admit(noted(context).address), {
        onFailure: (refusal) => refuse(refusal, Context.get(context, HttpServerRequest.HttpServerRequest)),
        onSuccess: () => handle
      })
    )

  return { admitted, keyless }
})

/** A request as a foreign endpoint sees it: names of headers in lower case, the Authorization header taken out. */
export interface ForeignRequest {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array
}

export interface ForeignAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A text or its bytes in UTF-8; null: none. */
  readonly body: string | Uint8Array | null
}

const write = ({ body, headers, status }: ForeignAnswer) => {
  if (body === null) return HttpServerResponse.empty({ status, headers })
  const options = { status, headers, contentType: headers["content-type"] ?? "application/json" }
  return typeof body === "string"
    ? HttpServerResponse.text(body, options)
    : HttpServerResponse.uint8Array(body, options)
}

const headersOf = (request: HttpServerRequest.HttpServerRequest): Record<string, string> => {
  const { authorization: _, ...headers } = request.headers
  return headers
}

/**
 * Mounts a foreign endpoint at a path, for every method: a wrong method is the endpoint's to refuse, after the key.
 * `preflight` answers OPTIONS, which browsers send without a key. `answerHeaders` go with every answer, refusals of
 * admission included. `challenge` is the WWW-Authenticate header of a 401, and of a person's 403 without the scope. `advise`: what a
 * refusal that comes before the endpoint tells in `meta` besides.
 */
export const layer = (options: {
  readonly path: `/${string}`
  readonly access: Asked
  readonly handle: (request: ForeignRequest) => Effect.Effect<ForeignAnswer, never, Caller>
  readonly preflight?: (headers: Record<string, string>) => ForeignAnswer
  readonly answerHeaders?: (headers: Record<string, string>) => Readonly<Record<string, string>>
  readonly challenge?: Challenge
  readonly advise?: Advise
}) =>
  HttpRouter.addAll(Effect.gen(function*() {
    const { admitted, keyless } = yield* make
    const { advise = unadvised, answerHeaders, challenge, preflight } = options

    const handled = (method: string, headers: Record<string, string>) =>
      RequestBody.bytes.pipe(
        Effect.flatMap((body) => Effect.map(options.handle({ method, headers, body }), write)),
        Effect.catchTags({
          RequestFault: (fault) => Effect.succeed(Envelope.fault(fault)),
          TEMPORARILY_UNAVAILABLE: (refused) => Refused.answer(refused, { next: advise(refused, null) })
        })
      )

    const handler = Effect.contextWith((context: Context.Context<OfRequest>) => {
      const request = Context.get(context, HttpServerRequest.HttpServerRequest)
      const headers = headersOf(request)
      if (request.method === "OPTIONS" && preflight !== undefined) {
        return keyless(Effect.sync(() => write(preflight(headers))))
      }
      Context.get(context, RequestFacts).noted.headers = answerHeaders?.(headers) ?? {}
      return admitted(options.access, handled(request.method, headers), challenge, advise)
    })
    return [yield* Lane.route(options.path, handler)]
  })).pipe(Layer.provide(RequestFrame.layer))
