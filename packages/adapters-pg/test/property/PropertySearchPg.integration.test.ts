/** The search over PostgreSQL against the contract of searches, and what only a database can get wrong. */
import { assert, layer as withLayer } from "@effect/vitest"
import * as PropertyMergesPg from "@freehold/adapters-pg/property/PropertyMergesPg"
import * as PropertySearchPg from "@freehold/adapters-pg/property/PropertySearchPg"
import * as SuppressionsPg from "@freehold/adapters-pg/suppression/SuppressionsPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { type After, type Condition, PropertySearch, type Sort } from "@freehold/core/property/PropertySearch"
import { areaSearches, propertySearchContract, searchesAsInMemory } from "@freehold/core/testing/PropertySearchContract"
import { property, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const layer = Layer.mergeAll(PropertySearchPg.layer, PropertyMergesPg.layer, SuppressionsPg.layer, SeederPg.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

propertySearchContract("over PostgreSQL", layer)
searchesAsInMemory("over PostgreSQL", layer, { runs: 25 })

const everywhere = { nationwide: true, stateFips: [], countyFips: [] }
const viewer = { orgId: "sample-org", visible: everywhere, covered: everywhere }

withLayer(layer, { excludeTestServices: true })("PropertySearch: cursors over PostgreSQL", (it) => {
  it.effect("tell apart times within one millisecond", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const seeder = yield* Seeder
      const search = yield* PropertySearch
      const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
      yield* seeder.add({
        properties: [1, 2, 3, 4, 5].map((n) => property({ id: id(n), countyFips: "48001", address: "1 Oak" }))
      })
      yield* sql`
        UPDATE property
        SET updated_at = timestamptz '2026-01-01T00:00:00.123Z' + right(id::text, 1)::int * interval '1 microsecond',
          last_enriched_at = nullif(right(id::text, 1), '5')::int * interval '1 microsecond'
            + timestamptz '2026-01-01T00:00:00.123Z'`
      const walk = Effect.fnUntraced(function*(sort: Sort) {
        const found: Array<string> = []
        let after: After | null = null
        do {
          const page: Effect.Success<ReturnType<typeof search.byText>> = yield* search.byText({
            viewer,
            words: ["oak"],
            spellings: [],
            withNames: true,
            sort,
            after,
            limit: 1,
            full: false
          })
          found.push(...page.rows.map((row) => row.id.slice(-1)))
          after = page.next
        } while (after !== null && found.length < 10)
        return found.join("")
      })
      assert.strictEqual(yield* walk({ column: "updatedAt", direction: "desc" }), "54321")
      assert.strictEqual(yield* walk({ column: "updatedAt", direction: "asc" }), "12345")
      assert.strictEqual(yield* walk({ column: "lastEnrichedAt", direction: "desc" }), "43215")
    }))
})

withLayer(layer, { excludeTestServices: true, timeout: "2 minutes" })("PropertySearch: large areas", (it) => {
  it.effect("a page far down an area of many properties stands where its pages lead", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const search = yield* PropertySearch
      yield* SyntheticProperties.load({ count: 20_000, counties: 200 })
      yield* sql`ANALYZE property`
      const within: Condition = {
        _tag: "Within",
        polygons: [[[[-130, 20], [-60, 20], [-60, 50], [-130, 50], [-130, 20]]]]
      }
      const asked: ReadonlyArray<ReadonlyArray<Condition>> = [
        ...areaSearches(within),
        [within, { _tag: "Range", field: "yearBuilt", min: 1950, max: null, orUnknown: false }],
        [within, { _tag: "Range", field: "yearBuilt", min: 2020, max: 2021, orUnknown: false }]
      ]
      const columns = ["contactCount", "recordOwner", "rawAddress", "city"] as const
      for (const conditions of asked) {
        for (const column of columns) {
          const page = (offset: number, after: After | null, limit: number) =>
            search.byLocation({
              viewer: { ...viewer, covered: { ...everywhere, nationwide: false } },
              conditions,
              sort: { column, direction: "desc" },
              after,
              offset,
              limit,
              full: false
            })
          const first = yield* page(0, null, 190)
          const second = yield* page(0, first.next, 190)
          const far = yield* page(200, null, 100)
          const ids = [...first.rows, ...second.rows].map(({ id }) => id)
          assert.deepStrictEqual(far.rows.map(({ id }) => id), ids.slice(200, 300), column)
          assert.strictEqual(far.total, first.total)
        }
      }
    }))
})

withLayer(layer, { excludeTestServices: true, timeout: "2 minutes" })("PropertySearch: indexes", (it) => {
  it.effect("a search of a large table reads no table from end to end", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const search = yield* PropertySearch
      yield* SyntheticProperties.load({ count: 20_000, counties: 200 })

      const counted = Effect.map(
        sql<{ readonly scans: number }>`
          SELECT seq_scan::int AS scans FROM pg_stat_xact_user_tables WHERE relname = 'property'`,
        ([row]) => row?.scans ?? 0
      )
      /** How often one search reads the whole table; one connection sees its own statistics at once. */
      const scans = Effect.fnUntraced(function*(run: Effect.Effect<unknown, unknown>) {
        const before = yield* counted
        yield* run
        return (yield* counted) - before
      }, sql.withTransaction)
      const found = (condition: Condition, sort: Sort) =>
        search.byLocation({ viewer, conditions: [condition], sort, after: null, offset: 0, limit: 50, full: false })
      const relevance: Sort = { column: "contactCount", direction: "desc" }
      const owner: Sort = { column: "recordOwner", direction: "asc" }
      const one: Condition = { _tag: "Counties", countyFips: [SyntheticProperties.countyFips(3)] }
      const two: Condition = { _tag: "Counties", countyFips: [3, 4].map(SyntheticProperties.countyFips) }
      const texts = (words: ReadonlyArray<string>) =>
        search.byText({
          viewer,
          words,
          spellings: [],
          withNames: true,
          sort: relevance,
          after: null,
          limit: 50,
          full: false
        })
      const searches = {
        county: found(one, relevance),
        counties: found(two, relevance),
        "county by size": found(one, { column: "buildingSqft", direction: "desc" }),
        "counties by owner": found(two, owner),
        zip: found({ _tag: "Zips", zipCodes: ["10001"] }, relevance),
        city: found({ _tag: "Cities", cities: [{ city: "aldermoor", state: "TX" }] }, relevance),
        box: found({ _tag: "Box", north: 28.5, south: 28, west: -118, east: -117.5 }, relevance),
        near: found({ _tag: "Near", lat: 28.5, lon: -117.5, radiusMeters: 5000 }, owner),
        within: found({ _tag: "Within", polygons: [[[[-118, 28], [-117, 28], [-117, 29], [-118, 28]]]] }, relevance),
        "wide area": found(
          { _tag: "Within", polygons: [[[[-118, 28], [-114, 28], [-114, 32], [-118, 28]]]] },
          relevance
        ),
        "wide box": found({ _tag: "Box", north: 31, south: 28, west: -118, east: -115 }, relevance),
        changed: found({ _tag: "Changed", kinds: ["sale"], since: null }, relevance),
        "common words": texts(["st"]),
        "rare letters": texts(["zq"]),
        "common words by value": search.byText({
          viewer,
          words: ["street"],
          spellings: [],
          withNames: true,
          sort: { column: "totalParval", direction: "desc" },
          after: null,
          limit: 50,
          full: false
        }),
        "rare words": texts(["heron", "77"])
      }
      for (const [name, run] of Object.entries(searches)) assert.strictEqual(yield* scans(run), 0, name)
      const unindexed = sql`SELECT count(*) FROM property WHERE zoning = 'C-1'`
      assert.isAbove(yield* scans(unindexed), 0, "reading the whole table would be noticed")
    }))
})
