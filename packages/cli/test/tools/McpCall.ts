/** One call of a tool of a running server, by whoever the bearer is. */
import type { Told } from "../../testing/EveryTool.ts"

/** Calls a tool of the server at that API root; answers what it tells, refusals included. */
export const callTool = async (root: string, bearer: string, name: string, input: object): Promise<Told> => {
  const response = await fetch(`${root}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } })
  })
  const body: Told = await response.json()
  if (body.result === undefined) throw new Error(`${name}: ${JSON.stringify(body)}`)
  return body.result.structuredContent
}
