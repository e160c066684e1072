/** What `DeliveriesPg` and its neighbours leave in the tables, and how they live with other sessions and lost ones. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { LeadFeed } from "@freehold/core/lead/LeadFeed"
import { Pipeline } from "@freehold/core/pipeline/Pipeline"
import { property, Seeder } from "@freehold/core/testing/Seed"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { type ClaimedDelivery, Deliveries } from "@freehold/core/webhook/Deliveries"
import { Sealer } from "@freehold/core/webhook/Sealer"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Deferred, Duration, Effect, Fiber, Layer, Queue, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as Database from "../../src/database/Database.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"
import * as DeliveriesPg from "../../src/webhook/DeliveriesPg.ts"
import * as SealerNode from "../../src/webhook/SealerNode.ts"
import { secretContext } from "../../src/webhook/WebhookEndpointsPg.ts"

const ports = Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer)
const everything = { limit: 100, perEndpoint: 100, lease: Duration.minutes(5) }

const delivered = (claimed: ReadonlyArray<ClaimedDelivery>) =>
  Deliveries.use((deliveries) =>
    deliveries.complete(
      claimed.map((each) => Scene.ended(each, { _tag: "Delivered", status: 200 }, 12.6)),
      []
    )
  )

describe("DeliveriesPg in the tables", () => {
  it.live("a skipped event keeps the reason, a fanned-out one the time", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      const seeder = yield* Seeder
      yield* Scene.seed(["org_a", "org_b", "org_c"], 1)
      yield* seeder.add({ properties: [property({ id: Scene.propertyId(9), countyFips: Scene.otherCounty })] })
      yield* Scene.register("org_a", 0)
      yield* Scene.register("org_b", 1, { events: ["signal.sale"] })
      const { features, ...organization } = Scene.organization("org_d")
      yield* seeder.add({ organizations: [{ ...organization, features: { ...features, full_crm_export: false } }] })
      yield* Scene.connect("org_d", 2)
      const qualify = (orgId: string, index: number, propertyId: string) =>
        Pipeline.use((pipeline) =>
          pipeline.change(Scene.qualification(orgId, propertyId, { eventId: Scene.eventId(index) }))
        )
      yield* qualify("org_a", 1, Scene.propertyId(0))
      yield* qualify("org_a", 2, Scene.propertyId(9))
      yield* qualify("org_b", 3, Scene.propertyId(0))
      yield* qualify("org_c", 4, Scene.propertyId(0))
      yield* sql`
        INSERT INTO event (org_id, id, type, property_id, by_agent, occurred_at)
        VALUES ('org_a', ${Scene.eventId(5)}::uuid, 'lead.changed', ${Scene.propertyId(0)}::uuid, false, now())`
      yield* qualify("org_d", 6, Scene.propertyId(0))
      assert.strictEqual(yield* deliveries.fanOut(100), 6)
      const events = yield* sql`
        SELECT status, skip_reason, fanned_out_at IS NOT NULL AS sent FROM event ORDER BY id`
      assert.deepStrictEqual(events, [
        { status: "fanned_out", skip_reason: null, sent: true },
        { status: "skipped", skip_reason: "out_of_territory", sent: false },
        { status: "skipped", skip_reason: "no_subscriber", sent: false },
        { status: "skipped", skip_reason: "no_active_endpoint", sent: false },
        { status: "skipped", skip_reason: "record_only", sent: false },
        { status: "skipped", skip_reason: "plan_not_eligible", sent: false }
      ])
    }).pipe(Effect.provide(ports)))

  it.live("what is recorded as skipped wakes no worker", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      yield* Scene.seed(["org_a"], 2)
      const notifications = yield* sql.listen("freehold_event")
      const mark = (payload: string) => sql`SELECT pg_notify('freehold_event', ${payload}::text)`
      yield* Scene.qualify("org_a", 0)
      yield* mark("qualified")
      yield* Pipeline.use((pipeline) =>
        pipeline.assign({
          orgId: "org_a",
          propertyId: Scene.propertyId(0),
          owner: { id: Scene.uuid(9, 0), name: "Sample Owner" },
          actor: { kind: "member", id: Scene.uuid(9, 0), name: "Sample Owner" },
          eventId: Scene.eventId(7),
          now: 0
        })
      )
      yield* mark("assigned")
      const heard = yield* Effect.replicateEffect(Queue.take(notifications), 3)
      assert.deepStrictEqual(heard.map(({ payload }) => payload), ["", "qualified", "assigned"])
      assert.deepStrictEqual(
        yield* sql`SELECT type, status FROM event ORDER BY type`,
        [{ type: "lead.changed", status: "skipped" }, { type: "lead.qualified", status: "pending" }]
      )
    }).pipe(Effect.scoped, Effect.provide(ports)))

  it.live("a finished delivery moves to the log, with a line for its attempt", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      yield* Scene.withDeliveries({ events: 2 })
      yield* delivered(yield* deliveries.claim(everything))
      assert.deepStrictEqual(yield* sql`SELECT * FROM delivery`, [])
      assert.deepStrictEqual(
        yield* sql`SELECT state, attempts, finished_at >= created_at AS later FROM delivery_log`,
        [0, 1].map(() => ({ state: "delivered", attempts: 1, later: true }))
      )
      assert.deepStrictEqual(
        yield* sql`
          SELECT a.attempt, a.status, a.error, a.duration_ms
          FROM delivery_attempt a JOIN delivery_log l ON l.id = a.delivery_id`,
        [0, 1].map(() => ({ attempt: 1, status: 200, error: null, duration_ms: 13 }))
      )
    }).pipe(Effect.provide(ports)))

  it.live("secrets are stored sealed, and signed with both while a rotation overlaps", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const sealer = yield* Sealer
      const deliveries = yield* Deliveries
      yield* Scene.seed(["org_a"], 2)
      yield* Scene.register("org_a", 0)
      const [row] = yield* sql<
        { readonly text: string }
      >`SELECT encode(secret_sealed, 'escape') AS text FROM webhook_endpoint`
      assert.notInclude(row?.text, "whsec")
      const older = yield* sealer.seal(Redacted.make("whsec_older"), secretContext(Scene.endpointId(0)))
      yield* Scene.qualifyMany("org_a", 2)
      yield* deliveries.fanOut(10)
      const claimAt = (overlap: string) =>
        Effect.gen(function*() {
          yield* sql`
            UPDATE webhook_endpoint
            SET previous_secret_sealed = ${older}, previous_secret_until = now() + ${overlap}::interval`
          const [claimed] = yield* deliveries.claim({ ...everything, limit: 1 })
          return claimed?.secrets.map(Redacted.value)
        })
      assert.deepStrictEqual(yield* claimAt("1 hour"), ["whsec_made-up-0", "whsec_older"])
      assert.deepStrictEqual(yield* claimAt("-1 second"), ["whsec_made-up-0"])
    }).pipe(Effect.provide(ports)))

  it.live("a secret that does not open keeps its endpoint waiting and no other", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0)
      yield* Scene.register("org_a", 1)
      yield* sql`
        UPDATE webhook_endpoint SET secret_sealed = set_byte(secret_sealed, 20, 255 - get_byte(secret_sealed, 20))
        WHERE id = ${Scene.endpointId(0)}::uuid`
      yield* Scene.qualify("org_a", 0)
      yield* deliveries.fanOut(10)
      const claimed = yield* deliveries.claim(everything)
      assert.deepStrictEqual(claimed.map(({ endpointId }) => endpointId), [Scene.endpointId(1)])
    }).pipe(Effect.provide(ports)))

  it.live("a delivery that was made while its endpoint was disabled is cancelled, not sent", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      const endpoints = yield* WebhookEndpoints
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0)
      yield* Scene.qualify("org_a", 0)
      yield* deliveries.fanOut(10)
      // As a fan-out that had not seen the removal would have left it.
      yield* sql`UPDATE webhook_endpoint SET active = false, disabled_reason = 'deleted'`
      assert.deepStrictEqual(yield* deliveries.claim(everything), [])
      assert.deepStrictEqual(yield* sql`SELECT state FROM delivery_log`, [{ state: "cancelled_endpoint_disabled" }])
      assert.isTrue(yield* endpoints.remove("org_a", Scene.endpointId(0)))
    }).pipe(Effect.provide(ports)))

  it.live("a delivery that was made while its endpoint was replaced goes to the one that took its place", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      const url = "https://receiver.example/same"
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url })
      yield* Scene.qualify("org_a", 0)
      yield* deliveries.fanOut(10)
      yield* Scene.register("org_a", 1, { url })
      // As a fan-out that had not seen the new one would have left it.
      yield* sql`UPDATE delivery SET endpoint_id = ${Scene.endpointId(0)}::uuid`
      yield* sql`UPDATE delivery_lane SET due_at = 'infinity' WHERE endpoint_id = ${Scene.endpointId(1)}::uuid`
      assert.deepStrictEqual(yield* deliveries.claim(everything), [])
      yield* deliveries.awaitWork(Duration.minutes(1))
      const claimed = yield* deliveries.claim(everything)
      assert.deepStrictEqual(claimed.map(({ endpointId }) => endpointId), [Scene.endpointId(1)])
      assert.deepStrictEqual(yield* sql`SELECT state FROM delivery_log`, [])
    }).pipe(Effect.provide(ports)))
})

describe("DeliveriesPg beside other sessions", () => {
  it.live("an event that is recorded in a transaction that stays open is not passed by", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const feed = yield* LeadFeed
      yield* Scene.seed(["org_a", "org_b"], 3)
      const [recorded, mayCommit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const slow = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        yield* Scene.qualify("org_a", 0)
        yield* Deferred.succeed(recorded, undefined)
        yield* Deferred.await(mayCommit)
      })))
      yield* Deferred.await(recorded)
      // Recorded later, so it must not show before the one that is not committed yet.
      const later = yield* Effect.forkChild(Scene.qualify("org_a", 1))
      // Another organization waits for nobody.
      yield* Scene.qualify("org_b", 2)
      const ids = Effect.map(
        feed.page({
          orgId: "org_a",
          visible: { nationwide: true, stateFips: [], countyFips: [] },
          from: { _tag: "Since", since: null },
          recordedBefore: Scene.at * 2,
          limit: 10
        }),
        ({ items }) => items.map((item) => item.event_id)
      )
      assert.deepStrictEqual(yield* ids, [])
      yield* Deferred.succeed(mayCommit, undefined)
      yield* Fiber.join(slow)
      yield* Fiber.join(later)
      assert.deepStrictEqual(yield* ids, [0, 1].map(Scene.eventId))
    }).pipe(Effect.provide(ports)))

  it.live("hears of events again after the listening connection was lost", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0)
      const listeners = sql<{ readonly pid: number }>`
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`
      const [before] = yield* Effect.repeat(listeners, { until: (rows) => rows.length === 1 })
      yield* sql`SELECT pg_terminate_backend(${before?.pid ?? 0})`
      yield* Effect.repeat(listeners, { until: ([row]) => row !== undefined && row.pid !== before?.pid })
      const woken = yield* Effect.forkChild(
        Effect.repeat(Effect.andThen(deliveries.awaitWork(Duration.minutes(5)), deliveries.fanOut(10)), {
          until: (count) => count > 0
        })
      )
      yield* Scene.qualify("org_a", 0)
      yield* Fiber.join(woken)
    }).pipe(Effect.provide(ports)))

  it.live("waits for work when all of it has ended, on every version of PostgreSQL", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      yield* Scene.withEvents({ endpoints: 1, events: 1 })
      yield* deliveries.fanOut(100)
      yield* delivered(yield* deliveries.claim({ ...everything, lease: Duration.millis(1) }))
      const resting = sql`SELECT FROM delivery_lane WHERE due_at = 'infinity'`
      yield* Effect.repeat(Effect.andThen(deliveries.claim(everything), resting), { until: (rows) => rows.length > 0 })
      // Before 17 PostgreSQL subtracts nothing from a moment that never comes.
      yield* deliveries.awaitWork(Duration.zero)
    }).pipe(Effect.provide(ports)))

  it.live("two processes share the work without sharing a delivery", () =>
    Effect.gen(function*() {
      const first = yield* Deliveries
      const other = DeliveriesPg.layer.pipe(Layer.provide(SealerNode.layer(WebhookPorts.key)), Layer.fresh)
      yield* Effect.gen(function*() {
        const second = yield* Deliveries
        yield* Scene.withEvents({ endpoints: 2, events: 40 })
        const handled = yield* Effect.all([first.fanOut(30), second.fanOut(30), first.fanOut(30), second.fanOut(30)], {
          concurrency: "unbounded"
        })
        const rest = yield* second.fanOut(100)
        assert.strictEqual(handled.reduce((sum, count) => sum + count, rest), 40)
        const claims = yield* Effect.forEach(Array.from({ length: 12 }, (_, index) => index), (index) =>
          (index % 2 === 0 ? first : second).claim({ ...everything, limit: 7 }), { concurrency: "unbounded" })
        const left = yield* first.claim(everything)
        const ids = [...claims.flat(), ...left].map(({ deliveryId }) =>
          deliveryId
        )
        assert.strictEqual(ids.length, 80)
        assert.strictEqual(new Set(ids).size, 80)
      }).pipe(Effect.provide(other, { local: true }))
    }).pipe(Effect.provide(ports)))
})

describe("DeliveriesPg and the account", () => {
  const counts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql`
      SELECT (SELECT count(*)::int FROM delivery) AS waiting, (SELECT count(*)::int FROM delivery_log) AS finished,
        (SELECT count(*)::int FROM delivery_booked) AS booked,
        (SELECT coalesce(sum(exports), 0)::int FROM export_usage) AS exports`)

  it.live("books what arrived with its outcome: both or neither, and once", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      yield* Scene.withDeliveries({ events: 2 })
      const claimed = yield* deliveries.claim(everything)
      yield* sql`ALTER TABLE export_usage ADD CONSTRAINT made_up_fault CHECK (exports < 0)`
      assert.strictEqual((yield* delivered(claimed)).length, 2)
      assert.deepStrictEqual(yield* counts, [{ waiting: 2, finished: 0, booked: 0, exports: 0 }])
      yield* sql`ALTER TABLE export_usage DROP CONSTRAINT made_up_fault`
      yield* Effect.all([delivered(claimed), delivered(claimed), delivered(claimed.slice(1))], {
        concurrency: "unbounded"
      })
      yield* delivered(claimed)
      assert.deepStrictEqual(yield* counts, [{ waiting: 0, finished: 2, booked: 2, exports: 2 }])
    }).pipe(Effect.provide(ports)))

  it.live("a test send is not booked", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* Deliveries
      yield* Scene.withDeliveries({ events: 1 })
      yield* sql`UPDATE delivery SET test = true`
      yield* delivered(yield* deliveries.claim(everything))
      assert.deepStrictEqual(yield* counts, [{ waiting: 0, finished: 1, booked: 0, exports: 0 }])
    }).pipe(Effect.provide(ports)))
})

describe("DeliveriesPg without a database", () => {
  it.live("answers that it is unavailable", () =>
    Effect.gen(function*() {
      const url = TestDatabase.inDatabase(yield* TestDatabase.makeEmpty, "missing")
      const away = DeliveriesPg.layer.pipe(
        Layer.provide(LedgerPg.layer),
        Layer.provide([SealerNode.layer(WebhookPorts.key), Database.layer({ url })])
      )
      yield* Effect.gen(function*() {
        const deliveries = yield* Deliveries
        const refusals = yield* Effect.forEach([
          deliveries.fanOut(1),
          deliveries.claim(everything),
          deliveries.storeData({ orgId: "sample-org", deliveryId: Scene.eventId(0), claim: 1 }, "{}"),
          delivered([]),
          deliveries.reconsider(Duration.zero),
          deliveries.awaitWork(Duration.minutes(5))
        ], Effect.result)
        assert.deepStrictEqual(
          refusals.map((refusal) => refusal._tag === "Failure" ? refusal.failure._tag : refusal._tag),
          [
            "TEMPORARILY_UNAVAILABLE",
            "TEMPORARILY_UNAVAILABLE",
            "TEMPORARILY_UNAVAILABLE",
            "Success",
            "TEMPORARILY_UNAVAILABLE",
            "TEMPORARILY_UNAVAILABLE"
          ]
        )
      }).pipe(Effect.provide(away, { local: true }))
    }))
})
