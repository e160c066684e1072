/**
 * Where an MCP server over stdio gets its tools from: this process, or a running server.
 *
 * Results are in the protocol's plain shape, as `tools/list` and `tools/call` answer.
 */
import type { Effect } from "effect"
import type { RpcError } from "./JsonRpc.ts"

export interface ToolSource {
  readonly list: Effect.Effect<unknown, RpcError>
  readonly call: (name: string, input: unknown) => Effect.Effect<unknown, RpcError>
}
