/**
 * Every endpoint against its own document: whatever is sent, no answer is a fault of ours, and every answer (status,
 * headers, body) is one that the document tells. And every tool against the schema that it publishes.
 *
 * `FREEHOLD_FUZZ_REQUESTS` and `FREEHOLD_FUZZ_SEED` ask for more, and for other ones. All data is made up.
 */
import { excess } from "@freehold/core/operation/JsonBounds"
import * as Scope from "@freehold/core/operation/Scope"
import * as fc from "fast-check"
import { Agent, request } from "node:http"
import { afterAll, assert, beforeAll, it } from "vitest"
import { closedList } from "../codes/ClosedList.ts"
import { type Environment, runJson, serve, type Server } from "../Freehold.ts"
import { migratedDatabase } from "../FreshDatabase.ts"
import { checker, type JsonObject } from "./DocumentChecker.ts"
import { type Known, plain, requests, type Sent, toolArguments } from "./Requests.ts"

const count = Number(process.env["FREEHOLD_FUZZ_REQUESTS"] ?? 600)
const calls = Math.ceil(count / 2)
const seed = Number(process.env["FREEHOLD_FUZZ_SEED"] ?? 20_260_331)

type Told = ReturnType<typeof JSON.parse>

const secret = `fhk_${"z".repeat(43)}`
const counties = ["53901", "53903", "53905"]

const customer = {
  organizations: [{
    org_id: "org_fuzz",
    name: "Sample Roofing (made up)",
    plan: "enterprise",
    crm_mode: "external",
    requests_per_minute: 1_000_000_000,
    requests_per_day: 1_000_000_000,
    // One county is licensed, one is not, one is outside.
    serviceable_area: { county_fips: counties.slice(0, 2) },
    entitlement: { county_fips: counties.slice(0, 1) },
    features: { signals: true },
    export_allowance: { max_exports_per_month: 50, max_rows_per_month: 0 },
    grants: [{ ref: "welcome", bucket: "included", amount: 1_000_000 }],
    keys: [{
      name: "fuzz",
      scopes: Scope.Scope.literals.filter((scope) => !Scope.addedOnly.includes(scope)),
      secret
    }]
  }]
}

let env: Environment
let server: Server
let drop: () => Promise<void>
let address = 0

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Sends bytes as they are: nothing about the path is tidied on the way. */
const send = (root: string, { body, headers, method, path }: Omit<Sent, "template">) =>
  new Promise<{ readonly status: number; readonly headers: Headers; readonly body: Told }>((resolve, reject) => {
    const { hostname, pathname, port } = new URL(root)
    const outgoing = request({
      agent,
      hostname,
      port,
      method,
      path: `${pathname}${path}`,
      headers: {
        authorization: `Bearer ${secret}`,
        // Each address may send 1,000 a minute.
        "x-forwarded-for": `2001:db8:${(++address >> 8).toString(16)}::1`,
        ...(body === null ? {} : { "content-length": body.length }),
        ...headers
      }
    }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk) => chunks.push(chunk))
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString()
        const given = Object.entries(response.headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)] as const]
        )
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(given.map(([name, value]): [string, string] => [name, value])),
          body: text === "" ? null : JSON.parse(text)
        })
      })
      response.on("error", reject)
    })
    outgoing.on("error", reject)
    outgoing.end(body)
  })

const ask = async (method: string, path: string, body?: unknown): Promise<Told> =>
  (await send(server.url, {
    method,
    path,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? null : Buffer.from(JSON.stringify(body))
  })).body

/** Words that exist, by where they are asked for. */
const learn = async (): Promise<Known> => {
  const find = async (countyFips: string) =>
    (await ask("POST", "/properties/search", { filters: { countyFips: [countyFips] }, limit: 30 })).data.results
  const rows = (await Promise.all(counties.slice(0, 2).map(find))).flat()
  const properties: ReadonlyArray<string> = rows.flatMap(({ id, key }: Told) => [id, key])
  const details = await Promise.all(
    rows.filter(({ countyFips }: Told) => countyFips === counties[0]).map(({ id }: Told) =>
      ask("GET", `/properties/${id}/detail`)
    )
  )
  const people = details.flatMap(({ data }: Told) => data.contacts.map(({ id }: Told): string => id))
  const firms = details.flatMap(({ data }: Told) => [
    data.property.primaryOrganizationId,
    data.property.managementOrganizationId
  ]).filter((id) => id !== null)
  const lists: Array<string> = []
  for (const type of ["properties", "contacts"]) {
    const { data } = await ask("POST", "/lists", { list_name: `Sample ${type}`, list_type: type })
    lists.push(data.list.id)
  }
  const pages = await Promise.all([
    ask("POST", "/properties/search", { query: "demo", limit: 1 }),
    ask("GET", "/leads?limit=1")
  ])
  const cursors = pages.map(({ data }) => data.next_cursor).filter((cursor) => cursor !== null)
  const words: Readonly<Record<string, ReadonlyArray<string>>> = {
    countyFips: counties,
    marketCountyFips: counties,
    countyNames: ["Quillgate (demo), WA", "Quillgate (demo)", "Nowhere"],
    states: ["WA"],
    cities: ["Larkmoor City (demo)", "Fennimore (demo), WA"],
    categories: ["Office", "Retail", "office"],
    query: ["demo", "fictional road", "Office", "zz"],
    titleText: ["manager"],
    url: ["https://hooks.crm.example/a", "https://hooks.crm.example/b", "http://127.0.0.1/", "https://[::1]/"],
    updated_since: ["2026-01-01", "2026-01-01T00:00:00Z"],
    cursor: cursors,
    organizationId: firms,
    propertyId: properties,
    property_id: properties,
    property_ids: properties,
    contact_id: people,
    organization_id: firms,
    id: [...properties, ...people, ...firms],
    list_id: lists,
    status: ["won", "lost", "attempted_contact", "active"],
    reason_code: ["bad_data"],
    loss_reason_code: ["price"],
    item_ids: [...rows.map(({ id }: Told): string => id), ...people],
    inListId: lists,
    notInListId: lists
  }
  // One that is deleted, one that stays, and one that is disabled.
  const { data: gone } = await ask("POST", "/webhooks", { url: "https://hooks.crm.example/c" })
  const { data: webhook } = await ask("POST", "/webhooks", { url: "https://hooks.crm.example/d" })
  const { data: idle } = await ask("POST", "/webhooks", { url: "https://hooks.crm.example/e" })
  const { data: delivery } = await ask("POST", `/webhooks/${webhook.endpoint.id}/test`)
  const leads = (await ask("GET", "/leads")).data.items.map(({ property_id }: Told): string => property_id)
  return (name) => {
    const [place = "", parameter] = name.split(" ")
    if (parameter === undefined) return words[place] ?? []
    if (place.startsWith("/properties")) return properties
    if (place.startsWith("/leads")) return [...leads, ...properties.slice(0, 4)]
    if (place.startsWith("/webhooks/deliveries")) return [delivery.event_id]
    if (place === "/webhooks/{id}") return [gone.endpoint.id]
    if (place.endsWith("/disable")) return [idle.endpoint.id]
    if (place.startsWith("/webhooks")) return [webhook.endpoint.id]
    if (place.startsWith("/contacts")) return people
    if (place.startsWith("/organizations")) return firms
    return place.startsWith("/lists") ? lists : []
  }
}

beforeAll(async () => {
  const database = await migratedDatabase()
  drop = database.drop
  env = {
    DATABASE_URL: database.url,
    FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    FREEHOLD_TRUSTED_PROXIES: "127.0.0.0/8",
    FREEHOLD_FEED_DELAY: "0 seconds",
    LOG_LEVEL: "none"
  }
  server = await serve(["--demo", "--no-worker"], env)
  await runJson(["apply", "-"], env, JSON.stringify(customer))
  for (const number of ["00001", "00002", "00003"]) {
    await runJson(
      ["lead", "qualify", "--org", "org_fuzz", "--property", `53903-DEMO${number}`, "--deal-value", "100"],
      env
    )
  }
})

afterAll(async () => {
  agent.destroy()
  await server.stop()
  await drop()
})

it(`answers ${count} requests made from the document as the document says`, async () => {
  const document: JsonObject = await ask("GET", "/openapi.json")
  const { faultsOf, resolve } = checker(document)
  const known = await learn()
  const follow = (schema: unknown): JsonObject => {
    const reference: unknown = Object(schema).$ref
    return typeof reference === "string" ? resolve(reference.slice(2).split("/")).value : Object(schema)
  }
  const endpoints = Object.entries<Told>(Object(document["paths"])).flatMap(([template, item]) =>
    Object.entries<Told>(item).map(([method, told]) => ({
      template,
      method: method.toUpperCase(),
      told,
      resolve: follow
    }))
  )
  const each = Math.ceil(count / endpoints.length)
  const all = endpoints.flatMap((endpoint, index) => [
    ...plain(endpoint, known),
    ...fc.sample(requests(endpoint, known), { numRuns: each, seed: seed + index })
  ])

  const faults: Array<string> = []
  const seen = new Map<string, number>()
  const waiting = all.values()
  const work = async () => {
    for (const sent of waiting) {
      const answer = await send(server.url, sent)
      const name = `${sent.method} ${sent.template}`
      seen.set(`${name} ${answer.status}`, (seen.get(`${name} ${answer.status}`) ?? 0) + 1)
      const told = answer.status === 500 ? ["a fault of ours"] : faultsOf(sent.template, sent.method, answer)
      if (told.length > 0) {
        const shown = JSON.stringify({ ...sent, body: sent.body?.toString("latin1").slice(0, 600) ?? null })
        faults.push(
          `${name} answered ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 400)}\n  ${
            told.slice(0, 3).join("\n  ")
          }\n  to ${shown.slice(0, 1500)}`
        )
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  if (process.env["FREEHOLD_FUZZ_REQUESTS"] !== undefined) {
    console.log([...seen].toSorted().map(([name, times]) => `${name}: ${times}`).join("\n"))
  }
  assert.strictEqual(
    faults.length,
    0,
    `${faults.length} of ${all.length}; the first:\n${faults.slice(0, 5).join("\n")}`
  )
  // The requests reach what lies behind the checks, but where only a delivery that has ended would do: nobody sends here.
  for (const { method, template } of endpoints) {
    if (template.endsWith("/resend")) continue
    assert.isAbove(seen.get(`${method} ${template} 200`) ?? 0, 0, `${method} ${template} never succeeded`)
  }
}, 60_000 + count * 30)

it(`answers ${calls} calls of tools, whatever their arguments`, async () => {
  const known = await learn()
  const rpc = (method: string, params: object) => ask("POST", "/mcp", { jsonrpc: "2.0", id: 1, method, params })
  const { result: { tools } } = await rpc("tools/list", {})
  const each = Math.ceil(calls / tools.length)
  const all = tools.flatMap(({ inputSchema, name }: Told, index: number) =>
    fc.sample(toolArguments(inputSchema, known), { numRuns: each, seed: seed + index }).map((given) => [name, given])
  )

  const faults: Array<string> = []
  const seen = new Map<string, number>()
  const waiting = all.values()
  const work = async () => {
    for (const [name, given] of waiting) {
      const { error, result } = await rpc("tools/call", { name, arguments: given })
      const code = result?.isError === true ? result.structuredContent.code : error === undefined ? "ok" : error.code
      seen.set(`${name} ${code}`, (seen.get(`${name} ${code}`) ?? 0) + 1)
      // -32602: the arguments are no object. -32600: they are more than is read.
      const readable = excess(Buffer.from(JSON.stringify({ params: { arguments: given } }))) === null
      if (code === "ok" || Object.hasOwn(closedList, code) || code === (readable ? -32_602 : -32_600)) continue
      faults.push(`${name} answered ${code} to ${JSON.stringify(given)?.slice(0, 600)}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  if (process.env["FREEHOLD_FUZZ_REQUESTS"] !== undefined) {
    console.log([...seen].toSorted().map(([name, times]) => `${name}: ${times}`).join("\n"))
  }
  assert.strictEqual(
    faults.length,
    0,
    `${faults.length} of ${all.length}; the first:\n${faults.slice(0, 5).join("\n")}`
  )
  assert.isAbove([...seen.keys()].filter((name) => name.endsWith(" ok")).length, tools.length / 2)
}, 60_000 + count * 30)
