/**
 * What to do about a request that is not let in, so that nothing of its call is read: told over HTTP as over stdio. The answer has
 * REST's body there, whose `meta` takes detail beside the code. service-api "MCP endpoint".
 *
 * A key that is not known is told nothing: its answer is bare, and where people sign in its challenge says where. decisions, section 11.
 */
import { nextStep, sentence } from "./NextStep.ts"
import type { Lack } from "./ProtectedResource.ts"
import type { NextStep } from "./RefusedCall.ts"
import * as ToolResult from "./ToolResult.ts"

export interface Advice {
  readonly next: NextStep
  /** Empty where the refusal's own sentence says it. */
  readonly sentence: string
}

const noCall = { tool: "", input: {}, exampleFor: () => ({}) }

/** `lack`: what the request lacks; only a person's sign-in lacks a scope that its client can ask for. */
export const of = (refused: ToolResult.Refusal, lack: Lack | null): Advice | undefined => {
  const { code, detail, error: said } = ToolResult.toldOf(refused)
  if (code === "UNAUTHENTICATED") return undefined
  const next: NextStep | undefined = lack === "scope" ? { ask: "member" } : nextStep(code, { ...noCall, detail })
  return next === undefined ? undefined : { next, sentence: sentence(next, { code, said }) }
}
