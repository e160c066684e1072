/**
 * MCP over standard input and output, for an assistant that starts the process itself. Ends when its input ends.
 * What was asked by then is answered first.
 *
 * The SDK speaks the protocol here, both eras, one connection a process; the answers come from an `AssistantSource`.
 *
 * *Gotchas.* Standard output belongs to the protocol: everything else, logs too, goes to standard error.
 */
import { isCallToolResult, isSpecType, ProtocolError, Server } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { Effect } from "effect"
import type { Readable, Writable } from "node:stream"
import type { AssistantSource } from "./AssistantSource.ts"
import type { ServerInfo } from "./Dispatcher.ts"
import { instructions } from "./Instructions.ts"
import { internalError, RpcError } from "./JsonRpc.ts"
import { StdioConnection } from "./StdioConnection.ts"

export interface StdioOptions {
  readonly source: AssistantSource
  readonly serverInfo: ServerInfo
  readonly input?: Readable
  readonly output?: Writable
}

/** Serves one client and succeeds when it has gone; interrupting closes the connection. */
export const serve = Effect.fn("Stdio.serve")(function*({ input, output, serverInfo, source }: StdioOptions) {
  const run = Effect.runPromiseWith(yield* Effect.context<never>())

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

  const makeServer = () => {
    const server = new Server({ ...serverInfo }, {
      capabilities: { tools: { listChanged: false } },
      instructions,
      cacheHints: { "tools/list": { ttlMs: 300_000, cacheScope: "private" } }
    })
    server.setRequestHandler(
      "tools/list",
      (_request, { mcpReq }) => answer(source.ask("tools/list", {}), isSpecType.ListToolsResult, mcpReq.signal)
    )
    server.setRequestHandler(
      "tools/call",
      ({ params }, { mcpReq }) => answer(source.ask("tools/call", params), isCallToolResult, mcpReq.signal)
    )
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
