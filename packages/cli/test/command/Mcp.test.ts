/**
 * The tools of `freehold serve` and `freehold mcp` with the official clients: over HTTP, and over standard input and output from
 * a server and from the database, in each revision that a client offers.
 */
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, main, run, runJson, serve, type Server } from "../Freehold.ts"
import { ndjson, orgId, properties, sampleDatabase, secret } from "../Sample.ts"
import type { Told } from "../Told.ts"
import { clients, type Destination } from "./OfficialClients.ts"

const locked = properties[0]?.key

/** How each transport reaches the same records. */
const doors = [
  {
    door: "HTTP",
    to: (): Destination => ({ url: new URL(`${server.url}/mcp`), key: secret }),
    // In a session of the older revisions there is nobody to ask.
    asks: (revision: string) => revision >= "2026-07-28"
  },
  {
    door: "freehold mcp --url",
    to: (): Destination => program(["--url", server.url], {}),
    asks: () => true
  },
  { door: "freehold mcp", to: (): Destination => program([], env), asks: () => true }
]

/** Each client over each transport, with a property of its own to open. */
const cases = doors.flatMap((door) => clients.map((client) => ({ ...door, ...client })))
  .map((each, number) => ({ ...each, place: `53903-FURTHER${number}` }))

const further = cases.map(({ place: key }) => ({
  key,
  address: `${key} Avenue`,
  city: "Quillgate (made up)",
  state: "WA",
  zip: "00021",
  countyFips: "53903"
}))

let env: Environment
let drop: () => Promise<void>
let server: Server

beforeAll(async () => {
  ;({ drop, env } = await sampleDatabase())
  const research = further.map(({ key }) => ({ propertyKey: key, researchedAt: "2026-06-01T00:00:00Z" }))
  for (const [kind, rows] of [["properties", further], ["research", research]] as const) {
    const { code, stderr } = await run(["import", kind, "-"], env, ndjson(rows))
    assert.strictEqual(code, 0, stderr)
  }
  const amount = ["--bucket", "included", "--amount", "1000", "--ref", "further"]
  await runJson(["credits", "grant", "--org", orgId, ...amount], env)
  server = await serve(["--no-worker"], env)
})

afterAll(async () => {
  await server.stop()
  await drop()
})

/** `freehold mcp` with the key. */
const program = (args: ReadonlyArray<string>, given: Environment) => ({
  command: process.execPath,
  args: [main, "mcp", ...args],
  env: { PATH: process.env["PATH"] ?? "", FREEHOLD_API_KEY: secret, ...given }
})

const withClient = async <A>(
  args: ReadonlyArray<string>,
  given: Environment,
  use: (client: Client) => Promise<A>
): Promise<A> => {
  const client = new Client({ name: "test", version: "0.0.0" })
  await client.connect(
    new StdioClientTransport({ ...program(args, given), stderr: "inherit" })
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
    assert.lengthOf(local.found.results, properties.length + further.length)
    const remote = await searched(["--url", server.url], {})
    assert.deepStrictEqual(await searched(["--url", `${server.url}/mcp`], {}), remote)
    assert.deepStrictEqual(remote, local)
  })

  it.each(
    [
      ["that is not known", [`fhk_${"x".repeat(43)}`, []]],
      ["that has no key's form", ["fhk_...", []]],
      ["that has no key's form, over a server", ["fhk_...", ["--url"]]]
    ] as const
  )("stays with a key %s, and answers each call that it is not let in", async (_, [given, [flag]]) => {
    const args = flag === undefined ? [] : [flag, server.url]
    const refused = await withClient(args, { ...env, FREEHOLD_API_KEY: given }, async (client) => {
      const { tools } = await client.listTools()
      assert.isNotEmpty(tools)
      return client.callTool({ name: "service_get_credit_balance" })
    })
    assert.deepNestedInclude(refused, { "structuredContent.code": "UNAUTHENTICATED" })
  })

  it("ends without a key, or with what cannot be sent as one", async () => {
    for (const given of ["", "made up"]) {
      const { code, stderr } = await run(["mcp"], { ...env, FREEHOLD_API_KEY: given })
      assert.strictEqual(code, 2)
      assert.match(stderr, /^freehold: .*FREEHOLD_API_KEY.+\n$/)
    }
  })
})

describe.each(cases)("the official $client, in $revision, over $door", ({ asks, connect, place, revision, to }) => {
  it("lists the tools, reads a result, and reads a refusal as one", async () => {
    const client = await connect(to(), undefined)
    try {
      assert.strictEqual(client.revision, revision)
      assert.include(await client.names(), "service_reveal_property")
      const found = await client.call("service_search_properties", { filters: { countyFips: ["53903"] } })
      const { results } = found["structuredContent"] as unknown as Told
      assert.lengthOf(results, properties.length + further.length)
      const refused = await client.call("service_reveal_property", { id: locked, maxCredits: 0 })
      assert.deepInclude(refused, { isError: true })
      assert.deepInclude(refused["structuredContent"], { code: "COST_CONFIRMATION_REQUIRED", projectedCredits: 10 })
    } finally {
      await client.close()
    }
  })

  it("asks the person for a price where there is somebody to ask, and hears a no and a yes", async () => {
    const questions: Array<string> = []
    const client = await connect(to(), (question) => questions.push(question) === 1 ? "decline" : "accept")
    const reveal = async () =>
      (await client.call("service_reveal_property", { id: place, maxCredits: 0 }))["structuredContent"]
    try {
      const priced = { code: "COST_CONFIRMATION_REQUIRED", projectedCredits: 10 }
      assert.deepInclude(await reveal(), priced)
      assert.deepInclude(await reveal(), asks(revision) ? { creditsCharged: 10 } : priced)
      assert.lengthOf(questions, asks(revision) ? 2 : 0)
      for (const question of questions) assert.match(question, /10 credits/)
    } finally {
      await client.close()
    }
  })
})
