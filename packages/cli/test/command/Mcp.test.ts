/** The tools over standard input and output, with the official client, from the database and from a server. */
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { type Environment, run, serve } from "../Freehold.ts"
import { properties, sampleDatabase, secret } from "../Sample.ts"
import type { Told } from "../Told.ts"

const main = inject("command")

let env: Environment
let drop: () => Promise<void>

beforeAll(async () => {
  ;({ drop, env } = await sampleDatabase())
})

afterAll(() => drop())

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
    const server = await serve(["--no-worker"], env)
    const remote = await searched(["--url", server.url], {})
    await server.stop()
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
