import { restOverRest, type Tool, tools } from "@freehold/mcp-host/Tools"
import { assert, describe, it } from "vitest"
import { routeOf } from "./RestTwin.ts"

describe("what a tool says of a result that was cut", () => {
  it("points to the REST API only where it answers the same", () => {
    const without = tools
      .filter((tool: Tool) => tool.rest === restOverRest && routeOf(tool) === undefined)
      .map(({ operation: { name } }) => name)
    assert.deepStrictEqual(without, [])
  })
})
