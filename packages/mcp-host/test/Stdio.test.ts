import { assert, describe, it } from "@effect/vitest"
import { Client, type VersionNegotiationMode } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { tools } from "../src/Tools.ts"
import * as McpServer from "./McpServer.ts"
import * as StubCatalogue from "./StubCatalogue.ts"

const program = fileURLToPath(new URL("StdioProgram.ts", import.meta.url))

const clientInfo = { name: "made-up-assistant", version: "1.0.0" }

const transport = (args: ReadonlyArray<string>, key = McpServer.key) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args],
    env: { FREEHOLD_API_KEY: key },
    stderr: "ignore"
  })

const connect = (mode: VersionNegotiationMode, args: ReadonlyArray<string>, key = McpServer.key) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client(clientInfo, { versionNegotiation: { mode } })
      await client.connect(transport(args, key))
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

const eras = [
  { negotiation: "auto", mode: "auto", revision: "2026-07-28" },
  { negotiation: "pinned", mode: { pin: "2026-07-28" }, revision: "2026-07-28" },
  { negotiation: "legacy", mode: "legacy", revision: "2025-11-25" }
] as const

describe.each(eras)("stdio, $negotiation: $revision", ({ mode, revision }) => {
  it.live("lists and calls the tools of this process, and admits each call", () =>
    Effect.gen(function*() {
      const client = yield* connect(mode, ["local"])
      assert.strictEqual(client.getNegotiatedProtocolVersion(), revision)
      assert.include(client.getInstructions(), "service_describe_workspace")
      const listed = yield* Effect.promise(() => client.listTools())
      assert.deepStrictEqual(listed.tools.map(({ name }) => name), StubCatalogue.toolNames)
      const first = yield* Effect.promise(() => client.callTool({ name: "service_get_credit_balance", arguments: {} }))
      assert.deepStrictEqual(first.structuredContent, StubCatalogue.balance)
      const second = yield* Effect.promise(() => client.callTool({ name: "service_get_credit_balance", arguments: {} }))
      assert.isTrue(second.isError)
      assert.deepNestedInclude(second.structuredContent, { code: "UNAUTHENTICATED" })
    }))

  it.live("forwards to a running server", () =>
    Effect.gen(function*() {
      const client = yield* connect(mode, ["remote", `${yield* McpServer.start}/`])
      const listed = yield* Effect.promise(() => client.listTools())
      assert.deepStrictEqual(listed.tools.map(({ name }) => name), StubCatalogue.toolNames)
      const result = yield* Effect.promise(() => client.callTool({ name: "service_get_credit_balance", arguments: {} }))
      assert.deepStrictEqual(result.structuredContent, StubCatalogue.balance)
      const refused = yield* Effect.promise(() =>
        client.callTool({ name: "service_reveal_property", arguments: { id: "made-up-1", maxCredits: 3 } })
      )
      assert.isTrue(refused.isError)
      assert.deepNestedInclude(refused.structuredContent, { code: "COST_CONFIRMATION_REQUIRED", maxCredits: 3 })
      const error = yield* Effect.flip(
        Effect.tryPromise(() => client.callTool({ name: "service_made_up", arguments: {} }))
      )
      assert.deepInclude(error.cause, { code: -32602 })
    }))
})

describe.each(eras)("a price that was not agreed to, $negotiation", ({ mode }) => {
  it.live("is asked of the person, and the answer is heard", () =>
    Effect.gen(function*() {
      const url = yield* McpServer.start
      const asked: Array<string> = []
      const client = new Client(clientInfo, {
        versionNegotiation: { mode },
        capabilities: { elicitation: { form: {} } }
      })
      client.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params.message)
        return { action: asked.length === 1 ? "decline" : "accept", content: { confirm: true } }
      })
      yield* Effect.promise(() => client.connect(transport(["remote", url])))
      const reveal = () =>
        client.callTool({ name: "service_reveal_property", arguments: { id: "made-up-1", maxCredits: 3 } })
      const refused = yield* Effect.promise(reveal)
      const done = yield* Effect.promise(reveal)
      yield* Effect.promise(() => client.close())
      assert.deepNestedInclude(refused, { "structuredContent.code": "COST_CONFIRMATION_REQUIRED" })
      assert.deepNestedInclude(done, { "structuredContent.creditsCharged": 10 })
      assert.match(asked.join(), /10 credits.*10 credits/)
    }))
})

describe("a server that does not let the key in", () => {
  it.live("is a tool error with a code, not the end of the connection", () =>
    Effect.gen(function*() {
      const client = yield* connect("legacy", ["remote", yield* McpServer.start], "another-key")
      const listed = yield* Effect.promise(() => client.listTools())
      assert.lengthOf(listed.tools, tools.length)
      const refused = yield* Effect.promise(() => client.callTool({ name: "service_get_credit_balance" }))
      assert.isTrue(refused.isError)
      assert.deepNestedInclude(refused.structuredContent, {
        code: "UNAUTHENTICATED",
        error: "A valid API key is required: this program takes it from its environment variable FREEHOLD_API_KEY.",
        next: { ask: "admin" }
      })
    }))
})

describe("a server that cannot be reached", () => {
  it.live("is a tool error with a code", () =>
    Effect.gen(function*() {
      const url = yield* Effect.scoped(McpServer.start)
      const client = yield* connect("legacy", ["remote", url])
      const refused = yield* Effect.promise(() => client.callTool({ name: "service_get_credit_balance" }))
      assert.isTrue(refused.isError)
      assert.deepNestedInclude(refused.structuredContent, {
        code: "TEMPORARILY_UNAVAILABLE",
        next: { retry_after_seconds: 1 }
      })
    }))
})

describe("the process", () => {
  it.live("answers what is under way when its input ends, and ends then", () =>
    Effect.gen(function*() {
      const url = yield* McpServer.start
      const child = spawn(process.execPath, [program, "remote", url], { env: { FREEHOLD_API_KEY: McpServer.key } })
      const written = text(child.stdout)
      const request = (id: number, method: string, params: object) =>
        `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`
      child.stdin.end(
        request(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }) +
          request(2, "tools/call", { name: "service_get_credit_balance", arguments: {} }) +
          // The last line may lack its end.
          request(3, "tools/list", {}).trimEnd()
      )
      const answers = (yield* Effect.promise(() => written)).trim().split("\n").map((line) => JSON.parse(line))
      assert.sameMembers(answers.map(({ id }) => id), [1, 2, 3])
      assert.deepNestedInclude(answers.find(({ id }) => id === 2), {
        "result.structuredContent": StubCatalogue.balance
      })
    }))

  const ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"

  it("writes nothing but the protocol to standard output, and ends with its input", async () => {
    const child = spawn(process.execPath, [program, "local"], { env: { FREEHOLD_API_KEY: McpServer.key } })
    const logs = text(child.stderr)
    child.stdin.write(`this is no JSON\n${ping}`)
    const [answer] = await once(child.stdout, "data")
    assert.deepStrictEqual(JSON.parse(String(answer)), { jsonrpc: "2.0", id: 1, result: {} })
    child.stdin.end()
    const [code] = await once(child, "close")
    assert.strictEqual(code, 0)
    assert.match(await logs, /serving[\s\S]*done/)
  })
})
