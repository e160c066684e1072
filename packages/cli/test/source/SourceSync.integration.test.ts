/** Syncs of every kind of portal over a real database, with what goes wrong at portals. */
import { NodeServices } from "@effect/platform-node"
import { assert, layer, vi } from "@effect/vitest"
import * as CountyCensusPg from "@freehold/adapters-pg/coverage/CountyCensusPg"
import * as ImportStorePg from "@freehold/adapters-pg/import/ImportStorePg"
import * as SourcesPg from "@freehold/adapters-pg/source/SourcesPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import * as SealerNode from "@freehold/adapters-pg/webhook/SealerNode"
import { entries, excerptOf, folder } from "@freehold/cli/source/Catalogue"
import { checked } from "@freehold/cli/source/DocumentFile"
import * as PortalReader from "@freehold/cli/source/PortalReader"
import * as SourceSync from "@freehold/cli/source/SourceSync"
import { trial } from "@freehold/cli/source/SourceTrial"
import { CountyCensus } from "@freehold/core/coverage/CountyCensus"
import type { SourceDocument } from "@freehold/core/source/SourceDocument"
import { Sources } from "@freehold/core/source/Sources"
import { GuardedGet } from "@freehold/webhook-worker/GuardedGet"
import { Duration, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"
import { answer, cutOff, drips, halfGzip, moreOfNothing, type PortalServer, portalServer } from "./PortalServer.ts"
import { zip } from "./ZipFile.ts"

const portal = Effect.acquireRelease(Effect.promise(portalServer), ({ close }) => Effect.promise(close))

/** No pause to speak of between tries, so that nothing is waited for. */
const reader = (policy: "public" | "any", deadline = Duration.seconds(20)) =>
  PortalReader.layer({ deadline, pause: Duration.millis(1) }).pipe(
    Layer.provide(GuardedGet.layer({ policy, patience: Duration.seconds(5), userAgent: "Freehold/test" }))
  )

const world = Layer.mergeAll(
  ImportStorePg.layer,
  CountyCensusPg.layer,
  SourcesPg.layer.pipe(Layer.provide(SealerNode.layer(Redacted.make(new Uint8Array(32)))))
).pipe(
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(NodeServices.layer),
  Layer.orDie
)

const common = {
  title: "Parcels (made up)",
  publisher: "a county (made up)",
  licence: "public domain",
  attribution: "Parcels: a county (made up)",
  page: 3,
  rate: 1000
} as const

const map = (key: string) => ({
  key: `${key}:{number}`,
  fields: { countyFips: { const: "53903" }, address: "street", recordOwner: "owner" }
})

const sodaDocument = (name: string, { origin }: PortalServer): SourceDocument => ({
  ...common,
  name,
  kind: "soda",
  address: `${origin}/resource/abcd-1234`,
  map: map(name)
})

const sodaRow = (number: number, updated = "2026-01-01T00:00:00.000Z") => ({
  ":id": `row-${String((number * 7919) % 10_007).padStart(5, "0")}`,
  ":updated_at": updated,
  number: String(number),
  street: `${number} Nonesuch Avenue`,
  ...number % 4 === 0 ? {} : { owner: `Owner ${number} LLC` }
})

const fill = (server: PortalServer, count: number) => {
  for (const column of [":id", ":updated_at", "number", "street", "owner"]) server.columns.soda.add(column)
  for (let number = 1; number <= count; number++) server.soda.push(sodaRow(number))
}

const add = (document: SourceDocument) => Sources.use((sources) => sources.put(document, null))

const source = (name: string) =>
  Effect.flatMap(
    Sources.use((sources) => sources.find(name)),
    Option.match({ onNone: () => Effect.die(`no source ${name}`), onSome: Effect.succeed })
  )

const syncWith = (name: string, options: Partial<SourceSync.SyncOptions> = {}, deadline?: Duration.Duration) =>
  Effect.gen(function*() {
    const { sync } = yield* SourceSync.make
    return yield* sync(yield* source(name), { accept: false, ...options })
  }).pipe(Effect.provide(reader("any", deadline)))

/** The counts of a sync that ends. */
const sync = (name: string, options: Partial<SourceSync.SyncOptions> = {}) =>
  Effect.map(
    syncWith(name, options),
    ({ run: { changed, inserted, read, reason, rejected, retired, state, unchanged } }) => ({
      state,
      read,
      inserted,
      changed,
      unchanged,
      rejected,
      retired,
      reason
    })
  )

const counts = (read: number, inserted: number, changed: number, unchanged: number, retired = 0) => ({
  state: "done" as const,
  read,
  inserted,
  changed,
  unchanged,
  rejected: 0,
  retired,
  reason: null
})

/** What a source brought, as it is stored. */
const stored = (name: string) =>
  SqlClient.SqlClient.use((sql) =>
    sql<{ readonly key: string; readonly address: string; readonly owner: string | null }>`
      SELECT key, address, record_owner AS owner FROM property WHERE key LIKE ${`${name}:%`} ORDER BY key COLLATE "C"`
  )

layer(world, { excludeTestServices: true })("syncs", (it) => {
  it.effect("a dataset of Socrata page by page, and then what changed alone; a token goes along", () =>
    Effect.gen(function*() {
      const server = yield* portal
      fill(server, 8)
      yield* Sources.use((sources) => sources.put(sodaDocument("soda", server), Redacted.make("made-up-token")))
      assert.deepStrictEqual(yield* sync("soda"), counts(8, 8, 0, 0))
      assert.isTrue(server.sent.every(({ headers }) => headers["x-app-token"] === "made-up-token"))
      // The latest change, and three pages.
      assert.strictEqual(server.sent.length, 4)
      server.soda[2] = { ...sodaRow(3, "2026-02-01T00:00:00.000Z"), owner: "Another LLC" }
      assert.deepStrictEqual(yield* sync("soda"), counts(8, 0, 1, 7))
      assert.deepStrictEqual(yield* sync("soda"), counts(1, 0, 0, 1))
      assert.strictEqual((yield* stored("soda"))[2]?.owner, "Another LLC")
      const sql = yield* SqlClient.SqlClient
      const [kept] = yield* sql`SELECT encode(token_sealed, 'escape') AS sealed FROM source WHERE name = 'soda'`
      assert.notInclude(String(kept?.["sealed"]), "made-up-token")
    }).pipe(Effect.scoped))

  it.effect("rows that come and go while it reads move none of the others, and a row that comes twice counts once", () =>
    Effect.gen(function*() {
      const server = yield* portal
      fill(server, 9)
      server.soda.push({ ...sodaRow(2), ":id": "row-twice" })
      server.before.run = (number) => {
        if (number === 3) server.soda.splice(0, 1)
      }
      yield* add(sodaDocument("shift", server))
      assert.deepStrictEqual(yield* sync("shift"), counts(10, 9, 0, 0))
    }).pipe(Effect.scoped))

  it.effect("what changes at the very moment of the latest change is found, over more pages than one, and nothing else changes", () =>
    Effect.gen(function*() {
      const server = yield* portal
      fill(server, 8)
      yield* add(sodaDocument("moment", server))
      assert.deepStrictEqual(yield* sync("moment"), counts(8, 8, 0, 0))
      for (const number of [1, 3, 4, 8]) server.soda[number - 1] = { ...sodaRow(number), owner: "Another LLC" }
      server.soda.push(sodaRow(9))
      assert.deepStrictEqual(yield* sync("moment"), counts(9, 1, 4, 4))
      assert.deepStrictEqual(yield* sync("moment"), counts(9, 0, 0, 9))
    }).pipe(Effect.scoped))

  it.effect("what changes on a page that was read already is found by the next sync, whatever else changed later", () =>
    Effect.gen(function*() {
      const server = yield* portal
      fill(server, 8)
      server.before.run = (number) => {
        if (number !== 3) return
        server.soda[0] = { ...sodaRow(1, "2026-03-01T00:00:00.000Z"), owner: "Another LLC" }
        server.soda[7] = { ...sodaRow(8, "2026-03-02T00:00:00.000Z"), owner: "Another LLC" }
      }
      yield* add(sodaDocument("meanwhile", server))
      assert.deepStrictEqual(yield* sync("meanwhile"), counts(8, 8, 0, 0))
      assert.deepStrictEqual((yield* stored("meanwhile")).map(({ owner }) => owner === "Another LLC").indexOf(true), 7)
      assert.deepStrictEqual(yield* sync("meanwhile"), counts(8, 0, 1, 7))
      assert.strictEqual((yield* stored("meanwhile"))[0]?.owner, "Another LLC")
    }).pipe(Effect.scoped))

  it.effect("a portal that does not tell the latest change is read whole each time", () =>
    Effect.gen(function*() {
      const server = yield* portal
      fill(server, 4)
      yield* add(sodaDocument("untold", server))
      server.faults.push(answer(400))
      assert.deepStrictEqual(yield* sync("untold"), counts(4, 4, 0, 0))
      server.soda[1] = { ...sodaRow(2, "2025-01-01T00:00:00.000Z"), owner: "Another LLC" }
      assert.deepStrictEqual(yield* sync("untold"), counts(4, 0, 1, 3))
    }).pipe(Effect.scoped))

  it.effect("a portal that is in trouble is asked again, when it says; one that stays so is gone on with later", () =>
    Effect.gen(function*() {
      const server = yield* portal
      fill(server, 5)
      yield* add(sodaDocument("trouble", server))
      server.faults.push(answer(429, { "retry-after": "0" }), cutOff, halfGzip("[".repeat(2000)))
      assert.deepStrictEqual(yield* sync("trouble"), counts(5, 5, 0, 0))
      yield* add({ ...sodaDocument("trouble", server), title: "Parcels, again (made up)" })
      const many = Array.from({ length: 5 }, () => answer(503))
      server.faults.push(undefined, undefined, ...many)
      const stopped = yield* syncWith("trouble")
      assert.deepInclude(stopped, { _tag: "Postponed", reason: "answered 503, 5 times" })
      assert.deepInclude(stopped.run, { state: "reading", read: 3 })
      const before = server.sent.length
      assert.deepStrictEqual(yield* sync("trouble"), counts(5, 0, 0, 5))
      assert.strictEqual(server.sent.length - before, 1)
    }).pipe(Effect.scoped))

  it.effect("a column that was renamed stops it, and nothing is loaded or retired", () =>
    Effect.gen(function*() {
      const server = yield* portal
      fill(server, 4)
      yield* add(sodaDocument("renamed", server))
      assert.deepStrictEqual(yield* sync("renamed"), counts(4, 4, 0, 0))
      server.columns.soda.delete("street")
      server.columns.soda.add("streets")
      yield* add({ ...sodaDocument("renamed", server), title: "Parcels, again (made up)" })
      const { state, reason } = yield* sync("renamed")
      assert.strictEqual(state, "failed")
      assert.include(reason ?? "", `has no column "street", which the map names; did you mean streets`)
      assert.lengthOf(yield* stored("renamed"), 4)
    }).pipe(Effect.scoped))

  it.effect("a portal whose answer never ends is asked again after the deadline, and gone on with later", () =>
    Effect.gen(function*() {
      const server = yield* portal
      fill(server, 5)
      yield* add(sodaDocument("drips", server))
      server.faults.push(...Array.from({ length: 5 }, () => drips))
      const stopped = yield* syncWith("drips", {}, Duration.millis(100))
      assert.deepInclude(stopped, {
        _tag: "Postponed",
        reason: "did not end its answer within 0.1 seconds, 5 times"
      })
      // On a busy machine it was not heard each time.
      server.faults.splice(0)
      assert.deepStrictEqual(yield* sync("drips"), counts(5, 5, 0, 0))
    }).pipe(Effect.scoped))

  it.effect("a process that ends at any page is followed by one that goes on, and what comes out is the same", () =>
    Effect.gen(function*() {
      const server = yield* portal
      fill(server, 10)
      yield* add(sodaDocument("whole", server))
      yield* sync("whole")
      const whole = (yield* stored("whole")).map(({ address, owner }) => ({ address, owner }))
      yield* add(sodaDocument("cut", server))
      for (const page of [1, 2, 3]) {
        const started = server.sent.length
        const fiber = yield* Effect.forkChild(syncWith("cut", {
          onProgress: (run) => run.read >= page * 3 ? Effect.never : Effect.void
        }))
        while ((yield* source("cut")).lastRun?.read !== page * 3) yield* Effect.sleep(Duration.millis(5))
        yield* Fiber.interrupt(fiber)
        assert.isAtMost(server.sent.length - started, 2)
      }
      // Once more, when all rows are loaded and nothing says so yet.
      const fiber = yield* Effect.forkChild(syncWith("cut", {
        onProgress: ({ state }) => state === "loading" ? Effect.never : Effect.void
      }))
      while ((yield* source("cut")).lastRun?.inserted !== 10) yield* Effect.sleep(Duration.millis(5))
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* sync("cut"), counts(10, 10, 0, 0))
      assert.deepStrictEqual((yield* stored("cut")).map(({ address, owner }) => ({ address, owner })), whole)
    }).pipe(Effect.scoped))

  it.effect("one syncs at a time, and the next may when the first is done", () =>
    Effect.gen(function*() {
      const sources = yield* Sources
      assert.deepStrictEqual(yield* sources.alone(sources.alone(Effect.succeed(1))), Option.some(Option.none()))
      assert.deepStrictEqual(yield* sources.alone(Effect.succeed(2)), Option.some(2))
    }))

  it.effect("what vanished is marked and not deleted; a run that would retire more than it may asks", () =>
    Effect.gen(function*() {
      const server = yield* portal
      fill(server, 20)
      const document = sodaDocument("vanish", server)
      yield* add(document)
      yield* sync("vanish")
      server.soda.splice(0, 1)
      yield* add({ ...document, title: "1" })
      assert.deepStrictEqual(yield* sync("vanish"), counts(19, 0, 0, 19, 1))
      assert.lengthOf(yield* stored("vanish"), 20)
      server.soda.splice(0, 6)
      yield* add({ ...document, title: "2" })
      const asks = yield* sync("vanish")
      assert.deepInclude(asks, { state: "asks", reason: "6 of 19 records would be retired (31.6 %), more than 10 %" })
      assert.strictEqual((yield* source("vanish")).records, 19)
      assert.deepStrictEqual(yield* Sources.use(({ due }) => due), [])
      assert.deepStrictEqual(yield* sync("vanish", { accept: true }), counts(13, 0, 0, 13, 6))
      server.soda.push(sodaRow(1))
      yield* add({ ...document, title: "3" })
      assert.deepInclude(yield* sync("vanish"), { state: "done", retired: 0 })
      assert.strictEqual((yield* source("vanish")).records, 14)
    }).pipe(Effect.scoped))

  it.effect("a row that cannot be used is told with its place and reason, and nothing else is lost", () =>
    Effect.gen(function*() {
      const server = yield* portal
      server.files.set("/bad.csv", {
        body: Buffer.from(
          "number,street,owner,county\n1,1 Nonesuch Avenue,A LLC,53903\n2,2 Nonesuch Avenue,B LLC,nowhere\n3\n"
        ),
        headers: { etag: "\"1\"" }
      })
      yield* add({
        ...common,
        name: "bad",
        kind: "file",
        address: `${server.origin}/bad.csv`,
        map: { key: "bad:{number}", fields: { countyFips: "county", address: "street", recordOwner: "owner" } }
      })
      const { run } = yield* syncWith("bad")
      assert.deepInclude(run, { state: "done", read: 3, inserted: 1, rejected: 2 })
      assert.deepStrictEqual(run.rejects.map(({ field, place }) => [place, field]), [["line 3", "countyFips"], [
        "line 4",
        null
      ]])
      server.files.set("/bad.csv", { body: Buffer.from(""), headers: { etag: "\"2\"" } })
      const emptied = yield* syncWith("bad")
      assert.deepInclude(emptied.run, { state: "failed", reason: "the file is empty: its header line is missing" })
      assert.strictEqual((yield* source("bad")).records, 1)
    }).pipe(Effect.scoped))

  it.effect("a key and a heading that no database keeps are told, and end nothing", () =>
    Effect.gen(function*() {
      const server = yield* portal
      const document: SourceDocument = {
        ...common,
        name: "odd",
        kind: "file",
        address: `${server.origin}/odd.csv`,
        map: { key: "odd:{number}", fields: { countyFips: { const: "53903" }, address: "street" } }
      }
      server.files.set("/odd.csv", {
        body: Buffer.from("number,street\n1\0,1 Nonesuch Avenue\n2,2 Nonesuch\0 Avenue\n3,3 Nonesuch Avenue\n"),
        headers: { etag: "\"1\"" }
      })
      yield* add(document)
      const { run } = yield* syncWith("odd")
      assert.deepInclude(run, { state: "done", read: 3, inserted: 1, rejected: 2 })
      assert.deepStrictEqual(run.rejects.map(({ field, place }) => [place, field]), [
        ["line 2", "key"],
        ["line 3", "address"]
      ])
      server.files.set("/odd.csv", { body: Buffer.from("number,str\0eet\n1,x\n"), headers: { etag: "\"2\"" } })
      const headless = yield* syncWith("odd")
      assert.strictEqual(headless.run.state, "failed")
      assert.match(headless.run.reason ?? "", /^has no column "street", which the map names; did you mean str.eet\?/)
    }).pipe(Effect.scoped))

  it.effect("a layer of ArcGIS, with the place of each shape, its dates, and later what was edited alone", () =>
    Effect.gen(function*() {
      const server = yield* portal
      for (const column of ["OBJECTID", "EDITED", "number", "street", "owner"]) server.columns.features.add(column)
      const feature = (number: number, edited: number) => ({
        attributes: {
          OBJECTID: number,
          EDITED: edited,
          number: String(number),
          street: `${number} Nonesuch Avenue`,
          owner: null
        },
        geometry: { rings: [[[-122, 47], [-122, 47.2], [-121.8, 47.2], [-121.8, 47], [-122, 47]]] }
      })
      for (const number of [1, 2, 3, 4, 5, 6, 7]) server.features.push(feature(number, 1_760_000_000_000))
      yield* add({
        ...common,
        name: "layer",
        kind: "feature_server",
        address: `${server.origin}/rest/services/Parcels/FeatureServer/0`,
        limits: { changed: 1 },
        map: {
          key: "layer:{number}",
          fields: { ...map("layer").fields, lat: "lat", lon: "lon", sourceUpdatedAt: "EDITED" }
        }
      })
      assert.deepStrictEqual(yield* sync("layer"), counts(7, 7, 0, 0))
      const sql = yield* SqlClient.SqlClient
      const [place] = yield* sql`SELECT lat, lon, to_iso(source_updated_at) AS at FROM property WHERE key = 'layer:7'`
      assert.deepStrictEqual(place, { lat: 47.1, lon: -121.9, at: "2025-10-09T08:53:20.000Z" })
      server.features[4] = { ...feature(5, 1_770_000_000_000), geometry: { rings: [] } }
      assert.deepInclude(yield* sync("layer"), { state: "done", changed: 1, retired: 0 })
      assert.deepInclude(yield* sync("layer"), { state: "done", read: 1, changed: 0, unchanged: 1 })
      // Four more of that moment, which are more than a page, at a database that is behind UTC.
      server.layerZone.hours = -8
      for (const number of [1, 2, 5, 7]) {
        const { attributes, ...rest } = feature(number, 1_770_000_000_000)
        server.features[number - 1] = { ...rest, attributes: { ...attributes, owner: "Another LLC" } }
      }
      assert.deepInclude(yield* sync("layer"), { state: "done", read: 4, changed: 4 })
      const asked = server.sent.length
      server.before.run = (number) => {
        // The layer, the latest edit, a page, and then the second one.
        if (number !== asked + 4) return
        for (const [number, edited] of [[1, 1_770_500_000_000], [7, 1_770_600_000_000]] as const) {
          const { attributes, ...rest } = feature(number, edited)
          server.features[number - 1] = { ...rest, attributes: { ...attributes, owner: "Yet Another LLC" } }
        }
      }
      assert.deepInclude(yield* sync("layer"), { state: "done", read: 4, changed: 1 })
      assert.deepInclude(yield* sync("layer"), { state: "done", changed: 1 })
      assert.deepStrictEqual(
        (yield* stored("layer")).map(({ owner }) => owner),
        ["Yet Another LLC", "Another LLC", null, null, "Another LLC", null, "Yet Another LLC"]
      )
      // The layer and the latest edit are told, and then not even the first page.
      server.faults.push(undefined, undefined, moreOfNothing)
      assert.deepInclude(yield* syncWith("layer"), {
        _tag: "Postponed",
        reason: "says that it has more features, and answers none"
      })
    }).pipe(Effect.scoped))

  it.effect("a datastore of CKAN misses no row when those before are deleted while it reads", () =>
    Effect.gen(function*() {
      const server = yield* portal
      for (let number = 1; number <= 10; number++) {
        server.records.push({ _id: number, number: String(number), street: `${number} Nonesuch Avenue` })
      }
      server.before.run = (number) => {
        if (number === 3) server.records.splice(0, 3)
      }
      yield* add({
        ...common,
        name: "ckan",
        kind: "ckan",
        address: server.origin,
        query: { resource_id: "made-up" },
        map: { key: "ckan:{number}", fields: { countyFips: { const: "53903" }, address: "street" } }
      })
      assert.deepInclude(yield* sync("ckan"), { state: "done", inserted: 10, read: 10 })
    }).pipe(Effect.scoped))

  it.effect("a datastore of CKAN that answers fewer than it is asked for is read to its end; one that repeats itself is not", () =>
    Effect.gen(function*() {
      const server = yield* portal
      for (let number = 1; number <= 9; number++) {
        server.records.push({ _id: number, number: String(number), street: `${number} Nonesuch Avenue` })
      }
      const document: SourceDocument = {
        ...common,
        name: "capped",
        kind: "ckan",
        address: server.origin,
        page: 7,
        query: { resource_id: "made-up" },
        map: { key: "capped:{number}", fields: { countyFips: { const: "53903" }, address: "street" } }
      }
      yield* add(document)
      server.recordsAtOnce.most = 3
      assert.deepStrictEqual(yield* sync("capped"), counts(9, 9, 0, 0))
      // All that was there before the second page, and then everything.
      const asked = server.sent.length
      server.before.run = (number) => {
        if (number === asked + 2) server.records.splice(0, 2)
        if (number === asked + 4) server.records.splice(0)
      }
      yield* add({ ...document, title: "Parcels, fewer (made up)", limits: { retired: 1 } })
      assert.deepInclude(yield* sync("capped"), { state: "done", read: 5, unchanged: 5, retired: 4 })
      for (let number = 1; number <= 9; number++) {
        server.records.push({ _id: number, number: String(number), street: `${number} Nonesuch Avenue` })
      }
      server.before.run = () => {
        server.sent.at(-1)?.url.searchParams.set("offset", "0")
      }
      assert.deepInclude(yield* sync("capped"), {
        state: "failed",
        reason: "answered records again that it was not asked for"
      })
    }).pipe(Effect.scoped))

  it.effect("companies of the SEC become firms; one that nobody has is told, and who asks says who they are", () =>
    Effect.gen(function*() {
      const server = yield* portal
      server.companies.set("/submissions/CIK0000000007.json", {
        cik: "0000000007",
        name: "SAMPLE REALTY TRUST (made up)",
        phone: "2065550100",
        website: "",
        addresses: { business: { city: "SEATTLE" } },
        filings: { recent: { form: ["10-K"] } }
      })
      const document: SourceDocument = {
        ...common,
        name: "sec",
        kind: "edgar",
        address: server.origin,
        rows: "firms",
        contact: "operator@sample.example",
        query: { ciks: [7, 8] },
        map: { key: "sec:{cik}", fields: { name: "name", phone: "phone" } }
      }
      yield* add(document)
      const { run } = yield* syncWith("sec")
      assert.deepInclude(run, { state: "done", read: 2, inserted: 1, rejected: 1 })
      assert.deepInclude(run.rejects[0], { place: "0000000008", reason: "is no company of the SEC" })
      assert.include(server.sent[0]?.headers["user-agent"], "operator@sample.example")
      // That nobody has it is known, and no reason to keep one that is not asked for any more.
      server.companies.set("/submissions/CIK0000000009.json", {
        cik: "0000000009",
        name: "OTHER INC (made up)",
        phone: ""
      })
      yield* add({ ...document, query: { ciks: [8, 9] }, limits: { retired: 1 } })
      assert.deepInclude(yield* sync("sec"), { state: "done", inserted: 1, rejected: 1, retired: 1 })
      const { contact: _, ...anonymous } = document
      const refused = yield* Effect.flip(checked(anonymous, "sec.json"))
      assert.include(refused.reason, "contact: is needed")
    }).pipe(Effect.scoped))

  it.effect("files in gzip and in a zip, GeoJSON, and behind a redirect; one that did not change is not read again", () =>
    Effect.gen(function*() {
      const server = yield* portal
      const csv = "number,street,owner\n1,1 Nonesuch Avenue,A LLC\n2,2 Nonesuch Avenue,B LLC\n"
      const geojson = JSON.stringify({
        type: "FeatureCollection",
        name: "a [name], with \"features\": [",
        features: [1, 2].map((number) => ({
          type: "Feature",
          properties: { number, street: `${number} "Nonesuch" Avenue]`, owner: null },
          geometry: { type: "Point", coordinates: [-122, 47] }
        }))
      })
      const etag = { etag: "\"1\"" }
      server.files.set("/parcels.csv", { body: Buffer.from(csv), headers: etag })
      server.files.set("/parcels.csv.gz", { body: gzipSync(csv), headers: etag })
      server.files.set("/parcels.zip", { body: zip("read me.md", "-", "parcels.csv", csv), headers: etag })
      server.files.set("/parcels.geojson", { body: Buffer.from(geojson), headers: etag })
      for (
        const [name, path, format] of [
          ["plain", "/moved", "csv"],
          ["gz", "/parcels.csv.gz", undefined],
          ["zip", "/parcels.zip", undefined],
          ["geo", "/parcels.geojson", undefined]
        ] as const
      ) {
        yield* add({
          ...common,
          name,
          kind: "file",
          address: `${server.origin}${path}`,
          ...format === undefined ? {} : { query: { format } },
          map: map(name)
        })
        assert.deepStrictEqual(yield* sync(name), counts(2, 2, 0, 0), name)
        assert.deepStrictEqual(yield* sync(name), counts(0, 0, 0, 2), name)
      }
      server.files.set("/parcels.csv.gz", {
        body: gzipSync(csv.repeat(50)).subarray(0, 60),
        headers: { etag: "\"2\"" }
      })
      const cut = yield* syncWith("gz")
      assert.strictEqual(cut._tag, "Postponed")
      assert.strictEqual((yield* source("gz")).records, 2)
    }).pipe(Effect.scoped))

  it.effect("an entry of a zip without anything in it is an empty file", () =>
    Effect.gen(function*() {
      const server = yield* portal
      server.files.set("/nothing.zip", { body: zip("parcels.csv", ""), headers: {} })
      yield* add({
        ...common,
        name: "nothing",
        kind: "file",
        address: `${server.origin}/nothing.zip`,
        map: map("nothing")
      })
      assert.containSubset(yield* sync("nothing"), {
        state: "failed",
        reason: "the file is empty: its header line is missing"
      })
    }).pipe(Effect.scoped))

  it.effect("a file that has a column of the map twice stops it: which of them is meant is not guessed", () =>
    Effect.gen(function*() {
      const server = yield* portal
      const body = "number,street,owner,street,note,note\n1,1 Nonesuch Avenue,A LLC,2 Elsewhere Road,x,y\n"
      server.files.set("/twice.csv", { body: Buffer.from(body), headers: {} })
      const document: SourceDocument = {
        ...common,
        name: "twice",
        kind: "file",
        address: `${server.origin}/twice.csv`,
        map: map("twice")
      }
      yield* add(document)
      const reason = "has two columns \"street\", which the map names"
      assert.containSubset(yield* sync("twice"), { state: "failed", reason })
      const refused = yield* Effect.flip(trial({ document, token: null, most: 1 }).pipe(Effect.provide(reader("any"))))
      assert.strictEqual(refused.message, `twice: ${reason}`)
    }).pipe(Effect.scoped))

  it.effect("a file that ends in a quote was not read to its end: nothing of it is loaded, and nothing has vanished", () =>
    Effect.gen(function*() {
      const server = yield* portal
      const rows = [1, 2, 3, 4, 5, 6].map((number) => `${number},${number} Nonesuch Avenue,A LLC\n`)
      const publish = (etag: string, ...lines: ReadonlyArray<string>) =>
        server.files.set("/quoted.csv", {
          body: Buffer.from(`number,street,owner\n${lines.join("")}`),
          headers: { etag }
        })
      yield* add({
        ...common,
        name: "quoted",
        kind: "file",
        address: `${server.origin}/quoted.csv`,
        limits: { retired: 1 },
        map: map("quoted")
      })
      publish("\"1\"", ...rows)
      assert.deepStrictEqual(yield* sync("quoted"), counts(6, 6, 0, 0))
      publish(
        "\"2\"",
        "7,7 Nonesuch Avenue,A LLC\n",
        ...rows.slice(0, 3),
        "4,\"4 Nonesuch Avenue,A LLC\n",
        ...rows.slice(4)
      )
      assert.containSubset(yield* sync("quoted"), {
        state: "failed",
        reason: "the file cannot be read to its end: line 6 opens a quote that is never closed; "
          + "lines 7 to 8 were read as a part of it"
      })
      assert.lengthOf(yield* stored("quoted"), 6)
      assert.strictEqual((yield* source("quoted")).records, 6)
      publish("\"3\"", ...rows)
      assert.deepStrictEqual(yield* sync("quoted"), counts(6, 0, 0, 6))
    }).pipe(Effect.scoped))

  it.effect("where a record could not be read, nothing is marked as vanished: it may be the one that is missing", () =>
    Effect.gen(function*() {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "freehold-own-file-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true }))
      )
      const file = join(folder, "unreadable.csv")
      const write = (numbers: ReadonlyArray<number>, ...more: ReadonlyArray<string>) => {
        const rows = numbers.map((number) => `${number},${number} Nonesuch Avenue,A LLC`)
        writeFileSync(file, ["number,street,owner", ...more, ...rows, ""].join("\n"))
      }
      write([1, 2, 3, 4, 5, 6])
      yield* add({
        ...common,
        name: "unreadable",
        kind: "file",
        address: pathToFileURL(file).href,
        limits: { retired: 1 },
        map: map("unreadable")
      })
      assert.deepStrictEqual(yield* sync("unreadable"), counts(6, 6, 0, 0))
      write([2, 3, 4, 5, 7], "6,6 Nonesuch Avenue,A LLC,a cell too many")
      assert.deepStrictEqual(yield* sync("unreadable"), { ...counts(6, 1, 0, 4), rejected: 1 })
      assert.strictEqual((yield* source("unreadable")).records, 7)
      // A reading that begins anew may mark again.
      write([2, 3, 4, 5], "6,6 Nonesuch Avenue,A LLC,yet a cell too many")
      const torn = yield* syncWith("unreadable", {
        onProgress: ({ state }) => state === "reading" ? Effect.sync(() => write([2, 3, 4, 5, 6])) : Effect.void
      })
      assert.deepInclude(torn, { _tag: "Postponed", reason: "the file changed while it was read" })
      assert.deepStrictEqual(yield* sync("unreadable"), counts(5, 0, 0, 5, 2))
    }).pipe(Effect.scoped))

  it.effect("a file of which rows were refused while they were loaded is read again, though it is the same", () =>
    Effect.gen(function*() {
      const server = yield* portal
      fill(server, 1)
      server.files.set("/firms.csv", {
        body: Buffer.from("number,name,property\n1,Sample Realty LLC (made up),owned:1\n2,Other LLC (made up),\n"),
        headers: { etag: "\"1\"" }
      })
      yield* add({
        ...common,
        name: "owners",
        kind: "file",
        rows: "firms",
        address: `${server.origin}/firms.csv`,
        map: {
          key: "owners:{number}",
          fields: { name: "name", properties: [{ propertyKey: "property", role: { const: "owner" } }] }
        }
      })
      const { run } = yield* syncWith("owners")
      assert.deepInclude(run, { state: "done", read: 2, inserted: 1, rejected: 1 })
      assert.deepStrictEqual(run.rejects.map(({ place, reason }) => [place, reason]), [
        ["owners:1", "no property has the key owned:1"]
      ])
      yield* add(sodaDocument("owned", server))
      assert.deepStrictEqual(yield* sync("owned"), counts(1, 1, 0, 0))
      assert.deepStrictEqual(yield* sync("owners"), counts(2, 1, 0, 1))
      assert.deepStrictEqual(yield* sync("owners"), counts(0, 0, 0, 2))
    }).pipe(Effect.scoped))

  it.effect("a file without rows that has other columns stops it: it is no file that lost its records", () =>
    Effect.gen(function*() {
      const server = yield* portal
      const publish = (body: string) => server.files.set("/emptied.csv", { body: Buffer.from(body), headers: {} })
      yield* add({
        ...common,
        name: "emptied",
        kind: "file",
        address: `${server.origin}/emptied.csv`,
        map: map("emptied")
      })
      publish("number,street,owner\n1,1 Nonesuch Avenue,A LLC\n")
      assert.deepStrictEqual(yield* sync("emptied"), counts(1, 1, 0, 0))
      publish("<html>sign in, please</html>")
      assert.containSubset(yield* sync("emptied"), {
        state: "failed",
        reason:
          "has no column \"number\", \"street\", \"owner\", which the map names; known are <html>sign in, please</html>"
      })
      publish("number,street,owner\n")
      assert.containSubset(yield* sync("emptied"), {
        state: "asks",
        reason: "1 of 1 records would be retired (100 %), more than 10 %"
      })
    }).pipe(Effect.scoped))

  it.effect("a file that there is no place for on this machine is put off, with the reason", () =>
    Effect.gen(function*() {
      const server = yield* portal
      server.files.set("/homeless.csv", { body: Buffer.from("number,street,owner\n"), headers: {} })
      yield* add({
        ...common,
        name: "homeless",
        kind: "file",
        address: `${server.origin}/homeless.csv`,
        map: map("homeless")
      })
      vi.stubEnv("TMPDIR", fileURLToPath(import.meta.url))
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))
      const { _tag, run } = yield* syncWith("homeless")
      assert.deepStrictEqual([_tag, run.state], ["Postponed", "reading"])
      const { lastRun } = yield* source("homeless")
      assert.match(lastRun?.reason ?? "", /^the folder for temporary files \(TMPDIR\) cannot be written: ENOTDIR/)
    }).pipe(Effect.scoped))

  it.effect("a file is read again though its date did not change, if it may have been written within that second", () =>
    Effect.gen(function*() {
      const server = yield* portal
      const csv = (owner: string) => Buffer.from(`number,street,owner\n1,1 Nonesuch Avenue,${owner}\n`)
      const publish = (owner: string, modified: number, date: number) =>
        server.files.set("/dated.csv", {
          body: csv(owner),
          headers: { "last-modified": new Date(modified).toUTCString(), date: new Date(date).toUTCString() }
        })
      const moment = Date.parse("2026-01-01T00:00:00Z")
      yield* add({
        ...common,
        name: "dated",
        kind: "file",
        address: `${server.origin}/dated.csv`,
        limits: { changed: 1 },
        map: map("dated")
      })
      publish("A LLC", moment, moment)
      assert.deepStrictEqual(yield* sync("dated"), counts(1, 1, 0, 0))
      publish("B LLC", moment, moment + 86_400_000)
      assert.deepStrictEqual(yield* sync("dated"), counts(1, 0, 1, 0))
      assert.deepStrictEqual(yield* sync("dated"), counts(0, 0, 0, 1))
      publish("C LLC", moment + 90_000_000, moment + 91_000_000)
      assert.deepStrictEqual(yield* sync("dated"), counts(1, 0, 1, 0))
    }).pipe(Effect.scoped))

  it.effect("an own file is read again when it was written, whatever its date says, and from its beginning when that was meanwhile", () =>
    Effect.gen(function*() {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "freehold-own-file-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true }))
      )
      const file = join(folder, "own.csv")
      const write = (owner: string) => {
        const rows = [1, 2, 3, 4, 5].map((number) => `${number},${number} Nonesuch Avenue,${owner}`)
        writeFileSync(file, ["number,street,owner", ...rows, ""].join("\n"))
        utimesSync(file, 1_700_000_000, 1_700_000_000)
      }
      write("A LLC")
      yield* add({
        ...common,
        name: "own",
        kind: "file",
        address: pathToFileURL(file).href,
        limits: { changed: 1 },
        map: map("own")
      })
      assert.deepStrictEqual(yield* sync("own"), counts(5, 5, 0, 0))
      write("B LLC")
      assert.deepStrictEqual(yield* sync("own"), counts(5, 0, 5, 0))
      write("C LLC")
      const torn = yield* syncWith("own", {
        onProgress: ({ state }) => state === "reading" ? Effect.sync(() => write("D LLC")) : Effect.void
      })
      assert.deepInclude(torn, { _tag: "Postponed", reason: "the file changed while it was read" })
      assert.deepStrictEqual(yield* sync("own"), counts(5, 0, 5, 0))
      assert.isTrue((yield* stored("own")).every(({ owner }) => owner === "D LLC"))
    }).pipe(Effect.scoped))

  it.effect("a token is shown to the address of the source, and to no other that it redirects to", () =>
    Effect.gen(function*() {
      const [first, second] = [yield* portal, yield* portal]
      second.files.set("/parcels.csv", {
        body: Buffer.from("number,street,owner\n1,1 Nonesuch Avenue,A LLC\n"),
        headers: {}
      })
      first.redirects.set("/parcels.csv", `${second.origin}/parcels.csv`)
      const document: SourceDocument = {
        ...common,
        name: "led",
        kind: "file",
        address: `${first.origin}/parcels.csv`,
        map: map("led")
      }
      yield* Sources.use((sources) => sources.put(document, Redacted.make("made-up-token")))
      assert.deepStrictEqual(yield* sync("led"), counts(1, 1, 0, 0))
      assert.deepStrictEqual(
        [first, second].map(({ sent }) => sent.map(({ headers }) => headers.authorization)),
        [["Bearer made-up-token"], [undefined]]
      )
    }).pipe(Effect.scoped))

  it.effect("an address on this machine is refused unless that is said to be meant", () =>
    Effect.gen(function*() {
      const server = yield* portal
      const refused = yield* Effect.flip(
        trial({ document: sodaDocument("guard", server), token: null, most: null }).pipe(
          Effect.provide(reader("public"))
        )
      )
      assert.include(refused.message, "https")
      assert.lengthOf(server.sent, 0)
    }).pipe(Effect.scoped))

  it.effect("a load finds what changed: once, not at first, and takes it back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const server = yield* portal
      fill(server, 12)
      yield* sql`DELETE FROM change_outbox`
      yield* add({ ...sodaDocument("signal", server), limits: { changed: 1, retired: 1 } })
      yield* sync("signal")
      const found = sql`
        SELECT c.kind, c.before ->> 'value' AS before, c.after ->> 'value' AS after,
          EXISTS (SELECT FROM property_change w WHERE w.withdraws = c.id) AS withdrawn
        FROM property_change c JOIN property p ON p.id = c.property_id WHERE p.key = 'signal:5' ORDER BY c.key`
      assert.deepStrictEqual(yield* found, [])
      const owned = (owner: string, updated: string) => {
        server.soda[4] = { ...sodaRow(5, updated), owner }
        return sync("signal")
      }
      yield* owned("OWNER 5, L.L.C.", "2026-02-01T00:00:00.000Z")
      assert.deepStrictEqual(yield* found, [])
      yield* owned("Another LLC", "2026-02-02T00:00:00.000Z")
      const transfer = { kind: "ownership_transfer", before: "OWNER 5, L.L.C.", after: "Another LLC" }
      assert.deepStrictEqual(yield* found, [{ ...transfer, withdrawn: false }])
      yield* owned("Another LLC", "2026-02-03T00:00:00.000Z")
      assert.lengthOf(yield* found, 1)
      assert.deepStrictEqual(yield* sync("signal"), counts(1, 0, 0, 1))
      assert.lengthOf(yield* found, 1)
      yield* owned("Owner 5 LLC", "2026-02-04T00:00:00.000Z")
      assert.deepStrictEqual(yield* found, [{ ...transfer, withdrawn: true }])
    }).pipe(Effect.scoped))

  it.effect("every entry of the catalogue that has an excerpt loads it whole", () =>
    Effect.gen(function*() {
      for (const entry of yield* entries) {
        const found = excerptOf(entry)
        if (Option.isNone(found)) continue
        const excerpt = found.value
        // No cell of an excerpt has a line break.
        const [, ...rows] = readFileSync(new URL(excerpt.address), "utf8").trimEnd().split("\n")
        assert.isAtLeast(rows.length, 5, entry.name)
        yield* add(excerpt)
        const { run } = yield* syncWith(entry.name)
        assert.deepInclude(run, { state: "done", read: rows.length, rejected: 0, inserted: rows.length }, entry.name)
        assert.isTrue(existsSync(join(folder, entry.checked.against)), entry.name)
      }
      const ofSeattle = Effect.map(
        CountyCensus.use(({ read }) => read),
        (census) => census.find(({ countyFips }) => countyFips === "53033")?.sources
      )
      const credits = [{
        title: "2016 Building Energy Benchmarking",
        licence: "Open data of the city, dedicated to the public domain",
        attribution: "Buildings: City of Seattle, Building Energy Benchmarking"
      }]
      assert.deepStrictEqual(yield* ofSeattle, credits)
      const seattle = (yield* entries).find(({ name }) => name === "seattle-energy-2016")
      yield* add({ ...Option.getOrThrow(excerptOf(seattle!)), name: "the-same-again" })
      yield* sync("the-same-again")
      assert.isTrue(yield* Sources.use((sources) => sources.remove("seattle-energy-2016")))
      assert.deepStrictEqual(yield* ofSeattle, credits)
    }).pipe(Effect.scoped))
})
