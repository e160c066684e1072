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
 * | POST /console/sign-out       | ends the session, and has the browser forget its cookie              |
 *
 * Whatever is asked by POST must come from a page of this origin (`SameOrigin`). GET changes nothing: programs that look at
 * a link before a person does cannot use it up. `/v1` knows no cookie, and this door no key.
 *
 * Whoever leaves is not asked how the organization stands that they leave: signing out and going on elsewhere are for members of a
 * suspended or closed one too. Nothing but the limit of the address stands before a sign-out.
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
import { OperatorSignIn } from "@freehold/core/operator/OperatorSignIn"
import * as MemberLimiter from "@freehold/core/rate/MemberLimiter"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as AdmittedRoute from "../AdmittedRoute.ts"
import { claimOf } from "../GatheredRequest.ts"
import { RequestFacts } from "../RequestFacts.ts"
import * as RequestFrame from "../RequestFrame.ts"
import * as Turns from "../Turns.ts"
import * as AppAnswer from "./AppAnswer.ts"
import * as ConsolePages from "./ConsolePages.ts"
import * as IssuerSignIn from "./IssuerSignIn.ts"
import { cookiesOf } from "./OperatorHost.ts"
import * as PageDoor from "./PageDoor.ts"
import * as SessionCookie from "./SessionCookie.ts"

export interface ConsoleOptions {
  /** What clients dial: pages elsewhere are refused. */
  readonly origin: string
  /** What the operator dials, whose people may look at the app as a member has it; null: there is no area of theirs. */
  readonly operatorOrigin: string | null
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
  RequestFacts.useSync(({ noted }) => {
    noted.caller = caller
  })

const doors = Effect.fnUntraced(function*({ origin, operatorOrigin }: ConsoleOptions) {
  const signIn = yield* AppSignIn
  const operatorSignIn = yield* OperatorSignIn
  const operationOf = offered(yield* Catalogue, yield* AppCatalogue)
  const door = yield* PageDoor.make(origin)
  const cookie = SessionCookie.make(origin)
  const minutes = MemberLimiter.make()
  const viewCookie = operatorOrigin === null ? null : cookiesOf(operatorOrigin).view

  /** As whom the operator looks, who sees nothing of a session of their own; null: it is no operator. */
  const seen = Effect.gen(function*() {
    const { requestId } = yield* RequestFacts
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const view = viewCookie?.read(headers["cookie"]) ?? null
    if (view === null) return null
    const caller = yield* AdmittedRoute.identify(operatorSignIn.seeing({ view, requestId }))
    yield* noteMember(caller)
    yield* Turns.next(caller.organization.org_id)
    return caller
  })

  /** The session that the browser keeps. */
  const kept = Effect.gen(function*() {
    const { requestId } = yield* RequestFacts
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    return { session: cookie.read(headers["cookie"]) ?? Redacted.make(""), requestId }
  })

  /** Lets a member in whose session it is. */
  const letIn = Effect.fnUntraced(function*(caller: MemberCaller) {
    yield* noteMember(caller)
    yield* minutes.admit(caller.member.memberId)
    yield* AdmittedRoute.letIn(claimOf(yield* HttpServerRequest.HttpServerRequest), caller.organization.org_id)
    return caller
  })

  /** The member of a session, or as whom the operator looks. */
  const admitted = Effect.gen(function*() {
    return (yield* seen) ?? (yield* letIn(yield* AdmittedRoute.identify(signIn.admit(yield* kept))))
  })

  /** Who leaves the organization, in person; SIGN_IN_REQUIRED: nobody is signed in. */
  const leaving = Effect.gen(function*() {
    if ((yield* seen) !== null) return yield* new AppDoor.ViewOnly()
    return yield* AdmittedRoute.identify(signIn.identify(yield* kept))
  })

  const operate = Effect.gen(function*() {
    const caller = yield* admitted
    const { operation: name = "" } = yield* HttpRouter.params
    const found = operationOf.get(name)
    if (found === undefined) return yield* new AppDoor.NotOffered()
    yield* Effect.fromResult(AppDoor.permit(caller, found.operation))
    const { answer, told } = yield* Receipt.listening(Effect.flatMap(PageDoor.body, found.run)).pipe(
      Effect.provideService(Counted, true),
      Effect.provideService(Caller, caller)
    )
    return AppAnswer.success(answer, told)
  })

  const look = Effect.gen(function*() {
    const link = Redacted.make(yield* PageDoor.text("link"))
    const { member, organization } = yield* signIn.lookAtLink(link)
    return AppAnswer.success({ member: member.name, organization: organization.name })
  })

  const redeem = Effect.gen(function*() {
    const { requestId } = yield* RequestFacts
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const link = Redacted.make(yield* PageDoor.text("link"))
    const { secret } = yield* signIn.redeem({ link, userAgent: headers["user-agent"] ?? null, requestId })
    return HttpServerResponse.setHeader(
      AppAnswer.success({}),
      "set-cookie",
      cookie.keep(secret, sessionLifetime)
    )
  })

  const ways = Effect.sync(() => AppAnswer.success({ issuer: Option.getOrNull(signIn.issuer) }))

  const change = Effect.gen(function*() {
    const caller = yield* letIn(yield* leaving)
    const { secret } = yield* signIn.change(caller, yield* PageDoor.text("org_id"))
    return HttpServerResponse.setHeaders(AppAnswer.success({}), {
      "set-cookie": cookie.keep(secret, sessionLifetime),
      "clear-site-data": "\"cache\""
    })
  })

  const signOut = Effect.gen(function*() {
    const leave = yield* leaving.pipe(
      Effect.tap(noteMember),
      Effect.flatMap((caller) => signIn.signOut(caller)),
      // It has ended already: what is left of it is the cookie.
      Effect.catchTag("SIGN_IN_REQUIRED", () => Effect.succeed(null))
    )
    return HttpServerResponse.setHeaders(AppAnswer.success({ leave }), {
      "set-cookie": cookie.forget,
      "clear-site-data": "\"cache\""
    })
  })

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
