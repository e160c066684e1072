/**
 * Which pages of browsers may call REST: those of the origins that the operator allows.
 *
 * An allowed origin is answered by its name, never by `*` and never with credentials, since a call is authorized by its key
 * and by no cookie. Any other origin gets no header, so that its browser keeps the answer from it. The MCP endpoint has a
 * list of its own (`FREEHOLD_ALLOWED_ORIGINS`), and what is public (documents, pages) says so itself.
 */
import { Context } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { apiRoot } from "./Routes.ts"

/** Origins, such as `https://app.example.com`. */
export const AllowedOrigins = Context.Reference<ReadonlyArray<string>>("@freehold/http-host/Cors/AllowedOrigins", {
  defaultValue: () => []
})

/** What an answer tells beside its body. */
const readable = [
  "Deprecation",
  "Idempotency-Replayed",
  "Link",
  "Retry-After",
  "Service-Credits-Charged",
  "Service-Credits-Remaining",
  "Service-Delivery-Id",
  "Service-Request-Id",
  "Service-Version",
  "Sunset",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset"
].join(", ")

const sendable = "Authorization, Content-Type, Idempotency-Key"

/** Seconds for which a browser need not ask again. */
const maxAge = "600"

const isRest = (url: string): boolean => {
  const path = url.split("?")[0] ?? ""
  return path.startsWith(`${apiRoot}/`) && path !== `${apiRoot}/mcp`
}

const none: Readonly<Record<string, string>> = {}

/** The headers that go with the answer to this request. */
export const headersOf = (
  origins: ReadonlyArray<string>,
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): Readonly<Record<string, string>> => {
  if (origins.length === 0 || !isRest(request.url) || "access-control-allow-origin" in response.headers) return none
  const { headers, method } = request
  const { origin } = headers
  const { allow, vary } = response.headers
  // What is kept on the way is not for another origin.
  const varied = { vary: vary === undefined ? "Origin" : `${vary}, Origin` }
  if (origin === undefined || !origins.includes(origin)) return varied
  const shared = { ...varied, "access-control-allow-origin": origin, "access-control-expose-headers": readable }
  return method === "OPTIONS" && allow !== undefined && headers["access-control-request-method"] !== undefined
    ? {
      ...shared,
      "access-control-allow-methods": allow,
      "access-control-allow-headers": sendable,
      "access-control-max-age": maxAge
    }
    : shared
}
