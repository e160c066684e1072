/** Two of the operator's people send the same deliveries again at the same moment: neither is chosen to end a deadlock. */
import { assert, it } from "@effect/vitest"
import { Operator } from "@freehold/core/access/Operator"
import { ServiceSettings } from "@freehold/core/operation/ServiceSettings"
import * as DeliveryDesk from "@freehold/core/operator/DeliveryDesk"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Deliveries } from "@freehold/core/webhook/Deliveries"
import { EndpointDesk } from "@freehold/core/webhook/EndpointDesk"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as AdministrationLogPg from "../../src/administration/AdministrationLogPg.ts"
import * as OperatorLogPg from "../../src/administration/OperatorLogPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

const ports = EndpointDesk.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(
    WebhookPorts.layer,
    AdministrationLogPg.layer,
    OperatorLogPg.layer,
    SecureRandom.layerWebCrypto,
    Layer.succeed(ServiceSettings, { appUrl: "https://app.example", feedDelayMillis: 0, webhookTargets: "public" })
  )),
  Layer.provideMerge(TestDatabase.layer)
)

/** What sends deliveries to the endpoint again, as one of the operator's people does it in the app. */
const resending = Effect.map(
  DeliveryDesk.make,
  ({ resend }) => (name: string, event_ids: ReadonlyArray<string>) =>
    resend({ id: Scene.endpointId(0), event_ids, reason: "made up" }).pipe(
      Effect.provideService(Operator, {
        sessionId: Scene.uuid(9, 1),
        name,
        expiresAt: "2030-01-01T00:00:00.000Z",
        requestId: "request"
      })
    )
)

/** Everything that waits arrives. */
const arrive = Effect.gen(function*() {
  const deliveries = yield* Deliveries
  const claimed = yield* deliveries.claim({ limit: 100, perEndpoint: 100, lease: Duration.minutes(1) })
  yield* deliveries.complete(claimed.map((each) => Scene.ended(each)), [])
})

/** So many deliveries to one endpoint that have arrived. */
const arrived = Effect.fnUntraced(function*(count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* Scene.withDeliveries({ events: count })
  yield* arrive
  const rows = yield* sql<{ readonly id: string }>`SELECT id FROM delivery_log ORDER BY id`
  assert.lengthOf(rows, count)
  return rows.map(({ id }) => id)
})

/** Whether somebody waits for a lock. */
const waits = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    (rows) => rows.length > 0
  ))

/** Somebody who has sent the first again, and sends the second once it is told to go on. */
const sendingBoth = Effect.fnUntraced(function*(first: string, second: string) {
  const sql = yield* SqlClient.SqlClient
  const endpoints = yield* WebhookEndpoints
  const [begun, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const sending = yield* endpoints.resend(first).pipe(
    Effect.andThen(Deferred.succeed(begun, undefined)),
    Effect.andThen(Deferred.await(goOn)),
    Effect.andThen(endpoints.resend(second)),
    sql.withTransaction,
    Effect.forkChild
  )
  yield* Deferred.await(begun)
  return { sending, goOn }
})

it.live("who comes second waits, and finds what both want under way", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const endpoints = yield* WebhookEndpoints
    const [first = "", second = ""] = yield* arrived(2)
    const { goOn, sending } = yield* sendingBoth(first, second)
    const other = yield* Effect.forEach([second, first], (id) => Effect.flip(endpoints.resend(id))).pipe(
      sql.withTransaction,
      Effect.forkChild
    )
    yield* Effect.repeat(waits, { until: (isWaiting) => isWaiting })
    yield* Deferred.succeed(goOn, undefined)
    yield* Fiber.join(sending)
    assert.deepStrictEqual((yield* Fiber.join(other)).map(({ _tag }) => _tag), ["DeliveryUnderWay", "DeliveryUnderWay"])
  }).pipe(Effect.provide(ports)))

it.live("deliveries are locked in one order, whatever the one in which they are asked for", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [first = "", second = ""] = yield* arrived(2)
    const resend = yield* resending
    const lock = (id: string) => sql`SELECT FROM delivery_log WHERE id = ${id}::uuid FOR NO KEY UPDATE`
    const [begun, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    // As whoever forgets what a property's bundles hold.
    const other = yield* lock(first).pipe(
      Effect.andThen(Deferred.succeed(begun, undefined)),
      Effect.andThen(Deferred.await(goOn)),
      Effect.andThen(lock(second)),
      sql.withTransaction,
      Effect.forkChild
    )
    yield* Deferred.await(begun)
    const sent = yield* Effect.forkChild(resend("one", [second, first]))
    yield* Effect.repeat(waits, { until: (isWaiting) => isWaiting })
    yield* Deferred.succeed(goOn, undefined)
    yield* Fiber.join(other)
    assert.deepStrictEqual(yield* Fiber.join(sent), { resent: 2, under_way: 0 })
  }).pipe(Effect.provide(ports)))

it.live("whoever forgets what bundles hold holds no line of the log while another is waited for", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [first = "", second = ""] = yield* arrived(2)
    // The table has them the other way round.
    yield* sql`UPDATE delivery_log SET data = 'made up' WHERE id = ${second}::uuid`
    yield* sql`UPDATE delivery_log SET data = 'made up' WHERE id = ${first}::uuid`
    const { goOn, sending } = yield* sendingBoth(first, second)
    const forgotten = yield* Effect.forkChild(
      sql`SELECT bundles_forget(ARRAY(SELECT property_id FROM delivery_log))`
    )
    yield* Effect.repeat(waits, { until: (isWaiting) => isWaiting })
    yield* Deferred.succeed(goOn, undefined)
    yield* Fiber.join(sending)
    yield* Fiber.join(forgotten)
  }).pipe(Effect.provide(ports)))

it.live("overlapping sets are sent again, each delivery once", () =>
  Effect.gen(function*() {
    const resend = yield* resending
    const ids = yield* arrived(8)
    const sets = [ids.slice(0, 5), ids.slice(3).toReversed(), ids.toReversed()]
    for (let round = 0; round < 5; round++) {
      const answers = yield* Effect.forEach(
        sets,
        (event_ids, index) => resend(`Person ${index}`, event_ids),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.reduce((sum, { resent }) => sum + resent, 0), ids.length)
      yield* arrive
    }
  }).pipe(Effect.provide(ports)))

it.live("whoever sends an event again holds nothing of one endpoint while another is waited for", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const desk = yield* EndpointDesk
    yield* Scene.withDeliveries({ events: 1, endpoints: 2 })
    yield* arrive
    const [begun, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const [, last] = yield* sql<{ readonly endpoint: string }>`
      SELECT endpoint_id AS endpoint FROM delivery_log ORDER BY id`
    const holder = yield* sql`
      SELECT FROM delivery_lane WHERE endpoint_id = ${last?.endpoint ?? ""}::uuid FOR UPDATE
    `.pipe(
      Effect.andThen(Deferred.succeed(begun, undefined)),
      Effect.andThen(Deferred.await(goOn)),
      sql.withTransaction,
      Effect.forkChild
    )
    yield* Deferred.await(begun)
    const noted: Array<string> = []
    const sending = yield* Effect.forkChild(
      desk.resendEvent(Scene.eventId(0), ({ endpointId }) => Effect.sync(() => noted.push(endpointId)))
    )
    yield* Effect.repeat(waits, { until: (isWaiting) => isWaiting })
    const free = yield* sql`SELECT FROM delivery_lane FOR UPDATE SKIP LOCKED`
    yield* Deferred.succeed(goOn, undefined)
    yield* Fiber.join(holder)
    assert.lengthOf(free, 1)
    const resent = Option.getOrThrow(yield* Fiber.join(sending))
    assert.deepStrictEqual(resent.map(({ refusal }) => refusal), [null, null])
    assert.sameMembers(noted, [Scene.endpointId(0), Scene.endpointId(1)])
  }).pipe(Effect.provide(ports)))
