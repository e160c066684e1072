/** `freehold firm match` and `freehold property match` from outside: what is tied, proposed, decided, undone and found by itself. */
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, test } from "vitest"
import { type Environment, run, runJson, serve, start } from "../Freehold.ts"
import { furnished, type FurnishedDatabase } from "../FurnishedDatabase.ts"
import { ndjson } from "../Sample.ts"

// Of any shape: what it has is what is asserted.
type Answer = ReturnType<typeof JSON.parse>

const secret = `fhk_${"m".repeat(43)}`

const organizations = {
  organizations: [{
    org_id: "org_matching",
    name: "Sample Roofing (made up)",
    plan: "enterprise",
    serviceable_area: { county_fips: ["53901", "53902"] },
    keys: [{ name: "all", scopes: ["data:read"], secret }]
  }]
}

/** Made up, in two counties of one state. */
const owned = (key: string, countyFips: string, recordOwner: string) => ({ key, countyFips, recordOwner })

const environmentOf = (url: string): Environment => ({
  DATABASE_URL: url,
  FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  FREEHOLD_SOURCE_TARGETS: "any"
})

/** The records before anything is matched. */
const furnish = async (url: string): Promise<void> => {
  const env = environmentOf(url)
  await runJson(["apply", "-"], env, JSON.stringify(organizations))
  const records = {
    properties: [
      owned("a:1", "53901", "NONESUCH REALTY LLC"),
      owned("a:2", "53902", "Nonesuch Rlty, L.L.C."),
      owned("a:3", "53901", "PERSON, MADE UP"),
      owned("a:4", "53901", "PERSON, MADE UP"),
      owned("a:5", "53901", "CITY OF NONESUCH"),
      owned("a:6", "53901", "NONESUCH CITY OF"),
      owned("a:7", "53901", "CITY OF NONESUCH HOUSING AUTHORITY"),
      owned("a:8", "53901", "MADEUP HARBOR HOLDINGS LLC"),
      owned("a:9", "53901", "MADEUP HARBOR HOLDINGS LLC"),
      owned("a:10", "53901", "MADEUP HARBRO HOLDINGS LLC"),
      owned("a:11", "53902", "SOLITARY SAMPLE LLC")
    ],
    firms: [{
      key: "harbor",
      name: "Madeup Harbor Holdings, LLC",
      properties: [{ propertyKey: "a:8", role: "owner" }]
    }]
  }
  for (const [kind, rows] of Object.entries(records)) await runJson(["import", kind, "-"], env, ndjson(rows))
}

describe("matching", () => {
  let database: FurnishedDatabase
  let env: Environment

  const json = async (...args: ReadonlyArray<string>): Promise<Answer> => runJson(args, env)
  const load = (kind: string, rows: ReadonlyArray<object>) => runJson(["import", kind, "-"], env, ndjson(rows))
  const portfolio = async (key: string): Promise<ReadonlyArray<string>> => {
    const { code, stdout } = await run(["firm", "show", key, "--json"], env)
    const shown: Answer = code === 0 ? JSON.parse(stdout) : { properties: [] }
    return shown.properties.map((property: { readonly key: string }) => property.key)
  }
  const nonesuch = "owner:53:NONESUCH REALTY LLC"

  beforeEach(async () => {
    database = await furnished({ name: "matching", furnish })
    env = environmentOf(database.url)
  })

  afterEach(() => database.drop())

  test("owners of two or more properties become firms over counties, and are tied to those that there are; persons never", async () => {
    const would = await json("firm", "match", "--dry-run")
    assert.deepInclude(would, { dry_run: true, firms: 2, tied: 5, proposed: 1 })
    assert.deepStrictEqual(await portfolio(nonesuch), [])

    const { counties, dry_run: _, ...counts } = await json("firm", "match")
    assert.deepInclude(counts, { firms: 2, tied: 5, untied: 0, proposed: 1 })
    assert.isAtLeast(counties, 2)
    assert.deepStrictEqual(await portfolio(nonesuch), ["a:1", "a:2"])
    assert.deepStrictEqual(await portfolio("owner:53:CITY NONESUCH"), ["a:5", "a:6"])
    assert.deepStrictEqual(await portfolio("harbor"), ["a:8", "a:9"])
    assert.deepStrictEqual((await json("property", "show", "a:3")).firms, [])

    const tied = await json("firm", "match", "--review", "--tied")
    assert.containSubset(tied.items, [{
      state: "tied",
      confidence: 0.97,
      evidence: ["same_name", "same_county"],
      owner: { name: "MADEUP HARBOR HOLDINGS LLC", county_fips: "53901", properties: 2 },
      firm: { key: "harbor" }
    }])
    // Nothing changed: nothing is done again.
    assert.deepInclude(await json("firm", "match"), { counties: 0, tied: 0 })

    const server = await serve(["--no-worker"], env)
    const { id } = await json("firm", "show", nonesuch)
    const response = await fetch(`${server.url}/organizations/${id}/properties`, {
      headers: { authorization: `Bearer ${secret}` }
    })
    const { data }: Answer = await response.json()
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual(data.properties.map(({ role }: Answer) => role), ["owner", "owner"])
    await server.stop()
  })

  test("what is proposed is decided once; an accepted match is undone, and a rejected one never comes back", async () => {
    await json("firm", "match")
    const { items: [proposed] } = await json("firm", "match", "--review")
    assert.containSubset(proposed, {
      state: "proposed",
      evidence: ["one_slip", "same_county"],
      firm: { key: "harbor" }
    })
    assert.containSubset(await json("firm", "match", "--accept", proposed.id), { items: [{ tied: 1, untied: 0 }] })
    assert.deepStrictEqual(await portfolio("harbor"), ["a:10", "a:8", "a:9"])
    assert.containSubset(await json("firm", "match", "--reject", proposed.id), { items: [{ tied: 0, untied: 1 }] })
    assert.deepStrictEqual(await portfolio("harbor"), ["a:8", "a:9"])
    assert.deepInclude(await json("firm", "match", "--all"), { tied: 0, untied: 0, proposed: 0 })
    // What the operator's own file tied is no match's to untie.
    const { items } = await json("firm", "match", "--review", "--tied")
    const own = items.find(({ firm }: Answer) => firm.key === "harbor")
    await json("firm", "match", "--reject", own.id)
    assert.deepStrictEqual(await portfolio("harbor"), ["a:8"])
    const { code, stderr } = await run(["firm", "match", "--reject", "999999"], env)
    assert.deepStrictEqual([code, stderr], [1, "freehold: there is no match 999999\n"])
    assert.strictEqual((await run(["firm", "match", "--review", "--all"], env)).code, 2)
  })

  test("another owner of record unties, and a worker finds that by itself", async () => {
    await json("firm", "match")
    await load("properties", [
      owned("a:2", "53902", "SOMEBODY ELSE (MADE UP) LLC"),
      owned("a:12", "53902", "SOLITARY SAMPLE, LLC")
    ])
    const worker = start(["worker"], { ...env, FREEHOLD_MATCHING: "on" })
    const told = await new Promise<string>((resolve) => {
      let text = ""
      for (const stream of [worker.stdout, worker.stderr]) {
        stream?.on("data", (chunk) => {
          text += String(chunk)
          if (/matching: owners of \d+ counties/.test(text)) resolve(text)
        })
      }
      worker.once("close", () => resolve(text))
    })
    const ended = new Promise((resolve) => worker.once("close", resolve))
    worker.kill("SIGTERM")
    await ended
    assert.include(told, "1 firms made, 2 properties tied, 1 untied")
    assert.deepStrictEqual(await portfolio(nonesuch), ["a:1"])
    assert.deepStrictEqual(await portfolio("owner:53:SAMPLE SOLITARY LLC"), ["a:11", "a:12"])
  })

  test("records of two sources are proposed as one place, merged when accepted, and left apart when rejected", async () => {
    const place = { countyFips: "53901", zip: "98101", buildingSqft: 52_000, yearBuilt: 1987 }
    await load("properties", [
      { ...place, key: "assessor:1", address: "1110 3RD AVE", apn: "SAMPLE-1", recordOwner: "PERSON, MADE UP" },
      { ...place, key: "energy:1", address: "1110 Third Avenue", commonName: "Nonesuch Building" },
      { ...place, key: "assessor:2", address: "820 N NONESUCH ST", apn: "SAMPLE-2" },
      { ...place, key: "energy:2", address: "820 North Nonesuch", buildingSqft: 9_000 },
      { ...place, key: "energy:3", address: "1110 3rd Ave, Suite 3" }
    ])
    await json("property", "match")
    const { items } = await json("property", "match", "--review")
    const pair = (from: string) => items.find((item: Answer) => item.from.key === from && item.into.key !== from)
    assert.containSubset(pair("energy:1"), {
      into: { key: "assessor:1" },
      confidence: 0.99,
      evidence: ["same_address", "same_size", "same_year"]
    })
    assert.isBelow(pair("energy:2").confidence, 0.95)
    // A source knows its own: those of energy are not compared with each other.
    assert.strictEqual(items.length, 3)
    await json("property", "match", "--reject", pair("energy:2").id)
    assert.containSubset(await json("property", "match", "--accept", pair("energy:1").id), {
      items: [{ state: "accepted", from: "energy:1", into: "assessor:1" }]
    })
    assert.isString((await json("property", "show", "energy:1")).retired_into)
    await json("property", "match", "--all")
    assert.deepStrictEqual(
      (await json("property", "match", "--review")).items.map((item: Answer) => item.from.key),
      ["energy:3"]
    )
    const { code, stderr } = await run(["property", "match", "--reject", pair("energy:1").id], env)
    assert.deepStrictEqual([code, stderr], [
      1,
      "freehold: energy:1 and assessor:1 were merged; that cannot be undone\n"
    ])
  })

  test("real lots of one city: public owners become firms", async () => {
    const shelf = join(import.meta.dirname, "../../../../sources/excerpts/nyc-pluto.csv")
    await json("source", "add", "nyc-pluto", "--from", shelf)
    await json("source", "sync", "nyc-pluto")
    const { firms, tied } = await json("firm", "match", "--county", "36061")
    assert.isAtLeast(firms, 3)
    assert.isAtLeast(tied, 2 * firms)
    const { items } = await json("firm", "match", "--review", "--tied", "--county", "36061", "--limit", "1000")
    const { id } = items.find(({ owner }: Answer) => owner.name === "CITY OF NEW YORK").firm
    assert.includeMembers(
      items.filter(({ firm }: Answer) => firm.id === id).map(({ owner }: Answer) => owner.name),
      ["CITY OF NEW YORK", "THE CITY OF NEW YORK"]
    )
  })
})
