/**
 * One door is as good as the other: two organizations that are alike do the same, one over REST and one over MCP, and get
 * the same data, the same codes and the same ledger (I9 F4).
 *
 * All data is made up.
 */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { type Tool, tools } from "@freehold/mcp-host/Tools"
import { Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, run, runJson, serve, type Server } from "./Freehold.ts"
import { migratedDatabase } from "./FreshDatabase.ts"
import { ndjson, properties } from "./Sample.ts"

const runs = Number(process.env["FREEHOLD_LAW_RUNS"] ?? 12)

/** The first two places are researched; the first person is at the first place, the second at the third. */
const research = properties.slice(0, 2).map(({ key }) => ({
  propertyKey: key,
  beneficialOwner: "Sample Holdings (made up)",
  researchedAt: "2026-06-01T00:00:00Z"
}))
const contacts = [0, 2].map((place, person) => ({
  key: `sample:${person}`,
  fullName: `Sample Person ${person}`,
  email: `person${person}@sample.example`,
  properties: [{ propertyKey: properties[place]?.key, role: "property_manager", relationshipStatus: "current" }]
}))

interface Step {
  readonly act: "unlock" | "reveal" | "bundle" | "detail" | "account" | "contact" | "balance"
  readonly item: number
}

/** What differs between any two calls; and what REST tells in headers, or a tool alone since its reader asks what to do next. */
const apart: ReadonlySet<string> = new Set(["delivery_id", "generated_at", "opens", "credits_remaining"])

/** What a tool leaves out where there is none, and REST shows with null. */
const own: ReadonlySet<string> = new Set(
  tools.flatMap(({ operation: { name }, own }: Tool) =>
    ["service_get_property", "service_get_contact"].includes(name) ? [...own] : []
  )
)

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom("unlock", "unlock", "reveal", "reveal", "bundle", "detail", "account", "contact", "balance"),
  // One more than there are: there is no such item.
  item: fc.nat({ max: 3 })
})

describe("REST and MCP", () => {
  let drop: () => Promise<void>
  let url: Redacted.Redacted
  let env: Environment
  let server: Server
  let places: ReadonlyArray<string>
  let persons: ReadonlyArray<string>

  beforeAll(async () => {
    const database = await migratedDatabase()
    drop = database.drop
    url = Redacted.make(database.url)
    env = {
      DATABASE_URL: database.url,
      FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
      FREEHOLD_TRUSTED_PROXIES: "127.0.0.0/8",
      LOG_LEVEL: "none"
    }
    for (const [kind, rows] of [["properties", properties], ["research", research], ["contacts", contacts]] as const) {
      const { code, stderr } = await run(["import", kind, "-"], env, ndjson(rows))
      assert.strictEqual(code, 0, stderr)
    }
    await runJson(
      ["apply", "-"],
      env,
      JSON.stringify({
        organizations: tenants.flat().map(({ credits, licensed, orgId, secret }) => ({
          org_id: orgId,
          name: "Sample Roofing (made up)",
          plan: "enterprise",
          requests_per_minute: 1_000_000,
          serviceable_area: { county_fips: ["53903"] },
          entitlement: { county_fips: licensed ? ["53903"] : [] },
          export_allowance: { max_exports_per_month: 1, max_rows_per_month: 0 },
          grants: [{ ref: "welcome", bucket: "included", amount: credits }],
          keys: [{
            name: "sample",
            scopes: ["account:read", "leads:read_single", "property:read", "data:read", "data:unlock", "mcp"],
            secret
          }]
        }))
      })
    )
    const idOf = async (key: string) => {
      const rows = await Effect.runPromise(
        administer(url, (sql) => sql<{ readonly id: string }>`SELECT id FROM property WHERE key = ${key}`)
      )
      return rows[0]?.id ?? ""
    }
    const nowhere = "00000000-0000-4000-8000-000000000000"
    places = [...await Promise.all(properties.map(({ key }) => idOf(key))), nowhere]
    persons = [...await Promise.all(contacts.map(({ key }) => database.contactId(key))), nowhere, nowhere]
    server = await serve([], env)
  })

  afterAll(async () => {
    await server.stop()
    await drop()
  })

  /** Twice the same organization, with few credits, for each run. */
  const tenants = Array.from({ length: runs }, (_, index) =>
    [2 * index, 2 * index + 1].map((number) => ({
      number,
      orgId: `org_door_${number}`,
      secret: `fhk_door${number}${"x".repeat(43)}`.slice(0, 47),
      credits: [4, 10, 14, 15, 30][index % 5],
      licensed: index % 4 === 3
    })))

  type Tenant = NonNullable<(typeof tenants)[number][number]>

  const send = async ({ number, secret }: Tenant, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        "x-forwarded-for": `192.0.2.${number % 250}`,
        ...body === undefined ? {} : { "content-type": "application/json" }
      },
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    })
    const told: ReturnType<typeof JSON.parse> = await response.json()
    return { status: response.status, body: told }
  }

  const overRest = async (tenant: Tenant, { act, item }: Step) => {
    const [place, person] = [places[item], persons[item]]
    const routes = {
      unlock: () => send(tenant, "POST", `/properties/${place}/unlock`),
      reveal: () => send(tenant, "POST", `/contacts/${person}/reveal`),
      bundle: () => send(tenant, "GET", `/leads/${place}`),
      detail: () => send(tenant, "GET", `/properties/${place}/detail`),
      account: () => send(tenant, "GET", "/account"),
      contact: () => send(tenant, "GET", `/contacts/${person}`),
      balance: () => send(tenant, "GET", "/account")
    }
    const { body, status } = await routes[act]()
    // REST leaves the code out where the status says it all.
    if (status !== 200) return { code: body.meta?.code ?? body.code ?? (status === 404 ? "NOT_FOUND" : status) }
    if (act === "bundle") return { code: "ok", data: { ...body.data, ...body.meta } }
    return { code: "ok", data: act === "balance" ? body.data.credit_balance.total : body.data }
  }

  const overMcp = async (tenant: Tenant, { act, item }: Step) => {
    const [place, person] = [places[item], persons[item]]
    const calls = {
      unlock: ["service_reveal_property", { id: place }],
      reveal: ["service_reveal_contact", { id: person }],
      bundle: ["service_get_lead_bundle", { property_id: place }],
      detail: ["service_get_property", { id: place }],
      account: ["service_get_account", {}],
      contact: ["service_get_contact", { id: person }],
      balance: ["service_get_credit_balance", {}]
    }
    const [name, args] = calls[act]
    const { body, status } = await send(tenant, "POST", "/mcp", {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args }
    })
    assert.strictEqual(status, 200)
    const told = body.result.structuredContent
    if (body.result.isError === true) return { code: told.code }
    return { code: "ok", data: act === "balance" ? told.total : told }
  }

  /** As text, without what is told apart, and what there is none of. */
  const comparable = (answer: { readonly code: string; readonly data?: unknown }, { orgId }: Tenant) =>
    JSON.stringify(
      answer,
      (name, value: unknown) => apart.has(name) || value === null && own.has(name) ? undefined : value
    )
      .replaceAll(orgId, "org")

  const ledgerOf = ({ orgId }: Tenant) =>
    Effect.runPromise(administer(url, (sql) =>
      sql`
        SELECT entry, kind, ref, action, subject_type, subject_id, credits, trial, included, enterprise_pool, purchased,
          balance_after, allocations
        FROM credit_entry WHERE org_id = ${orgId} ORDER BY entry`))

  it("give equal data, equal codes and the same ledger for every sequence of calls (I9 F4)", async () => {
    const codes = new Set<string>()
    let ran = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 6, maxLength: 20, size: "max" }),
        async (steps) => {
          const [rest, mcp] = tenants[ran++] ?? []
          if (rest === undefined || mcp === undefined) return
          for (const each of steps) {
            const [left, right] = await Promise.all([overRest(rest, each), overMcp(mcp, each)])
            codes.add(left.code)
            assert.strictEqual(comparable(right, mcp), comparable(left, rest), JSON.stringify(each))
          }
          assert.deepStrictEqual(await ledgerOf(mcp), await ledgerOf(rest))
        }
      ),
      { numRuns: runs, seed: 20_260_330, endOnFailure: true }
    )
    for (
      const code of [
        "ok",
        "INSUFFICIENT_CREDITS",

        "NOT_RESEARCHED",
        "NOT_FOUND",
        "NOT_ENTITLED"
      ]
    ) {
      assert.isTrue(codes.has(code), `${code} was never generated`)
    }
  }, 60_000 + runs * 5000)
})
