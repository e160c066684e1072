/**
 * The way of nearly all requests: those that have arrived whole, to routes that answer with bytes. Each is one fiber with one
 * context, and its answer is written at once.
 *
 * | what of a request                   | here                              | else: Effect's server, `RequestFrame` |
 * | ----------------------------------- | --------------------------------- | ------------------------------------- |
 * | its route and its handler           | the same                          | the same                              |
 * | id, headers, metrics, log, defects  | before and after the fiber        | effects around the handler            |
 * | its client goes away                | the handler is interrupted        | the same                              |
 * | a path that no route of it has      | goes the other way                | 404, and counts for the address       |
 * | a method that hardly anybody uses   | goes the other way                | what its handler answers              |
 * | a body that is still to come        | goes the other way                | read as it comes                      |
 * | spans, where somebody receives them | around the handler                | around the handler and its frame      |
 *
 * It is in the context beside `HttpServer` (`NodeServer.lane`); without one, all requests go the other way.
 * docs/decisions/0053-a-lane-for-whole-requests.md.
 */
import * as Fork from "@freehold/core/operation/Fork"
import * as Span from "@freehold/core/operation/Span"
import * as Trouble from "@freehold/core/operation/Trouble"
import { Cause, Context, Effect, Exit, Fiber, References, type Scope } from "effect"
import {
  Cookies,
  FindMyWay,
  HttpMiddleware,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import type { ServerResponse } from "node:http"
import { ArrivedRequest } from "./ArrivedRequest.ts"
import * as ClientAddress from "./ClientAddress.ts"
import * as Cors from "./Cors.ts"
import * as Envelope from "./Envelope.ts"
import type { GatheredRequest } from "./GatheredRequest.ts"
import { RequestFacts } from "./RequestFacts.ts"
import * as RequestFrame from "./RequestFrame.ts"
import * as RequestLog from "./RequestLog.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import { matching } from "./RouteMatching.ts"

/** What a handler is given of its request. */
export type OfRequest =
  | RequestFacts
  | HttpRouter.RouteContext
  | HttpServerRequest.HttpServerRequest
  | HttpServerRequest.ParsedSearchParams

type Handler = Effect.Effect<HttpServerResponse.HttpServerResponse, never, OfRequest>

interface Entry {
  readonly route: HttpRouter.RouteContext["Service"]["route"]
  readonly handler: Handler
}

/** Those of nearly all requests: a router takes its time with each method of a path when it is made. */
const methods = ["GET", "POST", "DELETE"]

/** Answers a request, unless it has to go the other way. */
type Take = (request: GatheredRequest, response: ServerResponse) => boolean

export interface Lane {
  readonly add: (route: Entry["route"], handler: Handler) => void
  /** Takes requests from now on, until the scope closes; then it interrupts what is under way. */
  readonly open: Effect.Effect<void, never, Scope.Scope>
  readonly take: Take
}

/** The server stops, and waits no longer for what is under way. */
const stopped = HttpServerResponse.empty({ status: 503 })

/** An answer that cannot be written. */
const broken = HttpServerResponse.empty({ status: 500 })

/** null: it was given up. */
const statusOf = (exit: Exit.Exit<HttpServerResponse.HttpServerResponse>): number | null =>
  Exit.isSuccess(exit) ? exit.value.status : Cause.hasInterruptsOnly(exit.cause) ? null : 500

const end = (to: ServerResponse, { body }: HttpServerResponse.HttpServerResponse): void => {
  if (body._tag === "Empty") to.end()
  else if (body._tag !== "Uint8Array") throw new Error(`a route of the lane answers with bytes, not with ${body._tag}`)
  else if (body.text === undefined) to.end(body.body)
  // A text of as many bytes as characters is ASCII, which is written as it is.
  else to.end(body.text, body.text.length === body.contentLength ? "latin1" : "utf8")
}

const write = (
  to: ServerResponse,
  response: HttpServerResponse.HttpServerResponse,
  headers: Readonly<Record<string, string>>
): void => {
  if (to.destroyed || to.writableEnded) return
  const cookies = Cookies.toSetCookieHeaders(response.cookies)
  to.writeHead(response.status, cookies.length === 0 ? headers : { ...headers, "set-cookie": cookies })
  end(to, response)
}

/** The route's handler within the span of its request. `begun`: hears of the span, in which lines are logged that come after it. */
const spanned = (
  { handler, route }: Entry,
  requestId: string,
  begun: (context: Context.Context<never>) => void
): Handler =>
  HttpMiddleware.tracer(Effect.contextWith((context: Context.Context<OfRequest>) => {
    begun(context)
    return Span.annotated({ request_id: requestId, "http.route": route.path })(handler)
  }))

/** Answers the requests of these routes in the context of the server. `running`: those that are under way. */
const taker = (
  router: FindMyWay.Router<Entry>,
  context: Context.Context<never>,
  running: Set<Fiber.Fiber<unknown>>
): Take => {
  const seen = ClientAddress.reader(Context.get(context, ClientAddress.TrustedProxies))
  const origins = Context.get(context, Cors.AllowedOrigins)
  const isTraced = Context.get(context, References.TracerEnabled)

  /** All that a handler finds besides the services of the server. */
  const contextOf = (
    { handler: { route }, params, searchParams }: FindMyWay.FindResult<Entry>,
    request: HttpServerRequest.HttpServerRequest,
    facts: RequestFacts["Service"],
    { heard }: ReturnType<typeof Trouble.listener>
  ): Context.Context<OfRequest> =>
    heard(context).pipe(
      Context.add(References.CurrentLogAnnotations, { request_id: facts.requestId }),
      Context.add(HttpServerRequest.ParsedSearchParams, searchParams),
      Context.add(HttpRouter.RouteContext, { route, params }),
      Context.add(RequestFacts, facts),
      Context.add(HttpServerRequest.HttpServerRequest, request)
    )

  const answer = (
    found: FindMyWay.FindResult<Entry>,
    request: HttpServerRequest.HttpServerRequest,
    to: ServerResponse
  ): void => {
    const facts = RequestFrame.begin(request)
    const { noted } = facts
    const trouble = Trouble.listener()
    const measure = RequestMetrics.begin(request.method, context)
    let logging = context
    const log = (line: Effect.Effect<void>) => void Effect.runForkWith(logging)(line)
    const told = () => RequestFrame.factsOf(request, noted, facts.requestId)

    const send = (response: HttpServerResponse.HttpServerResponse): void => {
      const line = RequestLog.line(context, RequestFrame.toldOf(request, facts, response, trouble.told(), measure))
      if (line !== null) log(line)
      const shared = Cors.headersOf(origins, request, response)
      write(to, response, RequestFrame.headersOf(response, noted, facts.requestId, shared))
    }

    const settle = (exit: Exit.Exit<HttpServerResponse.HttpServerResponse>): void => {
      if (Exit.isSuccess(exit)) return send(exit.value)
      if (Cause.hasInterruptsOnly(exit.cause)) return write(to, stopped, {})
      log(RequestFrame.failed(exit.cause, told()))
      send(Envelope.unexpected(facts.requestId))
    }

    const handled = isTraced
      ? spanned(found.handler, facts.requestId, (within) => {
        logging = within
      })
      : found.handler.handler
    const fiber = Fork.telling(contextOf(found, request, facts, trouble))(handled, (exit) => {
      measure.end(statusOf(exit), noted.route)
      try {
        settle(exit)
      } catch (defect) {
        log(RequestFrame.failed(Cause.die(defect), told()))
        if (to.headersSent) to.destroy()
        else write(to, broken, {})
      }
    })
    const interrupt = (): void => {
      if (!to.writableEnded) fiber.interruptUnsafe(undefined, HttpServerError.ClientAbort.annotation)
    }
    running.add(fiber)
    to.once("close", interrupt)
    fiber.addObserver(() => running.delete(fiber))
  }

  return (request, response) => {
    const { method = "", url = "" } = request
    if (!request.complete || !url.startsWith("/")) return false
    const found = router.find(method, url)
    if (found === undefined) return false
    answer(found, seen(new ArrivedRequest(request, {})), response)
    return true
  }
}

const leave: Take = () => false

export const make = (): Lane => {
  const router = FindMyWay.make<Entry>(matching)
  const running = new Set<Fiber.Fiber<unknown>>()
  let take = leave

  return {
    add: (route, handler) => router.on(methods, route.path, { route, handler }),
    open: Effect.gen(function*() {
      const context = yield* Effect.context<never>()
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          take = taker(router, context, running)
        }),
        () =>
          Effect.suspend(() => {
            take = leave
            return Fiber.interruptAll(running)
          })
      )
    }),
    take: (request, response) => take(request, response)
  }
}

/** That of a server without one: nothing goes by it. */
const closed: Lane = { add: () => {}, open: Effect.void, take: leave }

export const Lane = Context.Reference<Lane>("@freehold/http-host/Lane", { defaultValue: () => closed })

/** A route that is on the router and, where the server has one, on the lane. */
export const route = (path: `/${string}`, handler: Handler) =>
  Effect.map(Lane, ({ add }) => {
    const made = HttpRouter.route("*", path, handler)
    add(made, handler)
    return made
  })
