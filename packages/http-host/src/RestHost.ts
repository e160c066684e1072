/**
 * The REST API: the table of routes over core's operations, on one router.
 *
 * | request                          | answer                                                                      |
 * | -------------------------------- | --------------------------------------------------------------------------- |
 * | a method that the path has       | admission, then the arguments, then the operation                           |
 * | HEAD where GET only reads        | the same without the body; elsewhere 405, since a GET there counts or costs |
 * | OPTIONS                          | 204 with Allow                                                              |
 * | another method                   | 405 with Allow                                                              |
 * | another path                     | 404                                                                         |
 *
 * The last three need no key: they are about the request line alone.
 *
 * *Gotchas.* `serve` sets how paths are matched (exact case and slashes, long property keys): serve routes with it.
 */
import type { Caller } from "@freehold/core/access/Caller"
import { Catalogue } from "@freehold/core/catalogue/Catalogue"
import * as Receipt from "@freehold/core/credit/Receipt"
import type { RecordsFacts } from "@freehold/core/limit/Metering"
import * as Takings from "@freehold/core/limit/Takings"
import { ClashingNames } from "@freehold/core/list/ListKeeper"
import type { IdempotencyRefusal } from "@freehold/core/operation/Idempotency"
import { Counted } from "@freehold/core/operation/JsonBounds"
import { Array, Context, Effect, Layer, Option, type Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as AdmittedRoute from "./AdmittedRoute.ts"
import * as Deprecation from "./Deprecation.ts"
import * as Envelope from "./Envelope.ts"
import * as ErrorPages from "./errors/ErrorPages.ts"
import * as Health from "./Health.ts"
import * as IdempotentAnswer from "./IdempotentAnswer.ts"
import * as Lane from "./Lane.ts"
import * as Refused from "./Refused.ts"
import { methodNotAllowed } from "./RequestFault.ts"
import * as RequestFrame from "./RequestFrame.ts"
import * as RequestInput from "./RequestInput.ts"
import { inRest } from "./RestRefusals.ts"
import { matching } from "./RouteMatching.ts"
import { answer, apiRoot, type Route, routes } from "./Routes.ts"
import type { AnyRefusal } from "./Status.ts"

/** The methods of a path, as the Allow header lists them. */
const allowed = (entries: ReadonlyArray<Route>): string =>
  [...entries.flatMap((entry) => methodsOf(entry)), "OPTIONS"].join(", ")

const methodsOf = ({ method, operation }: Route): ReadonlyArray<string> =>
  method === "GET" && operation.effect === "read" ? ["GET", "HEAD"] : [method]

/** The answer, with what it took of the records allowance. */
const told = (answer: Envelope.Answer, records: RecordsFacts): Envelope.Answer => ({
  ...answer,
  meta: { ...answer.meta, records }
})

/** The answer, with what it charged and what is left. */
const paid = (answer: Envelope.Answer, receipt: Option.Option<Receipt.ReceiptFacts>): Envelope.Answer =>
  Option.match(receipt, {
    onNone: () => answer,
    onSome: ({ charged, remaining }) => ({
      ...answer,
      headers: {
        ...answer.headers,
        "service-credits-charged": String(charged),
        ...(remaining === null ? {} : { "service-credits-remaining": String(remaining) })
      }
    })
  })

const isIdempotencyRefusal = (refusal: AnyRefusal): refusal is IdempotencyRefusal =>
  refusal._tag === "IDEMPOTENCY_KEY_REUSED" || refusal._tag === "IDEMPOTENCY_KEY_IN_PROGRESS" ||
  refusal._tag === "IDEMPOTENCY_ROOM_EXHAUSTED"

/** How operations are run for REST, which has no refusal for a name in use: a list of the same name is made. */
const asRest = <R>(context: Context.Context<R>) =>
  Context.add(Context.add(context, ClashingNames, "allow"), Counted, true)

/** An operation behind admission: its arguments are looked at last. */
const answered = (
  route: Route,
  catalogue: Catalogue["Service"],
  { once }: Effect.Success<typeof IdempotentAnswer.make>
) => {
  const { inRestWords, input, misfit } = RequestInput.reader(route)
  const run = (given: unknown) =>
    Effect.suspend(() => {
      const receipt = Receipt.listener()
      const records = Takings.listener()
      return answer(catalogue, route, given).pipe(
        Effect.map((shown) => {
          const taken = records.told()
          return paid(Option.isSome(taken) ? told(shown, taken.value) : shown, receipt.told())
        }),
        Effect.updateContext((outer: Context.Context<Caller>) => records.heard(receipt.heard(asRest(outer))))
      )
    })
  return input.pipe(
    Effect.flatMap((given) => once(route, given, run(given))),
    Effect.map(Envelope.success),
    Effect.catchTag("RequestFault", (fault) => Effect.succeed(Envelope.fault(fault))),
    Effect.catch((refused) =>
      Effect.suspend(() => {
        const refusal = isIdempotencyRefusal(refused) ? refused : inRest(refused)
        return refusal._tag === "INVALID_ARGUMENTS"
          ? Refused.answer(inRestWords(refusal), { status: misfit(refusal) })
          : Refused.answer(refusal, { uncoded: route.uncoded.includes(refusal._tag) })
      })
    )
  )
}

/** Every answer of an endpoint that goes says so, refusals of admission included. */
const announced = <R>(
  { deprecation }: Route,
  handler: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  deprecation === null
    ? handler
    : Effect.map(
      handler,
      (response) =>
        HttpServerResponse.setHeaders(response, Deprecation.headersOf(deprecation, response.headers["link"]))
    )

const restRoutes = Effect.fnUntraced(function*(table: ReadonlyArray<Route>) {
  const catalogue = yield* Catalogue
  const { admitted, keyless } = yield* AdmittedRoute.make
  const idempotent = yield* IdempotentAnswer.make

  return yield* Effect.forEach(Object.entries(Array.groupBy(table, (route) => route.path)), ([path, entries]) => {
    const allow = allowed(entries)
    const handlers = new Map(
      entries.flatMap((entry) => {
        const access = { ...entry.operation.access, person: "refused" as const }
        const handler = announced(entry, admitted(access, answered(entry, catalogue, idempotent), () => "Bearer"))
        return methodsOf(entry).map((method) => [method, handler] as const)
      })
    )
    const other = (method: string) =>
      method === "OPTIONS"
        ? HttpServerResponse.empty({ status: 204, headers: { allow } })
        : Envelope.fault(methodNotAllowed(method, allow))
    return Lane.route(
      `${apiRoot}${asPath(path)}`,
      Effect.flatMap(
        HttpServerRequest.HttpServerRequest,
        ({ method }) => handlers.get(method) ?? keyless(Effect.sync(() => other(method)))
      )
    )
  })
})

const asPath = (path: string): `/${string}` => `/${path.slice(1)}`

/** The routes of a table below `/v1`, those of `Health`, and the pages that refusals link. */
export const layerOf = (table: ReadonlyArray<Route>) =>
  Layer.mergeAll(
    Layer.mergeAll(HttpRouter.addAll(restRoutes(table)), ErrorPages.layer).pipe(Layer.provide(RequestFrame.layer)),
    Health.layer
  )

/** Those of the specification. */
export const layer = layerOf(routes)

/** Closed after the server has waited for what is under way. */
const openLane = Effect.flatMap(Lane.Lane, ({ open }) => open)

/** More than is added to the context of a request on its way. */
const additions = 32

/**
 * What is added to the context of a request stands beside what the server has, however much it is. Usually a few additions do,
 * and then all is copied together, which costs more than everything that looks into it.
 */
const besides = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, ({ address, serve }) =>
    HttpServer.make({
      address,
      serve: (app, middleware) => {
        const served = middleware === undefined ? serve(app) : serve(app, middleware)
        const both: Effect.Effect<void, never, Scope.Scope> = Effect.andThen(openLane, served)
        return Effect.updateContext(both, (context: Context.Context<Scope.Scope>) =>
          Context.makeUnsafe<Scope.Scope>(context.mapUnsafe, { maxDepth: additions }))
      }
    }))
)

/** Serves routes of this host and routes mounted beside them (`AdmittedRoute.layer`) on the server in context. */
export const serve = <A, E, R>(app: Layer.Layer<A, E, R>) =>
  HttpRouter.serve(app, {
    routerConfig: matching,
    disableListenLog: true,
    disableLogger: true
  }).pipe(Layer.provide(besides))
