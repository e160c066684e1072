/** Records of the public data sets through their maps into a real database, with exact counts. examples/data/SOURCE.md. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import * as ImportStorePg from "@freehold/adapters-pg/import/ImportStorePg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import * as Import from "@freehold/cli/import/Import"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const data = `${root}examples/data/`

const files = {
  gsa: { file: "gsa/iolp_buildings.csv", map: "gsa-buildings.json" },
  pluto: { file: "pluto/pluto_15v1.csv", map: "pluto.json" },
  seattle: { file: "seattle/building_energy_benchmarking_2016.csv", map: "seattle.json" },
  chicago: { file: "chicago/energy_benchmarking_made_up.csv", map: "chicago.json" }
}

const importOf = (files: Import.ImportFiles, options: Import.ImportOptions) =>
  Import.open(files).pipe(
    Effect.flatMap((source) => Import.run(source, options)),
    Effect.scoped,
    Effect.map(({ summary }) => summary)
  )

const load = (name: keyof typeof files, batchSize?: number) =>
  importOf({
    kind: "properties",
    file: data + files[name].file,
    map: `${root}examples/maps/${files[name].map}`
  }, { strict: false, batchSize })

const one = Effect.fnUntraced(function*(key: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Record<string, unknown>>`SELECT * FROM property WHERE key = ${key}`
  return row ?? {}
})

const database = () =>
  ImportStorePg.layer.pipe(Layer.provideMerge(TestDatabase.layer), Layer.provideMerge(NodeServices.layer))

describe("records of the public data sets", () => {
  layer(database(), { excludeTestServices: true })("GSA buildings", (it) => {
    it.effect(
      "loads all but the 5 rows whose county is not known, and is unchanged the second time",
      () =>
        Effect.gen(function*() {
          const first = yield* load("gsa")
          assert.deepStrictEqual(first, {
            kind: "properties",
            read: 300,
            inserted: 295,
            updated: 0,
            unchanged: 0,
            rejected: 5
          })
          const second = yield* load("gsa")
          assert.deepStrictEqual(second, { ...first, inserted: 0, unchanged: 295 })
          const sql = yield* SqlClient.SqlClient
          const [nulls] = yield* sql`
          SELECT count(*) FILTER (WHERE building_sqft IS NULL)::int AS sqft,
            count(*) FILTER (WHERE year_built IS NULL)::int AS year,
            count(*) FILTER (WHERE record_owner IS NOT NULL AND owner_name = record_owner)::int AS owned,
            count(*) FILTER (WHERE asset_category = 'Land')::int AS land,
            (SELECT count(*)::int FROM county WHERE name IS NOT NULL AND state IS NOT NULL) AS counties,
            count(DISTINCT county_fips)::int AS property_counties
          FROM property`
          assert.strictEqual(nulls?.["land"], 7)
          assert.strictEqual(nulls?.["counties"], nulls?.["property_counties"])
          assert.deepStrictEqual(nulls, { ...nulls, sqft: 35, year: 158, owned: 67 })
          const building = yield* one("gsa:GA2338")
          assert.strictEqual(building["lat"], 34.33903)
          assert.strictEqual(building["year_built"], null)
        })
    )
  })

  layer(database(), { excludeTestServices: true })("PLUTO", (it) => {
    it.effect("loads every tax lot with zero as unknown", () =>
      Effect.gen(function*() {
        const summary = yield* load("pluto")
        assert.deepStrictEqual(summary, {
          kind: "properties",
          read: 300,
          inserted: 300,
          updated: 0,
          unchanged: 0,
          rejected: 0
        })
        const lot = yield* one("36061-1001807505")
        assert.deepInclude(lot, {
          address: "17 JAY STREET",
          county_fips: "36061",
          lot_sqft: 2273,
          year_built: 1920,
          num_floors: 5,
          total_parval: 654024,
          record_owner: null,
          parcel_numbers: ["1001807505"],
          building_attributes_basis: "assessor_parcel"
        })
        const sql = yield* SqlClient.SqlClient
        const [zeros] = yield* sql`
          SELECT count(*)::int AS zeros FROM property
          WHERE 0 IN (lot_sqft, building_sqft, year_built, num_floors, total_units, total_parval)`
        assert.strictEqual(zeros?.["zeros"], 0)
      }))
  })

  layer(database(), { excludeTestServices: true })("Seattle", (it) => {
    it.effect("loads every building, also several on one parcel", () =>
      Effect.gen(function*() {
        const summary = yield* load("seattle")
        assert.strictEqual(summary.inserted, 300)
        assert.strictEqual(summary.rejected, 0)
        const sql = yield* SqlClient.SqlClient
        const [facts] = yield* sql`
          SELECT count(*) FILTER (WHERE apn IS NULL)::int AS apn, max(num_floors)::int AS floors,
            count(*) FILTER (WHERE num_floors IS NULL)::int AS unknown_floors, count(*) FILTER (WHERE zip IS NULL)::int AS zip
          FROM property`
        assert.deepStrictEqual(facts, { apn: 3, floors: 76, unknown_floors: 5, zip: 5 })
      }))
  })

  layer(database(), { excludeTestServices: true })("Chicago", (it) => {
    it.effect("keeps the newest year of each building, whatever the batches", () =>
      Effect.gen(function*() {
        const first = yield* load("chicago", 5)
        assert.strictEqual(first.read, 38)
        assert.strictEqual(first.inserted, 12)
        assert.strictEqual(first.rejected, 0)
        assert.strictEqual(first.inserted + first.updated + first.unchanged, 38)
        const sql = yield* SqlClient.SqlClient
        const rows = sql`SELECT key, building_sqft, common_name, source_updated_at FROM property ORDER BY key`
        const stored = yield* rows
        const [years] = yield* sql`
          SELECT count(*)::int AS buildings, count(year_built)::int AS years, to_iso(max(source_updated_at)) AS newest FROM property`
        assert.deepStrictEqual(years, { buildings: 12, years: 12, newest: "2017-12-31T00:00:00.000Z" })
        const again = yield* load("chicago", 20)
        assert.deepStrictEqual(again, { ...first, inserted: 0, updated: 0, unchanged: 38 })
        assert.deepStrictEqual(yield* rows, stored)
      }))
  })

  layer(database(), { excludeTestServices: true })("the examples of the documents", (it) => {
    it.effect("load, each kind after those that it refers to; a dry run says so before, and nothing is loaded twice", () =>
      Effect.forEach(
        ["properties", "firms", "contacts", "research", "changes"] as const,
        (kind) =>
          Effect.gen(function*() {
            const file = `${root}examples/import/${kind}.ndjson`
            const load = (dryRun: boolean) => importOf({ kind, file }, { strict: false, dryRun })
            const tried = yield* load(true)
            assert.deepInclude(tried, { inserted: tried.read, rejected: 0 }, kind)
            assert.deepStrictEqual(yield* load(false), tried)
            assert.deepInclude(yield* load(true), { unchanged: tried.read })
            assert.deepInclude(yield* load(false), { unchanged: tried.read })
          }),
        { discard: true }
      ))
  })
})
