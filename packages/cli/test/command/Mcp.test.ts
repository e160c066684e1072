/**
 * The tools with the official clients: over standard input and output, from the database and from a server, and over HTTP in
 * each revision that a client offers.
 */
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode
} from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { type Environment, run, serve, type Server } from "../Freehold.ts"
import { properties, sampleDatabase, secret } from "../Sample.ts"
import type { Told } from "../Told.ts"

const main = inject("command")

let env: Environment
let drop: () => Promise<void>
let server: Server

beforeAll(async () => {
  ;({ drop, env } = await sampleDatabase())
  server = await serve(["--no-worker"], env)
})

afterAll(async () => {
  await server.stop()
  await drop()
})

const withClient = async <A>(
  args: ReadonlyArray<string>,
  given: Environment,
  use: (client: Client) => Promise<A>
): Promise<A> => {
  const client = new Client({ name: "test", version: "0.0.0" })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [main, "mcp", ...args],
      env: { PATH: process.env["PATH"] ?? "", FREEHOLD_API_KEY: secret, ...given },
      stderr: "inherit"
    })
  )
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

/** What an assistant gets from a search, with the tools of a command. */
const searched = (args: ReadonlyArray<string>, given: Environment) =>
  withClient(args, given, async (client) => {
    const { tools } = await client.listTools()
    const { structuredContent } = await client.callTool({
      name: "service_search_properties",
      arguments: { filters: { countyFips: ["53903"] } }
    })
    return { tools: tools.map(({ name }) => name), found: structuredContent as unknown as Told }
  })

describe("freehold mcp", () => {
  it("gives the same tools and answers from the database as through a running server", async () => {
    const local = await searched([], env)
    assert.include(local.tools, "service_search_properties")
    assert.lengthOf(local.found.results, properties.length)
    const remote = await searched(["--url", server.url], {})
    assert.deepStrictEqual(remote, local)
  })

  it("stays with a key that is not known, and answers each call that it is not", async () => {
    const refused = await withClient([], { ...env, FREEHOLD_API_KEY: `fhk_${"x".repeat(43)}` }, async (client) => {
      const { tools } = await client.listTools()
      assert.isNotEmpty(tools)
      return client.callTool({ name: "service_get_credit_balance" })
    })
    assert.deepNestedInclude(refused, { "structuredContent.code": "UNAUTHENTICATED" })
  })

  it("ends without a key, or with what has no key's form", async () => {
    for (const given of ["", "made-up"]) {
      const { code, stderr } = await run(["mcp"], { ...env, FREEHOLD_API_KEY: given })
      assert.strictEqual(code, 2)
      assert.match(stderr, /^freehold: .*FREEHOLD_API_KEY.+\n$/)
    }
  })
})

const clientInfo = { name: "test", version: "0.0.0" }
const address = () => new URL(`${server.url}/mcp`)
const requestInit = { headers: { authorization: `Bearer ${secret}` } }

/** The client of today; `legacy` begins as those before it did. */
const newer = (mode: VersionNegotiationMode, options: ClientOptions = {}) => async () => {
  const client = new Client(clientInfo, { versionNegotiation: { mode }, ...options })
  await client.connect(new StreamableHTTPClientTransport(address(), { requestInit }))
  return {
    revision: client.getNegotiatedProtocolVersion(),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input }),
    close: () => client.close()
  }
}

const older = async () => {
  const client = new OlderClient(clientInfo)
  const transport = new OlderTransport(address(), { requestInit })
  // The older SDK's own types disagree about an absent session under exactOptionalPropertyTypes.
  await client.connect(transport as never)
  return {
    revision: transport.protocolVersion,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input }),
    close: () => client.close()
  }
}

describe.each([
  { client: "client 2, which finds out", connect: newer("auto"), revision: "2026-07-28" },
  { client: "client 2, which insists", connect: newer({ pin: "2026-07-28" }), revision: "2026-07-28" },
  ...["2025-11-25", "2025-06-18", "2025-03-26"].map((revision) => ({
    client: "client 2, as before",
    connect: newer("legacy", { supportedProtocolVersions: [revision] }),
    revision
  })),
  { client: "client 1", connect: older, revision: "2025-11-25" }
])("the official $client, in $revision", ({ connect, revision }) => {
  it("lists the tools of freehold serve, reads a result, and reads a refusal as one", async () => {
    const client = await connect()
    try {
      assert.strictEqual(client.revision, revision)
      assert.include(await client.names(), "service_reveal_property")
      const found = await client.call("service_search_properties", { filters: { countyFips: ["53903"] } })
      const { results } = found.structuredContent as unknown as Told
      assert.lengthOf(results, properties.length)
      const refused = await client.call("service_reveal_property", { id: results[0]?.id, maxCredits: 0 })
      assert.deepInclude(refused, { isError: true })
      assert.deepInclude(refused.structuredContent, { code: "COST_CONFIRMATION_REQUIRED", projectedCredits: 10 })
    } finally {
      await client.close()
    }
  })
})
