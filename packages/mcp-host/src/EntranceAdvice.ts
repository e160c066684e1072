/**
 * What to do about a request that is not let in, so that nothing of its call is read: told over HTTP as over stdio. The answer has
 * REST's body there, with the step in `meta`, which takes detail beside the code. service-api "MCP endpoint".
 *
 * A key that is not known is told nothing: its answer is bare, and where people sign in its challenge says where. decisions, section 11.
 */
import { nextStep } from "./NextStep.ts"
import type { Lack } from "./ProtectedResource.ts"
import type { NextStep } from "./RefusedCall.ts"
import * as ToolResult from "./ToolResult.ts"

const noCall = { tool: "", input: {}, exampleFor: () => ({}) }

/** `lack`: what the request lacks; only a person's sign-in lacks a scope that its client can ask for. */
export const of = (refused: ToolResult.Refusal, lack: Lack | null): NextStep | undefined => {
  const { code, detail } = ToolResult.toldOf(refused)
  if (code === "UNAUTHENTICATED") return undefined
  return lack === "scope" ? { ask: "member" } : nextStep(code, { ...noCall, detail })
}
