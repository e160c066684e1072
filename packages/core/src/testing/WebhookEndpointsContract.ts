/** What every `WebhookEndpoints` must do. Adapters call `webhookEndpointsContract` from their own tests. */
import { assert, it } from "@effect/vitest"
import { Duration, Effect, type Layer, Option, Redacted, Result } from "effect"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import { type AttemptOutcome, Deliveries } from "../webhook/Deliveries.ts"
import { WebhookEndpoints } from "../webhook/WebhookEndpoints.ts"
import type { Seeder } from "./Seed.ts"
import * as Scene from "./WebhookScene.ts"

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

/** `layer` must be fresh for each test. */
export const webhookEndpointsContract = <E>(
  layer: Layer.Layer<WebhookEndpoints | Deliveries | Pipeline | Seeder, E>
): void => {
  it.live("registers an endpoint that is active and listed without its secret", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 0)
      const made = yield* Scene.register("org_a", 0)
      assert.deepStrictEqual(made, {
        endpoint: {
          id: Scene.endpointId(0),
          orgId: "org_a",
          url: "https://receiver.example/org_a/0",
          label: null,
          subscribedEvents: ["lead.qualified"],
          includeEvidence: false,
          active: true,
          createdVia: "api",
          createdAt: "2026-09-21T14:13:20.000Z",
          disabledReason: null,
          consecutiveFailures: 0,
          crm: null
        },
        superseded: null
      })
      const endpoints = yield* WebhookEndpoints
      assert.deepStrictEqual(yield* endpoints.list("org_a"), [made.endpoint])
      assert.deepStrictEqual(yield* endpoints.list("org_b"), [])
    }).pipe(Effect.provide(layer)))

  it.live("lists the newest first", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 0)
      yield* Effect.forEach(range(0, 3), (index) => Scene.register("org_a", index))
      const endpoints = yield* WebhookEndpoints
      assert.deepStrictEqual((yield* endpoints.list("org_a")).map(({ id }) => id), [2, 1, 0].map(Scene.endpointId))
    }).pipe(Effect.provide(layer)))

  it.live("the same target again replaces the old endpoint, which is listed no more", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 0)
      const url = "https://receiver.example/same"
      yield* Scene.register("org_a", 0, { url })
      const other = yield* Scene.register("org_b", 9, { url })
      assert.strictEqual(other.superseded, null)
      const again = yield* Scene.register("org_a", 1, { url })
      assert.strictEqual(again.superseded, Scene.endpointId(0))
      const endpoints = yield* WebhookEndpoints
      assert.deepStrictEqual((yield* endpoints.list("org_a")).map(({ id }) => id), [Scene.endpointId(1)])
      assert.isTrue(yield* endpoints.remove("org_a", Scene.endpointId(1)))
      assert.strictEqual((yield* Scene.register("org_a", 2, { url })).superseded, Scene.endpointId(1))
    }).pipe(Effect.provide(layer)))

  it.live("what waits or is being sent when its endpoint is replaced goes to the new one, as far as that wants it", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 3)
      const url = "https://receiver.example/same"
      yield* Scene.register("org_a", 0, { url })
      yield* Scene.qualifyMany("org_a", 3)
      const endpoints = yield* WebhookEndpoints
      const deliveries = yield* Deliveries
      yield* deliveries.fanOut(10)
      const claim = (limit: number) => deliveries.claim({ limit, perEndpoint: 10, lease: Duration.minutes(5) })
      const [first] = yield* claim(1)
      if (first === undefined) return assert.fail("a delivery is due")
      yield* deliveries.complete([Scene.ended(first, { _tag: "Failed", status: 503, reason: "answered 503" })], [
        Duration.minutes(5)
      ])
      const [taken] = yield* claim(1)
      if (taken === undefined) return assert.fail("a delivery is due")

      yield* Scene.register("org_a", 1, { url })
      const states = (index: number) =>
        Effect.map(
          endpoints.deliveries(Scene.endpointId(index), 10),
          (rows) => Option.getOrThrow(rows).map(({ state }) => state).sort()
        )
      assert.deepStrictEqual(yield* states(0), [])
      assert.deepStrictEqual(yield* states(1), ["delivering", "queued", "retry_wait"])
      yield* deliveries.complete([Scene.ended(taken, { _tag: "Failed", status: 401, reason: "answered 401" })], [
        Duration.zero
      ])
      const again = yield* claim(10)
      assert.deepStrictEqual(
        again.map(({ endpointId, secrets, url: to }) => [endpointId, secrets.length, to]),
        [1, 2].map(() => [Scene.endpointId(1), 1, url])
      )
      assert.deepStrictEqual(again.map(({ attempt }) => attempt).sort(), [1, 2])
      assert.isTrue(again.some(({ deliveryId }) => deliveryId === taken.deliveryId))
      yield* deliveries.complete(again.map((each) => Scene.ended(each, { _tag: "Returned" })), [Duration.zero])

      yield* Scene.register("org_a", 2, { url, events: ["signal.sale"] })
      assert.deepStrictEqual(yield* states(1), [1, 2, 3].map(() => "cancelled_endpoint_disabled"))
      assert.deepStrictEqual(yield* states(2), [])
    }).pipe(Effect.provide(layer)))

  it.live("what was claimed for an endpoint that was replaced, and never recorded, is the new one's when its lease is over", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      const url = "https://receiver.example/same"
      yield* Scene.register("org_a", 0, { url })
      yield* Scene.qualify("org_a", 0)
      const deliveries = yield* Deliveries
      yield* deliveries.fanOut(10)
      yield* deliveries.claim({ limit: 1, perEndpoint: 1, lease: Duration.millis(200) })
      yield* Scene.register("org_a", 1, { url })
      const claim = deliveries.claim({ limit: 1, perEndpoint: 1, lease: Duration.minutes(5) })
      const claimed = yield* Effect.repeat(claim, { until: ({ length }) => length > 0 })
      assert.deepStrictEqual(claimed.map(({ attempt, endpointId }) => [attempt, endpointId]), [[
        1,
        Scene.endpointId(1)
      ]])
    }).pipe(Effect.provide(layer)))

  it.live("of concurrent registrations of one target one stays", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 0)
      const url = "https://receiver.example/same"
      yield* Effect.forEach(range(0, 6), (index) => Scene.register("org_a", index, { url }), {
        concurrency: "unbounded"
      })
      const endpoints = yield* WebhookEndpoints
      assert.strictEqual((yield* endpoints.list("org_a")).length, 1)
    }).pipe(Effect.provide(layer)))

  it.live("refuses the eleventh active endpoint, also under concurrency, and still replaces", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 0)
      const results = yield* Effect.forEach(
        range(0, 14),
        (index) => Effect.result(Scene.register("org_a", index)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(results.filter(Result.isSuccess).length, 10)
      const endpoints = yield* WebhookEndpoints
      const kept = yield* endpoints.list("org_a")
      const refused = yield* Effect.flip(Scene.register("org_a", 20))
      assert.strictEqual(refused._tag, "WEBHOOK_ENDPOINT_LIMIT_REACHED")
      const replaced = yield* Scene.register("org_a", 21, { url: kept[0]?.url ?? "" })
      assert.strictEqual(replaced.superseded, kept[0]?.id)
      assert.strictEqual((yield* endpoints.list("org_a")).length, 10)
    }).pipe(Effect.provide(layer)))

  it.live("counts deactivated endpoints towards 100, superseded ones not", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 0)
      const endpoints = yield* WebhookEndpoints
      yield* Effect.forEach(range(0, 100), (index) =>
        Effect.andThen(Scene.register("org_a", index), endpoints.remove("org_a", Scene.endpointId(index))))
      const refused = yield* Effect.flip(Scene.register("org_a", 100))
      assert.strictEqual(refused._tag, "WEBHOOK_ENDPOINT_TOTAL_LIMIT_REACHED")
      const replaced = yield* Scene.register("org_a", 101, { url: "https://receiver.example/org_a/5" })
      assert.strictEqual(replaced.superseded, Scene.endpointId(5))
    }).pipe(Effect.provide(layer)), 60_000)

  it.live("a refused registration changes nothing", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 0)
      const endpoints = yield* WebhookEndpoints
      yield* Scene.register("org_a", 0)
      yield* endpoints.remove("org_a", Scene.endpointId(0))
      yield* Effect.forEach(range(1, 11), (index) => Scene.register("org_a", index))
      const before = yield* endpoints.list("org_a")
      yield* Effect.flip(Scene.register("org_a", 11, { url: "https://receiver.example/org_a/0" }))
      assert.deepStrictEqual(yield* endpoints.list("org_a"), before)
    }).pipe(Effect.provide(layer)))

  it.live("removes an endpoint of the organization, repeatedly with the same answer, and no other's", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 0)
      yield* Scene.register("org_a", 0)
      const endpoints = yield* WebhookEndpoints
      assert.isFalse(yield* endpoints.remove("org_b", Scene.endpointId(0)))
      assert.isTrue(yield* endpoints.remove("org_a", Scene.endpointId(0)))
      assert.isTrue(yield* endpoints.remove("org_a", Scene.endpointId(0)))
      assert.isFalse(yield* endpoints.remove("org_a", Scene.endpointId(1)))
      const [removed] = yield* endpoints.list("org_a")
      assert.deepStrictEqual([removed?.active, removed?.disabledReason], [false, "deleted"])
    }).pipe(Effect.provide(layer)))

  it.live("shows deliveries: waiting, being sent, delivered, cancelled", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 3)
      yield* Scene.register("org_a", 0)
      const endpoints = yield* WebhookEndpoints
      const deliveries = yield* Deliveries
      assert.isTrue(Option.isNone(yield* endpoints.deliveries(Scene.endpointId(1), 10)))
      assert.isTrue(Option.isNone(yield* endpoints.deliveries("no-uuid", 10)))
      assert.deepStrictEqual(yield* endpoints.deliveries(Scene.endpointId(0), 10), Option.some([]))
      yield* Scene.qualifyMany("org_a", 3)
      yield* deliveries.fanOut(10)
      const shown = Effect.map(endpoints.deliveries(Scene.endpointId(0), 10), (rows) =>
        Option.getOrThrow(rows).toSorted((left, right) => left.eventId < right.eventId ? -1 : 1))
      assert.deepStrictEqual((yield* shown).map(({ attempts, state }) => ({ attempts, state })), [
        { attempts: 0, state: "queued" },
        { attempts: 0, state: "queued" },
        { attempts: 0, state: "queued" }
      ])
      const [first, second] = yield* deliveries.claim({ limit: 2, perEndpoint: 2, lease: Duration.minutes(5) })
      if (first === undefined || second === undefined) {
        return assert.fail("two deliveries were due")
      }
      yield* deliveries.complete([
        {
          orgId: first.organization.org_id,
          deliveryId: first.deliveryId,
          endpointId: first.endpointId,
          claim: first.claim,
          attempt: 1,
          outcome: { _tag: "Delivered", status: 204 },
          durationMillis: 3
        },
        {
          orgId: second.organization.org_id,
          deliveryId: second.deliveryId,
          endpointId: second.endpointId,
          claim: second.claim,
          attempt: 1,
          outcome: { _tag: "Failed", status: 500, reason: "answered 500" },
          durationMillis: 4
        }
      ], [Duration.minutes(5)])
      yield* endpoints.remove("org_a", Scene.endpointId(0))
      const rows = yield* shown
      const find = (deliveryId: string) =>
        rows.find((row) => row.deliveryId === deliveryId)
      const delivered = find(first.deliveryId)
      assert.deepStrictEqual([delivered?.state, delivered?.attempts, delivered?.lastStatus, delivered?.lastError], [
        "delivered",
        1,
        204,
        null
      ])
      assert.isString(delivered?.deliveredAt)
      assert.isNull(delivered?.nextAttemptAt)
      const failed = find(second.deliveryId)
      assert.deepStrictEqual([failed?.state, failed?.attempts, failed?.lastStatus, failed?.lastError], [
        "cancelled_endpoint_disabled",
        1,
        500,
        "answered 500"
      ])
      assert.deepStrictEqual(rows.filter((row) => row.state === "cancelled_endpoint_disabled").length, 2)
      const ids = (limit: number, after: string | null) =>
        Effect.map(endpoints.deliveries(Scene.endpointId(0), limit, { orgId: "org_a", after }), (found) =>
          Option.getOrThrow(found).map(({ deliveryId }) =>
            deliveryId
          ))
      const all = yield* ids(10, null)
      assert.lengthOf(all, 3)
      const one = yield* ids(1, null)
      assert.deepStrictEqual([...one, ...yield* ids(10, one[0] ?? null)], all)
      assert.deepStrictEqual(yield* ids(10, all[2] ?? null), [])
      for (
        const  of of[{ orgId: "org_b", after: null }, { orgId: "org_a", after: Scene.endpointId(0) }]
      ) {
        assert.isTrue(Option.isNone(yield* endpoints.deliveries(Scene.endpointId(0), 10, of)))
      }
    }).pipe(Effect.provide(layer)))

  /** Claims the one due delivery and ends it so. */
  const end = (outcome: AttemptOutcome) =>
    Effect.gen(function*() {
      const deliveries = yield* Deliveries
      const [claimed] = yield* deliveries.claim({ limit: 1, perEndpoint: 1, lease: Duration.minutes(5) })
      if (claimed === undefined) return assert.fail("a delivery is due")
      yield* deliveries.complete([Scene.ended(claimed, outcome)], [Duration.zero])
      return claimed
    })

  /** The first endpoint of an organization was disabled, since its receiver said that it is gone. */
  const endpointGone = Effect.gen(function*() {
    yield* Scene.seed(["org_a"], 1)
    yield* Scene.register("org_a", 0)
    yield* Scene.qualify("org_a", 0)
    yield* Deliveries.use((deliveries) => deliveries.fanOut(10))
    yield* end({ _tag: "Gone" })
  })

  it.live("an endpoint that was disabled for its failures is enabled again; a removed or replaced one is not", () =>
    Effect.gen(function*() {
      yield* endpointGone
      const endpoints = yield* WebhookEndpoints
      const state = (index: number) =>
        Effect.map(
          endpoints.find(Scene.endpointId(index)),
          Option.map(({ active, disabledReason }) => [
            active,
            disabledReason
          ])
        )
      assert.deepStrictEqual(yield* state(0), Option.some([false, "gone"]))
      const enabled = Option.getOrThrow(yield* endpoints.enable(Scene.endpointId(0)))
      assert.deepStrictEqual([enabled.active, enabled.disabledReason, enabled.consecutiveFailures], [true, null, 0])
      assert.deepStrictEqual(yield* endpoints.enable(Scene.endpointId(0)), Option.some(enabled))
      yield* endpoints.remove("org_a", Scene.endpointId(0))
      assert.deepStrictEqual((yield* Effect.flip(endpoints.enable(Scene.endpointId(0))))._tag, "EndpointNotEnabled")
      assert.deepStrictEqual(yield* endpoints.enable(Scene.endpointId(9)), Option.none())
      assert.deepStrictEqual(yield* endpoints.find("no-uuid"), Option.none())
    }).pipe(Effect.provide(layer)))

  it.live("removes one that is disabled, by itself or by an admin, for good; a replaced one stays that", () =>
    Effect.gen(function*() {
      yield* endpointGone
      yield* Scene.register("org_a", 1)
      const endpoints = yield* WebhookEndpoints
      yield* endpoints.disable("org_a", Scene.endpointId(1))
      yield* Scene.register("org_a", 2)
      yield* Scene.register("org_a", 3, { url: "https://receiver.example/org_a/2" })
      const reasons = yield* Effect.forEach(range(0, 3), (index) =>
        Effect.gen(function*() {
          const id = Scene.endpointId(index)
          assert.isTrue(yield* endpoints.remove("org_a", id))
          const refused = yield* Effect.flip(endpoints.enable(id))
          return refused._tag === "EndpointNotEnabled" ? refused.reason : refused._tag
        }))
      assert.deepStrictEqual(reasons, ["deleted", "deleted", "superseded"])
      const asked = { which: "all", orgId: null, after: null, limit: 10, lookAt: 10 } as const
      const left = (yield* endpoints.standings(asked)).endpoints.map(({ id }) => id)
      assert.deepStrictEqual(left, [Scene.endpointId(3)])
    }).pipe(Effect.provide(layer)))

  it.live("no more than ten are active, enabled ones included", () =>
    Effect.gen(function*() {
      yield* endpointGone
      yield* Effect.forEach(range(1, 11), (index) => Scene.register("org_a", index))
      const endpoints = yield* WebhookEndpoints
      const refused = yield* Effect.flip(endpoints.enable(Scene.endpointId(0)))
      assert.strictEqual(refused._tag, "WEBHOOK_ENDPOINT_LIMIT_REACHED")
    }).pipe(Effect.provide(layer)))

  it.live("a new secret signs beside the one before until the overlap is over", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 3)
      yield* Scene.register("org_a", 0)
      yield* Scene.qualifyMany("org_a", 2)
      yield* Deliveries.use((deliveries) => deliveries.fanOut(10))
      const endpoints = yield* WebhookEndpoints
      const rotated = yield* endpoints.rotateSecret(Scene.endpointId(0), Redacted.make("whsec_new"), Duration.hours(1))
      assert.isTrue(Option.isSome(rotated))
      const secrets = Effect.map(end({ _tag: "Delivered", status: 200 }), (claimed) =>
        claimed.secrets.map(Redacted.value))
      assert.deepStrictEqual(yield* secrets, ["whsec_new", Redacted.value(Scene.secretOf(0))])
      yield* endpoints.rotateSecret(Scene.endpointId(0), Redacted.make("whsec_newer"), Duration.zero)
      assert.deepStrictEqual(yield* secrets, ["whsec_newer"])
      const nobody = yield* endpoints.rotateSecret(Scene.endpointId(9), Redacted.make("whsec_new"), Duration.zero)
      assert.deepStrictEqual(nobody, Option.none())
    }).pipe(Effect.provide(layer)))

  it.live("a test is sent to the one endpoint, with its data, and to none that is not active", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 0)
      yield* Scene.register("org_a", 0)
      yield* Scene.register("org_a", 1)
      const endpoints = yield* WebhookEndpoints
      const send = (index: number) =>
        endpoints.sendTest({
          endpointId: Scene.endpointId(index),
          eventId: Scene.eventId(index),
          deliveryId: Scene.uuid(6, index),
          eventType: "lead.qualified",
          data: "{}",
          now: Scene.at
        })
      yield* send(1)
      const { data, deliveryId, endpointId, eventType, test } = yield* end({ _tag: "Delivered", status: 200 })
      assert.deepStrictEqual([deliveryId, endpointId, eventType, test, data], [
        Scene.uuid(6, 1),
        Scene.endpointId(1),
        "lead.qualified",
        true,
        "{}"
      ])
      const listed = Option.getOrThrow(yield* endpoints.deliveries(Scene.endpointId(1), 5))
      assert.deepStrictEqual(listed.map((row) => row.test), [true])
      yield* endpoints.remove("org_a", Scene.endpointId(0))
      const refused = yield* Effect.flip(send(0))
      assert.strictEqual(refused._tag, "EndpointNotEnabled")
    }).pipe(Effect.provide(layer)))

  it.live("of another organization are none, whatever is asked of them", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 1)
      yield* Scene.register("org_a", 0)
      yield* Scene.qualify("org_a", 0)
      yield* Deliveries.use((deliveries) => deliveries.fanOut(10))
      const { deliveryId } = yield* end({ _tag: "Delivered", status: 200 })
      const endpoints = yield* WebhookEndpoints
      const id = Scene.endpointId(0)
      const before = yield* endpoints.list("org_a")
      const span = { since: 0, until: Date.UTC(2100, 0), limit: 10 }
      assert.deepStrictEqual(
        yield* Effect.all([
          endpoints.find(id, "org_b"),
          endpoints.enable(id, "org_b"),
          endpoints.disable("org_b", id),
          endpoints.change("org_b", id, { label: "theirs" }),
          endpoints.rotateSecret(id, Redacted.make("whsec_theirs"), Duration.zero, "org_b"),
          endpoints.resend(deliveryId, "org_b"),
          endpoints.delivery("org_b", deliveryId)
        ]),
        [Option.none(), Option.none(), Option.none(), Option.none(), Option.none(), Option.none(), Option.none()]
      )
      assert.deepStrictEqual(yield* endpoints.failed("org_b", id, span), [])
      assert.deepStrictEqual(yield* endpoints.list("org_a"), before)
      assert.isTrue(Option.isSome(yield* endpoints.find(id, "org_a")))
      assert.isTrue(Option.isSome(yield* endpoints.resend(deliveryId, "org_a")))
    }).pipe(Effect.provide(layer)))

  it.live("a disabled one is sent nothing, what waits is cancelled, and enabling makes it active again", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 2)
      yield* Scene.register("org_a", 0)
      yield* Scene.qualify("org_a", 0)
      const deliveries = yield* Deliveries
      yield* deliveries.fanOut(10)
      const endpoints = yield* WebhookEndpoints
      const id = Scene.endpointId(0)
      for (const _ of [1, 2]) {
        const disabled = Option.getOrThrow(yield* endpoints.disable("org_a", id))
        assert.deepStrictEqual([disabled.active, disabled.disabledReason], [false, "disabled"])
      }
      const [row] = Option.getOrThrow(yield* endpoints.deliveries(id, 10))
      assert.strictEqual(row?.state, "cancelled_endpoint_disabled")
      const enabled = Option.getOrThrow(yield* endpoints.enable(id, "org_a"))
      assert.deepStrictEqual([enabled.active, enabled.disabledReason], [true, null])
      const span = { since: 0, until: Date.UTC(2100, 0), limit: 10 }
      assert.deepStrictEqual(yield* endpoints.failed("org_a", id, span), [row?.deliveryId ?? "none"])
      yield* endpoints.remove("org_a", id)
      const removed = Option.getOrThrow(yield* endpoints.disable("org_a", id))
      assert.strictEqual(removed.disabledReason, "deleted")
      assert.deepStrictEqual(yield* endpoints.change("org_a", id, { label: "late" }), Option.none())
    }).pipe(Effect.provide(layer)))

  it.live("a CRM is an endpoint with settings, and is given others in its place", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      const endpoints = yield* WebhookEndpoints
      const made = yield* Scene.connect("org_a", 0)
      assert.deepInclude(made, {
        id: Scene.endpointId(0),
        url: "https://crm.example",
        label: "HubSpot",
        subscribedEvents: ["lead.qualified"],
        active: true,
        createdVia: "manual",
        crm: Scene.crm
      })
      assert.deepStrictEqual(yield* endpoints.list("org_a"), [made])
      assert.deepStrictEqual(
        yield* endpoints.rotateSecret(made.id, Redacted.make("whsec_other"), Duration.hours(1)),
        Option.none()
      )

      yield* Scene.qualify("org_a", 0)
      const deliveries = yield* Deliveries
      yield* deliveries.fanOut(10)
      yield* endpoints.disable("org_a", made.id)
      const crm = { ...Scene.crm, pipeline: "other" }
      const changed = yield* Scene.connect("org_a", 1, { crm, credentials: Redacted.make("other") })
      assert.deepStrictEqual(changed, { ...made, crm })
      const [row] = Option.getOrThrow(yield* endpoints.deliveries(made.id, 10))
      yield* endpoints.resend(row?.deliveryId ?? "")
      const [claimed] = yield* deliveries.claim({ limit: 1, perEndpoint: 1, lease: Duration.seconds(30) })
      assert.deepStrictEqual(claimed?.crm, crm)
      assert.deepStrictEqual(claimed?.secrets.map(Redacted.value), ["other"])

      yield* endpoints.remove("org_a", made.id)
      const again = yield* Scene.connect("org_a", 2)
      assert.strictEqual(again.id, Scene.endpointId(2))
      yield* Effect.forEach(range(3, 12), (index) => Scene.register("org_a", index))
      assert.strictEqual((yield* Scene.connect("org_a", 2)).id, again.id)
      const refused = yield* Effect.flip(Scene.connect("org_a", 13, { targetKey: "another" }))
      assert.strictEqual(refused._tag, "WEBHOOK_ENDPOINT_LIMIT_REACHED")
    }).pipe(Effect.provide(layer)))

  it.live("take another label and other events, and keep what is not given", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 0)
      yield* Scene.register("org_a", 0)
      const endpoints = yield* WebhookEndpoints
      const change = (given: Parameters<typeof endpoints.change>[2]) =>
        Effect.map(endpoints.change("org_a", Scene.endpointId(0), given), (changed) => {
          const { label, subscribedEvents } = Option.getOrThrow(changed)
          return [label, subscribedEvents]
        })
      assert.deepStrictEqual(yield* change({ label: "CRM" }), ["CRM", ["lead.qualified"]])
      assert.deepStrictEqual(yield* change({ events: ["signal.sale"] }), ["CRM", ["signal.sale"]])
      assert.deepStrictEqual(yield* change({ label: null }), [null, ["signal.sale"]])
    }).pipe(Effect.provide(layer)))

  it.live("a delivery is shown with its data and every attempt, and what failed for good is found by its time", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 3)
      yield* Scene.register("org_a", 0)
      yield* Scene.qualifyMany("org_a", 3)
      yield* Deliveries.use((deliveries) => deliveries.fanOut(10))
      const arrived = yield* end({ _tag: "Delivered", status: 204 })
      const lost = yield* end({ _tag: "Cancelled", state: "failed", reason: "sample" })
      const endpoints = yield* WebhookEndpoints
      const detail = Option.getOrThrow(yield* endpoints.delivery("org_a", arrived.deliveryId))
      assert.deepStrictEqual(
        { ...detail, attempts: detail.attempts.map(({ at: _, ...attempt }) => attempt) },
        {
          endpointId: Scene.endpointId(0),
          propertyId: arrived.propertyId,
          test: false,
          state: "delivered",
          data: null,
          attempts: [{
            attempt: 1,
            status: 204,
            error: null,
            durationMillis: detail.attempts[0]?.durationMillis ?? -1,
            answer: null
          }]
        }
      )
      const tried = yield* end({ _tag: "Failed", status: 503, reason: "answered 503", answer: "upstream is away" })
      const { attempts } = Option.getOrThrow(yield* endpoints.delivery("org_a", tried.deliveryId))
      assert.deepStrictEqual(attempts.map(({ answer, status }) => [status, answer]), [[503, "upstream is away"]])
      assert.match(detail.attempts[0]?.at ?? "", /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      const failed = (since: number, until: number, limit = 10) =>
        endpoints.failed("org_a", Scene.endpointId(0), { since, until, limit })
      const far = Date.UTC(2100, 0)
      assert.deepStrictEqual(yield* failed(0, far), [lost.deliveryId])
      assert.deepStrictEqual(yield* failed(0, 1), [])
      assert.deepStrictEqual(yield* failed(far, far + 1), [])
      assert.deepStrictEqual(yield* failed(0, far, 0), [])
    }).pipe(Effect.provide(layer)))

  it.live("endpoints of all organizations are told apart by how they do", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b", "org_c"], 4)
      const endpoints = yield* WebhookEndpoints
      const deliveries = yield* Deliveries
      // Two of the first organization, of which one never hears of leads; of the second one that tries again; of the third one that is well.
      yield* Scene.register("org_a", 0)
      yield* Scene.register("org_a", 1, { events: ["signal.sale"] })
      yield* Scene.register("org_b", 2)
      yield* Scene.register("org_c", 3)
      yield* Scene.register("org_c", 4, { events: ["signal.sale"] })
      yield* endpoints.remove("org_c", Scene.endpointId(4))
      const outcomes: Readonly<Record<string, AttemptOutcome>> = {
        org_a: { _tag: "Cancelled", state: "failed", reason: "sample" },
        org_b: { _tag: "Failed", status: 503, reason: "answered 503" },
        org_c: { _tag: "Delivered", status: 204 }
      }
      yield* Effect.forEach(["org_a", "org_b", "org_c"], (orgId, index) => Scene.qualify(orgId, index))
      yield* deliveries.fanOut(10)
      const claimed = yield* deliveries.claim({ limit: 10, perEndpoint: 10, lease: Duration.minutes(5) })
      yield* deliveries.complete(
        claimed.map((each) => Scene.ended(each, outcomes[each.organization.org_id])),
        [Duration.hours(1)]
      )

      type Asked = Parameters<typeof endpoints.standings>[0]
      const asked = (given: Partial<Asked> = {}) =>
        endpoints.standings({ which: "troubled", orgId: null, after: null, limit: 10, lookAt: 10, ...given })
      const idsOf = (given?: Partial<Asked>) =>
        Effect.map(asked(given), (found) => [found.endpoints.map(({ id }) => id), found.next])
      const id = Scene.endpointId

      const troubled = yield* asked()
      assert.isNull(troubled.next)
      const [given, tried] = troubled.endpoints
      assert.deepInclude(given, {
        ...Option.getOrThrow(yield* endpoints.find(id(0))),
        organization: { name: "org_a", status: "active" },
        waiting: 0,
        nextAttemptAt: null,
        ended: 1,
        givenUp: 1
      })
      assert.deepInclude(given?.lastFault, { state: "failed", lastError: "sample" })
      assert.deepInclude(tried, { id: id(2), orgId: "org_b", waiting: 1, ended: 0, givenUp: 0 })
      assert.deepInclude(tried?.lastFault, { state: "retry_wait", lastStatus: 503, lastError: "answered 503" })
      assert.isAbove(Date.parse(tried?.nextAttemptAt ?? ""), Date.parse(tried?.lastFault?.createdAt ?? ""))
      assert.strictEqual(troubled.endpoints.length, 2)

      assert.deepStrictEqual(yield* idsOf({ which: "waiting" }), [[id(2)], null])
      assert.deepStrictEqual(yield* idsOf({ which: "all" }), [[0, 1, 2, 3].map(id), null])
      assert.deepStrictEqual(yield* idsOf({ which: "all", orgId: "org_a" }), [[0, 1].map(id), null])
      assert.deepStrictEqual(yield* idsOf({ orgId: "org_c" }), [[], null])

      // Page by page, by how many are answered and by how many are looked at.
      assert.deepStrictEqual(yield* idsOf({ which: "all", limit: 2 }), [[0, 1].map(id), id(1)])
      assert.deepStrictEqual(yield* idsOf({ which: "all", limit: 2, after: id(1) }), [[2, 3].map(id), null])
      assert.deepStrictEqual(yield* idsOf({ limit: 1 }), [[id(0)], id(0)])
      assert.deepStrictEqual(yield* idsOf({ lookAt: 2 }), [[id(0)], id(1)])
      assert.deepStrictEqual(yield* idsOf({ lookAt: 1, after: id(0) }), [[], id(1)])
      assert.deepStrictEqual(yield* idsOf({ which: "all", after: Scene.uuid(9, 9) }), [[], null])

      const well = Option.getOrThrow(yield* endpoints.standing(id(3)))
      assert.deepInclude(well, { id: id(3), waiting: 0, ended: 1, givenUp: 0, lastFault: null })
      assert.strictEqual(Option.getOrThrow(yield* endpoints.standing(id(4))).disabledReason, "deleted")
      assert.deepStrictEqual(yield* endpoints.standing(Scene.uuid(9, 9)), Option.none())

      // What its service disabled stays in trouble; what its customer did not want is none.
      yield* Scene.qualify("org_c", 3)
      yield* deliveries.fanOut(10)
      yield* end({ _tag: "Gone" })
      yield* endpoints.disable("org_a", id(1))
      assert.deepStrictEqual(yield* idsOf(), [[0, 2, 3].map(id), null])
      // Nor is it one who had what waited cancelled.
      yield* endpoints.disable("org_b", id(2))
      assert.strictEqual(Option.getOrThrow(yield* endpoints.standing(id(2))).givenUp, 1)
      assert.deepStrictEqual(yield* idsOf(), [[0, 3].map(id), null])
    }).pipe(Effect.provide(layer)))
}
