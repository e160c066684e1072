/**
 * The doors of the operator's area. None of them knows a member's session, and no door of members knows one of the
 * operator: they are different cookies, and their secrets are kept in different places.
 *
 * | request                                | answer                                                           |
 * | -------------------------------------- | ---------------------------------------------------------------- |
 * | POST /console/operator/OPERATION       | runs the operation for whoever is signed in as the operator      |
 * | POST /console/operator/imports/ID/N    | keeps the bytes of the body as a part of an upload, the first being 0 |
 * | POST /console/operator/sign-in/look    | whom a link would sign in; does not use it up                    |
 * | POST /console/operator/sign-in         | uses the link up, and sets the cookie of a session               |
 * | POST /console/operator/see-as          | sets the cookie of a view: the app as a member has it, read only |
 * | POST /console/operator/see-no-more     | ends the view                                                    |
 * | POST /console/operator/sign-out        | ends the session                                                 |
 */
import { NotOffered } from "@freehold/core/access/AppDoor"
import { Operator } from "@freehold/core/access/Operator"
import { operatorSessionLifetime, viewLifetime } from "@freehold/core/access/OperatorSessions"
import {
  OperatorCatalogue,
  type OperatorOperation,
  operatorOperations,
  type OperatorRunnerOf
} from "@freehold/core/catalogue/OperatorCatalogue"
import { invalid } from "@freehold/core/operation/InvalidInput"
import { Uuid } from "@freehold/core/operation/Uuid"
import { OperatorSignIn } from "@freehold/core/operator/OperatorSignIn"
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as RequestBody from "../RequestBody.ts"
import { RequestFacts } from "../RequestFacts.ts"
import * as RequestFrame from "../RequestFrame.ts"
import * as AppAnswer from "./AppAnswer.ts"
import * as PageDoor from "./PageDoor.ts"
import * as SessionCookie from "./SessionCookie.ts"

export interface OperatorOptions {
  /** What the operator dials: pages elsewhere are refused. */
  readonly origin: string
  /** What everybody else dials. Where it is another, the area is closed to whoever dialled that. */
  readonly publicOrigin: string
}

const isUuid = Schema.is(Uuid)

/** The cookies of an operator's browser. */
export const cookiesOf = (origin: string) => ({
  session: SessionCookie.make(origin, "operator"),
  view: SessionCookie.make(origin, "view")
})

const doors = Effect.fnUntraced(function*({ origin, publicOrigin }: OperatorOptions) {
  const signIn = yield* OperatorSignIn
  const { addPart, openView, run } = yield* OperatorCatalogue
  const runners = new Map<string, OperatorRunnerOf<OperatorOperation>>(
    operatorOperations.map(({ name }: OperatorOperation) => [name, run[name]])
  )
  const door = yield* PageDoor.make(origin, { onlyHost: origin !== publicOrigin })
  const cookies = cookiesOf(origin)

  /** Whoever is signed in as the operator by the request's cookie. */
  const admitted = Effect.gen(function*() {
    const { requestId } = yield* RequestFacts
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const session = cookies.session.read(headers["cookie"]) ?? Redacted.make("")
    return yield* signIn.admit({ session, requestId })
  })

  const operate = Effect.gen(function*() {
    const operator = yield* admitted
    const { operation = "" } = yield* HttpRouter.params
    const runner = runners.get(operation)
    if (runner === undefined) return yield* new NotOffered()
    return AppAnswer.success(yield* Effect.provideService(Effect.flatMap(PageDoor.body, runner), Operator, operator))
  })

  const upload = Effect.gen(function*() {
    const operator = yield* admitted
    const { id = "", number = "" } = yield* HttpRouter.params
    const bytes = yield* Effect.provideService(RequestBody.bytes, Operator, operator)
    const isPart = isUuid(id) && /^\d{1,4}$/.test(number) && bytes.length > 0
    if (!isPart || !(yield* addPart({ id: id.toLowerCase(), number: Number(number), bytes }))) {
      return yield* invalid("number", "Expected the part of an upload that comes next")
    }
    return AppAnswer.success({})
  })

  const look = Effect.gen(function*() {
    const link = Redacted.make(yield* PageDoor.text("link"))
    return AppAnswer.success({ operator: yield* signIn.lookAtLink(link) })
  })

  const redeem = Effect.gen(function*() {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const link = Redacted.make(yield* PageDoor.text("link"))
    const secret = yield* signIn.redeem({ link, userAgent: headers["user-agent"] ?? null })
    const kept = cookies.session.keep(secret, operatorSessionLifetime)
    return HttpServerResponse.setHeader(AppAnswer.success({}), "set-cookie", kept)
  })

  const seeAs = Effect.gen(function*() {
    const operator = yield* admitted
    const secret = yield* Effect.provideService(Effect.flatMap(PageDoor.body, openView), Operator, operator)
    return HttpServerResponse.setHeaders(AppAnswer.success({}), {
      "set-cookie": cookies.view.keep(secret, viewLifetime),
      "clear-site-data": "\"cache\""
    })
  })

  const seeNoMore = Effect.gen(function*() {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    yield* signIn.endView(cookies.view.read(headers["cookie"]) ?? Redacted.make(""))
    return HttpServerResponse.setHeaders(AppAnswer.success({}), {
      "set-cookie": cookies.view.forget,
      "clear-site-data": "\"cache\""
    })
  })

  const signOut = Effect.gen(function*() {
    yield* signIn.signOut(yield* admitted)
    return HttpServerResponse.setHeaders(AppAnswer.success({}), {
      "set-cookie": cookies.session.forget,
      "clear-site-data": "\"cache\""
    })
  })

  return [
    door("/console/operator/imports/:id/:number", upload),
    door("/console/operator/sign-in/look", look),
    door("/console/operator/sign-in", redeem),
    door("/console/operator/see-as", seeAs),
    door("/console/operator/see-no-more", seeNoMore),
    door("/console/operator/sign-out", signOut),
    door("/console/operator/:operation", operate)
  ]
})

/** The routes of the operator's area. */
export const layer = (options: OperatorOptions) =>
  HttpRouter.addAll(doors(options)).pipe(Layer.provide(RequestFrame.layer))
