/** What a claim costs beside all that waits for later, and which places it fills. */
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

/** Makes 200 deliveries of an organization due, to ten endpoints, and tells how many blocks a claim of 100 of them looks at. */
const blocksOfClaim = Effect.fnUntraced(function*(orgId: string, firstEndpoint: number) {
  const sql = yield* SqlClient.SqlClient
  const endpoints = Array.from({ length: 10 }, (_, index) => firstEndpoint + index)
  yield* Effect.forEach(endpoints, (index) => Scene.register(orgId, index))
  yield* Scene.qualifyMany(orgId, 20)
  yield* Deliveries.use((deliveries) => deliveries.fanOut(100))
  yield* vacuum("delivery", "delivery_lane", "webhook_endpoint")
  const claim = Effect.gen(function*() {
    const [{ "QUERY PLAN": [{ Plan }] }] = yield* Effect.flatMap(
      sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM delivery_claim(100, 20, interval '30 seconds')`,
      Schema.decodeUnknownEffect(Explained)
    )
    assert.strictEqual(Plan["Actual Rows"], 100)
    return Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"]
  })
  // What the first reads of the catalogues is no part of it.
  return yield* sql.withTransaction(Effect.andThen(claim, claim))
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

it.live("a claim beside a thousand endpoints with retries that wait does not look at them (W3)", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* Scene.seed(["org_a", "org_b", "org_c"], 20)
    yield* sql`
      INSERT INTO event (org_id, id, type, status, by_agent, occurred_at)
      SELECT 'org_b', gen_random_uuid(), 'lead.qualified', 'fanned_out', false, now() FROM generate_series(1, 20)`
    const alone = yield* blocksOfClaim("org_a", 0)
    yield* park(1000)
    // The indexes of 20,000 retries are higher by a level or two; to walk the endpoints takes thousands of blocks.
    assert.isAtMost(yield* blocksOfClaim("org_c", 10), 1.1 * alone)
  }).pipe(Effect.provide(Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer))))

it.live("a place that one worker has is filled up by no other, until its leases end", () =>
  Effect.gen(function*() {
    const one = yield* Deliveries
    const other = yield* Effect.provide(Deliveries, Layer.fresh(WebhookPorts.layer))
    yield* Scene.withDeliveries({ events: 12 })
    const request = {
      limit: 100,
      perEndpoint: 2,
      lease: Duration.minutes(1),
      turns: new Map([[Scene.endpointId(0), 4]])
    }
    const first = yield* one.claim({ ...request, turns: new Map() })
    assert.deepStrictEqual(first.map(({ place }) => place).toSorted(), [1, 2])
    assert.deepStrictEqual(yield* other.claim(request), [])
    // What frees a place lets everybody look again.
    yield* one.complete(
      first.slice(0, 1).map((claimed) => Scene.ended(claimed, { _tag: "Returned" }, 0)),
      []
    )
    const free = first[0]?.place
    const second = yield* other.claim(request)
    assert.deepStrictEqual(second.map(({ place }) => place), [free, free, free, free])
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE delivery_lane SET waits_for_place = false, due_at = now()`
    const third = yield* one.claim(request)
    assert.deepStrictEqual(third.map(({ place }) => place), Array.from({ length: 3 }, () => first[1]?.place))
    yield* sql`UPDATE delivery SET claimed_until = now()`
    yield* sql`UPDATE delivery_lane SET place_until = array_fill(now(), ARRAY[2]), waits_for_place = false, due_at = now()`
    const late = yield* other.claim({ ...request, turns: new Map() })
    assert.deepStrictEqual(late.map(({ place }) => place).toSorted(), [1, 2])
    // An outcome that comes after the lease frees no place that another has meanwhile.
    yield* one.complete(
      third.filter(({ deliveryId }) => late.every((each) => each.deliveryId !== deliveryId))
        .map((claimed) => Scene.ended(claimed)),
      []
    )
    assert.deepStrictEqual(yield* one.claim({ ...request, turns: new Map() }), [])
  }).pipe(Effect.provide(Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer))))

it.live("places that a worker had when it vanished, between recording and giving back, are others' when its leases end", () =>
  Effect.gen(function*() {
    const vanished = yield* Deliveries
    const other = yield* Effect.provide(Deliveries, Layer.fresh(WebhookPorts.layer))
    yield* Scene.withDeliveries({ events: 4 })
    const sql = yield* SqlClient.SqlClient
    const request = { limit: 100, perEndpoint: 2, lease: Duration.minutes(1) }
    const held = yield* vanished.claim(request)
    assert.strictEqual(held.length, 2)
    const recorded = yield* sql`SELECT * FROM delivery_succeed(
      ${held.map(({ organization }) => organization.org_id)}::text[], ${
      held.map(({ endpointId }) => endpointId)
    }::uuid[],
      ${held.map(({ deliveryId }) => deliveryId)}::uuid[], ${held.map(({ claim }) => claim)}::integer[],
      ${held.map(() => 200)}::integer[], ${held.map(() => 1)}::integer[], ${held.map(() => "")}::text[],
      ${held.map(() => "{}")}::text[]
    )`
    assert.strictEqual(recorded.length, 2)
    assert.deepStrictEqual(yield* other.claim(request), [])
    // Nobody has to come for that: the lane is due by itself then.
    const [lane] = yield* sql`
      SELECT due_at = place_until[1] AS due_then, place_until[1] <= now() + interval '1 minute' AS soon FROM delivery_lane`
    assert.deepStrictEqual(lane, { due_then: true, soon: true })
    yield* sql`UPDATE delivery_lane SET place_until = array_fill(now(), ARRAY[2]), due_at = now()`
    assert.strictEqual((yield* other.claim(request)).length, 2)
  }).pipe(Effect.provide(Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer))))
