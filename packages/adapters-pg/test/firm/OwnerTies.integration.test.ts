/** Ties that matches made, and what imports change about them. All rows are made up. */
import { assert, layer as withLayer } from "@effect/vitest"
import * as OwnerMatchesPg from "@freehold/adapters-pg/firm/OwnerMatchesPg"
import * as ImportStorePg from "@freehold/adapters-pg/import/ImportStorePg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import * as OwnerMatcher from "@freehold/core/firm/OwnerMatcher"
import { OwnerMatches } from "@freehold/core/firm/OwnerMatches"
import { type ImportBatch, parsers } from "@freehold/core/import/ImportRow"
import { ImportStore } from "@freehold/core/import/ImportStore"
import { startOver } from "@freehold/core/testing/Seed"
import { Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"

const [here, there] = ["53901", "53902"]

const idOf = (kind: string, key: string) => {
  const hex = createHash("md5").update(`${kind}/${key}`).digest("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}
const context = { latestYear: 2027, idOf }

const load = (batch: ImportBatch) =>
  Effect.map(ImportStore.use((store) => store.load(batch)), ({ rejected }) => assert.deepStrictEqual(rejected, []))

const properties = (...rows: ReadonlyArray<object>) =>
  load({ kind: "properties", rows: rows.map((row) => Result.getOrThrow(parsers.properties(row, context))) })

const firms = (...rows: ReadonlyArray<object>) =>
  load({ kind: "firms", rows: rows.map((row) => Result.getOrThrow(parsers.firms(row, context))) })

/** Matches what changed. */
const run = Effect.gen(function*() {
  const matcher = yield* OwnerMatcher.make
  return yield* matcher.run({ all: false, only: null })
})

/** The keys of the properties that the firm owns. */
const owned = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly key: string }>`
    SELECT p.key FROM property_firm f JOIN property p ON p.id = f.property_id
    WHERE f.firm_id = ${idOf("firms", "f")}::uuid ORDER BY 1`
  return rows.map(({ key }) => key)
})

const rejectAll = Effect.gen(function*() {
  const matches = yield* OwnerMatches
  const tied = yield* matches.list({ state: "tied", countyFips: null, after: null, limit: 100 })
  const decided = yield* Effect.forEach(tied, ({ id }) => matches.decide(id, "rejected"))
  return decided.map((each) => Option.getOrThrow(each).settled.untied)
})

const firm = { key: "f", name: "Sample Harbor Holdings LLC" }

/** Of the firm: one by an import, one by a match. */
const scene = Effect.gen(function*() {
  yield* startOver({})
  yield* properties(
    { key: "own", countyFips: here },
    { key: "p", countyFips: here, recordOwner: "SAMPLE HARBOR HOLDINGS LLC" }
  )
  yield* firms({ ...firm, properties: [{ propertyKey: "own", role: "owner", attributionType: "county_record" }] })
  yield* run
  assert.deepStrictEqual(yield* owned, ["own", "p"])
})

const stores = Layer.mergeAll(OwnerMatchesPg.layer, ImportStorePg.layer, SeederPg.layer)

withLayer(stores.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })(
  "Ties of owners",
  (it) => {
    it.effect("are an import's once it says the same, and are not taken back", () =>
      Effect.gen(function*() {
        yield* scene
        const listed = ["own", "p"].map((propertyKey) => ({
          propertyKey,
          role: "owner",
          attributionType: "county_record"
        }))
        yield* firms({ ...firm, properties: listed })
        assert.deepStrictEqual(yield* rejectAll, [0])
        assert.deepStrictEqual(yield* owned, ["own", "p"])
      }))

    it.effect("are found anew in the county that a record left, and in the one that it came to", () =>
      Effect.gen(function*() {
        yield* scene
        yield* properties({ key: "q", countyFips: there, recordOwner: "SAMPLE HARBOR HOLDINGS LLC" })
        yield* run
        assert.deepStrictEqual(yield* owned, ["own", "p", "q"])
        yield* properties({ key: "p", countyFips: there })
        const matches = yield* OwnerMatches
        const stale = yield* matches.counties({ all: false, only: null })
        assert.deepStrictEqual(stale.map(({ countyFips }) => countyFips), [here, there])
        yield* run
        assert.deepStrictEqual(yield* owned, ["own", "p", "q"])
        yield* rejectAll
        assert.deepStrictEqual(yield* owned, ["own"])
      }))
  }
)
