/** However much one organization has waiting, or whatever holds it, the others go on (`src/webhook/EndedEndpoints.ts`, `FanOut.ts`). */
import { assert, describe, it } from "@effect/vitest"
import * as Scene from "@freehold/core/testing/WebhookScene"
import {
  type AttemptOutcome,
  type AttemptRecord,
  type ClaimedDelivery,
  Deliveries
} from "@freehold/core/webhook/Deliveries"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"
import { recordedStep, step } from "../../src/webhook/EndedEndpoints.ts"
import { looksOfChanges } from "../../src/webhook/FanOut.ts"
import { holding } from "../database/Holding.ts"

const ports = Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer)

const claim = Deliveries.use((deliveries) =>
  deliveries.claim({ limit: 20, perEndpoint: 10, lease: Duration.minutes(1), unproven: 2 })
)

/** Nobody is charged for it. */
const ended = (claimed: ClaimedDelivery, outcome?: AttemptOutcome): AttemptRecord => ({
  ...Scene.ended(claimed, outcome),
  unmetered: true
})

/** So many deliveries that wait for an endpoint, as those of so many events; the first is due first. */
const park = Effect.fnUntraced(function*(orgId: string, endpoint: number, count: number) {
  const sql = yield* SqlClient.SqlClient
  const endpointId = Scene.endpointId(endpoint)
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`SET LOCAL session_replication_role = replica`
    yield* sql`
      WITH made AS (
        INSERT INTO event (org_id, id, type, status, by_agent, occurred_at, fanned_out_at)
        SELECT ${orgId}, gen_random_uuid(), 'signal.sale', 'fanned_out', false, now(), now()
        FROM generate_series(1, ${count}::integer) RETURNING id
      )
      INSERT INTO delivery (id, org_id, event_id, endpoint_id, event_type, test, partial, due_at)
      SELECT gen_random_uuid(), ${orgId}, id, ${endpointId}::uuid, 'signal.sale', false, false,
        now() - interval '1 hour' + row_number() OVER () * interval '1 millisecond' FROM made`
    yield* sql`
      INSERT INTO delivery_lane (org_id, endpoint_id, due_at)
      VALUES (${orgId}, ${endpointId}::uuid, now() - interval '1 hour')
      ON CONFLICT (org_id, endpoint_id) DO UPDATE SET due_at = excluded.due_at`
  }))
})

const waitingFor = Effect.fnUntraced(function*(endpoint: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly count: number }>`
    SELECT count(*)::integer AS count FROM delivery WHERE endpoint_id = ${Scene.endpointId(endpoint)}::uuid`
  return row?.count ?? 0
})

const cancelledOf = Effect.fnUntraced(function*(endpoint: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly count: number }>`
    SELECT count(*)::integer AS count FROM delivery_log
    WHERE endpoint_id = ${Scene.endpointId(endpoint)}::uuid AND state = 'cancelled_endpoint_disabled'`
  return row?.count ?? 0
})

/** As a worker does it: it claims until nothing waits there any more, and sends nothing. */
const claimUntilNothingWaits = (endpoint: number) =>
  Effect.repeat(Effect.andThen(claim, waitingFor(endpoint)), { until: (count) => count === 0 })

const url = "https://receiver.example/same"
const events = ["signal.sale"]

describe("an endpoint for which much waits", () => {
  const many = step + 700

  it.live("is removed in a step, and claims cancel the rest", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url, events })
      yield* park("org_a", 0, many)
      yield* WebhookEndpoints.use((endpoints) => endpoints.remove("org_a", Scene.endpointId(0)))
      assert.strictEqual(yield* waitingFor(0), many - step)
      // Registered anew, it is sent nothing of that.
      yield* Scene.register("org_a", 1, { url, events })
      yield* claimUntilNothingWaits(0)
      assert.strictEqual(yield* cancelledOf(0), many)
      assert.strictEqual(yield* waitingFor(1), 0)
    }).pipe(Effect.provide(ports)))

  it.live("is disabled and enabled again, and is sent only what came after that", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url, events: ["lead.qualified", ...events] })
      yield* park("org_a", 0, many)
      const endpoints = yield* WebhookEndpoints
      yield* endpoints.disable("org_a", Scene.endpointId(0))
      yield* endpoints.enable(Scene.endpointId(0))
      yield* Scene.qualify("org_a", 0)
      yield* Deliveries.use((deliveries) => deliveries.fanOut(10))
      const claimed = yield* Effect.repeat(claim, { until: (claimed) => claimed.length > 0 })
      assert.deepStrictEqual(claimed.map(({ eventId }) => eventId), [Scene.eventId(0)])
      assert.strictEqual(yield* cancelledOf(0), many)
      assert.deepStrictEqual(yield* sql`SELECT cancels_until FROM webhook_endpoint`, [{ cancels_until: null }])
    }).pipe(Effect.provide(ports)))

  it.live("is disabled, enabled and then replaced, and the new one is sent nothing of what was cancelled", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url, events })
      yield* park("org_a", 0, many)
      const endpoints = yield* WebhookEndpoints
      yield* endpoints.disable("org_a", Scene.endpointId(0))
      yield* endpoints.enable(Scene.endpointId(0))
      yield* park("org_a", 0, 1)
      yield* Scene.register("org_a", 1, { url, events })
      assert.strictEqual(yield* waitingFor(1), 1)
      yield* claimUntilNothingWaits(0)
      assert.strictEqual(yield* cancelledOf(0), many)
      assert.strictEqual(yield* waitingFor(1), 1)
    }).pipe(Effect.provide(ports)))

  it.live("is cancelled to the last, be it held for a while, before anything is sent again", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url, events })
      yield* park("org_a", 0, 1)
      const goOn = yield* holding(sql`SELECT FROM delivery FOR UPDATE`)
      const endpoints = yield* WebhookEndpoints
      yield* endpoints.disable("org_a", Scene.endpointId(0))
      yield* endpoints.enable(Scene.endpointId(0))
      yield* claim
      yield* goOn
      yield* claimUntilNothingWaits(0)
      assert.strictEqual(yield* cancelledOf(0), 1)
    }).pipe(Effect.provide(ports)))

  it.live("is sent what comes once it is enabled, although a worker vanished while its places were taken", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url, events: ["lead.qualified", ...events] })
      yield* park("org_a", 0, 5)
      assert.lengthOf(yield* claim, 2)
      assert.lengthOf(yield* sql`SELECT FROM delivery_lane WHERE waits_for_place`, 1)
      const endpoints = yield* WebhookEndpoints
      yield* endpoints.disable("org_a", Scene.endpointId(0))
      yield* sql`UPDATE delivery SET claimed_until = now()`
      yield* sql`UPDATE delivery_lane SET place_until = ARRAY[now(), now()], due_at = now()`
      yield* claimUntilNothingWaits(0)
      yield* claim
      yield* endpoints.enable(Scene.endpointId(0))
      yield* Scene.qualify("org_a", 0)
      yield* Deliveries.use((deliveries) => deliveries.fanOut(10))
      assert.deepStrictEqual((yield* claim).map(({ eventId }) => eventId), [Scene.eventId(0)])
    }).pipe(Effect.provide(ports)))

  it.live("is replaced in a step, and claims give the rest over, the longest due first", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url, events })
      yield* park("org_a", 0, many)
      const inOrder = yield* sql<{ readonly id: string }>`SELECT id FROM delivery ORDER BY due_at`
      yield* Scene.register("org_a", 1, { url, events })
      assert.strictEqual(yield* waitingFor(0), many - step)
      const deliveries = yield* Deliveries
      const sent: Array<string> = []
      while (sent.length < many) {
        const claimed = yield* deliveries.claim({
          limit: 500,
          perEndpoint: 10,
          lease: Duration.minutes(1),
          turns: new Map([[Scene.endpointId(1), 20]])
        })
        sent.push(...claimed.map(({ deliveryId }) => deliveryId))
        yield* deliveries.complete(claimed.map((each) => ended(each)), [])
      }
      const places = new Map(inOrder.map(({ id }, place) => [id, place]))
      const claimedAt = sent.map((id) => places.get(id) ?? -1)
      // Of one claim in any order.
      assert.isTrue(claimedAt.every((place, index) => Math.abs(place - index) < 500))
      assert.strictEqual(new Set(sent).size, many)
      assert.strictEqual(yield* cancelledOf(0), 0)
    }).pipe(Effect.provide(ports)))

  it.live("answers 410, and what waits for it keeps no outcome of others waiting", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 1)
      yield* Scene.register("org_a", 0, { url, events })
      yield* Scene.register("org_b", 1, { events })
      yield* park("org_a", 0, many)
      yield* park("org_b", 1, 2)
      const claimed = yield* claim
      const deliveries = yield* Deliveries
      const isGone = ({ organization }: ClaimedDelivery) => organization.org_id === "org_a"
      yield* deliveries.complete(
        claimed.map((each) => ended(each, isGone(each) ? { _tag: "Gone" } : { _tag: "Delivered", status: 200 })),
        []
      )
      assert.strictEqual(yield* cancelledOf(0), recordedStep)
      assert.strictEqual(yield* waitingFor(1), 0)
      yield* claimUntilNothingWaits(0)
      assert.strictEqual(yield* cancelledOf(0), many - claimed.filter(isGone).length)
    }).pipe(Effect.provide(ports)))
})

describe("outcomes of several organizations", () => {
  const claimedOfBoth = Effect.gen(function*() {
    yield* Scene.seed(["org_a", "org_b"], 1)
    yield* Scene.register("org_a", 0, { events })
    yield* Scene.register("org_b", 1, { events })
    yield* park("org_a", 0, 1)
    yield* park("org_b", 1, 1)
    const claimed = yield* claim
    return claimed.toSorted((left, right) => left.organization.org_id < right.organization.org_id ? -1 : 1)
  })

  const outcomes: ReadonlyArray<AttemptOutcome> = [
    { _tag: "Delivered", status: 200 },
    { _tag: "Failed", status: 500, reason: "answered 500" }
  ]
  for (const outcome of outcomes) {
    it.live(`are recorded where one of them is held up: ${outcome._tag}`, () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const deliveries = yield* Deliveries
        const records = (yield* claimedOfBoth).map((each) => ended(each, outcome))
        const goOn = yield* holding(sql`SELECT FROM delivery WHERE org_id = 'org_a' FOR UPDATE`)
        const left = yield* deliveries.complete(records, [])
        assert.deepStrictEqual(left, records.slice(0, 1))
        assert.strictEqual(yield* waitingFor(1), 0)
        yield* goOn
        assert.deepStrictEqual(yield* deliveries.complete(left, []), [])
        assert.strictEqual(yield* waitingFor(0), 0)
      }).pipe(Effect.provide(ports)))
  }

  it.live("are recorded while somebody holds a lane, and the places are given back once it is let go", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { events })
      yield* park("org_a", 0, 3)
      const claimed = yield* claim
      assert.lengthOf(claimed, 2)
      const goOn = yield* holding(sql`SELECT FROM delivery_lane FOR UPDATE`)
      assert.deepStrictEqual(yield* deliveries.complete(claimed.map((each) => ended(each)), []), [])
      assert.strictEqual(yield* waitingFor(0), 1)
      yield* goOn
      assert.lengthOf(yield* Effect.repeat(claim, { until: (some) => some.length > 0 }), 1)
    }).pipe(Effect.provide(ports)))

  it.live("are recorded beside an answer that no database keeps", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      const [first, second] = yield* claimedOfBoth
      if (first === undefined || second === undefined) return assert.fail("two are claimed")
      const left = yield* deliveries.complete([
        ended(first, { _tag: "Delivered", status: 200, answer: "deal \u0000" }),
        ended(second)
      ], [])
      assert.deepStrictEqual(left, [])
      assert.deepStrictEqual(yield* sql`SELECT DISTINCT state FROM delivery_log`, [{ state: "delivered" }])
      assert.deepStrictEqual(yield* sql`SELECT status, answer FROM delivery_attempt`, [
        { status: 200, answer: null },
        { status: 200, answer: null }
      ])
    }).pipe(Effect.provide(ports)))
})

describe("events that wait", () => {
  /** Many events, older than all others. */
  const pile = (orgId: string, count: number) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.withTransaction(Effect.andThen(
        sql`SET LOCAL session_replication_role = replica`,
        sql`
          INSERT INTO event (org_id, id, type, status, by_agent, occurred_at, created_at)
          SELECT ${orgId}, gen_random_uuid(), 'signal.sale', 'pending', false, now(),
            now() - interval '1 hour' + n * interval '1 millisecond'
          FROM generate_series(1, ${count}::integer) AS n`
      )))

  it.live("of an organization that is suspended cost a glance, however many they are", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      yield* Scene.seed(["org_a", "org_b"], 1)
      yield* Scene.register("org_b", 1)
      yield* pile("org_a", 5000)
      yield* sql`UPDATE organization SET profile = profile || '{"status": "suspended"}' WHERE org_id = 'org_a'`
      yield* sql`ANALYZE event`
      const read = yield* sql.withTransaction(Effect.gen(function*() {
        assert.strictEqual(yield* deliveries.fanOut(10), 0)
        const [row] = yield* sql<{ readonly count: number }>`
          SELECT (seq_tup_read + idx_tup_fetch)::integer AS count FROM pg_stat_xact_user_tables WHERE relname = 'event'`
        return row?.count
      }))
      assert.isAtMost(read ?? Infinity, 10)
      yield* Scene.qualify("org_b", 0)
      assert.strictEqual(yield* deliveries.fanOut(10), 1)
    }).pipe(Effect.provide(ports)))

  it.live("of as many suspended organizations as are looked at in one go end the look all the same", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      yield* Scene.seed(["org_a", "org_b", "org_c"], 1)
      yield* Scene.register("org_c", 1)
      for (const orgId of ["org_a", "org_b"]) {
        yield* pile(orgId, 1)
        yield* sql`UPDATE organization SET profile = profile || '{"status": "suspended"}' WHERE org_id = ${orgId}`
      }
      assert.strictEqual(yield* deliveries.fanOut(2), 0)
      assert.strictEqual(yield* deliveries.fanOut(1), 0)
      yield* Scene.qualify("org_c", 0)
      assert.strictEqual(yield* deliveries.fanOut(1), 1)
      assert.strictEqual(yield* deliveries.fanOut(1), 0)
    }).pipe(Effect.provide(ports)))

  it.live("of an organization that moves to another cell keep nobody else's waiting", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      yield* Scene.seed(["org_a", "org_b"], 1)
      yield* Scene.register("org_b", 1)
      yield* pile("org_a", 20)
      yield* sql`INSERT INTO organization_move (org_id, to_cell) VALUES ('org_a', 'west')`
      yield* sql`SELECT organization_fence('org_a')`
      yield* Scene.qualify("org_b", 0)
      assert.strictEqual(yield* deliveries.fanOut(10), 1)
      assert.deepStrictEqual((yield* claim).map(({ eventId }) => eventId), [Scene.eventId(0)])
    }).pipe(Effect.provide(ports)))

  it.live("keep the changes of others waiting for some looks only, however many they are", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      yield* Scene.seed(["org_a", "org_b"], 1)
      yield* pile("org_a", 20 * looksOfChanges)
      yield* sql`
        UPDATE organization SET profile = jsonb_set(profile, '{features,signals}', 'true') WHERE org_id = 'org_b'`
      yield* sql`
        INSERT INTO property_change (id, key, kind, property_id, detected_at, source)
        VALUES (gen_random_uuid(), 'made up', 'sale', ${Scene.propertyId(0)}::uuid, now(), 'county_record')`
      const changed = sql`SELECT FROM event WHERE org_id = 'org_b'`
      yield* Effect.repeat(deliveries.fanOut(10), { times: looksOfChanges - 2 })
      assert.isEmpty(yield* changed)
      yield* deliveries.fanOut(10)
      assert.lengthOf(yield* changed, 1)
    }).pipe(Effect.provide(ports)))

  it.live("are fanned out between the batches of a load of changes", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      yield* Scene.seed(["org_a", "org_b"], 1)
      yield* Scene.register("org_b", 1)
      yield* sql`
        UPDATE organization SET profile = jsonb_set(profile, '{features,signals}', 'true') WHERE org_id = 'org_a'`
      yield* sql`
        INSERT INTO property_change (id, key, kind, property_id, detected_at, source)
        SELECT gen_random_uuid(), 'made up ' || n, 'sale', ${Scene.propertyId(0)}::uuid, now(), 'county_record'
        FROM generate_series(1, 250) AS n`
      yield* Scene.qualify("org_b", 0)
      yield* deliveries.fanOut(500)
      assert.deepStrictEqual((yield* claim).map(({ eventId }) => eventId), [Scene.eventId(0)])
      assert.isNotEmpty(yield* sql`SELECT FROM change_outbox`)
      yield* Effect.repeat(deliveries.fanOut(500), { until: (handled) => handled === 0 })
      assert.isEmpty(yield* sql`SELECT FROM change_outbox`)
      const events = yield* sql`
        SELECT status, count(*)::integer AS count FROM event WHERE org_id = 'org_a' GROUP BY status`
      assert.deepStrictEqual(events, [{ status: "skipped", count: 250 }])
    }).pipe(Effect.provide(ports)))
})
