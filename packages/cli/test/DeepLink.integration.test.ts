/** Whether a lead links to a page of the property: where the operator has such pages, and nowhere else. */
import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, runJson, serve } from "./Freehold.ts"
import { document, ndjson, properties, research, sampleDatabase, secret } from "./Sample.ts"

/** Of any shape: what it has is what is asserted. */
type Answer = ReturnType<typeof JSON.parse>

/** A lead is qualified once, so each test has a property of its own. */
const visited = "53903-VISITED"

let env: Environment
let drop: () => Promise<void>

beforeAll(async () => {
  ;({ drop, env } = await sampleDatabase())
  const [organization] = document.organizations
  const keys = [{ name: "sample", scopes: [...organization?.keys[0]?.scopes ?? [], "leads:read_single"] }]
  await runJson(["apply", "-"], env, JSON.stringify({ organizations: [{ org_id: organization?.org_id, keys }] }))
  await runJson(["import", "properties", "-"], env, ndjson([{ ...properties[0], key: visited }]))
  await runJson(["import", "research", "-"], env, ndjson([{ ...research[0], propertyKey: visited }]))
})

afterAll(() => drop())

/** The bundles of one property through every door, by a server of those settings; `visit` looks at one while it runs. */
const bundles = async (
  settings: Environment,
  property: string,
  visit: (bundle: Answer, origin: string) => Promise<void> = async () => {}
): Promise<Readonly<Record<string, Answer>>> => {
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      response.writeHead(204).end()
      receiver.emit("delivery", JSON.parse(body))
    })
  }).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  const address = receiver.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`
  const server = await serve([], { ...env, FREEHOLD_WEBHOOK_TARGETS: "any", ...settings })
  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    })
    const answer: Answer = await response.json()
    assert.notStrictEqual(answer.success ?? !answer.result.isError, false, JSON.stringify(answer))
    return answer
  }
  const tool = async (name: string, input: object): Promise<Answer> =>
    (await call("POST", "/mcp", {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: input }
    })).result.structuredContent
  try {
    const { data: { endpoint } } = await call("POST", "/webhooks", { url })
    const { data: { property: { id } } } = await call("GET", `/properties/${property}`)
    await call("POST", `/properties/${property}/unlock`)
    const qualified = once(receiver, "delivery")
    await tool("service_qualify_lead", { property_id: id, deal_value: 500 })
    const [webhook] = await qualified
    const tried = once(receiver, "delivery")
    await runJson(["webhook", "test", endpoint.id], { ...env, ...settings })
    const [sample] = await tried
    await call("DELETE", `/webhooks/${endpoint.id}`)
    const { data: { bundle } } = await call("GET", `/leads/${id}`)
    await visit(bundle, new URL(server.url).origin)
    return {
      webhook: webhook.data,
      "a made-up webhook": sample.data,
      "the sample of the API": (await call("GET", "/webhooks/sample?event=lead.qualified")).data.data,
      REST: bundle,
      MCP: (await tool("service_get_lead_bundle", { property_id: id })).bundle
    }
  } finally {
    await server.stop()
    receiver.close()
  }
}

describe("deep_link_url of a bundle", () => {
  it("is left out where there is no page to link to", async () => {
    const told = await bundles({ FREEHOLD_CONSOLE: "off" }, properties[0]?.key ?? "")
    for (const [door, bundle] of Object.entries(told)) {
      assert.strictEqual(bundle.bundle_version, 1, door)
      assert.notProperty(bundle.property, "deep_link_url", door)
    }
  })

  it("is answered with the page of the app by the server that told it", async () => {
    let link: string | null = null
    const told = await bundles({}, visited, async ({ property, service_property_id: id }, origin) => {
      link = property.deep_link_url
      assert.strictEqual(link, `${origin}/properties/${id}`)
      const page = await fetch(`${origin}/properties/${id}`)
      assert.strictEqual(page.status, 200)
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
      assert.strictEqual(await page.text(), await (await fetch(origin)).text())
      assert.strictEqual((await fetch(`${origin}/nowhere/${id}`)).status, 404)
    })
    // What is made up is about no property.
    for (const door of ["webhook", "REST", "MCP"]) assert.strictEqual(told[door].property.deep_link_url, link, door)
  })

  it("leads to the property's page in the app that the server serves", async () => {
    const told = await bundles({ FREEHOLD_PUBLIC_URL: "https://api.example" }, properties[2]?.key ?? "")
    for (const [door, bundle] of Object.entries(told)) {
      const page = `https://api.example/properties/${bundle.service_property_id}`
      assert.strictEqual(bundle.property.deep_link_url, page, door)
    }
  })

  it("leads to the property's page in the application of FREEHOLD_APP_URL", async () => {
    const told = await bundles({ FREEHOLD_APP_URL: "https://crm.example/app/" }, properties[1]?.key ?? "")
    for (const [door, bundle] of Object.entries(told)) {
      const page = `https://crm.example/app/properties/${bundle.service_property_id}`
      assert.strictEqual(bundle.property.deep_link_url, page, door)
    }
  })
})
