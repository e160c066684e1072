/** The app of this folder as Zapier runs it, against a running service. */
import { once } from "node:events"
import { createServer, type Server as Receiver } from "node:http"
import { createRequire } from "node:module"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createAppTester } from "zapier-platform-core"
import { type Environment, runJson, serve, type Server } from "../../../packages/cli/test/Freehold.ts"
import { document, properties, sampleDatabase, secret } from "../../../packages/cli/test/Sample.ts"
import { tryConnection } from "../src/authentication.ts"
import { flat } from "../src/flat.ts"
import * as loaded from "../src/index.ts"
import { perform, performList, subscribe, unsubscribe } from "../src/leadQualified.ts"
import { report } from "../src/reportOutcome.ts"

/** Of any shape: what it has is what is asserted. */
type Told = ReturnType<typeof JSON.parse>

const app = { ...loaded }
const run = createAppTester(app)

/** What Zapier's command asks before it pushes an app; the types of the package do not tell of it. */
const validate = async (definition: object): Promise<ReadonlyArray<Told>> => {
  const { createAppHandler } = createRequire(import.meta.url)("zapier-platform-core")
  return (await createAppHandler(definition)({ command: "validate" })).results
}

let env: Environment
let server: Server
let receiver: Receiver
let drop: () => Promise<void>

const authData = () => ({ api_root: server.url, api_key: secret })

const call = async (method: string, path: string, body?: object): Promise<Told> => {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    ...body === undefined ? {} : { body: JSON.stringify(body) }
  })
  return await response.json()
}

const qualify = (property: string): Promise<Told> =>
  call("POST", "/mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "service_qualify_lead", arguments: { property_id: property, deal_value: 500 } }
  })

beforeAll(async () => {
  const database = await sampleDatabase()
  drop = database.drop
  env = { ...database.env, FREEHOLD_WEBHOOK_TARGETS: "any" }
  const organizations = document.organizations.map(({ keys, org_id }) => ({
    org_id,
    crm_mode: "external",
    keys: keys.map((key) => ({ ...key, scopes: [...key.scopes, "pipeline:write"] }))
  }))
  await runJson(["apply", "-"], env, JSON.stringify({ organizations }))
  server = await serve([], env)
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      response.writeHead(200).end("{}")
      receiver.emit("delivery", JSON.parse(body))
    })
  }).listen(0, "127.0.0.1")
  await once(receiver, "listening")
})

afterAll(async () => {
  await server.stop()
  receiver.close()
  await drop()
})

describe("the app for Zapier", () => {
  it("is one that Zapier accepts", async () => {
    assert.deepStrictEqual(await validate(app), [])
    assert.isNotEmpty(await validate({ ...app, triggers: { other: app.triggers.lead_qualified } }))
  })

  it("tries a connection, and says what is wrong with one", async () => {
    const { org_id } = await run(tryConnection, { authData: authData() })
    assert.strictEqual(org_id, document.organizations[0]?.org_id)
    const refused = run(tryConnection, { authData: { ...authData(), api_key: "fhk_no" } })
    assert.match(await refused.then(() => "taken", String), /401/)
  })

  it("has a sample with an id, in the form of what arrives", async () => {
    const [sample, ...others] = await run(performList, { authData: authData() })
    assert.isEmpty(others)
    assert.deepInclude(sample, {
      id: "00000000-0000-4000-8000-000000000008",
      event_type: "lead.qualified",
      test: true,
      property_city: "Sampleton",
      contacts_count: 1,
      contact_1_email: "sam@owner.example",
      contact_1_do_not_contact_email: false,
      organization_1_name: "Sample Owner LLC",
      pipeline_deal_value: 25_000
    })
    assert.isEmpty(Object.values(sample ?? {}).filter((value) => typeof value === "object" && value !== null))
  })

  it("is told of a lead from when a Zap is switched on until it is switched off", async () => {
    const address = receiver.address()
    const targetUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook`
    const subscribeData: Told = await run(subscribe, { authData: authData(), targetUrl })
    const { data: { property } } = await call("GET", `/properties/${properties[0]?.key}`)
    const arrival = once(receiver, "delivery")
    await qualify(property.id)
    const [cleanedRequest] = await arrival
    const [lead] = await run(perform, { authData: authData(), subscribeData, cleanedRequest })
    assert.deepInclude(lead, {
      id: cleanedRequest.event_id,
      test: false,
      service_property_id: property.id,
      property_address: properties[0]?.address,
      pipeline_status: "qualified"
    })
    const again = await run(perform, { authData: authData(), subscribeData, cleanedRequest })
    assert.strictEqual(again[0]?.id, lead?.id)
    assert.isEmpty(await run(perform, { authData: authData(), cleanedRequest: { ...cleanedRequest, test: true } }))

    const ended: Told = await run(unsubscribe, { authData: authData(), subscribeData })
    assert.deepStrictEqual(ended, { id: subscribeData.id, active: false })
    // Zapier may ask again.
    assert.deepStrictEqual(await run(unsubscribe, { authData: authData(), subscribeData }), ended)
  })

  it("subscribes what is listed as made by Zapier", async () => {
    const targetUrl = "https://hooks.zapier.com/hooks/standard/1/made-up/"
    const made: Told = await run(subscribe, { authData: authData(), targetUrl })
    const { data: { endpoints } } = await call("GET", "/webhooks")
    assert.strictEqual(endpoints.find(({ id }: Told) => id === made.id).createdVia, "zapier")
    await run(unsubscribe, { authData: authData(), subscribeData: made })
  })

  it("reports an outcome, and says why one cannot be", async () => {
    const { data: { property } } = await call("GET", `/properties/${properties[1]?.key}`)
    await qualify(property.id)
    const tell = (property_id: string) =>
      run(report, { authData: authData(), inputData: { property_id, status: "won" } })
    assert.deepInclude(await tell(property.id), { id: property.id, status: "won" })
    const refused = tell("00000000-0000-4000-8000-000000000000")
    assert.match(await refused.then(() => "taken", String), /404/)
  })

  it("shows five people at most, and how many there are", () => {
    const contacts = Array.from({ length: 7 }, (_, index) => ({ full_name: `Person ${index + 1}`, email: null }))
    const shown = flat({ event_id: "e", event_type: "t", created_at: "c", test: false, data: { contacts } })
    assert.strictEqual(shown["contacts_count"], 7)
    assert.strictEqual(shown["contact_5_full_name"], "Person 5")
    assert.notProperty(shown, "contact_6_full_name")
  })
})
