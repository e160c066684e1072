/** A running server over PostgreSQL with the shared records, and an organization for each scenario and door. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import * as Client from "@freehold/http-host/Client"
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import { type Environment, run, runJson, serve } from "../Freehold.ts"
import { freshDatabase } from "../FreshDatabase.ts"
import { ndjson } from "../Sample.ts"
import { contacts, licensed, open, properties, research } from "./Records.ts"
import type { Org, Scenario } from "./Scenario.ts"

/** What came back last on REST, as it was on the wire. */
export interface Wire {
  readonly template: string
  readonly method: string
  readonly status: number
  readonly headers: Headers
  readonly body: ReturnType<typeof JSON.parse>
}

export interface World {
  /** The organization of a code and a door, and the last answer that it got on REST. */
  readonly org: (code: string, door: string) => Org & { readonly last: () => Wire | undefined }
  readonly document: () => Promise<ReturnType<typeof JSON.parse>>
  readonly close: () => Promise<void>
}

const scopes = [
  "events:subscribe",
  "leads:read_single",
  "pipeline:write",
  "accounts:sync",
  "account:read",
  "events:read",
  "notes:read",
  "lists:read",
  "lists:write",
  "property:read",
  "data:read",
  "data:unlock",
  "mcp"
]

const orgIdOf = (code: string, door: string): string => `org_${door}_${code}`

const secretOf = (orgId: string): string => `fhk_${createHash("sha256").update(orgId).digest("hex").slice(0, 43)}`

const documentOf = (scenarios: Readonly<Record<string, Scenario>>) => ({
  organizations: Object.entries(scenarios).flatMap(([code, { command, key, org, rest, tool }]) =>
    Object.entries({ rest, tool, command }).flatMap(([door, act]) => {
      if (act === undefined) return []
      const { keys = [], ...more } = { ...org }
      const orgId = orgIdOf(code, door)
      return [{
        org_id: orgId,
        name: "Sample Roofing (made up)",
        plan: "enterprise",
        requests_per_minute: 100_000,
        serviceable_area: { county_fips: [open, licensed] },
        entitlement: { county_fips: [licensed] },
        grants: [{ ref: "welcome", bucket: "included", amount: 1000 }],
        ...more,
        keys: [{ name: "sample", scopes, secret: secretOf(orgId), ...key }, ...Array.isArray(keys) ? keys : []]
      }]
    })
  )
})

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

export const openWorld = async (scenarios: Readonly<Record<string, Scenario>>): Promise<World> => {
  const database = await freshDatabase()
  const url = Redacted.make(database.url)
  const env: Environment = {
    DATABASE_URL: database.url,
    FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    LOG_LEVEL: "none"
  }
  for (const [kind, rows] of [["properties", properties], ["research", research], ["contacts", contacts]] as const) {
    const { code, stderr } = await run(["import", kind, "-"], env, ndjson(rows))
    if (code !== 0) throw new Error(stderr)
  }
  const applied: ReturnType<typeof JSON.parse> = await runJson(
    ["apply", "-"],
    env,
    JSON.stringify(documentOf(scenarios))
  )
  const credentials = new Map<string, string>()
  for (const { keys, org_id } of applied.organizations) credentials.set(org_id, keys[0].credential_id)
  const server = await serve(["--no-worker"], env)

  const sql = (statement: string) =>
    Effect.runPromise(Effect.asVoid(administer(url, (client) => client.unsafe(statement))))

  /** The connections that wait for a lock. */
  const waiting = Effect.promise(() => wait(10)).pipe(
    Effect.andThen(administer(url, (client) =>
      client<{ readonly pid: number }>`
        SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'`)),
    Effect.repeat({ until: (rows) => rows.length > 0, times: 500 })
  )

  const terminate = Effect.flatMap(
    waiting,
    (rows) =>
      administer(
        url,
        (client) => Effect.forEach(rows, ({ pid }) => client`SELECT pg_terminate_backend(${pid}::integer)`)
      )
  )

  const holding: Org["holding"] = (statement, during) =>
    Effect.runPromise(administer(url, (client) =>
      client.withTransaction(
        client.unsafe(statement).pipe(
          Effect.andThen(Effect.promise(() =>
            during({
              waiting: () => Effect.runPromise(Effect.asVoid(waiting)),
              terminate: () => Effect.runPromise(Effect.asVoid(terminate))
            })
          ))
        )
      )))

  const org = (code: string, door: string) => {
    const orgId = orgIdOf(code, door)
    const key = secretOf(orgId)
    let last: Wire | undefined
    const apiWith = (template: string): Client.Client =>
      Client.make({
        baseUrl: server.url,
        apiKey: key,
        fetch: async (input, init) => {
          const response = await fetch(input, init)
          const { headers, status } = response
          const body = await response.clone().json()
          last = { template, method: init?.method ?? "GET", status, headers, body }
          return response
        }
      })
    const api: Client.Client = {
      call: (endpoint, ...rest) => apiWith(endpoint.split(" ")[1] ?? "").call(endpoint, ...rest)
    }
    const tool = async (name: string, args: object): Promise<unknown> => {
      const response = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })
      })
      const { error, result }: ReturnType<typeof JSON.parse> = await response.json()
      return { http: response.status, isError: result?.isError === true, content: result?.structuredContent ?? error }
    }
    const command = async (...args: ReadonlyArray<string>) => (await run(args, env)).stderr
    return {
      orgId,
      key,
      credentialId: credentials.get(orgId) ?? "",
      api,
      tool,
      command,
      sql,
      holding,
      last: () => last
    }
  }

  return {
    org,
    document: async () => (await fetch(`${server.url}/openapi.json`)).json(),
    close: async () => {
      await server.stop()
      await database.drop()
    }
  }
}
