/**
 * What every `Retention` must do. Adapters call `retentionContract` from their own tests, where deliveries go by the real time.
 *
 * All data is made up.
 */
import { assert, it } from "@effect/vitest"
import { Clock, Duration, Effect, type Layer, Option } from "effect"
import { OperatorSessions } from "../access/OperatorSessions.ts"
import { Notices } from "../notice/Notices.ts"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import { defaultKept, Retention } from "../retention/Retention.ts"
import { Deliveries } from "../webhook/Deliveries.ts"
import { WebhookEndpoints } from "../webhook/WebhookEndpoints.ts"
import type { Seeder } from "./Seed.ts"
import * as Scene from "./WebhookScene.ts"

/** Sweeps as if so many days had passed, until nothing is left; answers of what something was removed that is not counted in days. */
const after = Effect.fnUntraced(function*(days: number, kept = defaultKept) {
  const retention = yield* Retention
  const now = (yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.days(days))
  const removed = new Set<string>()
  while (true) {
    const swept = Option.getOrThrow(yield* retention.sweep({ kept, now, atMost: 100 }))
    for (const kind of swept.removed.keys()) removed.add(kind)
    if (!swept.more) return [...removed].filter((kind) => kind !== "bodies" && kind !== "deliveries").sort()
  }
})

/** Delivers what is due, to the one endpoint. */
const deliverAll = Effect.gen(function*() {
  const deliveries = yield* Deliveries
  yield* deliveries.fanOut(10)
  const claimed = yield* deliveries.claim({ limit: 10, perEndpoint: 10, lease: Duration.minutes(5) })
  for (const { claim, deliveryId, organization: { org_id: orgId } } of claimed) {
    yield* deliveries.storeData({ orgId, deliveryId, claim }, "{\"made\":\"up\"}")
  }
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

const shown = (deliveryId: string) =>
  WebhookEndpoints.use((endpoints) =>
    Effect.map(
      endpoints.delivery("org_a", deliveryId),
      Option.match({
        onNone: () => "gone",
        onSome: ({ attempts, data }) => `${attempts.length} attempt, ${data === null ? "no body" : "body"}`
      })
    )
  )

/** The suite for an adapter of `Retention`; `layer` must be fresh for each test. */
export const retentionContract = <E>(
  layer: Layer.Layer<
    Retention | OperatorSessions | Deliveries | WebhookEndpoints | Notices | Pipeline | Seeder,
    E
  >
): void => {
  it.live("forgets the bodies of deliveries first, then what became of them, and nothing before its time", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 2)
      yield* Scene.register("org_a", 0)
      yield* Scene.qualifyMany("org_a", 2)
      const [first = "", second = ""] = yield* deliverAll
      assert.deepStrictEqual(yield* after(29), [])
      assert.strictEqual(yield* shown(first), "1 attempt, body")
      assert.deepStrictEqual(yield* after(32), [])
      assert.strictEqual(yield* shown(first), "1 attempt, no body")
      assert.deepStrictEqual(yield* after(89), [])
      assert.strictEqual(yield* shown(second), "1 attempt, no body")
      assert.deepStrictEqual(yield* after(92), [])
      assert.deepStrictEqual([yield* shown(first), yield* shown(second)], ["gone", "gone"])
      const page = yield* WebhookEndpoints.use((endpoints) => endpoints.deliveries(Scene.endpointId(0), 10))
      assert.deepStrictEqual(Option.getOrThrow(page), [])
    }).pipe(Effect.provide(layer)))

  it.live("leaves what still waits, however old, and sends it", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0)
      yield* Scene.qualify("org_a", 0)
      const deliveries = yield* Deliveries
      yield* deliveries.fanOut(10)
      yield* after(500)
      const [late = ""] = yield* deliverAll
      assert.strictEqual(yield* shown(late), "1 attempt, body")
    }).pipe(Effect.provide(layer)))

  it.live("keeps qualifications for good, and other events as long as it is told, with their deliveries at least", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0)
      yield* Scene.qualify("org_a", 0)
      const now = yield* Clock.currentTimeMillis
      yield* WebhookEndpoints.use((endpoints) =>
        endpoints.sendTest({
          endpointId: Scene.endpointId(0),
          eventId: Scene.eventId(7),
          deliveryId: Scene.uuid(4, 7),
          eventType: "signal.sale",
          data: "{}",
          now
        })
      )
      yield* deliverAll
      const soon = { ...defaultKept, events: Duration.days(1) }
      assert.deepStrictEqual(yield* after(80, soon), [])
      assert.deepStrictEqual(yield* after(95, soon), ["events"])
      assert.deepStrictEqual(yield* after(10_000), [])
    }).pipe(Effect.provide(layer)))

  it.live("removes an endpoint that was replaced with the last of what was sent to it, and no other", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 1)
      const now = yield* Clock.currentTimeMillis
      const register = (orgId: string, index: number, url: string) =>
        Scene.register(orgId, index, { url, now: now + index })
      const url = "https://receiver.example/replaced"
      yield* register("org_a", 0, url)
      yield* register("org_b", 1, url)
      yield* register("org_a", 2, "https://receiver.example/removed")
      const endpoints = yield* WebhookEndpoints
      yield* endpoints.remove("org_a", Scene.endpointId(2))
      yield* Scene.qualify("org_a", 0)
      const [sent = ""] = yield* deliverAll
      assert.strictEqual((yield* register("org_a", 3, url)).superseded, Scene.endpointId(0))
      const left = Effect.filter(
        [0, 1, 2, 3],
        (index) => Effect.map(endpoints.find(Scene.endpointId(index)), Option.isSome)
      )
      assert.deepStrictEqual(yield* after(89), [])
      assert.deepStrictEqual(yield* left, [0, 1, 2, 3])
      // What was sent to it is kept longer.
      const soon = { ...defaultKept, deliveries: Duration.days(95) }
      assert.deepStrictEqual(yield* after(92, soon), [])
      assert.strictEqual(yield* shown(sent), "1 attempt, no body")
      assert.deepStrictEqual(yield* after(92), ["endpoints"])
      assert.deepStrictEqual(yield* left, [1, 2, 3])
      assert.isFalse(yield* endpoints.remove("org_a", Scene.endpointId(0)))
      assert.deepStrictEqual(yield* after(10_000), [])
      assert.deepStrictEqual(yield* left, [1, 2, 3])
    }).pipe(Effect.provide(layer)))

  it.live("removes links and sessions of the operator when they are over, whether or not anybody signs in again", () =>
    Effect.gen(function*() {
      const sessions = yield* OperatorSessions
      const now = yield* Clock.currentTimeMillis
      const hash = (index: number) => String(index).padStart(64, "0")
      for (const [index, name] of ["Sample One", "Sample Two"].entries()) {
        yield* sessions.issueLink({ name, secretHash: hash(index), now })
      }
      const session = { sessionId: Scene.uuid(5, 2), secretHash: hash(2), userAgent: null, now }
      assert.isTrue(Option.isSome(yield* sessions.redeem(hash(0), session)))
      assert.deepStrictEqual(yield* after(0), [])
      assert.deepStrictEqual(yield* after(1), ["links", "sessions"])
      assert.deepStrictEqual(yield* sessions.list(now), [])
    }).pipe(Effect.provide(layer)))

  it.live("removes notices and the like when they are over, for organizations where nothing happens any more", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 0)
      const notices = yield* Notices
      const now = yield* Clock.currentTimeMillis
      yield* notices.record({
        id: Scene.uuid(5, 1),
        orgId: "org_a",
        kind: "viewing_paused",
        cause: "ana",
        text: "About Ana",
        now
      })
      assert.deepStrictEqual(yield* after(89), [])
      assert.deepStrictEqual(yield* after(91), ["notices"])
      assert.strictEqual((yield* notices.list({ orgId: "org_a", limit: 1, offset: 0 })).total, 0)
    }).pipe(Effect.provide(layer)))
}
