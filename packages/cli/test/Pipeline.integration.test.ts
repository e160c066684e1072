/** The life of leads through a running server over PostgreSQL: tools, write-back, events and customer accounts. */
import { assert, describe } from "@effect/vitest"
import { afterAll, beforeAll, it } from "vitest"
import { type Environment, runJson, serve, type Server } from "./Freehold.ts"
import { document, orgId, properties, sampleDatabase, secret } from "./Sample.ts"

/** Of any shape: what it has is what is asserted. */
type Told = ReturnType<typeof JSON.parse>

let env: Environment
let server: Server
let drop: () => Promise<void>
let ids: ReadonlyArray<string> = []

const scopes = [
  "mcp",
  "data:read",
  "data:unlock",
  "leads:read_single",
  "pipeline:write",
  "events:read",
  "accounts:sync"
]

const apply = (settings: object) =>
  runJson(
    ["apply", "-"],
    env,
    JSON.stringify({
      organizations: document.organizations.map((organization) => ({
        ...organization,
        keys: [{ name: "sample", scopes, secret }],
        ...settings
      }))
    })
  )

const call = async (method: string, path: string, body?: object): Promise<Told> => {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return await response.json()
}

const tool = async (name: string, input: object = {}): Promise<Told> =>
  (await call("POST", "/mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: input }
  })).result.structuredContent

beforeAll(async () => {
  const database = await sampleDatabase()
  env = database.env
  drop = database.drop
  await apply({ daily_limits: { agent_pipeline_change: { organization: 4 } } })
  server = await serve(["--no-worker"], env)
  const { data } = await call("POST", "/properties/search", { filters: { countyFips: ["53903"] } })
  ids = data.results.map(({ id }: Told): string => id)
})

afterAll(async () => {
  await server.stop()
  await drop()
})

describe("leads through a running server", () => {
  it("are qualified once, however many calls ask for it, and never beyond the day's cap (M1 M5)", async () => {
    assert.lengthOf(ids, properties.length)
    const asked = ids.flatMap((property_id) => [property_id, property_id, property_id])
    const told = await Promise.all(
      asked.map((property_id) => tool("service_qualify_lead", { property_id, deal_value: 500 }))
    )
    assert.lengthOf(told.filter((each) => each.first_time === true), ids.length)
    const others = told.filter((each) => each.first_time !== true).map((each) => each.code)
    assert.includeMembers(["SAME_STATUS", "CHANGED_IN_FLIGHT"], others)

    const dropped = await Promise.all(
      ids.map((property_id) => tool("service_disqualify_lead", { property_id, reason_code: "bad_data" }))
    )
    assert.lengthOf(dropped.filter((each) => each.status === "disqualified"), 1)
    for (const each of dropped) if (each.code !== undefined) assert.strictEqual(each.code, "DAILY_CAP_EXCEEDED")
    const cap = await tool("service_get_transition_cap")
    assert.deepInclude(cap, { cap: 4, usedToday: 4, remainingToday: 0 })

    const { data } = await call("GET", "/events")
    const types = data.events.map(({ type }: Told): string => type)
    assert.strictEqual(data.total, 4)
    assert.lengthOf(types.filter((type: string) => type === "lead.qualified"), 3)
    const { data: found } = await call("POST", "/properties/search", {
      filters: { countyFips: ["53903"], pipelineStatus: ["disqualified"] }
    })
    assert.lengthOf(found.results, 1)
  })

  it("take outcomes from the CRM, and show customer, stage and reason in the bundle", async () => {
    await apply({ crm_mode: "external", entitlement: { county_fips: ["53903"] } })
    const [lead = ""] = ids
    const won = await call("POST", `/leads/${lead}/status`, { status: "won", customer_status: "active" })
    assert.deepInclude(won.data, { status: "won", is_current_customer: true })
    const synced = await call("POST", "/customer-accounts/sync", {
      accounts: [{ property_id: properties[0]?.key ?? "", status: "churned" }, { property_id: lead, status: "churned" }]
    })
    assert.deepInclude(synced.data, { synced_count: 2, error_count: 0 })
    const { data } = await call("GET", `/leads/${lead}`)
    assert.deepInclude(data.bundle.pipeline, {
      status: "won",
      deal_value: 500,
      is_current_customer: false,
      customer_account_status: "churned",
      disqualified_reason: null
    })
    const shown = await runJson(["lead", "show", "--org", orgId, "--property", lead], env)
    const { history }: Told = shown
    assert.deepStrictEqual(history.at(-1).to, "won")
    assert.isTrue(history.every((move: Told) => move.by_agent))
  })
})
