/** The import command around the import: exit codes, rejects, standard input, and the migration before it. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { type Environment, run, runJson, sayingOf, start, textOf } from "../Freehold.ts"
import { emptyDatabase, type FreshDatabase, migratedDatabase } from "../FreshDatabase.ts"
import { ndjson, properties } from "../Sample.ts"

let database: FreshDatabase
let env: Environment
let folder: string

beforeAll(async () => {
  database = await migratedDatabase()
  env = { DATABASE_URL: database.url }
  await runJson(["import", "properties", "-"], env, ndjson(properties))
  folder = Fs.mkdtempSync(join(inject("postgres").folder, "import-"))
})

afterAll(async () => {
  await database.drop()
  Fs.rmSync(folder, { recursive: true })
})

const counts = (inserted: number, unchanged: number) => ({
  kind: "properties",
  read: inserted + unchanged,
  inserted,
  updated: 0,
  unchanged,
  rejected: 0
})

describe("freehold import", () => {
  it("migrates, loads from standard input and changes nothing when repeated", async () => {
    const { drop, url } = await emptyDatabase()
    const own = { DATABASE_URL: url }
    const import_ = () => runJson(["import", "properties", "-"], own, ndjson(properties))
    assert.deepStrictEqual(await import_(), counts(3, 0))
    assert.deepStrictEqual(await import_(), counts(0, 3))
    assert.deepStrictEqual(await runJson(["migrate"], own), { applied: [] })
    await drop()
  })

  it("tells of rows that are of former counties, which keep their codes, and loads them", async () => {
    const row = (key: string, countyFips: string) => ({ key, countyFips, address: "1 Nonesuch Street" })
    const rows = [row("46113-1", "46113"), row("46113-2", "46113"), row("46102-1", "46102"), row("09001-1", "09001")]
    const { code, stderr, stdout } = await run(["import", "properties", "-", "--dry-run", "--json"], env, ndjson(rows))
    assert.deepInclude(JSON.parse(stdout), { inserted: 4, rejected: 0 })
    assert.strictEqual(code, 0, stderr)
    assert.include(stderr, "of former counties: 46113 (2 rows; now 46102); 09001 (1 row; now divided among 9 others). ")
    assert.notInclude((await run(["import", "properties", "-"], env, ndjson(rows.slice(2, 3)))).stderr, "former")
  })

  it("reads a compressed file", async () => {
    const file = join(folder, "rows.ndjson.gz")
    Fs.writeFileSync(file, gzipSync(ndjson(properties)))
    assert.deepStrictEqual(await runJson(["import", "properties", file], env), counts(0, 3))
  })

  it("loads what is right, tells the rest with line, field and reason, and exits 1", async () => {
    const rows = [...properties.slice(0, 1), { key: "53903-BAD", countyFips: "53903", yearBuilt: 1492 }]
    const rejects = join(folder, "rejects.ndjson")
    const { code, stderr, stdout } = await run(
      ["import", "properties", "-", "--rejects", rejects, "--json"],
      env,
      `${ndjson(rows)}not json\n`
    )
    assert.strictEqual(code, 1)
    assert.deepStrictEqual(JSON.parse(stdout), { ...counts(0, 1), read: 3, rejected: 2 })
    assert.include(stderr, "line 2: yearBuilt")
    assert.include(stderr, "2 of 3 rows were rejected")
    const told = Fs.readFileSync(rejects, "utf8").trim().split("\n").map((line) => JSON.parse(line))
    assert.deepStrictEqual(told.map(({ field, line }) => [line, field]), [[2, "yearBuilt"], [3, null]])
    assert.strictEqual(told[0].row.key, "53903-BAD")
  })

  it("never empties what it reads for its rejects, by whatever name", async () => {
    const [rows, map, link] = ["kept.ndjson", "kept-map.json", "link.ndjson"].map((name) => join(folder, name))
    const [file = "", mapFile = "", linkFile = ""] = [rows, map, link]
    Fs.writeFileSync(file, ndjson(properties))
    Fs.writeFileSync(mapFile, JSON.stringify({ kind: "properties", fields: {} }))
    Fs.symlinkSync(file, linkFile)
    for (const rejects of [file, linkFile, join(folder, ".", "kept.ndjson")]) {
      const { code, stderr } = await run(["import", "properties", file, "--dry-run", "--rejects", rejects], env)
      assert.strictEqual(code, 1)
      assert.include(stderr, `${rejects}: is ${file} itself; write the rejects to another file`)
    }
    await run(["import", "properties", file, "--map", mapFile, "--rejects", mapFile], env)
    const dash = await run(["import", "properties", file, "--rejects", "-"], env)
    assert.include(dash.stderr, "--rejects: expected a file; the result is on standard output")
    assert.strictEqual(Fs.readFileSync(file, "utf8"), ndjson(properties))
    assert.notStrictEqual(Fs.readFileSync(mapFile, "utf8"), "")
  })

  const asked = (statement: string) =>
    Effect.runPromise(
      administer(Redacted.make(database.url), (sql) => sql.unsafe<{ readonly count: number }>(statement))
    )

  it.each(
    [
      ["somebody ends it", (child: ChildProcess) => Promise.resolve(child.kill("SIGINT")), [130, ""]],
      [
        "the database goes away",
        async (child: ChildProcess) => {
          // One that is at nothing at this moment is taken for another one.
          while (child.exitCode === null && child.signalCode === null) {
            await asked(`SELECT count(pg_terminate_backend(pid))::integer FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()`)
          }
        },
        [1, "freehold: the database went away while the rows were loaded\n"]
      ]
    ] as const
  )("says what it has loaded when %s", async (name, end, [code, line]) => {
    const mark = name.length
    const row = (n: number) => ({ ...properties[0], key: `53903-CUT${mark}-${n}` })
    const child = start(["import", "properties", "-"], env)
    const [closed, says, errors] = [once(child, "close"), sayingOf(child), textOf(child.stderr)]
    const feed = Readable.from((function*() {
      for (let n = 0;; n++) yield ndjson([row(n)])
    })())
    child.stdin?.on("error", () => feed.destroy())
    if (child.stdin !== null) feed.pipe(child.stdin)
    // A second batch begins when the import has been told of the first.
    for (let first = 0, loaded = 0; loaded === first;) {
      const [found] = await asked(`SELECT count(*)::integer AS count FROM property WHERE key LIKE '53903-CUT${mark}-%'`)
      loaded = found?.count ?? 0
      if (first === 0) first = loaded
    }
    await end(child)
    await says(
      /it broke off after (\d+) rows, \1 of which are loaded; import the file again: what is loaded is left as it is/
    )
    await closed
    assert.strictEqual(child.exitCode, code)
    assert.isTrue((await errors).endsWith(line), await errors)
  })

  it("lets no control character of a feed through to the terminal or the database", async () => {
    const dirty = "\u001b]0;owned\u0007\u009b2J\u202e"
    const rows = [
      { key: "53903-DIRTY", countyFips: "53903", address: dirty },
      { key: "53903-CLEAN", countyFips: "53903", [dirty]: 1, address: "1 Nonesuch\tAvenue" },
      { key: "53903-LINES", countyFips: "53903", address: "2 Nonesuch\r\nAvenue" }
    ]
    const rejects = join(folder, "dirty.ndjson")
    const { code, stderr, stdout } = await run(
      ["import", "properties", "-", "--json", "--rejects", rejects],
      env,
      ndjson(rows)
    )
    assert.strictEqual(code, 1)
    assert.deepInclude(JSON.parse(stdout), { inserted: 1, rejected: 2 })
    const told = Fs.readFileSync(rejects, "utf8")
    for (const text of [stderr, told]) assert.notMatch(text, /(?!\n)[\p{Cc}\u202e]/u)
    assert.strictEqual(JSON.parse(told.split("\n")[0] ?? "").row.address, dirty)
    assert.include(stderr, "line 1: address must not hold control characters\n")
    assert.include(stderr, "line 2: \\u001b]0;owned\\u0007\\u009b2J\\u202e is not a field")
  })

  it("loads nothing with --strict when a row is rejected", async () => {
    const rows = [{ ...properties[0], key: "53903-STRICT" }, { key: "53903-BAD" }]
    const { code, stdout } = await run(["import", "properties", "-", "--strict", "--json"], env, ndjson(rows))
    assert.strictEqual(code, 1)
    assert.deepInclude(JSON.parse(stdout), { read: 2, inserted: 0, rejected: 1 })
  })

  it("writes nothing with --dry-run, and shows rows and what would change", async () => {
    const added = { ...properties[0], key: "53903-TRIED" }
    const rows = [{ ...properties[0], yearBuilt: 1901 }, properties[1], added]
    const tried = await run(["import", "properties", "-", "--dry-run", "--json"], env, ndjson([...rows, { key: "b" }]))
    assert.strictEqual(tried.code, 1)
    const { rows: shown, ...told } = JSON.parse(tried.stdout)
    assert.deepStrictEqual(told, {
      kind: "properties",
      read: 4,
      inserted: 1,
      updated: 1,
      unchanged: 1,
      rejected: 1,
      dry_run: true
    })
    assert.deepStrictEqual(shown.map(({ line }: { readonly line: number }) => line), [1, 2, 3, 4])
    assert.deepStrictEqual(shown[2].row, added)
    assert.deepStrictEqual(
      shown.map(({ rejected }: { readonly rejected: boolean }) => rejected),
      [false, false, false, true]
    )
    assert.include(
      tried.stderr,
      "1 of 4 rows would be rejected; what a row may hold: freehold import fields properties"
    )
    const unknown = await run(
      ["import", "properties", "-", "--dry-run"],
      env,
      ndjson([{ ...added, retiredInto: "53903-NOWHERE" }])
    )
    assert.match(unknown.stdout, /^line 1, rejected: \{"key":"53903-TRIED"/m)
    const readable = await run(["import", "properties", "-", "--dry-run"], env, ndjson(rows))
    assert.strictEqual(readable.code, 0, readable.stderr)
    assert.match(readable.stdout, /^line 3: \{"key":"53903-TRIED"/m)
    assert.match(readable.stdout, /^inserted +1$/m)
    assert.deepStrictEqual(await runJson(["import", "properties", "-"], env, ndjson(properties)), counts(0, 3))
  })

  const example = (kind: string) =>
    fileURLToPath(new URL(`../../../../examples/import/${kind}.ndjson`, import.meta.url))

  it("is seen by the commands that show a record, by key and by id", async () => {
    // Each kind after those that it refers to.
    for (const kind of ["properties", "firms", "contacts", "research"]) {
      assert.containSubset(await runJson(["import", kind, example(kind)], env), { rejected: 0 })
    }
    const property = await runJson(["property", "show", "36061-SAMPLE-1"], env)
    assert.containSubset(property, {
      key: "36061-SAMPLE-1",
      building_sqft: 54_000,
      research: { beneficial_owner: "Sample Family Trust" },
      firms: [{ key: "firm:sample-holdings", role: "owner" }],
      contacts: [{ key: "person:sample-manager", relationship_status: "current" }]
    })
    assert.notProperty(property, "zoning", "what is unknown is left out")
    const contact = await runJson(["contact", "show", "person:sample-manager"], env)
    assert.containSubset(contact, { full_name: "Sample Manager", firm: "firm:sample-holdings", suppressed: false })
    const { id } = JSON.parse((await run(["firm", "show", "firm:sample-holdings", "--json"], env)).stdout)
    const { code, stdout } = await run(["firm", "show", id], env)
    assert.strictEqual(code, 0)
    assert.match(stdout, /^name +Sample Holdings LLC$/m)
    assert.match(stdout, /^properties:\n.*\n36061-SAMPLE-1 /m)
  })

  it.each([
    ["property", "show", "nothing"],
    ["event", "show", "00000000-0000-4000-8000-000000000000", "--org", "org_x"]
  ])("exits 1 with a sentence for what there is not: %s %s %s", async (...args) => {
    const { code, stderr } = await run(args, env)
    assert.strictEqual(code, 1)
    assert.match(stderr, /^freehold: there is no (property|contact|firm|event) .+\n$/)
  })

  it("lists the fields of a kind, and the schema of a row has the same", async () => {
    const { code, stdout } = await run(["import", "fields", "firms"], {})
    assert.strictEqual(code, 0)
    assert.match(
      stdout,
      /^properties\[\]\.role +always +- +What the firm is to the property\. +one of owner, .+, tenant$/m
    )
    assert.match(stdout, /^properties\[\]\.attributionType +no +customer_supplied /m)
    const schema = await run(["schema", "firms"], {})
    assert.deepStrictEqual(JSON.parse(schema.stdout).properties.properties.items.required, ["propertyKey", "role"])
  })

  const map = () => {
    const file = join(folder, "map.json")
    Fs.writeFileSync(
      file,
      JSON.stringify({ format: "csv", key: "{id}", fields: { countyFips: "county", address: "at" } })
    )
    return file
  }

  it("tells a CSV row whose quote is never closed with its text, and the lines that it took", async () => {
    const file = join(folder, "open-quote.csv")
    const rejects = join(folder, "open-quote.ndjson")
    Fs.writeFileSync(file, "id,county,at\n53903-Q1,53903,1 Oak\n53903-Q2,53903,\"2 Oak\n53903-Q3,53903,3 Oak\n")
    const args = ["import", "properties", file, "--map", map(), "--rejects", rejects, "--json"]
    const { code, stderr, stdout } = await run(args, env)
    assert.strictEqual(code, 1)
    assert.deepStrictEqual(JSON.parse(stdout), { ...counts(1, 0), read: 2, rejected: 1 })
    const reason = "opens a quote that is never closed; line 4 was read as a part of it"
    assert.include(stderr, `line 3: the row ${reason}\n`)
    assert.deepStrictEqual(JSON.parse(Fs.readFileSync(rejects, "utf8")), {
      line: 3,
      field: null,
      reason,
      row: "53903-Q2,53903,\"2 Oak\n53903-Q3,53903,3 Oak"
    })
  })

  it("refuses a CSV file without anything in it, and takes one with a header alone", async () => {
    const file = join(folder, "empty.csv")
    Fs.writeFileSync(file, "")
    const args = ["import", "properties", file, "--map", map()]
    assert.deepStrictEqual(await run(args, env), {
      code: 1,
      stdout: "",
      stderr: `freehold: ${file}: is empty: its header line is missing\n`
    })
    Fs.writeFileSync(file, "id,county,at\n")
    assert.deepStrictEqual(await runJson(args, env), counts(0, 0))
  })

  it("says which file cannot be read", async () => {
    const { code, stderr } = await run(["import", "properties", join(folder, "none.ndjson")], env)
    assert.strictEqual(code, 1)
    assert.match(stderr, /^freehold: .*none\.ndjson: cannot be read.+\n$/)
  })
})
