/**
 * MCP over standard input and output, for an assistant that starts the process itself. Ends when its input ends.
 *
 * The SDK speaks the protocol here, both eras, one connection a process; the tools come from a `ToolSource`.
 *
 * *Gotchas.* Standard output belongs to the protocol: everything else, logs too, goes to standard error. The SDK drops
 * the answers of requests that are still running when the input ends, so a client keeps it open until it has read them.
 */
import { isCallToolResult, isSpecType, ProtocolError, Server } from "@modelcontextprotocol/server"
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { Effect } from "effect"
import type { Readable, Writable } from "node:stream"
import type { ServerInfo } from "./Dispatcher.ts"
import { instructions } from "./Instructions.ts"
import { internalError, RpcError } from "./JsonRpc.ts"
import type { ToolSource } from "./ToolSource.ts"

/** Tells when the connection is over, from whichever side it was closed. */
class Connection extends StdioServerTransport {
  readonly over = Promise.withResolvers<void>()

  override close(): Promise<void> {
    return super.close().finally(this.over.resolve)
  }
}

export interface StdioOptions {
  readonly source: ToolSource
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
      (_request, { mcpReq }) => answer(source.list, isSpecType.ListToolsResult, mcpReq.signal)
    )
    server.setRequestHandler(
      "tools/call",
      ({ params }, { mcpReq }) => answer(source.call(params.name, params.arguments), isCallToolResult, mcpReq.signal)
    )
    return server
  }

  const connection = new Connection(input, output)
  const handle = serveStdio(makeServer, {
    transport: connection,
    onerror: (error) => void run(Effect.logDebug("a message on standard input was not served", error))
  })
  yield* Effect.promise(() => connection.over.promise).pipe(Effect.ensuring(Effect.promise(() => handle.close())))
})
