/** Two made-up customers over the records of `Sample`, and how a server and its database are spoken to. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { onTestFinished } from "vitest"
import type { Environment, Server } from "./Freehold.ts"
import { emptyDatabase } from "./FreshDatabase.ts"
import { furnished } from "./FurnishedDatabase.ts"
import { environmentOf, load } from "./Sample.ts"

export const secrets = { busy: `fhk_${"b".repeat(43)}`, other: `fhk_${"o".repeat(43)}` }

const document = {
  organizations: Object.entries(secrets).map(([name, secret]) => ({
    org_id: `org_${name}`,
    name: `Sample ${name} (made up)`,
    plan: "enterprise",
    serviceable_area: { county_fips: ["53903"] },
    grants: [{ ref: "welcome", bucket: "included", amount: 100 }],
    features: { lists: true, signals: true },
    keys: [{
      name: "sample",
      scopes: [
        "events:subscribe",
        "account:read",
        "lists:read",
        "lists:write",
        "property:read",
        "data:read",
        "data:unlock",
        "mcp"
      ],
      secret
    }],
    members: [{ email: "ana@sample.example", name: "Ana Sample", role: "admin" }]
  }))
}

export interface Customers {
  readonly env: Environment
  readonly url: Redacted.Redacted
  readonly drop: () => Promise<void>
}

/** A database of the two, which nobody is connected to: on the server of the test run, or on another one. */
export const twoCustomers = async (postgres?: Redacted.Redacted): Promise<Customers> => {
  const furnish = (url: string) => load(url, document)
  const { drop, url } = postgres === undefined
    ? await furnished({ name: "customers", fromNothing: true, furnish })
    : await emptyDatabase(postgres)
  if (postgres !== undefined) await furnish(url)
  return { env: environmentOf(url), url: Redacted.make(url), drop }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Of any shape: what it has is what is asserted. */
  readonly body: ReturnType<typeof JSON.parse>
}

/** Calls the REST API as one of them. */
export const caller =
  (server: Server, secret: string) =>
  async (method: string, path: string, sent: RequestInit & { readonly json?: unknown } = {}): Promise<Answer> => {
    const { headers, json, ...init } = sent
    const response = await fetch(`${server.url}${path}`, {
      ...init,
      method,
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", ...headers },
      ...(json === undefined ? {} : { body: JSON.stringify(json) })
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

/** Calls one tool as one of them; answers its structured content. */
export const toolCaller = (server: Server, secret: string) => async (name: string, given: object) => {
  const params = { name, arguments: given }
  const { body } = await caller(server, secret)("POST", "/mcp", {
    json: { jsonrpc: "2.0", id: 1, method: "tools/call", params }
  })
  return body.result.structuredContent
}

/** Runs a statement, and keeps its locks until the answered function is called, or the test is over. */
export const holding = async (url: Redacted.Redacted, statement: string): Promise<() => Promise<void>> => {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const over = Effect.runPromise(administer(url, (sql) =>
    sql.withTransaction(Effect.gen(function*() {
      yield* sql.unsafe(statement)
      held.resolve()
      yield* Effect.promise(() => released.promise)
    }))))
  await Promise.race([held.promise, over])
  const release = async () => {
    released.resolve()
    await over
  }
  onTestFinished(release)
  return release
}

/** How many sessions of each pool wait for a lock. */
export const waiting = (url: Redacted.Redacted): Promise<Readonly<Record<string, number>>> =>
  Effect.runPromise(administer(url, (sql) =>
    Effect.map(
      sql<{ readonly pool: string; readonly count: number }>`
        SELECT application_name AS pool, count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' GROUP BY 1`,
      (rows) => Object.fromEntries(rows.map(({ count, pool }) => [pool, count]))
    )))

/** Looks until it is so. */
export const until = async <A>(look: () => Promise<A>, so: (found: A) => boolean): Promise<A> => {
  for (;;) {
    const found = await look()
    if (so(found)) return found
  }
}
