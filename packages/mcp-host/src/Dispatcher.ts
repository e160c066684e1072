/**
 * The protocol without a transport: one parsed JSON-RPC message in, one status and body out. Stateless in every era.
 *
 * | situation                                     | status | answer                            |
 * | --------------------------------------------- | ------ | --------------------------------- |
 * | no JSON-RPC message, or a batch               | 400    | -32600                            |
 * | a notification                                | 202    | nothing                           |
 * | a request that contradicts its revision       | 400    | -32602, -32020 or -32022          |
 * | an unknown method                             | 200    | -32601; modern: 404               |
 * | no name, or arguments that are no object      | 200    | -32602                            |
 * | a tool's answer, its refusal or its failure   | 200    | `Toolbox`                         |
 */
import { Caller } from "@freehold/core/access/Caller"
import { excerpt } from "@freehold/core/operation/Excerpt"
import * as Span from "@freehold/core/operation/Span"
import { Effect, Option, Predicate, Result } from "effect"
import { Answers, capabilities, isMethod } from "./Answers.ts"
import * as CostConfirmation from "./CostConfirmation.ts"
import { instructions } from "./Instructions.ts"
import * as JsonRpc from "./JsonRpc.ts"
import * as Revision from "./Revision.ts"
import * as UsedAnswers from "./UsedAnswers.ts"

/** The name and version that the server gives itself. */
export interface ServerInfo {
  readonly name: string
  readonly version: string
}

export interface Answer {
  readonly status: 200 | 202 | 400 | 404
  /** null: no body. */
  readonly body: object | null
}

/** How long a client may keep a list or the server's description, for this credential alone. */
const cache = { ttlMs: 300_000, cacheScope: "private" }

/** What a client may keep: lists, and the pages of this host. Records are read anew. */
const kept = (method: string): object =>
  method.endsWith("/list") ? cache : method === "resources/read" ? { ttlMs: 0, cacheScope: "private" } : {}

const parametersOf = (request: JsonRpc.Request): JsonRpc.Params => Option.getOrElse(request.params, () => ({}))

const unknownMethod = (method: string) =>
  new JsonRpc.RpcError({ code: JsonRpc.methodNotFound, reason: `Method not found: ${excerpt(method)}` })

export const make = Effect.fnUntraced(function*(serverInfo: ServerInfo) {
  const { answer: answerMethod } = yield* Answers
  const { confirming } = yield* CostConfirmation.make(yield* UsedAnswers.kept)

  /** A tool's call by a client that may have been asked about its price, and that can be. */
  const call = Effect.fnUntraced(function*(params: JsonRpc.Params) {
    const { credentialId: by } = yield* Caller
    const { inputResponses, requestState } = params
    const asking = { by, capabilities: Revision.clientCapabilities(params), inputResponses, requestState }
    return yield* confirming(params, asking, (given) => answerMethod("tools/call", given))
  })

  const common = (request: JsonRpc.Request): Effect.Effect<object, JsonRpc.RpcError, Caller> =>
    isMethod(request.method) ? answerMethod(request.method, parametersOf(request)) : unknownMethod(request.method)

  const modern = (request: JsonRpc.Request): Effect.Effect<object, JsonRpc.RpcError, Caller> =>
    request.method === "server/discover"
      ? Effect.succeed({ supportedVersions: Revision.supportedRevisions, capabilities, instructions, ...cache })
      : Effect.map(
        request.method === "tools/call" ? call(parametersOf(request)) : common(request),
        (result) => ({ ...result, ...kept(request.method) })
      )

  const plain = (request: JsonRpc.Request): Effect.Effect<object, JsonRpc.RpcError, Caller> => {
    switch (request.method) {
      case "initialize":
        return Effect.succeed({
          protocolVersion: Revision.negotiate(parametersOf(request)["protocolVersion"]),
          capabilities,
          serverInfo,
          instructions
        })
      case "ping":
        return Effect.succeed({})
      default:
        return common(request)
    }
  }

  const answer = (request: JsonRpc.Request, era: Revision.Era) =>
    era === "modern"
      ? Effect.map(modern(request), (result) => ({
        resultType: "complete",
        ...result,
        _meta: {
          ...("_meta" in result && Predicate.isObject(result._meta) ? result._meta : {}),
          [Revision.serverInfoKey]: serverInfo
        }
      }))
      : plain(request)

  /** Answers one message for the caller in context. `headers` have lower-case names. */
  const handle = (body: unknown, headers: Revision.Headers): Effect.Effect<Answer, never, Caller> => {
    const message = JsonRpc.read(body)
    if (message._tag === "Notification") return Effect.succeed({ status: 202, body: null })
    if (message._tag === "Invalid") {
      const error = new JsonRpc.RpcError({ code: JsonRpc.invalidRequest, reason: "Expected one JSON-RPC 2.0 request" })
      return Effect.succeed({ status: 400, body: JsonRpc.errorResponse(message.id, error) })
    }
    const { request } = message
    const era = Revision.eraOf(request, headers)
    if (Result.isFailure(era)) {
      return Effect.succeed({ status: 400, body: JsonRpc.errorResponse(request.id, era.failure) })
    }
    return answer(request, era.success).pipe(
      Effect.match({
        onSuccess: (result): Answer => ({ status: 200, body: JsonRpc.resultResponse(request.id, result) }),
        onFailure: (error): Answer => ({
          status: era.success === "modern" && error.code === JsonRpc.methodNotFound ? 404 : 200,
          body: JsonRpc.errorResponse(request.id, error)
        })
      }),
      Span.annotated({ method: excerpt(request.method), era: era.success }),
      Span.named("Dispatcher.handle")
    )
  }

  return { handle }
})

export type Dispatcher = Effect.Success<ReturnType<typeof make>>
