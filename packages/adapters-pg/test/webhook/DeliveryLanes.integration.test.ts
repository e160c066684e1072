/** What a claim costs beside all that waits for later: as much as without, but for the height of the indexes. */
import { assert, it } from "@effect/vitest"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Deliveries } from "@freehold/core/webhook/Deliveries"
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { vacuum } from "../../src/testing/Vacuum.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

const Explained = Schema.Tuple([Schema.Struct({
  "QUERY PLAN": Schema.Tuple([Schema.Struct({
    Plan: Schema.Struct({
      "Actual Rows": Schema.Number,
      "Shared Hit Blocks": Schema.Number,
      "Shared Read Blocks": Schema.Number
    })
  })])
})])

/** Blocks that a claim of 100 looks at; it is taken back. */
const blocksOfClaim = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* vacuum("delivery", "delivery_lane", "webhook_endpoint")
  const explain = Effect.gen(function*() {
    yield* sql`SAVEPOINT before`
    const [{ "QUERY PLAN": [{ Plan }] }] = yield* Effect.flatMap(
      sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM delivery_claim(100, 10, interval '30 seconds')`,
      Schema.decodeUnknownEffect(Explained)
    )
    yield* sql`ROLLBACK TO before`
    assert.strictEqual(Plan["Actual Rows"], 100)
    return Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"]
  })
  // What the first reads of the catalogues is no part of it.
  return yield* sql.withTransaction(Effect.andThen(explain, explain))
})

/** Retries that are due in an hour, 20 for each of so many further endpoints. */
const park = Effect.fnUntraced(function*(endpoints: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO webhook_endpoint (org_id, id, url, target_key, events, created_via, secret_sealed)
    SELECT 'org_b', gen_random_uuid(), 'https://receiver.example/', gen_random_uuid()::text, '{lead.qualified}', 'api', ''
    FROM generate_series(1, ${endpoints}::integer)`
  yield* sql`
    INSERT INTO delivery (id, org_id, event_id, endpoint_id, event_type, test, partial, state, attempts, due_at)
    SELECT gen_random_uuid(), e.org_id, e.id, w.id, e.type, false, false, 'retry_wait', 1,
      now() + interval '1 hour' + random() * interval '1 hour'
    FROM event e JOIN webhook_endpoint w ON w.org_id = e.org_id WHERE e.org_id = 'org_b'`
})

it.live("a claim beside a thousand endpoints with retries that wait does not look at them", () =>
  Effect.gen(function*() {
    const deliveries = yield* Deliveries
    yield* Scene.seed(["org_a", "org_b"], 10)
    yield* Effect.forEach(Array.from({ length: 10 }, (_, index) => index), (index) => Scene.register("org_a", index))
    yield* Scene.qualifyMany("org_a", 10)
    yield* deliveries.fanOut(100)
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO event (org_id, id, type, status, by_agent, occurred_at)
      SELECT 'org_b', gen_random_uuid(), 'lead.qualified', 'fanned_out', false, now() FROM generate_series(1, 20)`
    const alone = yield* blocksOfClaim
    yield* park(1000)
    // The indexes of 20,000 retries are higher by a level or two, at a block for each look; to walk the endpoints takes thousands.
    assert.isAtMost(yield* blocksOfClaim, 1.3 * alone)
    assert.strictEqual(
      (yield* deliveries.claim({ limit: 1000, perEndpoint: 10, lease: Duration.minutes(1) })).length,
      100
    )
  }).pipe(Effect.provide(Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer))))
