/**
 * Where an MCP server over stdio gets its answers from: this process, or a running server.
 *
 * Results are in the protocol's plain shape, as the methods of `Answers` have it.
 */
import type { Effect } from "effect"
import type { Method } from "./Answers.ts"
import type { Params, RpcError } from "./JsonRpc.ts"

export interface AssistantSource {
  readonly ask: (method: Method, params: Params) => Effect.Effect<object, RpcError>
}
