/**
 * What an assistant over stdio is answered when it is not let in: by a limit, a key that is not known, a server that is away.
 *
 * Calls are refused with the code. Lists are answered all the same (as they stand in this program), since an assistant
 * that gets no list gives the connection up, and would not come back when the minute is over or the key is good.
 */
import { Effect } from "effect"
import { type Method, published } from "./Answers.ts"
import { internalError, RpcError } from "./JsonRpc.ts"
import { templates } from "./Resources.ts"
import type { ToolResult } from "./ToolResult.ts"
import { tools } from "./Tools.ts"

const lists: Partial<Record<Method, object>> = {
  "tools/list": { tools: tools.map((tool) => tool.published) },
  "prompts/list": published,
  "resources/list": { resources: [] },
  "resources/templates/list": { resourceTemplates: templates }
}

const said = ({ content }: ToolResult): string => content.map(({ text }) => text).join(" ")

/** What the method answers under a refusal, which is told in the log as well. */
export const answer = (method: Method, refusal: ToolResult): Effect.Effect<object, RpcError> => {
  const list = lists[method]
  if (list !== undefined) return Effect.as(Effect.logWarning(said(refusal)), list)
  return method === "tools/call"
    ? Effect.succeed(refusal)
    : Effect.fail(new RpcError({ code: internalError, reason: said(refusal), data: refusal.structuredContent }))
}
