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

/** What an assistant gets from a search, with the tools of a command. */
const searched = async (args: ReadonlyArray<string>, given: Environment) => {
  const client = new Client({ name: "test", version: "0.0.0" })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [main, "mcp", ...args],
      env: { PATH: process.env["PATH"] ?? "", ...given, FREEHOLD_API_KEY: secret },
      stderr: "inherit"
    })
  )
  const { tools } = await client.listTools()
  const { structuredContent } = await client.callTool({
    name: "service_search_properties",
    arguments: { filters: { countyFips: ["53903"] } }
  })
  await client.close()
  return { tools: tools.map(({ name }) => name), found: structuredContent as unknown as Told }
}

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

  it("tells a key that is not known before an assistant connects", async () => {
    const { code, stderr } = await run(["mcp"], { ...env, FREEHOLD_API_KEY: `fhk_${"x".repeat(43)}` })
    assert.strictEqual(code, 1)
    assert.match(stderr, /^freehold: .+\n$/)
  })
})
