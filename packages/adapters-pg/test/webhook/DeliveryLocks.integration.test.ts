/** Everything that writes to deliveries, at once: nobody is chosen to end a deadlock (`src/webhook/DeliveryFunctions.ts`). */
import { assert, it } from "@effect/vitest"
import { Organizations } from "@freehold/core/organization/Organizations"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { type AttemptOutcome, Deliveries } from "@freehold/core/webhook/Deliveries"
import type { Sealer } from "@freehold/core/webhook/Sealer"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"
import * as ResealPg from "../../src/webhook/ResealPg.ts"
import { holding, waiting } from "../database/Holding.ts"

const orgs = ["org_a", "org_b"] as const
const endpointsOfEach = 6
const events = 20

const ports = Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer)

/** Each organization's endpoints, and deliveries that wait for them. */
const arrange = Effect.gen(function*() {
  const deliveries = yield* Deliveries
  yield* Scene.seed(orgs, events)
  for (const [index, orgId] of orgs.entries()) {
    for (let turn = 0; turn < endpointsOfEach; turn++) yield* Scene.register(orgId, index * endpointsOfEach + turn)
    for (let turn = 0; turn < events / 2; turn++) yield* Scene.qualify(orgId, index * events / 2 + turn)
  }
  yield* deliveries.fanOut(100)
})

const postponed: AttemptOutcome = {
  _tag: "Postponed",
  state: "postponed_daily_limit",
  reason: "made up",
  until: Scene.at + 1e12
}

const outcomes: ReadonlyArray<AttemptOutcome> = [
  postponed,
  { _tag: "Returned" },
  { _tag: "Failed", status: 500, reason: "http_status" },
  postponed,
  { _tag: "Delivered", status: 200 },
  postponed,
  { _tag: "Gone" }
]

/** Claims, and records what came of it in the order of nobody's keys. */
const work = Effect.fnUntraced(function*(outcomeOf: (index: number) => AttemptOutcome) {
  const deliveries = yield* Deliveries
  const claimed = yield* deliveries.claim({ limit: 40, perEndpoint: 4, lease: Duration.minutes(1) })
  yield* deliveries.complete(
    claimed.toReversed().map((each, index) => Scene.ended(each, outcomeOf(index))),
    [Duration.zero]
  )
})

/** Endpoints go now and then. */
const workOnAll = (turn: number) =>
  work((index) => outcomes[(turn + index) % (outcomes.length - (turn % 4 === 0 ? 0 : 1))] ?? postponed)

const workWell = () => work(() => ({ _tag: "Delivered", status: 200 }))

/** What others do meanwhile, each with what it may be refused for left out. */
const others = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const organizations = yield* Organizations
  const endpoints = yield* WebhookEndpoints
  const deliveries = yield* Deliveries
  const changed = sql`UPDATE organization SET revision = revision + 1`
  const anEndpoint = (turn: number) => Scene.endpointId(turn % (2 * endpointsOfEach))
  const orgOf = (turn: number) => turn % (2 * endpointsOfEach) < endpointsOfEach ? orgs[0] : orgs[1]
  return {
    reconsider: () => Effect.andThen(changed, deliveries.reconsider(Duration.zero)),
    "leases end": () =>
      sql`SELECT 1 FROM delivery_lane ORDER BY org_id, endpoint_id FOR NO KEY UPDATE`.pipe(
        Effect.andThen(sql`UPDATE delivery_lane SET place_held = '{}', due_at = now(), waits_for_place = false`),
        Effect.andThen(sql`
          WITH held AS (SELECT org_id, id FROM delivery WHERE claimed_until > now() ORDER BY org_id, id FOR UPDATE)
          UPDATE delivery d SET claimed_until = now() FROM held h WHERE d.org_id = h.org_id AND d.id = h.id`),
        sql.withTransaction
      ),
    "suspended and resumed": (turn: number) =>
      Effect.andThen(
        organizations.setStatus(orgOf(turn), "suspended"),
        organizations.setStatus(orgOf(turn), "active")
      ),
    "disabled and enabled": (turn: number) =>
      Effect.andThen(endpoints.disable(orgOf(turn), anEndpoint(turn)), endpoints.enable(anEndpoint(turn))),
    "sent again": (turn: number) =>
      sql<{ readonly id: string }>`SELECT id FROM delivery_log ORDER BY random() LIMIT 3`.pipe(
        Effect.flatMap(
          Effect.forEach(({ id }) =>
            Effect.ignore(Effect.catchTag(endpoints.resend(id), "TEMPORARILY_UNAVAILABLE", Effect.die))
          )
        ),
        Effect.andThen(Effect.ignore(Effect.catchTag(
          endpoints.enable(anEndpoint(turn)),
          "TEMPORARILY_UNAVAILABLE",
          Effect.die
        )))
      ),
    "forgotten": () => sql`SELECT bundles_forget(ARRAY(SELECT id FROM property ORDER BY random() LIMIT 10))`,
    "sealed anew": () => ResealPg.reseal
  }
})

it.live("nobody deadlocks (W7)", () =>
  Effect.gen(function*() {
    yield* arrange
    const rounds = Array.from({ length: 12 }, (_, turn) => turn)
    const busy = (
      name: string,
      each: (turn: number) => Effect.Effect<unknown, unknown, Deliveries | Sealer | SqlClient.SqlClient>
    ) => Effect.forEach(rounds, (turn) => Effect.mapError(each(turn), (error) => [name, error]), { discard: true })
    yield* Effect.all([
      ...["one", "two", "three"].map((name) => busy(name, workOnAll)),
      ...["four", "five"].map((name) => busy(name, workWell)),
      ...Object.entries(yield* others).map(([name, each]) => busy(name, each))
    ], { concurrency: "unbounded", discard: true })
  }).pipe(Effect.provide(ports)))

it.live("what a limit postponed is not locked while whoever has its lane is waited for", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const deliveries = yield* Deliveries
    yield* arrange
    yield* sql`UPDATE delivery SET state = 'postponed_daily_limit', due_at = now() + interval '1 hour'`
    const goOn = yield* holding(
      sql`SELECT 1 FROM delivery_lane ORDER BY org_id DESC, endpoint_id DESC LIMIT 1 FOR UPDATE`
    )
    const reconsidering = yield* Effect.forkChild(deliveries.reconsider(Duration.zero))
    yield* waiting(1)
    const [free] = yield* sql<{ readonly count: number }>`
      SELECT count(*)::integer AS count FROM (SELECT 1 FROM delivery FOR UPDATE SKIP LOCKED) f`
    yield* goOn
    assert.strictEqual(yield* Fiber.join(reconsidering), endpointsOfEach * events)
    assert.strictEqual(free?.count, endpointsOfEach * events)
  }).pipe(Effect.provide(ports)))

it.live("while it is recorded what arrived, others are claimed for the same endpoint", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const deliveries = yield* Deliveries
    yield* Scene.withDeliveries({ events: 4 })
    const claim = (limit: number) => deliveries.claim({ limit, perEndpoint: 4, lease: Duration.minutes(1) })
    const arrived = yield* claim(2)
    const goOn = yield* holding(
      sql`SELECT 1 FROM delivery WHERE id = ${arrived[0]?.deliveryId ?? ""}::uuid FOR UPDATE`
    )
    const recording = yield* Effect.forkChild(deliveries.complete(
      arrived.map((each) => ({ ...Scene.ended(each), unmetered: true })),
      []
    ))
    yield* waiting(1)
    assert.lengthOf(yield* claim(10), 2)
    yield* goOn
    yield* Fiber.join(recording)
    const [left] = yield* sql<{ readonly held: number }>`
      SELECT (SELECT sum(n) FROM unnest(place_held) AS n)::integer AS held FROM delivery_lane`
    assert.strictEqual(left?.held, 2)
  }).pipe(Effect.provide(ports)))
