/** Doors that only a POST from a page of this origin opens. Whatever is refused is answered as the app's pages read it. */
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import * as AdmittedRoute from "../AdmittedRoute.ts"
import * as Envelope from "../Envelope.ts"
import * as Refused from "../Refused.ts"
import * as RequestBody from "../RequestBody.ts"
import { methodNotAllowed, type RequestFault } from "../RequestFault.ts"
import * as AppAnswer from "./AppAnswer.ts"
import { isSameOrigin } from "./SameOrigin.ts"

/** The JSON object that the body is; without one, an empty one. To be read for whoever is let in (`RequestBody`). */
export const body = Effect.map(
  RequestBody.jsonObject,
  Option.getOrElse((): Readonly<Record<string, unknown>> => ({}))
)

/** The text of a field of a body, which is short; anything else is as good as none. */
export const text = (field: string) =>
  Effect.map(RequestBody.shortJsonObject, (body) => {
    const value = Option.getOrUndefined(body)?.[field]
    return typeof value === "string" ? value : ""
  })

/** Doors of an origin. `onlyHost`: nobody who dialled another host is let in. */
export const make = Effect.fnUntraced(function*(origin: string, { onlyHost = false } = {}) {
  const { keyless } = yield* AdmittedRoute.make
  const { host } = new URL(origin)

  return <E extends AppAnswer.AppRefusal, R>(
    path: `/${string}`,
    handle: Effect.Effect<HttpServerResponse.HttpServerResponse, E | RequestFault, R>
  ) =>
    HttpRouter.route(
      "*",
      path,
      keyless(
        Effect.gen(function*() {
          const { headers, method } = yield* HttpServerRequest.HttpServerRequest
          if (method !== "POST") return Envelope.fault(methodNotAllowed(method, "POST"))
          if (!isSameOrigin(headers, origin) || onlyHost && headers["host"] !== host) return AppAnswer.foreign
          return yield* handle.pipe(
            Effect.catch((refused) =>
              Effect.succeed(refused._tag === "RequestFault" ? AppAnswer.fault(refused) : AppAnswer.refusal(refused))
            )
          )
        }),
        (refused) => Refused.answerWith(refused, AppAnswer.refusal(refused))
      )
    )
})
