/**
 * The main job from outside, on records of the public data sets: import, search, unlock, reveal, qualify, deliver, poll, and the
 * same through MCP. What no public set knows (research and people) is made up here.
 */
import type { GetAccount } from "@freehold/core/account/AccountOperations"
import type { RevealContact } from "@freehold/core/contact/ContactOperations"
import type { GetLeadBundle, LeadBundle, ListLeads } from "@freehold/core/lead/LeadOperations"
import type { AnyOperation } from "@freehold/core/operation/Operation"
import type { GetProperty, SearchProperties, UnlockProperty, Whole } from "@freehold/core/property/PropertyOperations"
import type { CreateWebhook } from "@freehold/core/webhook/WebhookOperations"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { run, runJson, serve, type Server } from "./Freehold.ts"
import { emptyDatabase } from "./FreshDatabase.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const data = `${root}examples/data`
const map = (name: string) => `${root}examples/maps/${name}.json`

const files = [
  { map: "gsa-buildings", file: "gsa/iolp_buildings.csv", read: 300, properties: 295 },
  { map: "pluto", file: "pluto/pluto_15v1.csv", read: 300, properties: 300 },
  { map: "seattle", file: "seattle/building_energy_benchmarking_2016.csv", read: 300, properties: 300 },
  { map: "chicago", file: "chicago/energy_benchmarking_made_up.csv", read: 38, properties: 12 }
]

const secret = `fhk_${"k".repeat(43)}`

const organization = {
  organizations: [{
    org_id: "org_sample",
    name: "Sample Roofing (made up)",
    plan: "enterprise",
    serviceable_area: { whole_state_abbrs: ["WA"], county_fips: ["36061"] },
    grants: [{ ref: "welcome", bucket: "included", amount: 100 }],
    export_allowance: { max_exports_per_month: 10, max_rows_per_month: 1000 },
    keys: [{
      name: "sample",
      scopes: [
        "events:subscribe",
        "leads:read_single",
        "account:read",
        "property:read",
        "data:read",
        "data:unlock",
        "mcp"
      ],
      secret
    }],
    members: [{ email: "ana@sample.example", name: "Ana Sample", role: "admin", seat: true }]
  }]
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly data: unknown; readonly meta?: unknown }
}

interface Received {
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Buffer
}

/** A receiver on loopback that keeps what it got; `next` waits for the next request. */
const receiver = async () => {
  const received: Array<Received> = []
  let wake = () => {}
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(204).end()
      wake()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    next: async (): Promise<Received> => {
      while (received.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      const first = received.shift()
      if (first === undefined) throw new Error("nothing was received")
      return first
    },
    close: () => new Promise((resolve) => server.close(resolve))
  }
}

/** The signature check of a receiver, written from the API's description alone. */
const signedBy = (signingSecret: string, { body, headers }: Received): boolean => {
  const match = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["service-signature"]))
  if (match?.[1] === undefined || match[2] === undefined) return false
  if (Math.abs(Date.now() / 1000 - Number(match[1])) > 300) return false
  const expected = createHmac("sha256", signingSecret).update(`${match[1]}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(match[2], "hex"))
}

describe("the main job, on records of the public data sets", () => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>
  let env: Record<string, string>
  let server: Server

  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...body === undefined ? {} : { "content-type": "application/json" }
      },
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    })
    return { status: response.status, headers: response.headers, body: await response.json() as Answer["body"] }
  }

  /** A call of an operation that must succeed. */
  const ask = async <Op extends AnyOperation>(
    method: string,
    path: string,
    body?: unknown
  ): Promise<Whole<Op["output"]["Encoded"]>> => {
    const answer = await call(method, path, body)
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.data as Whole<Op["output"]["Encoded"]>
  }

  const search = (body: object) => ask<typeof SearchProperties>("POST", "/properties/search", body)
  const detail = (id: string) => ask<typeof GetProperty>("GET", `/properties/${id}/detail`)
  const unlock = (id: string) => ask<typeof UnlockProperty>("POST", `/properties/${id}/unlock`)

  beforeAll(async () => {
    database = await emptyDatabase()
    env = {
      DATABASE_URL: database.url,
      FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      FREEHOLD_WEBHOOK_TARGETS: "any",
      FREEHOLD_FEED_DELAY: "0 millis"
    }
    await runJson(["apply", "-"], env, JSON.stringify(organization))
    for (const each of files) {
      const { code, stdout } = await run(
        ["import", "properties", `${data}/${each.file}`, "--map", map(each.map), "--json"],
        env
      )
      const { inserted, read, rejected, unchanged, updated } = JSON.parse(stdout)
      assert.strictEqual(read, each.read, each.map)
      assert.strictEqual(inserted, each.properties, each.map)
      assert.strictEqual(inserted + updated + unchanged + rejected, read, each.map)
      assert.strictEqual(code, rejected === 0 ? 0 : 1)
    }
    server = await serve([], env)
  })

  afterAll(async () => {
    assert.strictEqual(await server.stop(), 0)
    await database.drop()
  })

  it("imports, searches, unlocks, reveals, qualifies, delivers, polls, and does the same through MCP", async () => {
    // Search Manhattan by filters, by bounds and by text.
    const manhattan = { countyFips: ["36061"] }
    const byFilters = await search({
      filters: { ...manhattan, categories: ["Office"], minBuildingSqft: 500_000 },
      sortBy: "buildingSqft"
    })
    assert.isAbove(byFilters.total_matching ?? 0, 5)
    const sizes = byFilters.results.map((row) => row.buildingSqft ?? 0)
    assert.deepStrictEqual(sizes, sizes.toSorted((a, b) => b - a))
    assert.isTrue(byFilters.results.every((row) => row.assetCategory === "Office" && row.countyFips === "36061"))
    assert.deepStrictEqual(byFilters.searched_scope, { scoped: true, countyCount: 1, states: ["NY"] })
    const everything = await search({ filters: manhattan })
    assert.strictEqual(
      everything.category_breakdown?.reduce((sum, each) => sum + each.count, 0),
      everything.total_matching
    )
    const byBounds = await search({ bounds: { north: 40.715, south: 40.7, east: -74, west: -74.02 } })
    assert.isAbove(byBounds.total_matching ?? 0, 50)
    const [locked, other] = byFilters.results
    if (locked === undefined || other === undefined) throw new Error("two properties were expected")
    const byText = await search({ query: String(locked.address).toLowerCase() })
    assert.isTrue(byText.results.some((row) => row.id === locked.id))

    // People and research of two properties, made up.
    const people = [
      { key: "sample:1", fullName: "Ada Sample", title: "Property Manager", email: "ada@sample.example", at: locked },
      { key: "sample:2", fullName: "Bo Sample", title: "Owner", phone: "+1 212 555 0100", at: locked },
      { key: "sample:3", fullName: "Cy Sample", title: "Engineer", email: "cy@sample.example", at: other }
    ]
    const rows = (each: ReadonlyArray<object>) => each.map((row) => JSON.stringify(row)).join("\n")
    const research = [locked, other].map(({ key }) => ({
      propertyKey: key,
      beneficialOwner: "Sample Holdings",
      beneficialOwnerType: "private_company",
      managementCompany: "Sample Management",
      aiRationale: "Made up for a test.",
      researchedAt: "2026-01-02T03:04:05.000Z"
    }))
    await runJson(["import", "research", "-"], env, rows(research))
    const contacts = people.map(({ at, ...person }) => ({
      ...person,
      properties: [{ propertyKey: at.key, role: "property_manager", relationshipStatus: "current" }]
    }))
    assert.deepInclude(await runJson(["import", "contacts", "-"], env, rows(contacts)), { inserted: 3, rejected: 0 })

    // A locked property shows no name, email or phone.
    const before = await detail(locked.id)
    assert.strictEqual(before.researchState, "locked")
    assert.deepStrictEqual(before.contacts, [])
    assert.strictEqual(before.contactsSummary?.totalCount, 2)
    for (const hidden of ["Ada", "Bo Sample", "ada@", "555", "Sample Holdings", "Sample Management"]) {
      assert.isFalse(JSON.stringify(before).includes(hidden), hidden)
    }

    // Subscribe, then unlock for 10 credits and read it whole.
    const hook = await receiver()
    const { signing_secret: signingSecret } = await ask<typeof CreateWebhook>("POST", "/webhooks", {
      url: hook.url
    })
    assert.deepStrictEqual(await unlock(encodeURIComponent(locked.key)), {
      alreadyRevealed: false,
      creditsCharged: 10
    })
    assert.deepStrictEqual(await unlock(locked.id.toUpperCase()), {
      alreadyRevealed: true,
      creditsCharged: 0
    })
    const after = await detail(locked.id)
    assert.strictEqual(after.revealSource, "paid")
    assert.strictEqual(after.property.beneficialOwner, "Sample Holdings")
    assert.isNull(after.contactsSummary)
    assert.deepStrictEqual(after.contacts.map((each) => each.fullName).toSorted(), ["Ada Sample", "Bo Sample"])

    // Reveal a contact of another property for 5.
    assert.deepStrictEqual((await detail(other.id)).contactsSummary?.contacts, [{
      title: "Engineer",
      availability: { email: true, phone: false, linkedin: false }
    }])
    const contactId = await database.contactId("sample:3")
    const revealed = await ask<typeof RevealContact>("POST", `/contacts/${contactId}/reveal`)
    assert.deepInclude(revealed, { creditsCharged: 5, alreadyRevealed: false })
    assert.strictEqual(revealed.contact.email, "cy@sample.example")
    assert.strictEqual((await ask<typeof GetAccount>("GET", "/account")).credit_balance.total, 85)

    // Qualify; the webhook arrives and verifies.
    await runJson(
      ["lead", "qualify", "--org", "org_sample", "--property", locked.key, "--deal-value", "25000"],
      env
    )
    const delivered = await hook.next()
    await hook.close()
    assert.isTrue(signedBy(signingSecret, delivered))
    const event: { readonly event_id: string; readonly data: LeadBundle } = JSON.parse(delivered.body.toString())
    assert.strictEqual(delivered.headers["service-event-id"], event.event_id)
    assert.strictEqual(delivered.headers["service-event-type"], "lead.qualified")
    assert.deepInclude(event.data, { partial: false, service_property_id: locked.id })

    // The feed and the bundle.
    const feed = await ask<typeof ListLeads>("GET", "/leads")
    assert.deepStrictEqual(feed.items.map((item) => item.property_id), [locked.id])
    assert.isFalse(feed.has_more)
    const { body: bundle, headers } = await call("GET", `/leads/${locked.id}`)
    assert.deepStrictEqual(bundle.meta, { billed_via: "quota", credits_charged: 0 })
    assert.isNotNull(headers.get("service-delivery-id"))
    const { bundle: fetched } = bundle.data as Pick<(typeof GetLeadBundle)["output"]["Encoded"], "bundle">
    assert.deepStrictEqual(
      fetched.contacts.map((each) => each.full_name),
      event.data.contacts.map((each) => each.full_name)
    )
    assert.strictEqual(fetched.pipeline.deal_value, 25_000)

    // The same through MCP, with the official client.
    const client = new Client({ name: "main-job", version: "1.0.0" })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${secret}` } }
      })
    )
    const tool = async (name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })).structuredContent
    const query = {
      filters: { ...manhattan, categories: ["Office"], minBuildingSqft: 500_000 },
      sortBy: "buildingSqft"
    }
    assert.deepStrictEqual(await tool("service_search_properties", query), await search(query))
    const unlocked = await tool("service_reveal_property", { id: other.id })
    assert.containSubset(unlocked, {
      alreadyRevealed: false,
      creditsCharged: 10,
      credits_remaining: Number.isInteger,
      opens: (opens: string) => opens.includes("service_get_property")
    })
    // What the specification does not fix a tool leaves out where there is none.
    const { lastDraft, lastStrategy, property: { source, ...property }, ...rest } = await detail(other.id)
    assert.deepStrictEqual([lastDraft, lastStrategy, source], [null, null, null])
    assert.deepStrictEqual(await tool("service_get_property", { id: other.id }), { ...rest, property })
    assert.deepInclude(await tool("service_get_credit_balance", {}), { total: 75 })
    await client.close()
  })
})
