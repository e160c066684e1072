/**
 * MCP over standard input and output, for an assistant that starts the process itself. Ends when its input ends.
 * What was asked by then is answered first.
 *
 * The SDK speaks the protocol here, both eras, one connection a process; the answers come from an `AssistantSource`. A price that
 * the caller did not agree to is asked of the person here (`CostConfirmation`), whichever the source and the era: the SDK makes of
 * one question what each revision has for it.
 *
 * *Gotchas.* Standard output belongs to the protocol: everything else, logs too, goes to standard error.
 */
import { CursorSeal } from "@freehold/core/operation/CursorSeal"
import {
  type CallToolResult,
  type InputRequiredResult,
  isCallToolResult,
  isInputRequiredResult,
  isSpecType,
  ProtocolError,
  Server
} from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { Effect, Layer, Redacted } from "effect"
import { Cipher, Mac, SecureRandom } from "effect/crypto"
import { randomBytes } from "node:crypto"
import type { Readable, Writable } from "node:stream"
import { capabilities } from "./Answers.ts"
import type { AssistantSource } from "./AssistantSource.ts"
import * as CostConfirmation from "./CostConfirmation.ts"
import type { ServerInfo } from "./Dispatcher.ts"
import { instructions } from "./Instructions.ts"
import { internalError, type Params, RpcError } from "./JsonRpc.ts"
import * as Revision from "./Revision.ts"
import { StdioConnection } from "./StdioConnection.ts"
import * as UsedAnswers from "./UsedAnswers.ts"

export interface StdioOptions {
  readonly source: AssistantSource
  readonly serverInfo: ServerInfo
  readonly input?: Readable
  readonly output?: Writable
}

const kept = { ttlMs: 300_000, cacheScope: "private" } as const

const isCallAnswer = (value: unknown): value is CallToolResult | InputRequiredResult =>
  isInputRequiredResult(value) || isCallToolResult(value)

/** What questions are sealed with: a key of this process, which asks and is answered alone. */
const seal = CursorSeal.layer(Redacted.make(randomBytes(32))).pipe(
  Layer.provide(Layer.merge(Cipher.layerWebCrypto, Mac.layerWebCrypto)),
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)

/** Serves one client and succeeds when it has gone; interrupting closes the connection. */
export const serve = Effect.fn("Stdio.serve")(function*({ input, output, serverInfo, source }: StdioOptions) {
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const { confirming } = yield* Effect.provide(CostConfirmation.make(UsedAnswers.inProcess()), seal)

  /** Runs a request's effect; the SDK answers a rejection with the error's own code. */
  const answer = <A>(
    effect: Effect.Effect<unknown, RpcError>,
    isResult: (value: unknown) => value is A,
    signal: AbortSignal
  ): Promise<A> =>
    effect.pipe(
      Effect.filterOrFail(isResult, () =>
        new RpcError({ code: internalError, reason: "Expected a result of the protocol" })),
      Effect.mapError((error) =>
        new ProtocolError(error.code, error.reason, error.data)
      ),
      (served) => run(served, { signal })
    )

  const ask = <A>(
    method: Parameters<AssistantSource["ask"]>[0],
    params: object | undefined,
    isResult: (value: unknown) => value is A,
    { signal }: { readonly signal: AbortSignal }
  ): Promise<A> => answer(source.ask(method, { ...params }), isResult, signal)

  const makeServer = () => {
    const server = new Server({ ...serverInfo }, {
      capabilities,
      instructions,
      cacheHints: {
        "tools/list": kept,
        "prompts/list": kept,
        "resources/list": kept,
        "resources/templates/list": kept,
        "resources/read": { ttlMs: 0, cacheScope: "private" }
      }
    })
    const is = isSpecType
    server.setRequestHandler(
      "tools/list",
      ({ params }, { mcpReq }) => ask("tools/list", params, is.ListToolsResult, mcpReq)
    )
    server.setRequestHandler(
      "prompts/list",
      ({ params }, { mcpReq }) => ask("prompts/list", params, is.ListPromptsResult, mcpReq)
    )
    server.setRequestHandler(
      "prompts/get",
      ({ params }, { mcpReq }) => ask("prompts/get", params, is.GetPromptResult, mcpReq)
    )
    server.setRequestHandler(
      "resources/list",
      ({ params }, { mcpReq }) => ask("resources/list", params, is.ListResourcesResult, mcpReq)
    )
    server.setRequestHandler(
      "resources/templates/list",
      ({ params }, { mcpReq }) => ask("resources/templates/list", params, is.ListResourceTemplatesResult, mcpReq)
    )
    server.setRequestHandler(
      "resources/read",
      ({ params }, { mcpReq }) => ask("resources/read", params, is.ReadResourceResult, mcpReq)
    )
    server.setRequestHandler(
      "completion/complete",
      ({ params }, { mcpReq }) => ask("completion/complete", params, is.CompleteResult, mcpReq)
    )
    server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
      const given: Params = {
        name: params.name,
        ...params.arguments === undefined ? {} : { arguments: params.arguments }
      }
      const asking = {
        by: "stdio",
        capabilities: Revision.clientCapabilities({ _meta: mcpReq.envelope }) ?? server.getClientCapabilities(),
        inputResponses: mcpReq.inputResponses,
        requestState: mcpReq.requestState()
      }
      return answer(
        confirming(given, asking, (agreed) => source.ask("tools/call", agreed)),
        isCallAnswer,
        mcpReq.signal
      )
    })
    return server
  }

  const connection = new StdioConnection(input, output)
  const handle = serveStdio(makeServer, {
    transport: connection,
    onerror: (error) => void run(Effect.logDebug("a message on standard input was not served", error))
  })
  yield* Effect.promise(() => connection.over.promise).pipe(Effect.ensuring(
    Effect.promise(() => connection.abandon().then(() => handle.close()))
  ))
})
