/** REST and the tools, by their tables: the same answer by either door, and hints that are true of what is stored. */
import { assert, describe, layer } from "@effect/vitest"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import { type Tool, tools } from "@freehold/mcp-host/Tools"
import { Effect } from "effect"
import { requestOf, routeOf, shownOf } from "./RestTwin.ts"
import { ask, ids, layer as host, rest } from "./ToolHost.ts"

/** Arguments of the tool's own example, about records that are there. */
const given = ({ exampleFor, published: { name } }: Tool): Record<string, unknown> => {
  const about = name.includes("contact") ? ids.contact : ids.first
  const known: Readonly<Record<string, unknown>> = {
    id: about,
    property_id: ids.first,
    contact_id: ids.contact,
    property_ids: [ids.first],
    query: "Sample"
  }
  return Object.fromEntries(Object.entries(exampleFor({})).map(([key, value]) => [key, known[key] ?? value]))
}

const called = (tool: Tool) => ask("tools/call", { name: tool.published.name, arguments: given(tool) }, "twins")

/** Reads, which can be asked by both doors one after the other. */
const twins = tools.flatMap((tool: Tool) => {
  const route = routeOf(tool)
  return route === undefined || tool.operation.effect !== "read" ? [] : [{ tool, route, name: tool.published.name }]
})

/** Without the requests of the credential, which each of the two raises. */
const uncounted = ({ rate_limits: _, ...data }: Readonly<Record<string, unknown>>) => data

const reading = tools.filter(({ operation }: Tool) => operation.effect === "read")

layer(host)("the table of routes and the table of tools", (it) => {
  describe("the same arguments", () => {
    it.effect.each(twins)("have one answer by REST and by $name", ({ route, tool }) =>
      Effect.gen(function*() {
        const { body, path } = requestOf(route, given(tool))
        const answered = yield* rest(path, body, "twins")
        const { isError, structuredContent } = yield* called(tool)
        if (isError === true) {
          assert.strictEqual(answered.body.success, false, JSON.stringify(structuredContent))
          assert.deepStrictEqual(answered.body.error, structuredContent.error)
        } else {
          const shown = JSON.parse(JSON.stringify(shownOf(route, structuredContent)))
          // What a tool leaves out REST shows with null.
          assert.deepStrictEqual(uncounted(tool.show(answered.body.data)), uncounted(shown))
        }
      }))
  })

  describe("what reads", () => {
    it.effect.each(reading.map((tool: Tool) => ({ tool, name: tool.published.name })))(
      "changes nothing that is stored: $name",
      ({ tool }) =>
        Effect.gen(function*() {
          assert.isTrue(tool.published.annotations.readOnlyHint)
          assert.isFalse(tool.published.annotations.destructiveHint)
          const state = yield* MemoryState
          // Requests are counted, whatever they ask.
          const stored = () => {
            const { days: _, windows: __, ...rest } = structuredClone(state)
            return rest
          }
          const before = stored()
          yield* called(tool)
          assert.deepStrictEqual(stored(), before)
        })
    )
  })
})
