/** `BundleSource` over PostgreSQL against its contract, and how much of what an organization keeps it looks at. */
import { assert, it } from "@effect/vitest"
import * as BundleSourcePg from "@freehold/adapters-pg/lead/BundleSourcePg"
import * as PropertiesPg from "@freehold/adapters-pg/property/PropertiesPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import { workOf } from "@freehold/adapters-pg/testing/StatementWork"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { vacuum } from "@freehold/adapters-pg/testing/Vacuum"
import { BundleSource } from "@freehold/core/lead/BundleSource"
import { bundleSourceContract } from "@freehold/core/testing/BundleSourceContract"
import { id, orgId, sample } from "@freehold/core/testing/SampleSeed"
import { startOver } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const work = workOf(BundleSource.use((source) => source.read({ _tag: "Id", id: id(1) }, orgId)))

bundleSourceContract(
  "over PostgreSQL",
  Layer.mergeAll(BundleSourcePg.layer, PropertiesPg.layer, SeederPg.layer).pipe(
    Layer.provide(TestDatabase.layer)
  )
)

it.live("a bundle looks at the tasks that it tells alone, however many there are of its property", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* startOver(sample)
    const { blocks } = yield* work
    // Those that are still open are the oldest.
    yield* sql`
      INSERT INTO task (org_id, id, property_id, title, description, type, status, created_at)
      SELECT ${orgId}, gen_random_uuid(), ${id(1)}::uuid, 'Made up', repeat('made up ', 100), 'call',
        CASE WHEN n > 30 THEN 'done' ELSE 'open' END, timestamptz '2026-01-01' + n * interval '1 second'
      FROM generate_series(1, 10000) AS n`
    yield* vacuum("task")
    assert.isAtMost((yield* work).blocks, blocks + 100)
  }).pipe(Effect.provide(
    Layer.mergeAll(BundleSourcePg.layer, SeederPg.layer).pipe(Layer.provideMerge(TestDatabase.layer))
  )))
