/**
 * An installation that imports and two cells, from outside: what is imported, suppressed, merged and researched anywhere is so
 * in both cells, once, and each one's ledger is right. All data is made up.
 */
import { sharedTables, subscriptionOf } from "@freehold/adapters-pg/cell/SharedTables"
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { once as heard } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { afterAll, assert, beforeAll, it } from "vitest"
import { type Environment, run, runJson, sayingOf, serve, type Server, start } from "../Freehold.ts"
import { post, secret as shared, startResearcher } from "../research/OwnResearcher.ts"
import { ndjson, properties, research } from "../Sample.ts"
import { caller, holding, toolCaller } from "../TwoCustomers.ts"
import { clicked, signedIn } from "./CellPeople.ts"

/** Three databases that are migrated, in one server or in three. */
export interface Databases {
  readonly importer: Redacted.Redacted
  readonly east: Redacted.Redacted
  readonly west: Redacted.Redacted
  /** Of the cells in the names of their slots, of which a server has one each. */
  readonly mark: string
}

const secrets = { east: `fhk_${"e".repeat(43)}`, west: `fhk_${"w".repeat(43)}` }

const sides = ["east", "west"] as const
type Side = typeof sides[number]

const organizationOf = (side: Side) => ({
  organizations: [{
    org_id: `org_${side}`,
    name: `Sample ${side} (made up)`,
    plan: "enterprise",
    requests_per_minute: 1_000_000,
    serviceable_area: { county_fips: ["53903"] },
    grants: [{ ref: "welcome", bucket: "included", amount: 100 }],
    features: { lists: true, signals: true },
    keys: [{
      name: "sample",
      scopes: ["events:subscribe", "events:read", "account:read", "property:read", "data:read", "data:unlock", "mcp"],
      secret: secrets[side]
    }],
    members: [{ email: `ana@${side}.example`, name: "Ana Sample", role: "admin" }]
  }]
})

const [first = "", second = "", third = ""] = properties.map(({ key }) => key)
const owner = "ADA SAMPLE TRUST"
const places = properties.map((property, n) => ({
  ...property,
  lat: 48 + n / 100,
  lon: -122,
  recordOwner: property.key === third ? owner : null
}))

const saleOf = (key: string, propertyKey: string) => ({
  key,
  kind: "sale",
  propertyKey,
  before: null,
  after: { date: "2026-08-14", price: 900_000, document_type: "deed" },
  detectedAt: new Date(Date.now() - 60_000).toISOString(),
  effectiveDate: "2026-08-14",
  source: "county_record"
})

const personAt = (key: string, propertyKey: string) => ({
  key,
  fullName: "Maria Sample",
  title: "Property Manager",
  roleType: "property_manager",
  properties: [{ propertyKey }]
})

/** Of a publisher that wants to be named: two places, of which the first one stays. */
const [cited, citedBriefly] = ["53903-CITED1", "53903-CITED2"]
const credit = { title: "Parcels", licence: "made up, to be named", attribution: "Parcels: a county (made up)" }
const citing = (address: string, said = credit) => ({
  ...said,
  name: "sample-parcels",
  publisher: "A county (made up)",
  kind: "file",
  address,
  limits: { retired: 1 },
  map: { key: "{key}", fields: { countyFips: { const: "53903" }, address: "street" } }
})

/** What is not in the counts as in what they count: nobody counts or adds up in a cell, its counts come to it. */
const miscounted = (counts: string, key: string) => `
  WITH told AS (SELECT ${key}, sum(count)::int FROM ${counts}_now GROUP BY ${key} HAVING sum(count) <> 0)
  (TABLE told EXCEPT TABLE ${counts}_counted) UNION ALL (TABLE ${counts}_counted EXCEPT TABLE told)`

const keptCounts = [
  ["map_cell", "county_fips, level, x, y, asset_category"],
  ["reach_tally", "kind, area, states, roles"],
  ["title_tally", "area, states, title"]
] as const

/** Somebody is about to write to this database what moves there. */
const waitsForMove = `
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** A role that may read, and do nothing that only a superuser may. Roles are those of a whole server. */
const makeReader = "CREATE ROLE reader LOGIN PASSWORD 'made-up' IN ROLE pg_read_all_data"

const reader = (url: Redacted.Redacted) =>
  Object.assign(new URL(Redacted.value(url)), { username: "reader", password: "made-up" }).href

interface Finding {
  readonly check: string
  readonly outcome: string
  readonly detail: string
}

const isOfCell = ({ check }: Finding) => check === "cell"

const county = { json: { filters: { countyFips: ["53903"] } } }

/** What is looked at, once it is so; what it was at last, when that takes too long. */
const once = async <A>(look: () => Promise<A>, so: (found: A) => boolean): Promise<A> => {
  const patience = performance.now() + 180_000
  for (;;) {
    const found = await look()
    if (so(found)) return found
    assert.isBelow(performance.now(), patience, JSON.stringify(found))
    // An address may ask so often a minute.
    await setTimeout(100)
  }
}

/** The tests of one set of databases. */
export const cellScene = ({ close, makeDatabases, whole }: {
  readonly makeDatabases: () => Promise<Databases>
  readonly close: () => Promise<void>
  /** Each further command costs a process: what they say of themselves is looked at by night. */
  readonly whole: boolean
}): void => {
  const byNight = (title: string, test: () => Promise<void>): void => {
    // oxlint-disable-next-line vitest/no-conditional-tests, vitest/valid-title -- by day it is no test, rather than a skipped one
    if (whole) it(title, test)
  }
  let databases: Databases
  let env: Readonly<Record<"importer" | Side, Environment>>
  let servers: Readonly<Record<Side, Server>>
  const running: Array<Server> = []
  const joined = new Set<Side>()
  let researcher: Awaited<ReturnType<typeof startResearcher>>
  const folder = mkdtempSync(join(tmpdir(), "freehold-cells-"))
  const shelf = join(folder, "parcels.csv")
  const document = join(folder, "sample-parcels.json")

  const call = (side: Side, method: string, path: string, sent?: Parameters<ReturnType<typeof caller>>[2]) =>
    caller(servers[side], secrets[side])(method, path, sent)

  const tool = (side: Side, name: string, given: object) =>
    toolCaller(servers[side], secrets[side])(`service_${name}`, given)

  const load = async (kind: string, rows: ReadonlyArray<object>) => {
    const { code, stderr } = await run(["import", kind, "-"], env.importer, ndjson(rows))
    assert.strictEqual(code, 0, stderr)
  }

  /** What both cells answer, once it is so. */
  const inBoth = (look: (side: Side) => Promise<unknown>, so: (found: string) => boolean) =>
    Promise.all(sides.map((side) => once(async () => JSON.stringify(await look(side)), so)))

  const opened = (side: Side, key: string) => call(side, "GET", `/properties/${key}`)

  /** Says at the importing installation what the source is, and has it synced. */
  const sync = async (said: typeof credit, keys: ReadonlyArray<string>) => {
    writeFileSync(shelf, ["key,street", ...keys.map((key, n) => `${key},${n + 1} Nonesuch Avenue`), ""].join("\n"))
    writeFileSync(document, JSON.stringify(citing(pathToFileURL(shelf).href, said)))
    await runJson(["source", "add", document], env.importer)
    assert.containSubset(await runJson(["source", "sync", "sample-parcels"], env.importer), { state: "done" })
  }

  const sourceOf = async (side: Side, key: string) => (await opened(side, key)).body.data?.property?.source

  const sourcesOf = async (side: Side) => (await call(side, "GET", "/coverage")).body.data.counties[0].sources

  const nameOf = (side: Side) => `${side.slice(0, 1)}${databases.mark}`

  const inDatabase = (side: Side, statement: string) =>
    Effect.runPromise(administer(databases[side], (sql) => sql.unsafe(statement)))

  const atImporter = (statement: string) =>
    Effect.runPromise(administer(databases.importer, (sql) => sql.unsafe(statement)))

  /** What the doctor says of cells. */
  const examined = async (at: "importer" | Side): Promise<ReadonlyArray<Finding>> =>
    JSON.parse((await run(["doctor", "--json"], env[at])).stdout).checks.filter(isOfCell)

  const faultOf = async (at: "importer" | Side) =>
    (await examined(at)).find(({ outcome }) => outcome === "fault")?.detail ?? "no fault"

  const subscription = (change: "ENABLE" | "DISABLE") =>
    inDatabase("east", `ALTER SUBSCRIPTION ${subscriptionOf(nameOf("east"))} ${change}`)

  beforeAll(async () => {
    databases = await makeDatabases()
    researcher = await startResearcher(() => 202)
    const common = {
      FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
      FREEHOLD_WEBHOOK_TARGETS: "any",
      FREEHOLD_SOURCE_TARGETS: "any",
      FREEHOLD_RESEARCHER_URL: researcher.url,
      FREEHOLD_RESEARCHER_SECRET: shared,
      LOG_LEVEL: "error"
    }
    const cell = (side: Side) => ({
      ...common,
      DATABASE_URL: Redacted.value(databases[side]),
      FREEHOLD_IMPORTER_URL: Redacted.value(databases.importer)
    })
    env = {
      importer: { ...common, DATABASE_URL: Redacted.value(databases.importer) },
      east: cell("east"),
      west: cell("west")
    }
  })

  afterAll(async () => {
    await Promise.all(running.map((server) => server.stop()))
    researcher.close()
    // What a failed test left: a database with a subscription is not dropped.
    for (const side of joined) await run(["cell", "leave"], env[side])
    await close()
    rmSync(folder, { recursive: true })
  })

  byNight("a cell says why it cannot join", async () => {
    const { code, stderr } = await run(["cell", "join", nameOf("east")], env.east)
    assert.strictEqual(code, 1)
    assert.match(stderr, /publishes nothing yet; run there: freehold cell publish/)

    await inDatabase("east", makeReader)
    await runJson(["cell", "publish"], env.importer)
    const rightless = { ...env.east, DATABASE_URL: reader(databases.east) }
    const refused = await run(["cell", "join", nameOf("east"), "--dry-run"], rightless)
    assert.match(refused.stderr, /may make no subscription here; (a superuser lets it|before version 16)/)
    await inDatabase("east", "DROP ROLE reader")
  })

  it("a cell joins an importing installation, and has what was imported before", async () => {
    assert.containSubset(await runJson(["cell", "publish"], env.importer), {
      outcome: whole ? "unchanged" : "published",
      tables: sharedTables.length
    })
    await load("properties", places)
    await load("research", research.filter(({ propertyKey }) => propertyKey !== third))
    await load("changes", [saleOf("sale-before", second)])
    await load("contacts", [personAt("person-before", second)])
    await sync(credit, [cited, citedBriefly])
    // East was a cell already when nothing of sources was published.
    await atImporter("ALTER PUBLICATION freehold DROP TABLE source, source_county, source_record")
    await runJson(["cell", "join", nameOf("east")], env.east)
    joined.add("east")
    assert.match(await faultOf("importer"), /cells do not receive source, .*; run: freehold cell publish/)
    assert.containSubset(await runJson(["cell", "publish"], env.importer), { outcome: "changed" })
    assert.match(await faultOf("east"), /does not receive source, .*; run .* freehold cell join/)
    for (const side of sides) {
      assert.containSubset(await runJson(["cell", "join", nameOf(side)], env[side]), {
        outcome: joined.has(side) ? "refreshed" : "joined"
      })
      joined.add(side)
      await runJson(["apply", "-"], env[side], JSON.stringify(organizationOf(side)))
    }
    servers = { east: await serve([], env.east), west: await serve([], env.west) }
    running.push(servers.east, servers.west)
    await inBoth((side) => call(side, "POST", "/properties/search", county), (found) => found.includes(third))
    for (const side of sides) {
      await once(
        () => inDatabase(side, "SELECT FROM pg_subscription_rel WHERE srsubstate <> 'r'"),
        (rows) => rows.length === 0
      )
    }
  })

  byNight("a cell tells of itself, and refuses what is the importing installation's", async () => {
    assert.containSubset(await runJson(["cell", "join", nameOf("east"), "--dry-run"], env.east), {
      outcome: "refreshed"
    })
    const { cell } = JSON.parse((await run(["cell", "status", "--json"], env.east)).stdout)
    assert.isAbove(cell.tables, 0)
    assert.strictEqual(cell.copied, cell.tables)
    assert.containSubset(await runJson(["cell", "status"], env.importer), {
      cell: null,
      cells: [{ receiving: true }, { receiving: true }]
    })
    const refusals = [
      { args: ["suppress", "--owner", owner], words: /set FREEHOLD_IMPORTER_URL/ },
      { args: ["import", "properties", "-"], words: /is the cell .* import/ },
      { args: ["source", "add", document], words: /is the cell .* import/ },
      { args: ["source", "list"], words: /is the cell .* import/ }
    ]
    for (const { args, words } of refusals) {
      const { FREEHOLD_IMPORTER_URL: _, ...alone } = env.east
      const { code, stderr } = await run(args, alone, ndjson(places))
      assert.strictEqual(code, 1)
      assert.match(stderr, words)
    }
    assert.deepStrictEqual((await examined("importer")).map(({ outcome }) => outcome), ["ok", "ok"])
    await subscription("DISABLE")
    const [fault] = await examined("east")
    assert.match(fault?.detail ?? "", /is disabled; let it go on with: ALTER SUBSCRIPTION/)
    await subscription("ENABLE")
  })

  it("both name whoever published a record, also when it says so in other words or has the record no more", async () => {
    for (const side of sides) {
      assert.deepStrictEqual(await sourceOf(side, cited), { ...credit, vanishedAt: null })
      assert.deepStrictEqual(await sourcesOf(side), [credit])
      assert.isNull(await sourceOf(side, first))
    }
    const better = { ...credit, attribution: "Parcels: the county, its assessor (made up)" }
    await sync(better, [cited])
    await runJson(["source", "remove", "sample-parcels"], env.importer)
    await inBoth((side) => sourceOf(side, citedBriefly), (found) => /"vanishedAt":"2/.test(found))
    for (const side of sides) {
      await once(() => sourceOf(side, cited), (found) => found.attribution === better.attribution)
      const kept = await inDatabase(side, "SELECT token_sealed, due_at, mark FROM source")
      assert.deepStrictEqual(kept, [{ token_sealed: null, due_at: null, mark: null }])
    }
  })

  it("each unlocks for itself, and hears of what changed since it joined, also after it was stopped", async () => {
    await subscription("DISABLE")
    for (const side of sides) {
      assert.deepInclude((await call(side, "POST", `/properties/${first}/unlock`)).body.data, { creditsCharged: 10 })
    }
    await load("changes", [saleOf("sale-1", first)])
    await subscription("ENABLE")
    const found = await inBoth(
      (side) => call(side, "GET", "/events?eventType=signal.sale"),
      (found) => found.includes("signal.sale")
    )
    for (const each of found) assert.lengthOf(each.match(/"type":"signal.sale"/g) ?? [], 1)
  })

  it("what one suppresses is told by none, and what was told is taken back", async () => {
    for (const side of sides) {
      const made = await call(side, "POST", "/webhooks", {
        json: { url: researcher.url, events: ["signal.ownership_transfer", "signal.withdrawn"] }
      })
      assert.strictEqual(made.status, 200, JSON.stringify(made.body))
    }
    await load("changes", [{
      key: "transfer-1",
      kind: "ownership_transfer",
      propertyKey: third,
      before: { value: "Somebody (made up)" },
      after: { value: owner },
      detectedAt: new Date(Date.now() - 60_000).toISOString(),
      source: "county_record"
    }])
    await inBoth(
      (side) => call(side, "GET", "/events?eventType=signal.ownership_transfer"),
      (found) => found.includes(`"status":"fanned_out"`)
    )
    assert.containSubset(await runJson(["suppress", "--owner", owner.toLowerCase()], env.east), { properties: 1 })
    await inBoth(
      (side) => call(side, "POST", "/properties/search", county),
      (found) => !found.includes("ADA SAMPLE")
    )
    await inBoth((side) => call(side, "GET", "/events"), (found) => found.includes("signal.withdrawn"))
  })

  it("what one merges is merged in both, with what each keeps about it", async () => {
    await call("east", "POST", `/properties/${first}/unlock`)
    assert.containSubset(
      await runJson(["property", "merge", "--from", first, "--into", second], env.west),
      { outcome: "merged" }
    )
    await inBoth((side) => opened(side, first), (found) => found.includes("PROPERTY_RETIRED"))
    for (const side of sides) {
      const { body } = await once(
        () => call(side, "POST", `/properties/${second}/unlock`),
        ({ status }) => status !== 503
      )
      assert.deepInclude(body.data, { alreadyRevealed: true, creditsCharged: 0 })
    }
  })

  it("a property is researched once at a time over both, and its findings come to both (S3)", async () => {
    const started = await tool("east", "research_property", { id: third })
    const [job] = await researcher.received(1)
    assert(job !== undefined)
    assert.match(JSON.stringify(await tool("west", "research_property", { id: third })), /ALREADY_RESEARCHING/)
    assert.strictEqual((await tool("west", "get_credit_balance", {})).total, 90)

    const found = { job_id: job.job_id, outcome: "complete", research: { beneficialOwner: "Found Holdings" } }
    assert.strictEqual((await post(job.callback_url, JSON.stringify(found))).status, 200)
    assert.containSubset(await tool("east", "get_research_status", { run_id: started.run_id }), {
      status: "complete",
      credits_charged: 10
    })
    // Unlocked for nothing by who researched it; the other one pays for it.
    await once(() => opened("east", third), ({ body }) => JSON.stringify(body).includes("Found Holdings"))
    await call("west", "POST", `/properties/${third}/unlock`)
    await once(() => opened("west", third), ({ body }) => JSON.stringify(body).includes("Found Holdings"))
    const again = await tool("west", "research_property", { id: third })
    assert.notProperty(again, "code", JSON.stringify(again))
  })

  byNight("an organization stays where it is, and is answered, when it cannot move", async () => {
    const to = nameOf("west")
    const moving = { ...env.east, FREEHOLD_TARGET_URL: Redacted.value(databases.west) }
    const refused = async (given: Environment, ...flags: ReadonlyArray<string>) => {
      const { code, stderr } = await run(["cell", "move", "org_east", "--to", to, ...flags], given)
      assert.strictEqual(code, 1)
      assert.strictEqual((await call("east", "GET", "/me")).status, 200)
      return stderr
    }
    const otherKey = { ...moving, FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 2).toString("base64") }
    assert.match(await refused(otherKey, "--dry-run"), /is not the key of this installation/)
    const broken = "UPDATE key_proof SET sealed = set_byte(sealed, 20, 255 - get_byte(sealed, 20))"
    await inDatabase("west", broken)
    assert.include(await refused(moving, "--dry-run"), `is not the key of the cell ${to}`)
    await inDatabase("west", broken)

    for (const side of sides) await inDatabase(side, makeReader)
    const rightless = [
      [{ DATABASE_URL: reader(databases.east) }, "of this installation"],
      [{ FREEHOLD_TARGET_URL: reader(databases.west) }, `of the cell ${to}`]
    ] as const
    for (const [given, place] of rightless) {
      assert.include(await refused({ ...moving, ...given }, "--dry-run"), `the role reader ${place} may not write`)
    }
    for (const side of sides) await inDatabase(side, "DROP ROLE reader")

    // Found when it was copied: by then it is fenced in.
    const miscounted = (by: number) =>
      inDatabase("east", `UPDATE credit_account SET included = included + ${by} WHERE org_id = 'org_east'`)
    await miscounted(1)
    assert.match(await refused(moving), /laws are broken/)
    await miscounted(-1)
  })

  it("an organization moves with all that it has, is answered 503 meanwhile, and is found by the front", async () => {
    const direct = (side: Side) => servers[side].url.replace("/v1", "")
    const front = start([
      "cell",
      "front",
      ...sides.flatMap((side) => ["--cell", `${nameOf(side)}=${direct(side)}`]),
      "--otherwise",
      nameOf("east"),
      "--port",
      "0"
    ], { ...env.importer, FREEHOLD_WATCH_ADDRESS: "127.0.0.1:0", LOG_LEVEL: "info" })
    const watched = sayingOf(front)(/watch port started.*?(http:[^'"]+)/)
    const [line] = await heard(createInterface({ input: front.stdout ?? process.stdin }), "line")
    const url = `${/http:\S+/.exec(String(line))?.[0]}/v1`
    const through = (secret: string, method: string, path: string) =>
      caller({ ...servers.east, url }, secret)(method, path)

    const made = await runJson(
      ["key", "create", "--org", "org_west", "--name", "new", "--scopes", "account:read"],
      env.west
    )
    assert(made !== null && typeof made === "object" && "secret" in made, JSON.stringify(made))
    assert.match(String(made.secret), new RegExp(`^fhk_${nameOf("west")}-`))
    assert.strictEqual((await through(String(made.secret), "GET", "/me")).body.data.org_id, "org_west")
    assert.strictEqual((await through(secrets.east, "GET", "/me")).body.data.org_id, "org_east")

    const moving = { ...env.east, FREEHOLD_TARGET_URL: Redacted.value(databases.west) }
    const args = ["cell", "move", "org_east", "--to", nameOf("west")]
    if (whole) {
      assert.containSubset(await runJson([...args, "--dry-run"], moving), { dry_run: true, outcome: "moved" })
    }
    const { body: before } = await call("east", "GET", "/credits/ledger")

    // A member of it is signed in to the app of its cell.
    const session = await signedIn(databases.east, servers.east, "ana@east.example")
    assert.deepStrictEqual(await clicked(servers.east, session), { status: 200, code: null, told: true })

    // Killed where the other cell is about to be written to.
    const release = await holding(
      databases.west,
      "SELECT pg_advisory_xact_lock(hashtext('freehold move ' || 'org_east'))"
    )
    const killed = start(args, moving)
    await once(
      () => inDatabase("west", waitsForMove),
      (rows) => rows.length > 0
    )
    const refused = await call("east", "GET", "/me")
    assert.strictEqual(refused.status, 503)
    assert.strictEqual(refused.headers.get("retry-after"), "1")
    killed.kill("SIGKILL")
    await release()
    assert.strictEqual((await call("east", "GET", "/me")).status, 503)
    assert.strictEqual((await call("west", "GET", "/me")).status, 200)
    const waits = { status: 503, code: "TEMPORARILY_UNAVAILABLE", told: false }
    assert.deepStrictEqual(await clicked(servers.east, session), waits)

    assert.containSubset(await runJson(args, moving), { outcome: "moved" })
    // The old cell knows the session no more; the new one has it, for whoever comes there by the same name.
    const ended = { status: 401, code: "SIGN_IN_REQUIRED", told: false }
    assert.deepStrictEqual(await clicked(servers.east, session), ended)
    assert.deepStrictEqual(await clicked(servers.west, session), { status: 200, code: null, told: true })
    if (whole) assert.containSubset(await runJson(args, moving), { outcome: "unchanged" })
    const gone = await call("east", "GET", "/me")
    assert.strictEqual(gone.status, 503)
    assert.strictEqual(gone.headers.get("freehold-cell"), nameOf("west"))
    assert.strictEqual((await through(secrets.east, "GET", "/me")).body.data.org_id, "org_east")
    const unlocked = await through(secrets.east, "POST", `/properties/${second}/unlock`)
    assert.deepInclude(unlocked.body.data, { alreadyRevealed: true, creditsCharged: 0 })
    assert.deepStrictEqual((await through(secrets.east, "GET", "/credits/ledger")).body.data, before.data)

    await load("changes", [saleOf("sale-2", second)])
    await load("contacts", [personAt("person-after", first)])
    await once(
      () => through(secrets.east, "GET", "/events?eventType=signal.sale"),
      ({ body }) => body.data.total === 2
    )
    const metrics = await (await fetch(`${await watched}/metrics`)).text()
    // Both keys were the east cell's by their names, and one was followed to where it is.
    for (const told of [/_requests_total\{cell="[^"]+",status="200"\} [1-9]/, /_request_seconds_bucket\{cell=/]) {
      assert.match(metrics, new RegExp(`freehold_front${told.source}`))
    }
    assert.match(metrics, /freehold_front_refusals_total\{cell="[^"]+",reason="away"\} 0/)
    assert.match(metrics, /freehold_process_memory_bytes/)
    front.kill()
  })

  it("no law is broken in any, and each can leave", async () => {
    for (const side of sides) {
      for (const [counts, key] of keptCounts) {
        assert.isNotEmpty(await inDatabase(side, `SELECT FROM ${counts}_now`))
        await once(() => inDatabase(side, miscounted(counts, key)), (rows) => rows.length === 0)
        assert.deepStrictEqual(await inDatabase(side, `SELECT ${counts}_fold(100) AS added`), [{ added: 0 }])
      }
    }
    // The other one has no organization any more.
    for (const each of whole ? Object.values(env) : [env.west]) {
      assert.containSubset(await runJson(["audit"], each), { ok: true })
    }
    for (const side of sides) {
      assert.containSubset(await runJson(["cell", "leave"], env[side]), { outcome: "left" })
      joined.delete(side)
    }
    const left = await Effect.runPromise(administer(databases.importer, (sql) => sql`SELECT FROM cell`))
    assert.lengthOf(left, 0)
  })
}
