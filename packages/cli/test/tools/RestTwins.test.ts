import { routes } from "@freehold/http-host/Routes"
import { restOverRest, tools } from "@freehold/mcp-host/Tools"
import { assert, describe, it } from "vitest"

describe("what a tool says of a result that was cut", () => {
  it("points to the REST API only where it answers the same", () => {
    const endpoints = new Set(
      routes.flatMap(({ method, operation, path }) => [operation.name, `${method} ${path}`])
    )
    // GET /notes has an operation of its own.
    const twins: Readonly<Record<string, string>> = { service_list_notes: "GET /notes" }
    const without = tools
      .filter(({ rest }) => rest === restOverRest)
      .map(({ operation: { name } }) => twins[name] ?? name)
      .filter((name) => !endpoints.has(name))
    assert.deepStrictEqual(without, [])
  })
})
