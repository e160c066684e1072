/** `Sources` over PostgreSQL against its contract. */
import { assert, layer as suite } from "@effect/vitest"
import { Sources } from "@freehold/core/source/Sources"
import { sampleSource } from "@freehold/core/testing/SampleSource"
import { sourcesContract } from "@freehold/core/testing/SourcesContract"
import { Duration, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../src/database/Database.ts"
import * as SourcesPg from "../../src/source/SourcesPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as SealerNode from "../../src/webhook/SealerNode.ts"
import { holding } from "../database/Holding.ts"

const sealer = SealerNode.layer(Redacted.make(new Uint8Array(32).fill(5)))

sourcesContract("over PostgreSQL", SourcesPg.layer.pipe(Layer.provide([TestDatabase.layer, sealer])))

const limit = Duration.millis(500)

/** Those of a worker, whose statements have a limit. */
const limited = Layer.unwrap(
  Effect.map(
    TestDatabase.Url,
    (url) =>
      SourcesPg.layer.pipe(
        Layer.provide([sealer, Database.layer({ url, applicationName: "freehold worker", statementLimit: limit })])
      )
  )
)

suite(limited.pipe(Layer.provideMerge(TestDatabase.layer), Layer.orDie), { excludeTestServices: true })(
  "a source of millions of rows",
  (it) => {
    it.effect("a step over all of its rows takes as long as it takes, whatever the limit of statements", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const sources = yield* Sources
        const document = sampleSource("millions-of-rows")
        const { name } = document
        yield* sources.put(document, null)
        /** Its rows are not to be had for longer than the limit. */
        const late = Effect.fnUntraced(function*<A, E>(step: Effect.Effect<A, E>) {
          const release = yield* holding(sql`LOCK TABLE source_row IN ACCESS EXCLUSIVE MODE`)
          const working = yield* Effect.forkChild(step)
          yield* Effect.repeat(
            sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
              AND clock_timestamp() - query_start > ${Duration.toMillis(limit)}::integer * interval '2 milliseconds'`,
            { until: (rows) => rows.length > 0 || working.pollUnsafe() !== undefined }
          )
          yield* release
          return yield* Fiber.join(working)
        })
        const begun = yield* late(sources.begin(name, true, []))
        assert.deepInclude(yield* late(sources.plan(name, begun)), { known: 0, fresh: 0 })
        assert.deepInclude(yield* late(sources.finish(name, begun, 0)), { state: "done" })
        const next = yield* sources.begin(name, true, [])
        assert.deepInclude(yield* late(sources.turn(name, next, "failed", "made up")), { state: "failed" })
      }))
  }
)
