import { assert, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from "@modelcontextprotocol/client"
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Effect } from "effect"
import * as McpServer from "./McpServer.ts"
import * as StubCatalogue from "./StubCatalogue.ts"

const requestInit = { headers: { authorization: `Bearer ${McpServer.key}` } }
const clientInfo = { name: "made-up-assistant", version: "1.0.0" }

/** What the tests ask of a client, whichever it is. */
interface AnyClient {
  readonly names: () => Promise<ReadonlyArray<string>>
  readonly call: (name: string, input: Record<string, unknown>) => Promise<Readonly<Record<string, unknown>>>
  readonly revision: () => string | undefined
  readonly server: () => { readonly version: string } | undefined
  readonly instructions: () => string | undefined
  readonly close: () => Promise<void>
}

const connectNew = (mode: VersionNegotiationMode) => async (url: string): Promise<AnyClient> => {
  const client = new Client(clientInfo, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input) => client.callTool({ name, arguments: input }),
    revision: () => client.getNegotiatedProtocolVersion(),
    server: () => client.getServerVersion(),
    instructions: () => client.getInstructions(),
    close: () => client.close()
  }
}

const connectOlder = async (url: string): Promise<AnyClient> => {
  const client = new OlderClient(clientInfo)
  const transport = new OlderTransport(new URL(`${url}/mcp`), { requestInit })
  // The older SDK's own types disagree about an absent session under exactOptionalPropertyTypes.
  await client.connect(transport as never)
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input) => client.callTool({ name, arguments: input }),
    revision: () => transport.protocolVersion,
    server: () => client.getServerVersion(),
    instructions: () => client.getInstructions(),
    close: () => client.close()
  }
}

const clients = [
  { client: "@modelcontextprotocol/client, auto", connect: connectNew("auto"), revision: "2026-07-28" },
  {
    client: "@modelcontextprotocol/client, pinned",
    connect: connectNew({ pin: "2026-07-28" }),
    revision: "2026-07-28"
  },
  { client: "@modelcontextprotocol/client, legacy", connect: connectNew("legacy"), revision: "2025-11-25" },
  { client: "@modelcontextprotocol/sdk 1", connect: connectOlder, revision: "2025-11-25" }
]

const connected = (connect: (url: string) => Promise<AnyClient>) =>
  Effect.gen(function*() {
    const url = yield* McpServer.start
    return yield* Effect.acquireRelease(
      Effect.promise(() => connect(url)),
      (client) => Effect.promise(() => client.close())
    )
  })

describe.each(clients)("$client", ({ connect, revision }) => {
  it.live(`agrees on ${revision}, is told who answers and how to begin, and lists the tools in order`, () =>
    Effect.gen(function*() {
      const client = yield* connected(connect)
      assert.strictEqual(client.revision(), revision)
      assert.strictEqual(client.server()?.version, "1.2.3")
      assert.include(client.instructions(), "service_describe_workspace")
      assert.deepStrictEqual(
        yield* Effect.promise(client.names),
        StubCatalogue.toolNames
      )
    }))

  it.live("calls a tool and reads its result", () =>
    Effect.gen(function*() {
      const client = yield* connected(connect)
      const result = yield* Effect.promise(() => client.call("service_get_credit_balance", {}))
      assert.deepStrictEqual(result["structuredContent"], StubCatalogue.balance)
    }))

  it.live("reads a refusal as a result with its code", () =>
    Effect.gen(function*() {
      const client = yield* connected(connect)
      const refused = yield* Effect.promise(() =>
        client.call("service_reveal_property", { id: "made-up-1", maxCredits: 0 })
      )
      assert.isTrue(refused["isError"])
      assert.deepInclude(refused["structuredContent"], { code: "COST_CONFIRMATION_REQUIRED", projectedCredits: 10 })
    }))

  it.live("gets a protocol error for an unknown tool", () =>
    Effect.gen(function*() {
      const client = yield* connected(connect)
      const error = yield* Effect.flip(Effect.tryPromise(() => client.call("service_made_up", {})))
      assert.deepInclude(error.cause, { code: -32602 })
    }))
})

describe("a call without any client library", () => {
  it.live("is answered from one bare request", () =>
    Effect.gen(function*() {
      const url = yield* McpServer.start
      const response = yield* Effect.promise(() =>
        fetch(`${url}/mcp`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${McpServer.key}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream"
          },
          body: JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: { name: "service_get_credit_balance", arguments: {} }
          })
        }).then(async (answer) => ({ status: answer.status, body: await answer.json() }))
      )
      assert.strictEqual(response.status, 200)
      assert.deepNestedInclude(response.body, { "result.structuredContent": StubCatalogue.balance })
    }))
})
