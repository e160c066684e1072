/** Leads that reach a CRM: connected by the command, pushed by a running server, seen by the customer's admins. */
import { Effect, Exit, Scope } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as HubSpotServer from "../../webhook-worker/test/HubSpotServer.ts"
import * as SalesforceServer from "../../webhook-worker/test/SalesforceServer.ts"
import { type Environment, run, runJson, serve, type Server } from "./Freehold.ts"
import { document, orgId, properties, sampleDatabase, secret } from "./Sample.ts"

/** Of any shape: what it has is what is asserted. */
type Told = ReturnType<typeof JSON.parse>

let env: Environment
let server: Server
let hubSpot: Effect.Success<typeof HubSpotServer.make>
let salesforce: Effect.Success<typeof SalesforceServer.make>
let drop: () => Promise<void>
let folder: string
const scope = Scope.makeUnsafe()

const apply = (settings: object) =>
  runJson(
    ["apply", "-"],
    env,
    JSON.stringify({
      organizations: document.organizations.map(({ keys, org_id }) => ({
        org_id,
        keys: keys.map((key) => ({ ...key, scopes: [...key.scopes, "webhooks:manage", "pipeline:write"] })),
        ...settings
      }))
    })
  )

const call = async (method: string, path: string, body?: object): Promise<Told> => {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    ...body === undefined ? {} : { body: JSON.stringify(body) }
  })
  return await response.json()
}

const qualify = async (key: string): Promise<string> => {
  const { data: { property } } = await call("GET", `/properties/${key}`)
  await call("POST", "/mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "service_qualify_lead", arguments: { property_id: property.id, deal_value: 500 } }
  })
  return property.id
}

const qualified = "qualified=appointmentscheduled"

const tokenFile = () => join(folder, "token.txt")

const add = (stages: ReadonlyArray<string>, file = tokenFile()) => [
  "crm",
  "add",
  "hubspot",
  "--org",
  orgId,
  "--url",
  hubSpot.url,
  "--credentials-file",
  file,
  ...stages.flatMap((stage) => ["--stage", stage])
]

/** Waits until the newest delivery to the endpoint has come to an end. */
const ended = async (endpoint: string): Promise<Told> => {
  for (;;) {
    const { data: { deliveries: [delivery] } } = await call("GET", `/webhooks/${endpoint}/deliveries?limit=1`)
    if (delivery !== undefined && ["delivered", "failed"].includes(delivery.state)) return delivery
    await setTimeout(20)
  }
}

beforeAll(async () => {
  const database = await sampleDatabase()
  drop = database.drop
  env = { ...database.env, FREEHOLD_WEBHOOK_TARGETS: "any" }
  hubSpot = await Effect.runPromise(Scope.provide(HubSpotServer.make, scope))
  salesforce = await Effect.runPromise(Scope.provide(SalesforceServer.make, scope))
  folder = await mkdtemp(join(tmpdir(), "freehold-crm-"))
  await writeFile(tokenFile(), `${HubSpotServer.token}\n`)
  await apply({ crm_mode: "external" })
  server = await serve([], env)
})

afterAll(async () => {
  await server.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await rm(folder, { recursive: true })
  await drop()
})

describe("a CRM of an organization", () => {
  it("is not connected without the feature, with a token that is refused, or without a stage that it has", async () => {
    await apply({ features: { full_crm_export: false } })
    const gated = await run(add([qualified]), env)
    assert.strictEqual(gated.code, 1)
    assert.include(gated.stderr, "FEATURE_GATED")
    await apply({ features: { full_crm_export: true } })
    const other = join(folder, "other.txt")
    await writeFile(other, "pat-other")
    const refused = await run(add([qualified], other), env)
    assert.include(refused.stderr, "answered 401 INVALID_AUTHENTICATION")
    const missing = await run(add([qualified, "won=nowhere"]), env)
    assert.include(missing.stderr, "the pipeline default has no stage nowhere")
    const unnamed = await run(add(["won=closedwon"]), env)
    assert.include(unnamed.stderr, "qualified")
    assert.deepStrictEqual(await runJson(["crm", "list", "--org", orgId], env), { items: [] })
  })

  it("has a qualified lead, which its admins see in the log, and says what became of it", async () => {
    const made: Told = await runJson(add([qualified, "won=closedwon"]), env)
    assert.deepInclude(made, {
      org_id: orgId,
      state: "active",
      crm: {
        kind: "hubspot",
        pipeline: "default",
        stages: { qualified: "appointmentscheduled", won: "closedwon" }
      }
    })
    const shown = await run(["crm", "show", made.id], env)
    assert.include(shown.stdout, "closedwon")
    assert.notInclude(shown.stdout, HubSpotServer.token)

    const property = await qualify(properties[0]?.key ?? "")
    const delivery = await ended(made.id)
    assert.deepInclude(delivery, { state: "delivered", attempts: 1, last_status: 200, property_id: property })
    assert.strictEqual(hubSpot.kept("deals")[0]?.service_property_id, property)
    assert.strictEqual(hubSpot.kept("companies")[0]?.name, properties[0]?.address)
    const { data: { endpoints: [listed] } } = await call("GET", "/webhooks")
    assert.deepInclude(listed, { id: made.id, label: "HubSpot", url: hubSpot.url, createdVia: "manual" })
    const { data: { attempts: [attempt] } } = await call("GET", `/webhooks/deliveries/${delivery.event_id}`)
    assert.match(attempt.answer, /^company \d+, deal \d+$/)

    const rotated = await call("POST", `/webhooks/${made.id}/rotate-secret`, {})
    assert.include(rotated.meta?.issues?.[0]?.message ?? "", "Expected a webhook")
    const changed = await call("POST", `/webhooks/${made.id}/settings`, { events: ["signal.sale"] })
    assert.strictEqual(changed.meta?.issues?.[0]?.field, "events")
    const outcome = await call("POST", `/leads/${property}/status`, { status: "won" })
    assert.deepInclude(outcome.data, { property_id: property, status: "won" })

    await runJson(["crm", "test", made.id, "--as", "Op Sample"], env)
    await runJson(["crm", "remove", made.id, "--as", "Op Sample", "--reason", "asked by mail"], env)
    assert.deepStrictEqual(await runJson(["crm", "list", "--org", orgId], env), { items: [] })
    await runJson(["crm", "remove", made.id, "--as", "Op Sample", "--reason", "again"], env)
    const how = { url: hubSpot.url, crm: made.crm, disabled_reason: null }
    const { items: log }: Told = await runJson(["log", "--org", orgId], env)
    assert.containSubset(log.filter(({ subject }: Told) => subject === made.id), [
      { action: "endpoint.removed", actor: "Op Sample", reason: "asked by mail", before: how, after: null },
      { action: "endpoint.tested", actor: "Op Sample" },
      { action: "endpoint.added", before: null, after: how }
    ])
    assert.notInclude(JSON.stringify(log), HubSpotServer.token)
  })

  it("may be Salesforce, at an address of its own", async () => {
    const file = join(folder, "app.json")
    await writeFile(file, JSON.stringify(SalesforceServer.credentials))
    const asked = ["--org", orgId, "--credentials-file", file, "--stage", "qualified=Prospecting"]
    const unnamed = await run(["crm", "add", "salesforce", ...asked], env)
    assert.include(unnamed.stderr, "--url is needed")
    const made: Told = await runJson(["crm", "add", "salesforce", ...asked, "--url", salesforce.url], env)
    assert.deepInclude(made.crm, { kind: "salesforce", close_after_days: 90 })
    const again: Told = await runJson(
      ["crm", "add", "salesforce", ...asked, "--url", salesforce.url, "--close-after-days", "30"],
      env
    )
    assert.deepInclude(again, { id: made.id, crm: { ...made.crm, close_after_days: 30 } })
    const { items: [noted] }: Told = await runJson(["log", "--org", orgId], env)
    assert.containSubset(noted, {
      action: "endpoint.changed",
      subject: made.id,
      before: { crm: { close_after_days: 90 } },
      after: { crm: { close_after_days: 30 } }
    })
    const property = await qualify(properties[1]?.key ?? "")
    assert.deepInclude(await ended(made.id), { state: "delivered", property_id: property })
    assert.strictEqual(salesforce.kept("Opportunity")[0]?.service_property_id__c, property)
  })
})
