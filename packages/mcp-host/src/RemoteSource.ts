/**
 * The answers of a running server, forwarded one request each, as the organization key that it was given.
 *
 * Speaks the bare shape of the protocol: no handshake, no session. What the server refuses outside of JSON-RPC (no key, a
 * limit, a suspended organization) and a server that cannot be reached are tool errors with a code (`RefusedSource`). Redirects are not
 * followed, because the key would go with them.
 */
import { Duration, Effect, Predicate, Redacted, Result, Schema } from "effect"
import type { AssistantSource } from "./AssistantSource.ts"
import { type Params, RpcError } from "./JsonRpc.ts"
import * as RefusedSource from "./RefusedSource.ts"
import * as ToolResult from "./ToolResult.ts"

const deadline = Duration.minutes(2)

/** The server gave no usable answer. */
class ServerUnreachable extends Schema.TaggedError<ServerUnreachable>()("TEMPORARILY_UNAVAILABLE", {
  url: Schema.String
}) {
  override get message() {
    return `The server at ${this.url} gave no usable answer. Check that it runs, and the address: that of an API ends in /v1.`
  }
}

/** REST's failure envelope, which the server uses before JSON-RPC begins. */
class ServerRefused extends Schema.TaggedError<ServerRefused>()("ServerRefused", {
  code: Schema.String,
  error: Schema.String,
  detail: Schema.Record(Schema.String, Schema.Unknown)
}) {
  override get message() {
    return this.error
  }
}

const toldOf = (refused: ServerRefused | ServerUnreachable): ToolResult.Told =>
  refused._tag === "ServerRefused"
    ? { code: refused.code, error: refused.error, detail: refused.detail }
    : ToolResult.toldOf(refused)

const refusedOf = (status: number, body: Readonly<Record<PropertyKey, unknown>>) => {
  const { code = body["code"], ...detail } = {
    code: undefined,
    ...Predicate.isReadonlyObject(body["meta"]) ? body["meta"] : {}
  }
  return new ServerRefused({
    code: typeof code === "string" ? code : status === 401 ? "UNAUTHENTICATED" : `HTTP_${status}`,
    error: typeof body["error"] === "string" ? body["error"] : `The server answered with status ${status}.`,
    detail
  })
}

/** `url` is the API root, as in `https://host/v1`, or that of its MCP endpoint below it. */
export const make = (url: string, key: Redacted.Redacted): AssistantSource => {
  const endpoint = `${url.replace(/(\/mcp)?\/*$/, "")}/mcp`
  const unreachable = () => new ServerUnreachable({ url: endpoint })

  const post = (method: string, params: Params) =>
    Effect.tryPromise({
      try: (signal) =>
        fetch(endpoint, {
          method: "POST",
          redirect: "error",
          signal,
          headers: {
            authorization: `Bearer ${Redacted.value(key)}`,
            "content-type": "application/json",
            accept: "application/json"
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
        }).then((response) => response.text().then((text) => ({ status: response.status, text }))),
      catch: unreachable
    }).pipe(Effect.timeoutOrElse({ duration: deadline, orElse: () => Effect.fail(unreachable()) }))

  const send = Effect.fnUntraced(function*(method: string, params: Params) {
    const { status, text } = yield* post(method, params)
    const body = Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))
    if (!Predicate.isReadonlyObject(body)) return yield* unreachable()
    const { error, result } = body
    if (Predicate.isReadonlyObject(error) && typeof error["code"] === "number") {
      return yield* new RpcError({ code: error["code"], reason: String(error["message"]), data: error["data"] })
    }
    if (status === 404) return yield* unreachable()
    return status === 200 && Predicate.isObject(result) ? result : yield* refusedOf(status, body)
  })

  return {
    ask: (method, params) =>
      Effect.catchTag(
        send(method, params),
        ["ServerRefused", "TEMPORARILY_UNAVAILABLE"],
        (refused) => RefusedSource.answer(method, params, toldOf(refused))
      )
  }
}
