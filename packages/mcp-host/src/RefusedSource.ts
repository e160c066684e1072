/**
 * What an assistant over stdio is answered when it is not let in: by a limit, a key that is not known, a server that is away.
 *
 * Calls are refused with the code and the next step. Lists are answered all the same (as they stand in this program), since an assistant
 * that gets no list gives the connection up, and would not come back when the minute is over or the key is good.
 */
import { Effect, Predicate } from "effect"
import { type Method, published } from "./Answers.ts"
import { internalError, type Params, RpcError } from "./JsonRpc.ts"
import { templates } from "./Resources.ts"
import * as ToolResult from "./ToolResult.ts"
import { tools } from "./Tools.ts"

const lists: Partial<Record<Method, object>> = {
  "tools/list": { tools: tools.map((tool) => tool.published) },
  "prompts/list": published,
  "resources/list": { resources: [] },
  "resources/templates/list": { resourceTemplates: templates }
}

/** Where the key of this program stands: nobody sends a header here. */
const noKey = "A valid API key is required: this program takes it from its environment variable FREEHOLD_API_KEY."

/** The call of a tool as it was asked; undefined: of none that this program knows. */
const callOf = ({ arguments: given, name }: Params) => {
  const tool = tools.find(({ published }) => published.name === name)
  if (tool === undefined) return undefined
  const { exampleFor, published } = tool
  return { tool: published.name, input: Predicate.isObject(given) ? { ...given } : {}, exampleFor }
}

/** What the method answers under a refusal, which is told in the log as well. */
export const answer = (method: Method, params: Params, told: ToolResult.Told): Effect.Effect<object, RpcError> => {
  const refused = told.code === "UNAUTHENTICATED" ? { ...told, error: noKey } : told
  const list = lists[method]
  if (list !== undefined) return Effect.as(Effect.logWarning(refused.error), list)
  if (method === "tools/call") return Effect.succeed(ToolResult.refusal(refused, callOf(params)))
  const { structuredContent: data } = ToolResult.refusal(refused)
  return Effect.fail(new RpcError({ code: internalError, reason: refused.error, data }))
}
