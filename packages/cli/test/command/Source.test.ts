/**
 * Sources from outside: three commands to real buildings of one city, a row that changes at the source and is a webhook, and
 * a sync that is killed.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, assert, beforeAll, describe, test } from "vitest"
import { type Environment, run, runJson, serve, start } from "../Freehold.ts"
import { migratedDatabase } from "../FreshDatabase.ts"
import { type PortalServer, portalServer } from "../source/PortalServer.ts"

const root = join(import.meta.dirname, "../../../..")

describe("sources", () => {
  const folder = mkdtempSync(join(tmpdir(), "freehold-source-test-"))
  let database: Awaited<ReturnType<typeof migratedDatabase>>
  let portal: PortalServer
  let env: Environment

  beforeAll(async () => {
    database = await migratedDatabase()
    portal = await portalServer()
    for (const column of [":id", ":updated_at", "number", "street", "owner"]) portal.columns.soda.add(column)
    for (let number = 1; number <= 12; number++) {
      portal.soda.push({
        ":id": `row-${number}`,
        ":updated_at": "2026-01-01T00:00:00.000Z",
        number: String(number),
        street: `${number} Nonesuch Avenue`,
        owner: "A LLC"
      })
    }
    env = {
      DATABASE_URL: database.url,
      FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString("base64"),
      FREEHOLD_SOURCE_TARGETS: "any",
      FREEHOLD_WEBHOOK_TARGETS: "any"
    }
  })

  afterAll(async () => {
    await portal.close()
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  test("three commands lead to real buildings of one city; a row that changes at the source reaches a webhook", async () => {
    const shelf = join(folder, "lots.csv")
    const excerpt = readFileSync(join(root, "sources/excerpts/nyc-pluto.csv"), "utf8")
    writeFileSync(shelf, excerpt)
    const example = "examples/apply/organizations.json"
    const readme = readFileSync(join(root, "README.md"), "utf8")
    for (
      const line of [`apply ${example}`, "source add nyc-pluto --area Manhattan", "serve", "source sync nyc-pluto"]
    ) {
      assert.include(readme, `pnpm freehold ${line}`)
    }
    // Of any shape: what it has is what is asserted.
    const applied: ReturnType<typeof JSON.parse> = await runJson(["apply", join(root, example)], env)
    const secret = applied.organizations[0].keys[0].secret
    assert.containSubset(await runJson(["source", "add", "nyc-pluto", "--from", shelf], env), {
      outcome: "added",
      licence: "NYC Open Data: published without restrictions on use"
    })
    const server = await serve([], env)
    const receiver = spawn(
      process.execPath,
      [join(root, "examples/webhook-receiver.ts"), server.url, "0", "signal.ownership_transfer"],
      { env: { ...process.env, FREEHOLD_API_KEY: secret }, stdio: ["ignore", "pipe", "inherit"] }
    )
    const gone = once(receiver, "exit")
    let printed = ""
    receiver.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8")
    })
    const receives = async (words: string) => {
      while (!printed.includes(words)) await once(receiver.stdout, "data")
    }
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        ...body === undefined ? {} : { body: JSON.stringify(body) }
      })
      const answer: ReturnType<typeof JSON.parse> = await response.json()
      assert.strictEqual(response.status, 200, JSON.stringify(answer))
      return answer.data
    }
    try {
      // The server syncs by itself what was added.
      await server.says(/source nyc-pluto: (300 read, 300 inserted), 0 changed/)
      const found = await call("POST", "/properties/search", {
        filters: { countyFips: ["36061"], categories: ["Office"], minBuildingSqft: 500_000 },
        sortBy: "buildingSqft"
      })
      assert.isAbove(found.total_matching, 3)
      const { property } = await call("GET", `/properties/${found.results[0].id}`)
      const credit = {
        title: "Primary Land Use Tax Lot Output (PLUTO)",
        licence: "NYC Open Data: published without restrictions on use",
        attribution: "Tax lots: New York City Department of City Planning (PLUTO), NYC Open Data"
      }
      assert.deepStrictEqual(property.source, { ...credit, vanishedAt: null })

      await receives("waiting for signal.ownership_transfer")
      writeFileSync(shelf, excerpt.replace(",6 STONE STREET LLC,", ",SAMPLE HOLDINGS LLC,"))
      assert.notStrictEqual(readFileSync(shelf, "utf8"), excerpt)
      assert.containSubset(await runJson(["source", "sync", "nyc-pluto"], env), {
        state: "done",
        read: 300,
        inserted: 0,
        changed: 1,
        unchanged: 299
      })
      await receives("signal.ownership_transfer ")
      await receives("the signature is right")
      await receives("\"kind\":\"ownership_transfer\"")
      await receives("\"source\":\"county_record\"")

      const listed = async () => {
        const { items }: ReturnType<typeof JSON.parse> = await runJson(["source", "list"], env)
        return items.filter(({ name }: { readonly name: string }) => name === "nyc-pluto")
      }
      assert.containSubset(await listed(), [{ kind: "file", state: "done", records: 300 }])
      assert.containSubset(await runJson(["source", "show", "nyc-pluto"], env), {
        runs: [{ number: 2, changed: 1 }, { number: 1 }]
      })

      // The records stay, and whose they are has to be said of them.
      assert.deepStrictEqual(await runJson(["source", "remove", "nyc-pluto"], env), {
        name: "nyc-pluto",
        removed: true
      })
      assert.deepStrictEqual(await listed(), [])
      const kept = await call("GET", `/properties/${found.results[0].id}`)
      assert.deepStrictEqual(kept.property.source, { ...credit, vanishedAt: null })
    } finally {
      receiver.kill("SIGINT")
      await gone
      await server.stop()
    }
  })

  test("a sync that is killed at a page goes on there", async () => {
    const file = join(folder, "parcels.json")
    writeFileSync(
      file,
      JSON.stringify({
        name: "parcels",
        title: "Parcels (made up)",
        publisher: "a county (made up)",
        licence: "public domain",
        attribution: "Parcels: a county (made up)",
        kind: "soda",
        address: `${portal.origin}/resource/abcd-1234`,
        page: 3,
        rate: 1000,
        map: {
          key: "parcels:{number}",
          fields: { countyFips: { const: "53903" }, address: "street", recordOwner: "owner" }
        }
      })
    )
    await runJson(["source", "add", file], env)
    // The third page never comes: whoever asks for it is killed.
    let asked = () => {}
    const reached = new Promise<void>((resolve) => (asked = resolve))
    portal.faults.push(undefined, undefined, undefined, () => asked())
    const killed = start(["source", "sync", "parcels"], env)
    await reached
    const gone = once(killed, "exit")
    killed.kill("SIGKILL")
    await gone
    const before = portal.sent.length
    assert.containSubset(await runJson(["source", "sync", "parcels"], env), { state: "done", read: 12, inserted: 12 })
    // Two pages with rows, and the empty one that ends it.
    assert.strictEqual(portal.sent.length - before, 3)
  })

  test("rows whose key does not tell them apart are counted and told, and none is lost in silence", async () => {
    const rows = join(folder, "units.csv")
    writeFileSync(
      rows,
      "parcel,street\n1,1 Nonesuch Avenue\n1,1 Nonesuch Avenue #2\n1,1 Nonesuch Avenue #3\n2,2 Nonesuch Avenue\n"
    )
    const file = join(folder, "units.json")
    writeFileSync(
      file,
      JSON.stringify({
        name: "units",
        title: "Units (made up)",
        publisher: "a county (made up)",
        licence: "public domain",
        attribution: "Units: a county (made up)",
        kind: "file",
        address: pathToFileURL(rows).href,
        map: { key: "units:{parcel}", fields: { countyFips: { const: "53903" }, address: "street" } }
      })
    )
    await runJson(["source", "add", file], env)
    const { stdout } = await run(["source", "sync", "units"], env)
    assert.match(stdout, /repeated +2\n/)
    assert.include(stdout, "The key of the map has to tell rows apart.")
    assert.containSubset(await runJson(["source", "show", "units"], env), {
      records: 2,
      runs: [{ read: 4, inserted: 2, changed: 0, unchanged: 0, repeated: 2, rejected: 0 }]
    })
    writeFileSync(rows, "parcel,site\n1,1 Nonesuch Avenue\n")
    const tried = await run(["source", "sync", "units", "--dry-run"], env)
    assert.strictEqual(tried.code, 1)
    assert.include(tried.stderr, "units: has no column \"street\", which the map names")
  })

  test("rows of former counties are told as an import tells them: tried, asked about and loaded", async () => {
    const rows = join(folder, "former.csv")
    const write = (street: string) => {
      const counties = ["46113", "46113", "46113", "46102", "09001", "09001"]
      writeFileSync(
        rows,
        `parcel,county,street\n${counties.map((fips, n) => `${n},${fips},${n} ${street}\n`).join("")}`
      )
    }
    write("Nonesuch Avenue")
    const file = join(folder, "former.json")
    writeFileSync(
      file,
      JSON.stringify({
        name: "former",
        title: "Lots (made up)",
        publisher: "a state (made up)",
        licence: "public domain",
        attribution: "Lots: a state (made up)",
        kind: "file",
        address: pathToFileURL(rows).href,
        map: { key: "former:{parcel}", fields: { countyFips: "county", address: "street" } }
      })
    )
    await runJson(["source", "add", file], env)
    const told = "former: of former counties: 46113 (3 rows; now 46102); 09001 (2 rows; now divided among 9 others). "
    const sync = (...flags: ReadonlyArray<string>) => run(["source", "sync", "former", ...flags, "--json"], env)
    const tried = await sync("--dry-run")
    assert.include(tried.stderr, told)
    assert.hasAllKeys(JSON.parse(tried.stdout), ["read", "rejected", "rows", "rejects", "dry_run"])
    assert.include((await sync()).stderr, told)
    write("Other Avenue")
    const asking = await sync()
    assert.strictEqual(asking.code, 1)
    assert.include(asking.stderr, told)
    // It was read before: what it loads is told all the same.
    const accepted = await sync("--accept")
    assert.containSubset(JSON.parse(accepted.stdout), { state: "done", changed: 6 })
    assert.include(accepted.stderr, told)
    writeFileSync(rows, "parcel,county,street\n3,46102,3 Other Avenue\n")
    assert.notInclude((await sync("--accept")).stderr, "former counties")
  })

  test("a portal is looked at without a database: a map is proposed, and ten rows are shown", async () => {
    const tried = await runJson(
      ["source", "try", `${portal.origin}/resource/abcd-1234`, "--name", "parcels", "--county", "53903"],
      { FREEHOLD_SOURCE_TARGETS: "any" }
    )
    assert.containSubset(tried, {
      document: {
        kind: "soda",
        map: {
          key: "parcels:{number}",
          fields: { countyFips: { const: "53903" }, address: "street", recordOwner: "owner", ownerName: "owner" }
        }
      }
    })
    const lots = join(folder, "lots-to-try.csv")
    writeFileSync(lots, "PIN;Stories;BldgArea\n1;0;0\n2;3.5;1200\n")
    assert.containSubset(await runJson(["source", "try", pathToFileURL(lots).href, "--county", "53903"], {}), {
      document: { query: { delimiter: ";" }, map: { fields: { numFloors: { column: "Stories", zeroIs: null } } } },
      rows: [{ numFloors: null, buildingSqft: null }, { numFloors: 3.5, buildingSqft: 1200 }]
    })
    writeFileSync(lots, "PIN,Stories,YearBuilt,Stories\n1,1,1990,7\n2,2,1991,8\n")
    assert.deepInclude(await runJson(["source", "try", lots, "--county", "53903"], {}), {
      rows: [{ apn: "1", yearBuilt: 1990 }, { apn: "2", yearBuilt: 1991 }].map((row) => ({
        key: `my-source:${row.apn}`,
        countyFips: "53903",
        state: "WA",
        ...row
      }))
    })
    writeFileSync(lots, "PIN,State,Stories\n1,WA,1\n2,PA,2\n3,OH,3\n")
    assert.match(
      (await run(["source", "try", lots, "--county", "53903"], {})).stdout,
      /Some of these rows lie in OH, PA, and county 53903 does not: put the column /
    )
    writeFileSync(lots, "PIN,Stories\n1,1\n2,2\n")
    assert.containSubset(await runJson(["source", "try", lots, "--county", "46113"], {}), {
      notes: [
        "Rows of former counties: 46113 (2 rows; now 46102). "
        + "Rows keep the code that they come with: areas and licences that are to have them name it as well."
      ]
    })
    assert.deepInclude(await runJson(["source", "try", lots, "--county", "46102"], {}), { notes: [] })
    writeFileSync(lots, "PIN,Stories,BldgArea\n")
    for (
      const [args, words] of [
        [[lots], "Missing required flag: --county"],
        [[lots, "--county", "53903"], "has no rows"],
        [[join(folder, "none.csv"), "--county", "53903"], "is no address, and there is no such file"]
      ] as const
    ) {
      assert.include((await run(["source", "try", ...args], {})).stderr, words)
    }
    const proposed = join(folder, "proposed.json")
    writeFileSync(proposed, JSON.stringify((tried as { readonly document: object }).document))
    const unwritten = await run(["source", "add", proposed], env)
    assert.strictEqual(unwritten.code, 1)
    assert.include(unwritten.stderr, "title, publisher, licence, attribution are still what `source try` proposed")
    const listed = await runJson(["source", "catalogue", "--state", "ny"], {})
    assert.containSubset(listed, { items: [{ name: "nyc-pluto", states: ["NY"] }] })
    const { stdout } = await run(["source", "catalogue"], {})
    assert.include(stdout, "nyc-pluto\n  Primary Land Use Tax Lot Output (PLUTO)\n")
    assert.include(stdout, "  areas: Manhattan, ")
    for (const line of stdout.split("\n")) assert.isAtMost(line.length, 100, line)
    const refused = await run(["source", "add", "nyc-pluto", "--area", "Atlantis"], env)
    assert.strictEqual(refused.code, 1)
    assert.include(refused.stderr, "has no area Atlantis, but Manhattan")
  })
})
