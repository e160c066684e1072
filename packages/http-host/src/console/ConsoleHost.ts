/**
 * The app of an organization's people: its pages at the root of the origin, and the one door behind them.
 *
 * | request                      | answer                                                               |
 * | ---------------------------- | -------------------------------------------------------------------- |
 * | GET of a page or a file      | the same for everybody, without a session                            |
 * | POST /console/OPERATION      | runs the operation for whoever is signed in                          |
 * | POST /console/sign-in/look   | whom a link would sign in; does not use it up                        |
 * | POST /console/sign-in        | uses the link up, and sets the cookie of a session                   |
 * | POST /console/sign-in/ways   | the authorization server by which people may sign in, null: none     |
 * | GET /sign-in/...             | signing in by it (`IssuerSignIn`)                                    |
 * | POST /console/change         | goes on in another organization of the same person                   |
 * | POST /console/sign-out       | ends the session                                                     |
 *
 * Whatever is asked by POST must come from a page of this origin (`SameOrigin`). GET changes nothing: programs that look at
 * a link before a person does cannot use it up. `/v1` knows no cookie, and this door no key.
 */
import * as AppDoor from "@freehold/core/access/AppDoor"
import { AppSignIn } from "@freehold/core/access/AppSignIn"
import { Caller, type MemberCaller } from "@freehold/core/access/Caller"
import { sessionLifetime } from "@freehold/core/access/Sessions"
import {
  AppCatalogue,
  type AppOperation,
  appOperations,
  type OfferedOperation
} from "@freehold/core/catalogue/AppCatalogue"
import { Catalogue, type CatalogueOperation, operations } from "@freehold/core/catalogue/Catalogue"
import type { RunnerOf } from "@freehold/core/catalogue/Runner"
import * as Receipt from "@freehold/core/credit/Receipt"
import { Counted } from "@freehold/core/operation/JsonBounds"
import { Effect, Layer, MutableRef, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as AdmittedRoute from "../AdmittedRoute.ts"
import * as Envelope from "../Envelope.ts"
import * as RequestBody from "../RequestBody.ts"
import { RequestFacts } from "../RequestFacts.ts"
import { methodNotAllowed, type RequestFault } from "../RequestFault.ts"
import * as RequestFrame from "../RequestFrame.ts"
import * as AppAnswer from "./AppAnswer.ts"
import * as ConsolePages from "./ConsolePages.ts"
import * as IssuerSignIn from "./IssuerSignIn.ts"
import { isSameOrigin } from "./SameOrigin.ts"
import * as SessionCookie from "./SessionCookie.ts"

export interface ConsoleOptions {
  /** What clients dial: pages elsewhere are refused. */
  readonly origin: string
  readonly pages: ConsolePages.Pages
}

/** An operation that the app may offer, and what runs it. */
interface Offered {
  readonly operation: OfferedOperation
  readonly run: RunnerOf<OfferedOperation>
}

const offered = (catalogue: Catalogue["Service"], app: AppCatalogue["Service"]): ReadonlyMap<string, Offered> => {
  const shared = operations.map((operation: CatalogueOperation): Offered => ({
    operation,
    run: catalogue[operation.name]
  }))
  const own = appOperations.map((operation: AppOperation): Offered => ({ operation, run: app[operation.name] }))
  return new Map([...shared, ...own].map((each) => [each.operation.name, each]))
}

const noteMember = (caller: MemberCaller) =>
  RequestFacts.use(({ noted }) => Effect.sync(() => MutableRef.update(noted, (before) => ({ ...before, caller }))))

/** The text of a field of the body; anything else is as good as none. */
const textOf = (body: Readonly<Record<string, unknown>>, field: string): string => {
  const value = body[field]
  return typeof value === "string" ? value : ""
}

const doors = Effect.fnUntraced(function*({ origin }: ConsoleOptions) {
  const signIn = yield* AppSignIn
  const operationOf = offered(yield* Catalogue, yield* AppCatalogue)
  const { keyless } = yield* AdmittedRoute.make
  const cookie = SessionCookie.make(origin)

  const body = Effect.map(RequestBody.jsonObject, Option.getOrElse((): Readonly<Record<string, unknown>> => ({})))

  /** Whoever is signed in by the request's cookie. */
  const admitted = Effect.gen(function*() {
    const { requestId } = yield* RequestFacts
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const session = cookie.read(headers["cookie"]) ?? Redacted.make("")
    const caller = yield* signIn.admit({ session, requestId })
    yield* noteMember(caller)
    return caller
  })

  const operate = Effect.gen(function*() {
    const caller = yield* admitted
    const { operation: name = "" } = yield* HttpRouter.params
    const found = operationOf.get(name)
    if (found === undefined) return yield* new AppDoor.NotOffered()
    yield* Effect.fromResult(AppDoor.permit(caller, found.operation))
    const { answer, told } = yield* Receipt.listening(found.run(yield* body)).pipe(
      Effect.provideService(Counted, true),
      Effect.provideService(Caller, caller)
    )
    return AppAnswer.success(answer, told)
  })

  const look = Effect.gen(function*() {
    const link = Redacted.make(textOf(yield* body, "link"))
    const { member, organization } = yield* signIn.lookAtLink(link)
    return AppAnswer.success({ member: member.name, organization: organization.name })
  })

  const redeem = Effect.gen(function*() {
    const { requestId } = yield* RequestFacts
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const link = Redacted.make(textOf(yield* body, "link"))
    const { secret } = yield* signIn.redeem({ link, userAgent: headers["user-agent"] ?? null, requestId })
    return HttpServerResponse.setHeader(
      AppAnswer.success({}),
      "set-cookie",
      cookie.keep(secret, sessionLifetime)
    )
  })

  const ways = Effect.sync(() => AppAnswer.success({ issuer: Option.getOrNull(signIn.issuer) }))

  const change = Effect.gen(function*() {
    const caller = yield* admitted
    const { secret } = yield* signIn.change(caller, textOf(yield* body, "org_id"))
    return HttpServerResponse.setHeaders(AppAnswer.success({}), {
      "set-cookie": cookie.keep(secret, sessionLifetime),
      "clear-site-data": "\"cache\""
    })
  })

  const signOut = Effect.gen(function*() {
    const leave = yield* signIn.signOut(yield* admitted)
    return HttpServerResponse.setHeaders(AppAnswer.success({ leave }), {
      "set-cookie": cookie.forget,
      "clear-site-data": "\"cache\""
    })
  })

  /** A door that only a POST from a page of this origin opens. */
  const door = <E extends AppAnswer.AppRefusal, R>(
    path: `/${string}`,
    handle: Effect.Effect<HttpServerResponse.HttpServerResponse, E | RequestFault, R>
  ) =>
    HttpRouter.route(
      "*",
      path,
      keyless(Effect.gen(function*() {
        const { headers, method } = yield* HttpServerRequest.HttpServerRequest
        if (method !== "POST") return Envelope.fault(methodNotAllowed(method, "POST"))
        if (!isSameOrigin(headers, origin)) return AppAnswer.foreign
        return yield* handle.pipe(
          Effect.catch((refused) =>
            Effect.succeed(refused._tag === "RequestFault" ? AppAnswer.fault(refused) : AppAnswer.refusal(refused))
          )
        )
      }))
    )

  return [
    door("/console/sign-in/look", look),
    door("/console/sign-in", redeem),
    door("/console/sign-in/ways", ways),
    door("/console/change", change),
    door("/console/sign-out", signOut),
    door("/console/:operation", operate)
  ]
})

/** The routes of the app. */
export const layer = (options: ConsoleOptions) =>
  Layer.mergeAll(
    HttpRouter.addAll(doors(options)),
    IssuerSignIn.layer(options),
    ConsolePages.layer(options)
  ).pipe(Layer.provide(RequestFrame.layer))
