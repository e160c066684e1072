/** Resources that take more than one reading. */
import { assert, describe, it } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import * as Resources from "@freehold/mcp-host/Resources"
import type { Toolbox } from "@freehold/mcp-host/Toolbox"
import * as ToolResult from "@freehold/mcp-host/ToolResult"
import { Effect } from "effect"
import * as StubCatalogue from "./StubCatalogue.ts"

/** A ledger of two pages; each tells what it was asked for. */
const toolbox: Toolbox["Service"] = {
  list: () => [],
  mayRead: () => true,
  call: () => Effect.die("no tool is called"),
  read: (_, input) =>
    Effect.succeed(ToolResult.success({ entries: [input], next_cursor: "cursor" in input ? null : "116" }))
}

const read = (uri: string) =>
  Resources.read(toolbox, uri).pipe(
    Effect.map(({ contents: [content] }): ReturnType<typeof JSON.parse> =>
      JSON.parse(content !== undefined && "text" in content ? content.text : "")
    ),
    Effect.provideService(Caller, StubCatalogue.caller)
  )

describe("a record that is refused", () => {
  it.effect("is told again by the beginning of its URI", () =>
    Effect.gen(function*() {
      const refusing: Toolbox["Service"] = {
        ...toolbox,
        call: () =>
          Effect.succeed(ToolResult.refusal({ code: "NOT_FOUND", error: "There is no such property", detail: {} }))
      }
      const uri = `freehold://properties/${"x".repeat(2000)}`
      const { data } = yield* Effect.flip(Resources.read(refusing, uri)).pipe(
        Effect.provideService(Caller, StubCatalogue.caller)
      )
      assert.deepInclude(data, { uri: `${uri.slice(0, 100)}…` })
    }))
})

describe("the ledger of a month", () => {
  it.effect("goes on at the URI that it tells, as long as there is more", () =>
    Effect.gen(function*() {
      const first = yield* read("freehold://ledger/2026-11")
      assert.strictEqual(first.next_uri, "freehold://ledger/2026-11?cursor=116")
      const second = yield* read(first.next_uri)
      assert.deepInclude(second.entries[0], { cursor: "116", since: "2026-11-01T00:00:00.000Z" })
      assert.notProperty(second, "next_uri")
      for (
        const uri of [
          "freehold://contacts/x?cursor=1",
          "freehold://ledger/2026-11?cursor=%",
          "freehold://ledger/2026-11?x=1"
        ]
      ) {
        assert.strictEqual((yield* Effect.flip(read(uri))).code, -32602, uri)
      }
    }))
})
