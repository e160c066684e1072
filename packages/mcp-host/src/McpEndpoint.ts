/**
 * The MCP endpoint as a function of one HTTP exchange, without an HTTP library: a host mounts it at `{API root}/mcp`.
 *
 * | in this order                                            | status | body                    |
 * | -------------------------------------------------------- | ------ | ----------------------- |
 * | Host that is neither the public one nor a loopback name  | 403    | REST's failure envelope |
 * | Origin that is not allowed, also `null`                  | 403    | REST's failure envelope |
 * | OPTIONS (`preflight`)                                    | 204    | none                    |
 * | a method other than POST                                 | 405    | REST's failure envelope |
 * | Accept that excludes application/json                    | 406    | REST's failure envelope |
 * | Content-Type of something else                           | 415    | REST's failure envelope |
 * | a body nested too deep, or of too many values            | 400    | -32600                  |
 * | a body that is not JSON                                  | 400    | -32700                  |
 * | everything else                                          | as `Dispatcher` | JSON-RPC       |
 *
 * `handle` is for an admitted caller whom `Toolbox.permitted` let pass, so 401, 403 and 429 come before all of it;
 * `preflight` carries no key and is for everyone. The host bounds the body before it reads it.
 *
 * *Gotchas.* Host is compared without its port. A proxy in front must pass the Host that the client dialled, or the
 * public URL must be set to the one it sends.
 */
import type { Caller } from "@freehold/core/access/Caller"
import * as JsonBounds from "@freehold/core/operation/JsonBounds"
import * as Span from "@freehold/core/operation/Span"
import { Context, Effect, Layer, Result } from "effect"
import * as Dispatcher from "./Dispatcher.ts"
import * as JsonRpc from "./JsonRpc.ts"
import * as KeptJson from "./KeptJson.ts"
import type { Headers } from "./Revision.ts"

export interface EndpointRequest {
  readonly method: string
  /** Names in lower case. */
  readonly headers: Headers
  readonly body: Uint8Array
}

export interface EndpointResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A text or its bytes in UTF-8; null: no body. */
  readonly body: string | Uint8Array | null
}

export interface EndpointSettings {
  /** What clients dial; only the host counts. */
  readonly publicUrl: string
  /** Browser origins that may call. */
  readonly allowedOrigins: ReadonlyArray<string>
  readonly serverInfo: Dispatcher.ServerInfo
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"]

const sentHeaders =
  "authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, " +
  "freehold-organization"
const readableHeaders = "www-authenticate, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset"

const hostName = (authority: string): string | undefined => URL.parse(`http://${authority}`)?.hostname

const utf8 = new TextDecoder("utf-8", { fatal: true })

const acceptsJson = (accept: string | undefined): boolean =>
  accept === undefined || accept.trim() === "" || accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.toLowerCase().split(";").map((part) => part.trim())
    return ["application/json", "application/*", "*/*"].includes(type) &&
      !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || contentType.split(";")[0]?.trim().toLowerCase() === "application/json"

/** What the bytes are as JSON, unless they are none or hold too much. */
const parse = (body: Uint8Array): Result.Result<unknown, JsonRpc.RpcError> => {
  const excess = JsonBounds.excess(body)
  return excess === null
    ? Result.try({
      try: (): unknown => JSON.parse(utf8.decode(body)),
      catch: () => new JsonRpc.RpcError({ code: JsonRpc.parseError, reason: "Parse error" })
    })
    : Result.fail(new JsonRpc.RpcError({ code: JsonRpc.invalidRequest, reason: `The request body ${excess}` }))
}

const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): EndpointResponse => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  body: KeptJson.write(body)
})

const failure = (status: number, error: string, headers: Readonly<Record<string, string>> = {}): EndpointResponse =>
  json(status, { success: false, error }, headers)

export class McpEndpoint extends Context.Service<McpEndpoint, {
  handle(request: EndpointRequest): Effect.Effect<EndpointResponse, never, Caller>
  /** Answers OPTIONS, without a caller. */
  preflight(headers: Headers): EndpointResponse
  /** What a browser needs on every answer, also on those that are given before `handle`. */
  originHeaders(headers: Headers): Readonly<Record<string, string>>
}>()("@freehold/mcp-host/McpEndpoint") {
  static readonly layer = (settings: EndpointSettings) =>
    Layer.effect(
      McpEndpoint,
      Effect.gen(function*() {
        const dispatcher = yield* Dispatcher.make(settings.serverInfo)
        const hosts = new Set([new URL(settings.publicUrl).hostname, ...loopbackNames])
        const origins = new Set(settings.allowedOrigins.map((origin) => new URL(origin).origin))

        /** Nearly all write the name as it is; any other way to write it is read as a URL's. */
        const isServed = (authority: string): boolean =>
          hosts.has(authority.replace(/:\d+$/, "")) || hosts.has(hostName(authority) ?? "")

        const refusalOf = (headers: Headers): EndpointResponse | undefined => {
          if (!isServed(headers["host"] ?? "")) return failure(403, "This host name is not served here.")
          const { origin } = headers
          return origin !== undefined && !origins.has(origin)
            ? failure(403, "This origin is not allowed.")
            : undefined
        }

        const originHeaders = ({ origin }: Headers): Readonly<Record<string, string>> =>
          origin !== undefined && origins.has(origin)
            ? {
              "access-control-allow-origin": origin,
              "access-control-expose-headers": readableHeaders,
              vary: "Origin"
            }
            : {}

        const answer = (
          { body, headers, method }: EndpointRequest
        ): Effect.Effect<EndpointResponse, never, Caller> => {
          const refused = refusalOf(headers)
          if (refused !== undefined) return Effect.succeed(refused)
          if (method !== "POST") {
            return Effect.succeed(failure(405, "This endpoint takes POST alone.", { allow: "POST" }))
          }
          if (!acceptsJson(headers["accept"])) {
            return Effect.succeed(failure(406, "This endpoint answers application/json."))
          }
          if (!isJson(headers["content-type"])) {
            return Effect.succeed(failure(415, "This endpoint takes application/json."))
          }
          const parsed = parse(body)
          if (Result.isFailure(parsed)) {
            return Effect.succeed(json(400, JsonRpc.errorResponse(null, parsed.failure)))
          }
          return dispatcher.handle(parsed.success, headers).pipe(
            Effect.provideService(JsonBounds.Counted, true),
            Effect.map(({ body: answered, status }) =>
              answered === null ? { status, headers: {}, body: null } : json(status, answered)
            )
          )
        }

        return McpEndpoint.of({
          handle: (request) =>
            Effect.suspend(() => {
              const answered = answer(request)
              // Only a browser's request has an origin.
              return request.headers["origin"] === undefined
                ? answered
                : Effect.map(answered, (response) => ({
                  ...response,
                  headers: { ...response.headers, ...originHeaders(request.headers) }
                }))
            }).pipe(Span.named("McpEndpoint.handle")),
          preflight: (headers) =>
            refusalOf(headers) ?? {
              status: 204,
              headers: {
                ...originHeaders(headers),
                "access-control-allow-methods": "POST",
                "access-control-allow-headers": sentHeaders,
                "access-control-max-age": "600"
              },
              body: null
            },
          originHeaders
        })
      })
    )
}
