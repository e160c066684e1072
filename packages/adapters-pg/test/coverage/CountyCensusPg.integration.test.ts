/** `CountyCensus` over PostgreSQL against its contract, and when a county was last refreshed. */
import { assert, layer } from "@effect/vitest"
import * as CountyCensusPg from "@freehold/adapters-pg/coverage/CountyCensusPg"
import * as ImportStorePg from "@freehold/adapters-pg/import/ImportStorePg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { CountyCensus } from "@freehold/core/coverage/CountyCensus"
import { parsers } from "@freehold/core/import/ImportRow"
import { ImportStore } from "@freehold/core/import/ImportStore"
import { countyCensusContract } from "@freehold/core/testing/CountyCensusContract"
import { Effect, Layer, Result } from "effect"

const ports = Layer.mergeAll(CountyCensusPg.layer, SeederPg.layer, ImportStorePg.layer).pipe(
  Layer.provide(TestDatabase.layer)
)

countyCensusContract("over PostgreSQL", ports)

layer(ports, { excludeTestServices: true })("CountyCensusPg", (it) => {
  it.effect("an import refreshes the counties of its rows, also when nothing in them changed", () =>
    Effect.gen(function*() {
      const context = { latestYear: 2027, idOf: () => "00000000-0000-4000-8000-000000000001" }
      const row = parsers.properties({ key: "made-up", countyFips: "48113" }, context)
      const load = ImportStore.use((store) => store.load({ kind: "properties", rows: [Result.getOrThrow(row)] }))
      const { read, revision } = yield* CountyCensus
      const refreshed = Effect.map(read, ([county]) => county?.lastRefresh ?? "")
      yield* load
      const first = yield* refreshed
      assert.match(first, /^\d{4}-\d\d-\d\dT/)
      const revised = yield* revision
      assert.strictEqual((yield* load).unchanged, 1)
      assert.notStrictEqual(yield* revision, revised)
      assert.isAtLeast(Date.parse(yield* refreshed), Date.parse(first))
    }))
})
