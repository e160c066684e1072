/**
 * A JSON document for everyone, without a key: the same bytes at several paths, from any browser page too.
 *
 * GET and HEAD answer it, OPTIONS a browser's preflight, and another method is refused. Each counts towards the requests
 * of the address, as everything does that needs no key.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as AdmittedRoute from "./AdmittedRoute.ts"
import * as Envelope from "./Envelope.ts"
import { methodNotAllowed } from "./RequestFault.ts"
import * as RequestFrame from "./RequestFrame.ts"

const allow = "GET, HEAD, OPTIONS"

const shared = { "access-control-allow-origin": "*" }

const preflight = HttpServerResponse.empty({
  status: 204,
  headers: { ...shared, allow, "access-control-allow-methods": "GET, HEAD", "access-control-allow-headers": "*" }
})

/** `maxAge`: seconds for which it may be kept. */
export const layer = (options: {
  readonly paths: ReadonlyArray<`/${string}`>
  readonly json: string
  readonly maxAge: number
}) => {
  const document = HttpServerResponse.uint8Array(new TextEncoder().encode(options.json), {
    contentType: "application/json",
    headers: { ...shared, "cache-control": `public, max-age=${options.maxAge}` }
  })
  const answerTo = (method: string) => {
    if (method === "GET" || method === "HEAD") return document
    return method === "OPTIONS" ? preflight : Envelope.fault(methodNotAllowed(method, allow))
  }
  return HttpRouter.addAll(Effect.gen(function*() {
    const { keyless } = yield* AdmittedRoute.make
    const handler = keyless(
      HttpServerRequest.HttpServerRequest.use(({ method }) => Effect.succeed(answerTo(method)))
    )
    return options.paths.map((path) => HttpRouter.route("*", path, handler))
  })).pipe(Layer.provide(RequestFrame.layer))
}
