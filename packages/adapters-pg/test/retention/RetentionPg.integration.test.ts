/** `Retention` over PostgreSQL: the contract, and what it does to the days of the tables. */
import { assert, describe, it } from "@effect/vitest"
import { Auditor } from "@freehold/core/credit/Auditor"
import { ImportRuns } from "@freehold/core/import/ImportRuns"
import { defaultKept, Retention } from "@freehold/core/retention/Retention"
import { retentionContract } from "@freehold/core/testing/RetentionContract"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Deliveries } from "@freehold/core/webhook/Deliveries"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Clock, Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as OperatorSessionsPg from "../../src/access/OperatorSessionsPg.ts"
import * as AuditorPg from "../../src/credit/AuditorPg.ts"
import * as ImportRunsPg from "../../src/import/ImportRunsPg.ts"
import * as NoticesPg from "../../src/notice/NoticesPg.ts"
import * as RetentionPg from "../../src/retention/RetentionPg.ts"
import { workOf } from "../../src/testing/StatementWork.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { vacuum } from "../../src/testing/Vacuum.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

const ports = Layer.mergeAll(
  RetentionPg.layer,
  NoticesPg.layer,
  OperatorSessionsPg.layer,
  ImportRunsPg.layer,
  AuditorPg.layer,
  WebhookPorts.layer
).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const day = 86_400_000

const sweepAt = (now: number) => Retention.use((retention) => retention.sweep({ kept: defaultKept, now, atMost: 100 }))

/** Until nothing is left. */
const sweepAllAt = (now: number) => Effect.repeat(sweepAt(now), { until: (swept) => !Option.getOrThrow(swept).more })

const deliver = Effect.gen(function*() {
  const deliveries = yield* Deliveries
  yield* deliveries.fanOut(100)
  const claimed = yield* deliveries.claim({ limit: 100, perEndpoint: 100, lease: Duration.minutes(5) })
  yield* deliveries.complete(
    claimed.map(({ attempt, claim, deliveryId, endpointId, organization: { org_id: orgId } }) => ({
      orgId,
      deliveryId,
      endpointId,
      claim,
      attempt,
      outcome: { _tag: "Delivered", status: 204 },
      durationMillis: 1
    })),
    []
  )
  return claimed.map(({ deliveryId }) => deliveryId)
})

const broken = Effect.map(
  Auditor.use((auditor) => auditor.audit),
  (laws) => laws.filter(({ count }) => count > 0)
)

describe("RetentionPg", () => {
  retentionContract(ports)

  it.live("drops days and no rows, makes days ahead, and leaves the audit green", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const start = yield* Clock.currentTimeMillis
      yield* Scene.withEvents({ events: 3 })
      yield* deliver
      const parts = sql<{ readonly part: string; readonly ends: number | null; readonly told: string | null }>`
        SELECT part::text, extract(epoch FROM ends)::double precision * 1000 AS ends, told
        FROM history_parts('delivery_log') ORDER BY ends`
      const ahead = Effect.map(parts, (found) => Math.max(...found.map(({ ends }) => ends ?? 0)))
      for (const passed of [3, 31, 60, 92, 130]) {
        yield* sweepAllAt(start + passed * day)
        assert.isAbove(yield* ahead, start + (passed + 6) * day)
        assert.deepStrictEqual(yield* broken, [], `after ${passed} days`)
        const names = (yield* parts).map(({ part }) => part)
        assert.strictEqual(names.includes("delivery_log_first"), passed < 92)
      }
      // A delivery that waited through all of it is written although its day is gone.
      yield* sql`
        INSERT INTO delivery_log (id, org_id, event_id, endpoint_id, event_type, test, partial, state, attempts, created_at, finished_at)
        VALUES (${Scene.uuid(6, 1)}::uuid, 'org_a', ${Scene.eventId(0)}::uuid, ${
        Scene.endpointId(0)
      }::uuid, 'lead.qualified',
          false, false, 'failed', 0, now() - interval '1 day', now())`
      assert.isTrue(
        Option.isSome(yield* WebhookEndpoints.use((endpoints) => endpoints.delivery("org_a", Scene.uuid(6, 1))))
      )
    }).pipe(Effect.provide(ports)))

  it.live("keeps what waited for days for its time from its end, and the audit green (A6)", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const start = yield* Clock.currentTimeMillis
      yield* Scene.withEvents({ events: 1 })
      const [id = ""] = yield* deliver
      yield* sweepAllAt(start)
      /** The id, had it been made so many days from now. */
      const madeAfter = (days: number) =>
        `${(start + days * day).toString(16).padStart(12, "0").replace(/^(.{8})/, "$1-")}-7${id.slice(15)}`
      const late = madeAfter(2)
      const arrived = start + 91 * day
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`SET LOCAL session_replication_role = replica`
        yield* sql`
          UPDATE delivery_log SET id = ${late}::uuid, created_at = from_millis(${start + 2 * day}::bigint),
            finished_at = from_millis(${arrived}::bigint)`
        yield* sql`UPDATE delivery_attempt SET delivery_id = ${late}::uuid, at = from_millis(${arrived}::bigint)`
        yield* sql`UPDATE delivery_booked SET delivery_id = ${late}::uuid, at = from_millis(${arrived}::bigint)`
        // The line of another one was dropped with its day, as it was until now.
        yield* sql`
          INSERT INTO delivery_booked (org_id, delivery_id, at)
          VALUES ('org_a', ${madeAfter(-1)}::uuid, from_millis(${arrived}::bigint))`
      }))
      const shown = WebhookEndpoints.use((endpoints) => endpoints.delivery("org_a", late))
      // While the organization moves its days stay as they are.
      yield* sql`INSERT INTO organization_move (org_id, to_cell) VALUES ('org_a', 'west')`
      yield* sql`SELECT organization_fence('org_a')`
      yield* sweepAllAt(start + 94 * day)
      assert.isTrue(Option.isSome(yield* shown))
      yield* sql`SELECT organization_stay('org_a')`
      for (const passed of [94, 150, 180]) {
        yield* sweepAllAt(start + passed * day)
        assert.isTrue(Option.isSome(yield* shown), `after ${passed} days`)
        assert.deepStrictEqual(yield* broken, [], `after ${passed} days`)
      }
      yield* sweepAllAt(start + 182 * day)
      assert.isTrue(Option.isNone(yield* shown))
    }).pipe(Effect.provide(ports)))

  it.live("removes replaced endpoints in steps, and waits for no lane of one", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const retention = yield* Retention
      const start = yield* Clock.currentTimeMillis
      yield* Scene.withDeliveries({ events: 1, url: "https://receiver.example/" })
      yield* deliver
      for (const index of [1, 2, 3]) {
        yield* Scene.register("org_a", index, { url: "https://receiver.example/", now: start + index })
      }
      yield* sweepAllAt(start + 85 * day)
      const now = start + 92 * day
      const step = retention.sweep({ kept: defaultKept, now, atMost: 1 })
      yield* Effect.repeat(step, { until: (swept) => Option.getOrThrow(swept).removed.has("endpoints") })
      const left = Effect.map(
        sql<{ readonly id: string }>`SELECT id FROM webhook_endpoint ORDER BY id`,
        (rows) => rows.map(({ id }) => id)
      )
      assert.deepStrictEqual(yield* left, [1, 2, 3].map(Scene.endpointId))

      const [held, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* sql`
        SELECT FROM delivery_lane WHERE endpoint_id = ${Scene.endpointId(1)}::uuid FOR UPDATE
      `.pipe(
        Effect.andThen(Deferred.succeed(held, undefined)),
        Effect.andThen(Deferred.await(done)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(held)
      yield* sweepAllAt(now)
      assert.deepStrictEqual(yield* left, [1, 3].map(Scene.endpointId))
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(holder)
      yield* sweepAllAt(now)
      assert.deepStrictEqual(yield* left, [Scene.endpointId(3)])
      assert.deepStrictEqual(yield* broken, [])
    }).pipe(Effect.provide(ports)))

  it.live("looks for what was sent to a replaced endpoint in indexes, however much was sent to another one", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const start = yield* Clock.currentTimeMillis
      yield* Scene.withEvents({ events: 0, endpoints: 1 })
      const replaced = sql`
        INSERT INTO webhook_endpoint (org_id, id, url, target_key, events, created_via, secret_sealed, created_at, active, disabled_reason)
        SELECT 'org_a', gen_random_uuid(), 'https://receiver.example/', 'sample', '{lead.qualified}', 'api', '',
          from_millis(${start - 100 * day}::bigint) + n * interval '1 second', false, 'superseded'
        FROM generate_series(1, 40) AS n`
      const sent = (count: number) =>
        sql`
        INSERT INTO delivery_log (id, org_id, event_id, endpoint_id, event_type, test, partial, state, attempts, created_at, finished_at)
        SELECT uuid_of_now(), 'org_a', gen_random_uuid(), ${Scene.endpointId(0)}::uuid, 'lead.qualified', false, false,
          'delivered', 1, now(), now()
        FROM generate_series(1, ${count}::integer)`
      const ending = sql`
        SELECT replaced_endpoints_end(from_millis(${start - 90 * day}::bigint), 1000) AS ended`
      /** Of the second, as if there had been no first: that one reads the catalogues. */
      const blocks = Effect.map(
        workOf(Effect.ignore(sql.withTransaction(Effect.andThen(ending, Effect.fail("undone"))))),
        (work) => work.blocks
      )
      yield* replaced
      yield* sent(100)
      yield* vacuum("delivery_log", "webhook_endpoint")
      const few = yield* blocks
      yield* replaced
      yield* sent(10_000)
      yield* vacuum("delivery_log", "webhook_endpoint")
      assert.isAtMost(yield* blocks, 1.5 * few)
      const [left] = yield* sql<{ readonly count: number }>`SELECT count(*)::integer AS count FROM webhook_endpoint`
      // The one, and of those that were replaced the last: nobody took its place.
      assert.strictEqual(left?.count, 2)
    }).pipe(Effect.provide(ports)))

  it.live("takes into a day what was written before the day was made", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const start = yield* Clock.currentTimeMillis
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0)
      const line = (index: number, at: number) =>
        sql`
        INSERT INTO delivery_log (id, org_id, event_id, endpoint_id, event_type, test, partial, state, attempts, created_at, finished_at)
        VALUES (${Scene.uuid(6, index)}::uuid, 'org_a', ${Scene.eventId(index)}::uuid, ${Scene.endpointId(0)}::uuid,
          'lead.qualified', false, false, 'failed', 0, from_millis(${at}::bigint), from_millis(${at}::bigint))`
      yield* line(1, start + 20 * day)
      yield* line(2, start + 40 * day)
      const resting = sql<{ readonly id: string }>`SELECT id FROM delivery_log_rest ORDER BY id`
      assert.strictEqual((yield* resting).length, 2)
      yield* sweepAllAt(start + 19 * day)
      assert.deepStrictEqual(yield* resting, [{ id: Scene.uuid(6, 2) }])
    }).pipe(Effect.provide(ports)))

  it.live("gives way to who reads, before one of them is broken off for waiting for the other", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const changes = [
        sql`SELECT history_ahead('delivery_log', 'created_at', now(), 1)`,
        sql`SELECT history_drop('delivery_log', '-infinity')`,
        sql`SELECT delivery_log_strip('-infinity')`
      ]
      for (const change of changes) {
        const [patience] = yield* sql.withTransaction(Effect.andThen(
          change,
          sql<{ readonly isShort: boolean }>`
            SELECT current_setting('lock_timeout')::interval < current_setting('deadlock_timeout')::interval
              AND current_setting('lock_timeout') <> '0' AS "isShort"`
        ))
        assert.isTrue(patience?.isShort)
      }
    }).pipe(Effect.provide(ports)))

  it.live("removes uploads that nobody finished, and the file of a run whose process is gone", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const runs = yield* ImportRuns
      const now = yield* Clock.currentTimeMillis
      const begin = Effect.fnUntraced(function*(index: number) {
        const id = Scene.uuid(6, index)
        const run = { id, kind: "firms", name: "sample.ndjson", strict: false, dryRun: false, by: "Sample" } as const
        yield* runs.begin({ ...run, map: null, now })
        yield* runs.addPart({ id, number: 0, bytes: new Uint8Array([10]), now })
        return id
      })
      yield* begin(1)
      const gone = yield* begin(2)
      yield* runs.start(gone, now)
      const parts = sql<{ readonly id: string }>`SELECT run_id AS id FROM import_part`
      yield* sweepAllAt(now + day / 8)
      assert.lengthOf(yield* parts, 2)
      yield* sweepAllAt(now + day)
      assert.deepStrictEqual(yield* parts, [])
      const left = (yield* runs.list(10, now + day)).map(({ fault, id, state }) => ({ id, state, fault }))
      assert.deepStrictEqual(left, [{ id: gone, state: "failed", fault: "it was interrupted" }])
    }).pipe(Effect.provide(ports)))

  it.live("is one process's work at a time", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = yield* Clock.currentTimeMillis
      const [held, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const other = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT pg_advisory_xact_lock(hashtext('freehold retention'))`
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(mayEnd)
      })))
      yield* Deferred.await(held)
      assert.isTrue(Option.isNone(yield* sweepAt(now)))
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(other)
      assert.isTrue(Option.isSome(yield* sweepAt(now)))
    }).pipe(Effect.provide(ports)))

  it.live("a delivery is found in its day alone, whatever number of days there are", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const start = yield* Clock.currentTimeMillis
      yield* Scene.withEvents({ events: 20 })
      const [one = ""] = yield* deliver
      const find = WebhookEndpoints.use((endpoints) => endpoints.delivery("org_a", one))
      const blocks = Effect.map(workOf(find), (work) => work.blocks)
      yield* find
      const few = yield* blocks
      for (let passed = 6; passed <= 84; passed += 6) yield* sweepAllAt(start + passed * day)
      const [counted] = yield* sql<{ readonly days: number }>`
        SELECT count(*)::integer AS days FROM history_parts('delivery_log')`
      assert.isAbove(counted?.days ?? 0, 80)
      yield* find
      assert.isAtMost(yield* blocks, 4 * few)
    }).pipe(Effect.provide(ports)))
})
