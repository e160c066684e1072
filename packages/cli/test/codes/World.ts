/** A running server over PostgreSQL with the shared records, and an organization for each scenario and door. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import * as Scope from "@freehold/core/operation/Scope"
import * as Client from "@freehold/http-host/Client"
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import { type Environment, run, runJson, serve } from "../Freehold.ts"
import { migratedDatabase } from "../FreshDatabase.ts"
import { startIssuer } from "../Issuer.ts"
import { ndjson } from "../Sample.ts"
import { serving } from "./EmbeddedHost.ts"
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

const scopes = Scope.Scope.literals.filter((scope) => !Scope.addedOnly.includes(scope))

const orgIdOf = (code: string, door: string): string => `org_${door}_${code}`

const emailOf = (orgId: string): string => `${orgId.toLowerCase()}@people.example`

const secretOf = (orgId: string): string => `fhk_${createHash("sha256").update(orgId).digest("hex").slice(0, 43)}`

const documentOf = (scenarios: Readonly<Record<string, Scenario>>) => ({
  organizations: Object.entries(scenarios).flatMap(([code, { command, entrance, key, member, org, rest, tool }]) =>
    Object.entries({ rest, tool, entrance, command }).flatMap(([door, act]) => {
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
        ...(member === undefined
          ? {}
          : { members: [{ email: emailOf(orgId), name: "Sample Member", role: "member", ...member }] }),
        keys: [{ name: "sample", scopes, secret: secretOf(orgId), ...key }, ...Array.isArray(keys) ? keys : []]
      }]
    })
  )
})

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

export const openWorld = async (scenarios: Readonly<Record<string, Scenario>>): Promise<World> => {
  const database = await migratedDatabase()
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
  const issuer = await startIssuer(() => `${server.url}/mcp`)
  const server = await serve(["--no-worker"], { ...env, OAUTH_ISSUER: issuer.url })

  /** The connections that wait for a lock. */
  const waiting = Effect.promise(() => wait(10)).pipe(
    Effect.andThen(administer(url, (client) =>
      client<{ readonly pid: number }>`
        SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'`)),
    Effect.repeat({ until: (rows) => rows.length > 0 })
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
          Effect.andThen(Effect.promise(() => during({ waiting: () => Effect.runPromise(Effect.asVoid(waiting)) })))
        )
      )))

  const cutOff: Org["cutOff"] = (table, call) =>
    holding(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`, async () => {
      const answer = call()
      await Effect.runPromise(Effect.asVoid(terminate))
      return answer
    })

  const org = (code: string, door: string) => {
    const orgId = orgIdOf(code, door)
    const email = emailOf(orgId)
    let last: Wire | undefined
    const tell = (wire: Wire) => {
      last = wire
    }
    const reach = (key: string): Org => {
      const apiAt = (baseUrl: string, told: (wire: Wire) => void): Client.Client => ({
        call: (endpoint, ...rest) => {
          const client = Client.make({
            baseUrl,
            apiKey: key,
            fetch: async (input, init) => {
              const response = await fetch(input, init)
              const { headers, status } = response
              const [method = "", template = ""] = endpoint.split(" ")
              told({ template, method, status, headers, body: await response.clone().json() })
              return response
            }
          })
          return client.call(endpoint, ...rest)
        }
      })
      const ask = (baseUrl: string, method: string, params: object) =>
        fetch(`${baseUrl}/mcp`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
        })
      const enterAt = async (baseUrl: string) => {
        const response = await ask(baseUrl, "tools/list", {})
        return { http: response.status, body: await response.json() }
      }
      const tool: Org["tool"] = async (name, args) => {
        const response = await ask(server.url, "tools/call", { name, arguments: args })
        const { error, result }: ReturnType<typeof JSON.parse> = await response.json()
        return {
          tool: name,
          args,
          call: tool,
          http: response.status,
          isError: result?.isError === true,
          content: result?.structuredContent ?? error
        }
      }
      return {
        orgId,
        email,
        credentialId: credentials.get(orgId) ?? "",
        api: apiAt(server.url, tell),
        aside: apiAt(server.url, () => {}),
        tool,
        enter: () => enterAt(server.url),
        command: async (...args) => (await run(args, env)).stderr,
        holding,
        cutOff,
        elsewhere: (unknown, call) =>
          serving(env, unknown, (baseUrl) => call({ api: apiAt(baseUrl, tell), enter: () => enterAt(baseUrl) })),
        signIn: async (given) => {
          issuer.know(email, { email, email_verified: true })
          return reach(await issuer.token(email, given))
        }
      }
    }
    return { ...reach(secretOf(orgId)), last: () => last }
  }

  return {
    org,
    document: async () => (await fetch(`${server.url}/openapi.json`)).json(),
    close: async () => {
      await server.stop()
      await issuer.close()
      await database.drop()
    }
  }
}
