/**
 * A storm of 16 clients over REST and MCP against a server in a process of its own, on a PostgreSQL of its own; both are
 * killed in the middle and come back. What any client was told is there, what was charged is what was told (but for
 * answers that were cut off), and nothing is left in progress (L1 L3 L5 L6 L13 L14 I1 I2 I5 I7 I9).
 *
 * All data is made up.
 */
import * as AuditorPg from "@freehold/adapters-pg/AuditorPg"
import * as EmbeddedPostgres from "@freehold/adapters-pg/EmbeddedPostgres"
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Auditor } from "@freehold/core/credit/Auditor"
import { Effect, Exit, Redacted, Schedule, Scope } from "effect"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, run, runJson, serve, type Server } from "./Freehold.ts"
import { ndjson } from "./Sample.ts"

const clients = 16
/** Calls in all; the server is killed after a third of them, the database after two thirds. */
const calls = Math.min(400, Number(process.env["FREEHOLD_LAW_RUNS"] ?? 60)) * clients
const granted = 2000
const freeExports = 20
const places = 40
const persons = 40

const secrets = ["a", "b"].map((letter) => `fhk_${letter.repeat(43)}`)
const county = "53903"

const organization = {
  organizations: [{
    org_id: "org_storm",
    name: "Sample Roofing (made up)",
    plan: "enterprise",
    requests_per_minute: 1_000_000,
    requests_per_day: 1_000_000,
    serviceable_area: { county_fips: [county] },
    export_allowance: { max_exports_per_month: freeExports, max_rows_per_month: 0 },
    grants: [
      { ref: "welcome", bucket: "trial", amount: 77 },
      { ref: "first", bucket: "purchased", amount: granted - 77 }
    ],
    keys: secrets.map((secret, index) => ({
      name: `sample ${index}`,
      scopes: ["account:read", "leads:read_single", "property:read", "data:read", "data:unlock", "mcp"],
      secret
    }))
  }]
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const keyOf = (place: number) => `${county}-SAMPLE${place}`

/** Person n is at the places n and n + 1. */
const records = {
  properties: numbers(places).map((place) => ({
    key: keyOf(place),
    address: `${place} Nonesuch Avenue`,
    countyFips: county
  })),
  research: numbers(places).map((place) => ({
    propertyKey: keyOf(place),
    beneficialOwner: "Sample Holdings (made up)",
    researchedAt: "2026-06-01T00:00:00Z"
  })),
  contacts: numbers(persons).map((person) => ({
    key: `sample:${person}`,
    fullName: `Sample Person ${person}`,
    properties: [person, (person + 1) % places].map((place) => ({
      propertyKey: keyOf(place),
      role: "property_manager",
      relationshipStatus: "current"
    }))
  }))
}

type Kind = "unlock" | "reveal" | "bundle"

interface Outcome {
  readonly kind: Kind
  readonly item: number
  /** `unknown`: the answer was cut off, or the database went away within the call. */
  readonly code: string
  readonly charged: number
}

/** The same numbers at each run. */
const seeded = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor(state / 2 ** 32 * below)
  }
}

describe("a storm of clients", () => {
  const folder = mkdtempSync(join(tmpdir(), "freehold-storm-"))
  const scope = Scope.makeUnsafe()
  let database: Redacted.Redacted
  let env: Environment
  let server: Server
  let ids: { readonly properties: ReadonlyArray<string>; readonly contacts: ReadonlyArray<string> }

  const query = <Row extends object>(statement: string): Promise<ReadonlyArray<Row>> =>
    Effect.runPromise(administer(database, (sql) => sql.unsafe<Row>(statement)))

  beforeAll(async () => {
    chmodSync(folder, 0o711)
    const started = await Effect.runPromise(
      Scope.provide(EmbeddedPostgres.start({ dataDirectory: folder, temporary: true }), scope)
    )
    database = started.url
    env = {
      DATABASE_URL: Redacted.value(database),
      FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
      // Each client has an address of its own.
      FREEHOLD_TRUSTED_PROXIES: "127.0.0.0/8",
      LOG_LEVEL: "none"
    }
    await runJson(["apply", "-"], env, JSON.stringify(organization))
    for (const [kind, rows] of Object.entries(records)) {
      const { code, stderr } = await run(["import", kind, "-"], env, ndjson(rows))
      assert.strictEqual(code, 0, stderr)
    }
    const byKey = async (table: string, keys: ReadonlyArray<string>) => {
      const rows = await query<{ readonly id: string; readonly key: string }>(`SELECT id, key FROM ${table}`)
      return keys.map((key) => rows.find((row) => row.key === key)?.id ?? "")
    }
    ids = {
      properties: await byKey("property", records.properties.map(({ key }) => key)),
      contacts: await byKey("contact", records.contacts.map(({ key }) => key))
    }
    server = await serve([], env)
  }, 120_000)

  afterAll(async () => {
    await server.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const send = async (client: number, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secrets[client % secrets.length]}`,
        "x-forwarded-for": `192.0.2.${client + 1}`,
        ...body === undefined ? {} : { "content-type": "application/json" }
      },
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    })
    const told: ReturnType<typeof JSON.parse> = await response.json()
    return { status: response.status, body: told }
  }

  const overRest = async (client: number, kind: Kind, item: number, way: number) => {
    const property = [ids.properties[item], ids.properties[item]?.toUpperCase(), keyOf(item)][way % 3]
    const [method, path] = kind === "unlock"
      ? ["POST", `/properties/${property}/unlock`]
      : kind === "reveal"
      ? ["POST", `/contacts/${ids.contacts[item]}/reveal`]
      : ["GET", `/leads/${ids.properties[item]}`]
    const { body, status } = await send(client, method ?? "", path ?? "")
    if (status !== 200) return { code: String(body.meta?.code ?? body.code ?? status), charged: 0 }
    return { code: "ok", charged: Number(kind === "bundle" ? body.meta.credits_charged : body.data.creditsCharged) }
  }

  const overMcp = async (client: number, kind: Kind, item: number) => {
    const [name, args] = kind === "unlock"
      ? ["service_reveal_property", { id: ids.properties[item] }]
      : kind === "reveal"
      ? ["service_reveal_contact", { id: ids.contacts[item] }]
      : ["service_get_lead_bundle", { property_id: ids.properties[item] }]
    const { body, status } = await send(client, "POST", "/mcp", {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args }
    })
    const told = body.result?.structuredContent
    if (body.result?.isError === true) return { code: String(told.code), charged: 0 }
    if (told === undefined) return { code: String(body.meta?.code ?? body.error?.message ?? status), charged: 0 }
    return { code: "ok", charged: Number(kind === "bundle" ? told.credits_charged : told.creditsCharged) }
  }

  const call = async (client: number, kind: Kind, item: number, way: number): Promise<Outcome> => {
    try {
      const { charged, code } = await (way === 3 ? overMcp(client, kind, item) : overRest(client, kind, item, way))
      return { kind, item, charged, code: code === "TEMPORARILY_UNAVAILABLE" ? "unknown" : code }
    } catch {
      return { kind, item, charged: 0, code: "unknown" }
    }
  }

  it("loses nothing when the server is killed and PostgreSQL is stopped at once in the middle", async () => {
    const outcomes: Array<Outcome> = []
    const faults: Array<"server" | "database"> = []
    let back = Promise.resolve()

    /** Kills the server without a word and starts another. */
    const killServer = async () => {
      const gone = once(server.process, "exit")
      server.process.kill("SIGKILL")
      await gone
      server = await serve([], env)
    }
    /** Immediate shutdown: no checkpoint, every session cut; its guard starts it again. */
    const killDatabase = async () => {
      const pidFile = join(folder, "postgres", "data", "postmaster.pid")
      const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0])
      process.kill(pid, "SIGQUIT")
      await Effect.runPromise(
        administer(database, (sql) => sql`SELECT`).pipe(
          Effect.repeat({ until: () => Number(readFileSync(pidFile, "utf8").split("\n")[0]) !== pid }),
          Effect.sandbox,
          Effect.retry(Schedule.spaced("50 millis"))
        )
      )
    }
    const strike = (fault: "server" | "database", kill: () => Promise<void>) => {
      faults.push(fault)
      back = kill()
    }
    const note = (outcome: Outcome) => {
      outcomes.push(outcome)
      if (faults.length === 0 && outcomes.length > calls / 3) strike("server", killServer)
      if (faults.length === 1 && outcomes.length > calls * 2 / 3) {
        strike("database", () => back.then(killDatabase))
      }
    }
    const client = async (number: number) => {
      const random = seeded(number + 1)
      while (outcomes.length < calls) {
        const kind = (["unlock", "unlock", "reveal", "reveal", "bundle"] as const)[random(5)] ?? "unlock"
        // A few at a time, so that clients meet.
        const item = (Math.floor(outcomes.length / (calls / 8)) * 5 + random(7)) % places
        const way = random(4)
        for (let settled = false; !settled;) {
          const outcome = await call(number, kind, item, way)
          note(outcome)
          settled = kind === "bundle" || outcome.code === "ok" || outcome.code === "INSUFFICIENT_CREDITS"
          if (outcome.code === "unknown" || outcome.code === "rate_limit_unavailable") await back
        }
      }
    }
    await Promise.all(numbers(clients).map(client))
    assert.deepStrictEqual(faults, ["server", "database"])
    await back

    // Only refusals that belong there.
    const codes = new Set(outcomes.map(({ code }) => code))
    const expected = new Set([
      "ok",
      "unknown",
      "ACTION_IN_PROGRESS",
      "NOT_ENTITLED",
      "rate_limit_unavailable",
      "INSUFFICIENT_CREDITS"
    ])
    assert.deepStrictEqual([...codes].filter((code) => !expected.has(code)), [])
    assert.isTrue(codes.has("unknown"), "nothing was in flight when it was killed")

    // Every law holds in what is stored.
    const laws = await Effect.runPromise(
      administer(
        database,
        () => Effect.provide(Effect.flatMap(Auditor, ({ audit }) => audit), AuditorPg.layer, { local: true })
      )
    )
    assert.deepStrictEqual(laws.filter(({ count }) => count > 0), [])

    // What was told is what was booked, item by item.
    const charges = await query<{ readonly action: string; readonly subject_id: string; readonly credits: number }>(
      "SELECT action, subject_id, credits FROM credit_entry WHERE kind = 'charge'"
    )
    const opened = await query<{ readonly id: string }>(
      `SELECT property_id AS id FROM property_access WHERE source = 'paid'
      UNION ALL SELECT contact_id FROM contact_access
      UNION ALL SELECT l.contact_id FROM property_contact l JOIN property_access p USING (property_id) WHERE p.source = 'paid'`
    )
    const open = new Set(opened.map(({ id }) => id))
    for (
      const [kind, action, price, items] of [
        ["unlock", "unlock_property", 10, ids.properties],
        ["reveal", "reveal_contact", 5, ids.contacts]
      ] as const
    ) {
      for (const [item, id] of items.entries()) {
        const told = outcomes.filter((each) => each.kind === kind && each.item === item)
        const charged = told.filter(({ charged }) => charged > 0)
        const booked = charges.filter((each) => each.action === action && each.subject_id === id)
        assert.isTrue(charged.every((each) => each.charged === price))
        assert.isTrue(booked.every(({ credits }) => credits === -price))
        assert.isAtMost(booked.length, 1, `${kind} ${item} was charged twice`)
        assert.isAtMost(charged.length, booked.length, `${kind} ${item} was told and not booked`)
        if (booked.length > charged.length) {
          assert.isTrue(told.some(({ code }) => code === "unknown"), `${kind} ${item} was booked and not told`)
        }
        if (told.some(({ code }) => code === "ok")) {
          assert.isTrue(open.has(id), `${kind} ${item} was told and is not there`)
        }
      }
    }
    const bundles = outcomes.filter(({ code, kind }) => kind === "bundle" && code === "ok")
    const cut = outcomes.filter(({ code, kind }) => kind === "bundle" && code === "unknown").length
    const [usage] = await query<{ readonly exports: number }>(
      "SELECT coalesce(sum(exports), 0)::int AS exports FROM export_usage"
    )
    const exported = usage?.exports ?? 0
    assert.isTrue(exported >= bundles.length && exported <= bundles.length + cut, "bundles told and bundles counted")
    const paidBundles = charges.filter(({ action }) => action === "lead_delivery").length
    assert.strictEqual(paidBundles, Math.max(0, exported - freeExports))
    const toldPaid = bundles.reduce((sum, { charged }) => sum + charged, 0)
    assert.isTrue(toldPaid <= paidBundles && paidBundles <= toldPaid + cut)

    // No credit is lost.
    const balance = await send(0, "GET", "/account")
    const spent = charges.reduce((sum, { credits }) => sum - credits, 0)
    assert.strictEqual(balance.body.data.credit_balance.total, granted - spent)

    // Nothing is left in progress: one after another everything goes through at once.
    for (const [kind, items] of [["unlock", ids.properties], ["reveal", ids.contacts]] as const) {
      for (const item of items.keys()) {
        assert.include(["ok", "INSUFFICIENT_CREDITS"], (await call(0, kind, item, 0)).code)
      }
    }
    const locks = await query("SELECT FROM pg_locks WHERE locktype = 'advisory'")
    assert.strictEqual(locks.length, 0)
  }, 60_000)
})
