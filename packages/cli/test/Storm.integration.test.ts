/**
 * A storm of 16 clients over REST and MCP against a server in a process of its own, on a PostgreSQL of its own; both are
 * killed in the middle and come back. What any client was told is there, what was charged is what was told (but for
 * answers that were cut off), and nothing is left in progress (L1 L3 L5 L6 L13 L14 I1 I2 I5 I7 I9). Some of the clients
 * belong to an organization with daily caps and a records allowance: no cap is passed, and what was delivered is what was
 * taken and counted (D2 D9 A1 A3 A9).
 *
 * All data is made up.
 */
import * as AuditorPg from "@freehold/adapters-pg/credit/AuditorPg"
import * as EmbeddedPostgres from "@freehold/adapters-pg/embedded/EmbeddedPostgres"
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

/** Of these clients' organization, what is scarce: each is used up in every storm. */
const limitedClients = 5
const caps = { paid_property_unlock: 12, contact_reveal: 9, lead_export: 60 }
const keyCaps = { contact_reveal: 6 }
const allowance = { records: 6, initial_load: 4 }

type Tenant = "storm" | "limited"
const tenantOf = (client: number): Tenant => client < clients - limitedClients ? "storm" : "limited"

const secretsOf = { storm: ["a", "b"], limited: ["c", "d"] }
const secretOf = (client: number) => {
  const letters = secretsOf[tenantOf(client)]
  return `fhk_${(letters[client % letters.length] ?? "").repeat(43)}`
}
const county = "53903"

const organizationOf = (tenant: Tenant, settings: object, key: object) => ({
  org_id: `org_${tenant}`,
  name: "Sample Roofing (made up)",
  plan: "enterprise",
  requests_per_minute: 1_000_000,
  requests_per_day: 1_000_000,
  serviceable_area: { county_fips: [county] },
  grants: [
    { ref: "welcome", bucket: "trial", amount: 77 },
    { ref: "first", bucket: "purchased", amount: granted - 77 }
  ],
  keys: secretsOf[tenant].map((letter, index) => ({
    name: `sample ${index}`,
    scopes: ["account:read", "leads:read_single", "property:read", "data:read", "data:unlock", "mcp"],
    secret: `fhk_${letter.repeat(43)}`,
    ...key
  })),
  ...settings
})

const organizations = {
  organizations: [
    organizationOf("storm", { export_allowance: { max_exports_per_month: freeExports, max_rows_per_month: 0 } }, {}),
    organizationOf("limited", {
      features: { records_allowance: true },
      records_allowance: { ...allowance, period: "calendar_month", overage: null },
      daily_limits: {
        paid_property_unlock: { organization: caps.paid_property_unlock },
        contact_reveal: { service: caps.contact_reveal },
        lead_export: { organization: caps.lead_export },
        records_taken_per_day: { service: 1000 }
      }
    }, { daily_limits: { ...keyCaps, records_taken_per_day: 1000 } })
  ]
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
  readonly tenant: Tenant
  readonly kind: Kind
  readonly item: number
  /** `unknown`: the answer was cut off, or the database went away within the call. */
  readonly code: string
  readonly charged: number
  /** What was delivered in full. */
  readonly records: ReadonlyArray<string>
  /** How many of them were told to be new. */
  readonly taken: number
}

/** Parts of answers; what is read of them is what is asserted. */
type Told = ReturnType<typeof JSON.parse>

/** The records of an answer, as `kind id`. */
const recordsIn = (kind: Kind, told: Told): ReadonlyArray<string> =>
  kind === "unlock"
    ? []
    : kind === "reveal"
    ? [`contact ${told.contact.id}`]
    : [
      `property ${told.bundle.service_property_id}`,
      ...told.bundle.organizations.map((firm: Told) => `organization ${firm.service_organization_id}`),
      ...told.bundle.contacts.map((person: Told) => `contact ${person.service_contact_id}`)
    ]

const limits = new Set([
  "INSUFFICIENT_CREDITS",
  "ACCOUNT_DAILY_CAP_EXCEEDED",
  "DAILY_CAP_EXCEEDED",
  "CREDENTIAL_DAILY_CAP_EXCEEDED",
  "RECORDS_ALLOWANCE_EXCEEDED"
])
const isLimit = (code: string): boolean => limits.has(code)

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
    await runJson(["apply", "-"], env, JSON.stringify(organizations))
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
  })

  afterAll(async () => {
    await server.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  })

  const send = async (client: number, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secretOf(client)}`,
        "x-forwarded-for": `192.0.2.${client + 1}`,
        ...body === undefined ? {} : { "content-type": "application/json" }
      },
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    })
    const told: Told = await response.json()
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
    if (status !== 200) return refused(body.meta?.code ?? body.code ?? status)
    const charged = Number(kind === "bundle" ? body.meta.credits_charged : body.data.creditsCharged)
    return { code: "ok", charged, records: recordsIn(kind, body.data), taken: Number(body.meta?.records?.taken ?? 0) }
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
    if (body.result?.isError === true) return refused(told.code)
    if (told === undefined) return refused(body.meta?.code ?? body.error?.message ?? status)
    const charged = Number(kind === "bundle" ? told.credits_charged : told.creditsCharged)
    const taken = Number(body.result._meta?.records?.taken ?? 0)
    return { code: "ok", charged, records: recordsIn(kind, told), taken }
  }

  const refused = (code: unknown) => ({ code: String(code), charged: 0, records: [], taken: 0 })

  const call = async (client: number, kind: Kind, item: number, way: number): Promise<Outcome> => {
    const of = { tenant: tenantOf(client), kind, item }
    try {
      const told = await (way === 3 ? overMcp(client, kind, item) : overRest(client, kind, item, way))
      return { ...of, ...told, code: told.code === "TEMPORARILY_UNAVAILABLE" ? "unknown" : told.code }
    } catch {
      return { ...of, ...refused("unknown") }
    }
  }

  it("loses nothing when the server is killed and PostgreSQL is stopped at once in the middle (L1 L3 L5 L6 L13 L14 I1 I2 I5 I9 I11 D9 A1 A3 A9)", async () => {
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
          settled = kind === "bundle" || outcome.code === "ok" || isLimit(outcome.code)
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
      // The database went away while a bundle was read, before anything was billed.
      "COMPLIANCE_CHECK_UNAVAILABLE"
    ])
    assert.deepStrictEqual([...codes].filter((code) => !expected.has(code) && !isLimit(code)), [])
    assert.isTrue(codes.has("unknown"), "nothing was in flight when it was killed")

    // Every law holds in what is stored.
    const laws = await Effect.runPromise(
      administer(
        database,
        () => Effect.provide(Effect.flatMap(Auditor, ({ audit }) => audit), AuditorPg.layer, { local: true })
      )
    )
    assert.deepStrictEqual(laws.filter(({ count }) => count > 0), [])

    await limitsHeld(outcomes.filter(({ tenant }) => tenant === "limited"))
    for (const tenant of ["storm", "limited"] as const) {
      await creditsHeld(tenant, outcomes.filter((each) => each.tenant === tenant))
    }

    // Nothing is left in progress: one after another everything is answered at once.
    for (const client of [0, clients - 1]) {
      for (const [kind, items] of [["unlock", ids.properties], ["reveal", ids.contacts]] as const) {
        for (const item of items.keys()) {
          const { code } = await call(client, kind, item, 0)
          assert.isTrue(code === "ok" || isLimit(code), code)
        }
      }
    }
    const locks = await query("SELECT FROM pg_locks WHERE locktype = 'advisory'")
    assert.strictEqual(locks.length, 0)
  })

  /** What was told is what was booked, item by item, and no credit is lost. */
  const creditsHeld = async (tenant: Tenant, outcomes: ReadonlyArray<Outcome>) => {
    const of = `org_id = 'org_${tenant}'`
    const charges = await query<{ readonly action: string; readonly subject_id: string; readonly credits: number }>(
      `SELECT action, subject_id, credits FROM credit_entry WHERE kind = 'charge' AND ${of}`
    )
    const opened = await query<{ readonly id: string }>(
      `SELECT property_id AS id FROM property_access WHERE source = 'paid' AND ${of}
      UNION ALL SELECT contact_id FROM contact_access WHERE ${of}
      UNION ALL
      SELECT l.contact_id FROM property_contact l JOIN property_access p USING (property_id) WHERE p.source = 'paid' AND ${of}`
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
      `SELECT coalesce(sum(exports), 0)::int AS exports FROM export_usage WHERE ${of}`
    )
    const exported = usage?.exports ?? 0
    assert.isTrue(exported >= bundles.length && exported <= bundles.length + cut, "bundles told and bundles counted")
    const paidBundles = charges.filter(({ action }) => action === "lead_delivery").length
    // The allowance pays for the bundles of the limited organization.
    assert.strictEqual(paidBundles, tenant === "limited" ? 0 : Math.max(0, exported - freeExports))
    const toldPaid = bundles.reduce((sum, { charged }) => sum + charged, 0)
    assert.isTrue(toldPaid <= paidBundles && paidBundles <= toldPaid + cut)

    const balance = await send(tenant === "storm" ? 0 : clients - 1, "GET", "/account")
    const spent = charges.reduce((sum, { credits }) => sum - credits, 0)
    assert.strictEqual(balance.body.data.credit_balance.total, granted - spent)
  }

  /** No cap was passed, and what was delivered is what was taken and counted. */
  const limitsHeld = async (outcomes: ReadonlyArray<Outcome>) => {
    const of = "org_id = 'org_limited'"
    const used = await query<{ readonly kind: string; readonly scope: string; readonly used: number }>(
      `SELECT kind, scope, used FROM daily_use WHERE ${of}`
    )
    for (const [kind, cap] of Object.entries(caps)) {
      for (const row of used) if (row.kind === kind) assert.isAtMost(row.used, cap, kind)
    }
    for (const row of used) {
      if (row.kind === "contact_reveal" && row.scope !== "") assert.isAtMost(row.used, keyCaps.contact_reveal)
    }
    const inAll = (kind: string) =>
      used.filter((row) => row.kind === kind && row.scope === "").reduce((sum, row) => sum + row.used, 0)
    const [booked] = await query<{ readonly unlocks: number; readonly reveals: number; readonly exports: number }>(
      `SELECT count(*) FILTER (WHERE action = 'unlock_property')::int AS unlocks,
        count(*) FILTER (WHERE action = 'reveal_contact')::int AS reveals,
        (SELECT coalesce(sum(exports), 0)::int FROM export_usage WHERE ${of}) AS exports
      FROM credit_entry WHERE kind = 'charge' AND ${of}`
    )
    assert.deepStrictEqual(booked, {
      unlocks: inAll("paid_property_unlock"),
      reveals: inAll("contact_reveal"),
      exports: inAll("lead_export")
    })

    const rows = await query<{ readonly record: string }>(
      `SELECT DISTINCT kind || ' ' || record_id AS record FROM record_taken WHERE ${of}`
    )
    const taken = new Set(rows.map(({ record }) => record))
    const [counted] = await query<{ readonly initial: number; readonly recurring: number }>(
      `SELECT sum(initial)::int AS initial, sum(recurring)::int AS recurring FROM record_use WHERE ${of}`
    )
    assert.strictEqual((counted?.initial ?? 0) + (counted?.recurring ?? 0), taken.size)
    assert.strictEqual(inAll("records_taken_per_day"), taken.size)
    assert.isAtMost(counted?.initial ?? 0, allowance.initial_load)
    assert.isAtMost(counted?.recurring ?? 0, allowance.records)
    const told = outcomes.filter(({ code }) => code === "ok")
    for (const record of told.flatMap(({ records }) => records)) {
      assert.isTrue(taken.has(record), `${record} was delivered and not taken`)
    }
    const toldNew = told.reduce((sum, each) => sum + each.taken, 0)
    assert.isAtMost(toldNew, taken.size)
    if (toldNew < taken.size) assert.isTrue(outcomes.some(({ code }) => code === "unknown"))

    const codes = new Set(outcomes.map(({ code }) => code))
    for (const code of ["DAILY_CAP_EXCEEDED", "RECORDS_ALLOWANCE_EXCEEDED"]) assert.isTrue(codes.has(code), code)
  }
})
