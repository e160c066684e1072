/** What an assistant is offered besides tools: prompts, completion, resources and the property card. */
import { assert, describe, layer } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import { property, Seeder } from "@freehold/core/testing/Seed"
import { Answers, type Method } from "@freehold/mcp-host/Answers"
import type { Params } from "@freehold/mcp-host/JsonRpc"
import { prompts } from "@freehold/mcp-host/Prompts"
import { Effect } from "effect"
import { Script } from "node:vm"
import * as Research from "./ResearchScene.ts"
import { ask, counties, ids, layer as host, tool } from "./ToolHost.ts"

const complete = (ref: object, name: string, value: string) =>
  Effect.map(ask("completion/complete", { ref, argument: { name, value } }), ({ completion }) => completion)

const read = (uri: string, tenant: "one" | "twins" = "one") => ask("resources/read", { uri }, tenant)

layer(host)("assistants", (it) => {
  describe("prompts", () => {
    it.effect("are five, and each becomes a message with what was filled in", () =>
      Effect.gen(function*() {
        const { prompts: listed } = yield* ask("prompts/list", {}, "watching")
        assert.lengthOf(listed, 5)
        for (const { arguments: expected, name } of prompts) {
          const given = Object.fromEntries(
            expected.map((each) => [each.name, each.name === "month" ? "2026-03" : `a "${each.name}"`])
          )
          const { messages: [message] } = yield* ask("prompts/get", { name, arguments: given }, "watching")
          for (const [argument, each] of Object.entries(given)) {
            assert.include(
              message.content.text,
              argument === "month" ? `freehold://ledger/${each}` : JSON.stringify(each)
            )
          }
          assert.strictEqual(message.role, "user")
        }
      }))

    it.effect("are not about changes where none are recorded", () =>
      Effect.gen(function*() {
        const { prompts: listed } = yield* ask("prompts/list")
        assert.lengthOf(listed, 4)
        assert.notInclude(listed.map(({ name }: { readonly name: string }) => name), "weekly_changes")
        const refused = yield* ask("prompts/get", { name: "weekly_changes" })
        assert.deepInclude(refused, { code: -32602 })
        assert.include(refused.message, "not switched on")
        for (const { name } of listed) {
          const given = {
            county: "Dallas, TX",
            looking_for: "offices",
            property: "p-1",
            contact: "A Person",
            month: "2026-03"
          }
          const { messages: [message] } = yield* ask("prompts/get", { name, arguments: given })
          assert.notInclude(message.content.text, "service_get_changes", name)
        }
      }))

    it.effect("name no tool that is not for whoever picks them", () =>
      Effect.gen(function*() {
        const given = {
          county: "Dallas, TX",
          looking_for: "offices",
          list: "Mine",
          property: "p-1",
          contact: "A Person"
        }
        const reader = Research.person("rich", "Reader", { role: "read_only" })
        const answered = (method: Method, params: Params = {}) =>
          Answers.use(({ answer }) => answer(method, params)).pipe(
            Effect.provideService(Caller, reader),
            Effect.provide(Answers.layer),
            // Of any shape, as what a key is answered with.
            Effect.map((told): ReturnType<typeof JSON.parse> => told)
          )
        const callers = [
          (method: Method, params?: Params) => ask(method, params, "gated"),
          (method: Method, params?: Params) => ask(method, params, "bare"),
          answered
        ]
        for (const of of callers) {
          const { tools } = yield* of("tools/list")
          const names = new Set(tools.map(({ name }: { readonly name: string }) => name))
          const { prompts: listed } = yield* of("prompts/list")
          for (const { name } of listed) {
            const { messages: [message] } = yield* of("prompts/get", { name, arguments: given })
            for (const [tool] of String(message.content.text).matchAll(/service_\w+/g)) {
              assert.isTrue(names.has(tool), `${name} names ${tool}`)
            }
          }
        }
      }))

    it.effect("name no lists and no moves where there are none", () =>
      Effect.gen(function*() {
        const given = { county: "Dallas, TX", looking_for: "offices", list: "Mine" }
        const textFor = (tenant?: "bare") =>
          Effect.map(
            ask("prompts/get", { name: "find_and_qualify", arguments: given }, tenant),
            ({ messages: [message] }) => String(message.content.text)
          )
        assert.match(yield* textFor(), /service_add_to_list.+service_qualify_lead/)
        assert.notMatch(yield* textFor("bare"), /service_add_to_list|service_qualify_lead/)
      }))

    it.effect("are refused without what they need, and where there is none of that name", () =>
      Effect.gen(function*() {
        assert.include(yield* ask("prompts/get", { name: "prepare_call" }), { code: -32602 })
        assert.include(yield* ask("prompts/get", { name: "made_up" }), { code: -32602 })
      }))

    it.effect("keep to who asked not to be called", () =>
      Effect.gen(function*() {
        const { messages: [{ content: { text } }] } = yield* ask("prompts/get", {
          name: "prepare_call",
          arguments: { contact: "A Person" }
        })
        assert.include(text, "Where somebody asked not to be called or emailed, say so first")
      }))

    it.effect("take a month by its name, and no text that is none", () =>
      Effect.gen(function*() {
        const ofMonth = (month: string) => ask("prompts/get", { name: "what_did_i_spend", arguments: { month } })
        for (const month of ["November 2025", "nov 2025", "2025-11"]) {
          const { messages: [{ content: { text } }] } = yield* ofMonth(month)
          assert.include(text, "freehold://ledger/2025-11 ")
          assert.include(text, "own_limit")
        }
        // The test's clock stands at the beginning of 1970: the last November before it.
        const { messages: [{ content: { text } }] } = yield* ofMonth("November")
        assert.include(text, "freehold://ledger/1969-11 ")
        for (const month of ["Novembre", "2025-13", "last quarter"]) {
          const { code, message } = yield* ofMonth(month)
          assert.strictEqual(code, -32602)
          assert.include(message, "As in 2026-11")
        }
      }))

    it.effect("complete the names of lists, counties and months", () =>
      Effect.gen(function*() {
        yield* tool("service_create_list", { list_name: "Roofs to call", list_type: "properties" })
        const ref = { type: "ref/prompt", name: "find_and_qualify" }
        assert.deepStrictEqual((yield* complete(ref, "list", "roofs")).values, ["Roofs to call"])
        assert.deepStrictEqual((yield* complete(ref, "list", "made up")).values, [])
        // A prompt that puts properties on a list.
        yield* tool("service_create_list", { list_name: "People of roofs", list_type: "contacts" })
        assert.deepStrictEqual((yield* complete(ref, "list", "roofs")).values, ["Roofs to call"])
        yield* Effect.forEach(
          Array.from({ length: 200 }, (_, n) => `Later ${n}`),
          (list_name) => tool("service_create_list", { list_name, list_type: "properties" })
        )
        assert.deepStrictEqual((yield* complete(ref, "list", "roofs")).values, ["Roofs to call"])
        const { hasMore, total, values } = yield* complete(ref, "list", "later")
        assert.deepStrictEqual([hasMore, total, values.length], [true, 200, 100])
        const own = yield* complete(ref, "county", "")
        assert.sameMembers(own.values, ["Quillgate (demo), TX", counties.licensed])
        for (const typed of ["Quillgate, T", "quillgate, tx", "quill", "gate (d"]) {
          assert.deepStrictEqual((yield* complete(ref, "county", typed)).values, ["Quillgate (demo), TX"])
        }
        // What is outside the area would find nothing.
        assert.deepStrictEqual((yield* complete(ref, "county", counties.outside)).values, [])
        const months = yield* complete({ type: "ref/prompt", name: "what_did_i_spend" }, "month", "")
        assert.lengthOf(months.values, 12)
        assert.match(months.values[0], /^\d{4}-\d{2}$/)
        for (const argument of [{ name: "made_up", value: "" }, { name: "list", value: "İ".repeat(201) }]) {
          assert.include(yield* ask("completion/complete", { ref, argument }), { code: -32602 })
        }
      }))
  })

  it.effect("take no argument of a prompt that is no text, or a long one", () =>
    Effect.gen(function*() {
      for (const month of ["\ud800", "2026-01\u001b", "1".repeat(501)]) {
        const refused = yield* ask("prompts/get", { name: "what_did_i_spend", arguments: { month } })
        assert.include(refused, { code: -32602 }, JSON.stringify(month).slice(0, 20))
      }
    }))

  describe("resources", () => {
    it.effect("show what their tools answer", () =>
      Effect.gen(function*() {
        const { list } = yield* tool("service_create_list", { list_name: "Shown", list_type: "properties" })
        for (
          const [uri, name, input] of [
            [`freehold://properties/${ids.first}`, "service_get_property", { id: ids.first }],
            [`freehold://contacts/${ids.contact}`, "service_get_contact", { id: ids.contact }],
            [`freehold://lists/${list.id}`, "service_get_list_items", { list_id: list.id }]
          ] as const
        ) {
          const { contents: [{ mimeType, text, uri: answered }] } = yield* read(uri)
          assert.deepStrictEqual({ mimeType, answered }, { mimeType: "application/json", answered: uri })
          assert.deepStrictEqual(JSON.parse(text), yield* tool(name, input))
        }
        const { resources } = yield* ask("resources/list")
        assert.include(resources.map(({ uri }: { readonly uri: string }) => uri), `freehold://lists/${list.id}`)
      }))

    it.effect("are told page by page, each once", () =>
      Effect.gen(function*() {
        const listed = (cursor?: string | null) =>
          ask("resources/list", cursor === undefined ? {} : { cursor }, "mover")
        const uris = (of: { readonly resources: ReadonlyArray<{ readonly uri: string }> }) =>
          of.resources.map(({ uri }) => uri)
        const before = yield* listed()
        assert.notProperty(before, "nextCursor")
        const made = yield* Effect.forEach(
          Array.from({ length: 203 }, (_, n) => `Page ${n}`),
          (list_name) => tool("service_create_list", { list_name, list_type: "properties" }, "mover")
        )
        const first = yield* listed()
        const second = yield* listed(first.nextCursor)
        assert.notProperty(second, "nextCursor")
        const all = [...uris(first), ...uris(second)]
        assert.strictEqual(new Set(all).size, all.length)
        assert.sameMembers(all, [...uris(before), ...made.map(({ list }) => `freehold://lists/${list.id}`)])
        assert.deepStrictEqual(yield* listed(null), first)
        // A cursor of something else, and of the lists that end with their first page.
        for (const cursor of ["made-up", 7]) {
          assert.include(yield* ask("resources/list", { cursor }, "mover"), { code: -32602 })
        }
        for (const method of ["tools/list", "prompts/list", "resources/templates/list"]) {
          assert.include(yield* ask(method, { cursor: first.nextCursor }, "mover"), { code: -32602 }, method)
          const whole = yield* ask(method, {}, "mover")
          assert.notProperty(whole, "nextCursor")
          assert.deepStrictEqual(yield* ask(method, { cursor: null }, "mover"), whole)
        }
      }))

    it.effect("show a long list page by page", () =>
      Effect.gen(function*() {
        const { list } = yield* tool("service_create_list", { list_name: "Long", list_type: "properties" }, "twins")
        const many = Array.from({ length: 203 }, (_, n) => `00000000-0000-4000-d000-${String(n).padStart(12, "0")}`)
        yield* Seeder.use((seeder) =>
          seeder.add({ properties: many.map((id) => property({ id, countyFips: counties.open })) })
        )
        yield* tool("service_add_to_list", { list_id: list.id, item_ids: many }, "twins")
        const shown = (uri: string) =>
          Effect.map(read(uri, "twins"), ({ contents: [{ text }] }): ReturnType<typeof JSON.parse> => JSON.parse(text))
        const first = yield* shown(`freehold://lists/${list.id}`)
        assert.lengthOf(first.items, 200)
        const second = yield* shown(first.next_uri)
        assert.lengthOf(second.items, 3)
        assert.notProperty(second, "next_uri")
      }))

    it.effect("are refused as their tools are", () =>
      Effect.gen(function*() {
        const outside = `freehold://properties/${ids.outside}`
        const { code } = yield* tool("service_get_property", { id: ids.outside })
        assert.deepNestedInclude(yield* read(outside), { code: -32602, "data.code": code, "data.uri": outside })
        for (
          const uri of ["freehold://made/up", "freehold://ledger/2026-13", "https://example.com", "freehold://lists/%"]
        ) {
          assert.include(yield* read(uri), { code: -32602 })
        }
      }))

    it.effect("show the ledger to a key that may read it over REST, and to no other", () =>
      Effect.gen(function*() {
        const { contents: [{ text }] } = yield* read("freehold://ledger/2026-03", "twins")
        assert.deepStrictEqual(JSON.parse(text), { entries: [], next_cursor: null })
        assert.deepNestedInclude(yield* read("freehold://ledger/2026-03"), { "data.code": "SCOPE_REQUIRED" })
        const listed = (tenant: "one" | "twins") =>
          Effect.map(ask("resources/list", {}, tenant), ({ resources }) =>
            resources.filter(({ uri }: { readonly uri: string }) =>
              uri.startsWith("freehold://ledger/")
            ).length)
        assert.deepStrictEqual([yield* listed("one"), yield* listed("twins")], [0, 1])
        assert.include(yield* ask("tools/call", { name: "service_get_credit_ledger" }, "twins"), { code: -32602 })
      }))
  })

  describe("the property card", () => {
    it.effect("belongs to the tool that reads a property, and reaches nothing outside", () =>
      Effect.gen(function*() {
        const { tools } = yield* ask("tools/list")
        const { _meta } = tools.find(({ name }: { readonly name: string }) => name === "service_get_property")
        const { contents: [{ _meta: meta, mimeType, text }] } = yield* read(_meta.ui.resourceUri)
        assert.strictEqual(mimeType, "text/html;profile=mcp-app")
        assert.notProperty(meta.ui, "csp")
        assert.deepStrictEqual(text.match(/https?:[^"]*/g), ["http://www.w3.org/2000/svg"])
        assert.notMatch(text, /innerHTML|<(img|link|iframe)|<script[^>]+src/)
        assert.doesNotThrow(() => new Script(/<script>([^]*)<\/script>/.exec(text)?.[1] ?? "("))
      }))
  })
})
