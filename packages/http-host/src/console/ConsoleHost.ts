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
import { OperatorSignIn } from "@freehold/core/access/OperatorSignIn"
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
import * as MemberLimiter from "@freehold/core/rate/MemberLimiter"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { claimOf } from "../GatheredRequest.ts"
import * as KnownCallers from "../KnownCallers.ts"
import { RequestFacts } from "../RequestFacts.ts"
import * as RequestFrame from "../RequestFrame.ts"
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

  /** The member of a session, or as whom the operator looks: whoever does sees nothing of a session of their own. */
  const admitted = Effect.gen(function*() {
    const { requestId } = yield* RequestFacts
    const request = yield* HttpServerRequest.HttpServerRequest
    const { headers } = request
    const view = viewCookie?.read(headers["cookie"]) ?? null
    if (view !== null) {
      const seen = yield* operatorSignIn.seeing({ view, requestId })
      yield* noteMember(seen)
      return seen
    }
    const session = cookie.read(headers["cookie"]) ?? Redacted.make("")
    const caller = yield* signIn.admit({ session, requestId })
    yield* noteMember(caller)
    KnownCallers.ofProcess.remember(claimOf(request), caller.organization.org_id)
    yield* minutes.admit(caller.member.memberId)
    return caller
  })

  /** The member of a session, in person. */
  const acting = Effect.gen(function*() {
    const caller = yield* admitted
    return caller.seenBy === undefined ? caller : yield* new AppDoor.ViewOnly()
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
    const caller = yield* acting
    const { secret } = yield* signIn.change(caller, yield* PageDoor.text("org_id"))
    return HttpServerResponse.setHeaders(AppAnswer.success({}), {
      "set-cookie": cookie.keep(secret, sessionLifetime),
      "clear-site-data": "\"cache\""
    })
  })

  const signOut = Effect.gen(function*() {
    const leave = yield* signIn.signOut(yield* acting)
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
