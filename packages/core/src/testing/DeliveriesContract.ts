/** What every `Deliveries` must do. Adapters call `deliveriesContract` from their own tests. */
import { assert, it } from "@effect/vitest"
import { Duration, Effect, Fiber, type Layer, Option, Redacted } from "effect"
import { Notices } from "../notice/Notices.ts"
import { Organizations } from "../organization/Organizations.ts"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import { type AttemptOutcome, type ClaimedDelivery, Deliveries, type DeliveryClaim } from "../webhook/Deliveries.ts"
import { WebhookEndpoints } from "../webhook/WebhookEndpoints.ts"
import { property, Seeder } from "./Seed.ts"
import * as Scene from "./WebhookScene.ts"

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

const long = Duration.minutes(5)
const atOnce = Array.from({ length: 4 }, () => Duration.zero)
const delivered: AttemptOutcome = { _tag: "Delivered", status: 200 }
const failed: AttemptOutcome = { _tag: "Failed", status: 500, reason: "answered 500" }

const claim = (given: Partial<Parameters<Deliveries["Service"]["claim"]>[0]> = {}) =>
  Deliveries.use((deliveries) => deliveries.claim({ limit: 100, perEndpoint: 300, lease: long, ...given }))

/** The next claim that finds something, whose places may rest until then. */
const claimInTime = (given: Parameters<typeof claim>[0] = {}) =>
  Effect.repeat(claim(given), { until: (claimed) => claimed.length > 0 })

const heldOf = ({ claim, deliveryId, organization }: ClaimedDelivery): DeliveryClaim => ({
  orgId: organization.org_id,
  deliveryId,
  claim
})

const complete = (
  claimed: ReadonlyArray<ClaimedDelivery>,
  outcome: AttemptOutcome | ((index: number) => AttemptOutcome),
  delays: ReadonlyArray<Duration.Duration> = atOnce
) =>
  Deliveries.use((deliveries) =>
    deliveries.complete(
      claimed.map((delivery, index) =>
        Scene.ended(delivery, typeof outcome === "function" ? outcome(index) : outcome, 1.4)
      ),
      delays
    )
  )

/** Every delivery has one attempt left. */
const failFourTimes = Effect.forEach(range(0, 4), () => Effect.flatMap(claim(), (claimed) => complete(claimed, failed)))

const ofEndpoint = (claimed: ReadonlyArray<ClaimedDelivery>, index: number) =>
  claimed.filter(({ endpointId }) => endpointId === Scene.endpointId(index))

const rowsOf = (endpoint: number) =>
  WebhookEndpoints.use((endpoints) =>
    Effect.map(endpoints.deliveries(Scene.endpointId(endpoint), 1000), Option.getOrThrow)
  )
const statesOf = (endpoint: number) =>
  Effect.map(rowsOf(endpoint), (rows) => rows.map(({ attempts, state }) => `${state} ${attempts}`).toSorted())

const endpointOf = (orgId: string, index: number) =>
  WebhookEndpoints.use((endpoints) =>
    Effect.map(endpoints.list(orgId), (all) => all.find(({ id }) => id === Scene.endpointId(index)))
  )

/** `layer` must be fresh for each test. */
export const deliveriesContract = <E>(
  layer: Layer.Layer<Deliveries | Notices | WebhookEndpoints | Pipeline | Organizations | Seeder, E>
): void => {
  it.live("push to a CRM only for an organization whose plan has that", () =>
    Effect.gen(function*() {
      const organization = Scene.organization("org_a")
      yield* Scene.seed(["org_a"], 2)
      yield* Scene.connect("org_a", 0)
      const deliveries = yield* Deliveries
      const plan = (full_crm_export: boolean) =>
        Organizations.use((organizations) =>
          organizations.save({ ...organization, features: { ...organization.features, full_crm_export } })
        )
      yield* plan(false)
      yield* Scene.qualify("org_a", 0)
      yield* deliveries.fanOut(10)
      assert.deepStrictEqual(yield* claim(), [])
      yield* plan(true)
      yield* Scene.qualify("org_a", 1)
      yield* deliveries.fanOut(10)
      const [claimed, ...others] = yield* claim()
      assert.isEmpty(others)
      assert.deepStrictEqual(claimed?.crm, Scene.crm)
    }).pipe(Effect.provide(layer)))

  it.live("fans an event out once to each subscribed active endpoint", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 1)
      yield* Scene.register("org_a", 0)
      yield* Scene.register("org_a", 1)
      yield* Scene.register("org_a", 2, { events: ["signal.sale"] })
      yield* Scene.register("org_b", 3)
      yield* Scene.qualify("org_a", 0, { partial: true })
      const deliveries = yield* Deliveries
      const handled = yield* Effect.all([deliveries.fanOut(10), deliveries.fanOut(10), deliveries.fanOut(10)], {
        concurrency: "unbounded"
      })
      assert.strictEqual(handled.reduce((sum, count) => sum + count), 1)
      const claimed = yield* claim()
      assert.deepStrictEqual(claimed.map(({ endpointId }) => endpointId).toSorted(), [0, 1].map(Scene.endpointId))
      const first = claimed.find(({ endpointId }) => endpointId === Scene.endpointId(0))
      const { deliveryId, secrets, ...rest } = first ?? assert.fail("claimed")
      assert.match(deliveryId, /^[0-9a-f]{8}-[0-9a-f]{4}-/)
      assert.deepStrictEqual(secrets.map(Redacted.value), [Redacted.value(Scene.secretOf(0))])
      assert.deepStrictEqual(rest, {
        eventId: Scene.eventId(0),
        includeEvidence: false,
        endpointId: Scene.endpointId(0),
        claim: 1,
        place: 1,
        attempt: 1,
        delivered: false,
        url: "https://receiver.example/org_a/0",
        crm: null,
        eventType: "lead.qualified",
        test: false,
        organization: Scene.organization("org_a"),
        propertyId: Scene.propertyId(0),
        partial: true,
        data: null
      })
    }).pipe(Effect.provide(layer)))

  it.live("handles as many events as it was asked to, and skips those that nobody listens to", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 5)
      yield* Scene.register("org_b", 1, { events: ["signal.sale"] })
      yield* Scene.qualifyMany("org_a", 3)
      const deliveries = yield* Deliveries
      assert.strictEqual(yield* deliveries.fanOut(2), 2)
      assert.strictEqual(yield* deliveries.fanOut(2), 1)
      yield* Scene.qualify("org_b", 4)
      assert.strictEqual(yield* deliveries.fanOut(2), 1)
      assert.strictEqual(yield* deliveries.fanOut(2), 0)
      // An event that was skipped stays so, whoever subscribes later.
      yield* Scene.register("org_a", 2)
      assert.strictEqual(yield* deliveries.fanOut(2), 0)
      assert.deepStrictEqual(yield* claim(), [])
    }).pipe(Effect.provide(layer)))

  it.live("no organization waits until the events of another one are all handled", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 7)
      yield* Scene.register("org_a", 0)
      yield* Scene.register("org_b", 1)
      yield* Scene.qualifyMany("org_a", 6)
      yield* Scene.qualify("org_b", 6)
      const deliveries = yield* Deliveries
      yield* deliveries.fanOut(4)
      const claimed = yield* claim()
      assert.deepStrictEqual(ofEndpoint(claimed, 1).map(({ eventId }) => eventId), [Scene.eventId(6)])
      assert.deepStrictEqual(
        ofEndpoint(claimed, 0).map(({ eventId }) => eventId).toSorted().slice(0, 2),
        [0, 1].map(Scene.eventId)
      )
      yield* Effect.repeat(deliveries.fanOut(4), { until: (handled) => handled === 0 })
      yield* complete(claimed, { _tag: "Delivered", status: 200 })
      assert.strictEqual((yield* claim()).length + claimed.length, 7)
    }).pipe(Effect.provide(layer)))

  it.live("sends nothing about places outside the area, and the survivor of a merged property", () =>
    Effect.gen(function*() {
      const seeder = yield* Seeder
      yield* seeder.add({
        organizations: [Scene.organization("org_a")],
        properties: [
          property({ id: Scene.propertyId(3), countyFips: Scene.visibleCounty }),
          property({ id: Scene.propertyId(4), countyFips: Scene.otherCounty }),
          property({ id: Scene.propertyId(2), countyFips: Scene.visibleCounty, retiredInto: Scene.propertyId(3) }),
          property({ id: Scene.propertyId(1), countyFips: Scene.otherCounty, retiredInto: Scene.propertyId(2) }),
          property({ id: Scene.propertyId(0), countyFips: Scene.visibleCounty, retiredInto: Scene.propertyId(4) })
        ]
      })
      yield* Scene.register("org_a", 0)
      yield* Effect.forEach([0, 1, 4], (index) => Scene.qualify("org_a", index))
      const deliveries = yield* Deliveries
      assert.strictEqual(yield* deliveries.fanOut(10), 3)
      assert.deepStrictEqual((yield* claim()).map(({ propertyId }) => propertyId), [Scene.propertyId(3)])
    }).pipe(Effect.provide(layer)))

  it.live("events and deliveries of a suspended organization wait until it is resumed", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 1 })
      const deliveries = yield* Deliveries
      const organizations = yield* Organizations
      yield* organizations.setStatus("org_a", "suspended")
      assert.deepStrictEqual(yield* claim(), [])
      const seeder = yield* Seeder
      yield* seeder.add({ properties: [property({ id: Scene.propertyId(7), countyFips: Scene.visibleCounty })] })
      yield* Scene.qualify("org_a", 7)
      assert.strictEqual(yield* deliveries.fanOut(10), 0)
      yield* organizations.setStatus("org_a", "active")
      assert.strictEqual(yield* deliveries.fanOut(10), 1)
      assert.strictEqual((yield* claim()).length, 2)
    }).pipe(Effect.provide(layer)))

  it.live("concurrent claims never share a delivery", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ endpoints: 3, events: 20 })
      const claims = yield* Effect.all(Array.from({ length: 8 }, () => claim({ limit: 9 })), {
        concurrency: "unbounded"
      })
      const rest = yield* claim()
      const ids = [...claims.flat(), ...rest].map(({ deliveryId }) => deliveryId)
      assert.strictEqual(ids.length, 60)
      assert.strictEqual(new Set(ids).size, 60)
    }).pipe(Effect.provide(layer)))

  it.live("holds no more of one endpoint than its slots, and gives every endpoint its turn (W2)", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ endpoints: 3, events: 10 })
      const first = yield* claim({ limit: 6, perEndpoint: 4 })
      assert.deepStrictEqual(
        range(0, 3).map((index) => first.filter(({ endpointId }) => endpointId === Scene.endpointId(index)).length),
        [2, 2, 2]
      )
      yield* claim({ limit: 100, perEndpoint: 4 })
      assert.deepStrictEqual(yield* claim({ limit: 100, perEndpoint: 4 }), [])
      yield* complete(first.slice(0, 1), delivered)
      const again = yield* claim({ limit: 100, perEndpoint: 4 })
      assert.deepStrictEqual(again.map(({ endpointId }) => endpointId), [first[0]?.endpointId])
    }).pipe(Effect.provide(layer)))

  it.live("concurrent claims together respect the slots of an endpoint (W2)", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 30 })
      const claims = yield* Effect.all(Array.from({ length: 6 }, () => claim({ limit: 9, perEndpoint: 10 })), {
        concurrency: "unbounded"
      })
      const rest = yield* claim({ limit: 100, perEndpoint: 10 })
      assert.strictEqual(claims.flat().length + rest.length, 10)
    }).pipe(Effect.provide(layer)))

  it.live("several deliveries have one place where an endpoint is given turns, and whoever has it may fill it up (W2)", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ endpoints: 2, events: 12 })
      const request = { perEndpoint: 2, turns: new Map([[Scene.endpointId(0), 3]]) }
      const claimed = yield* claim(request)
      const [quick, slow] = [ofEndpoint(claimed, 0), ofEndpoint(claimed, 1)]
      assert.deepStrictEqual(quick.map(({ place }) => place).toSorted(), [1, 1, 1, 2, 2, 2])
      assert.deepStrictEqual(slow.map(({ place }) => place).toSorted(), [1, 2])
      assert.deepStrictEqual(yield* claim(request), [])
      const first = quick.filter(({ place }) => place === 1)
      yield* complete(first.slice(0, 2), delivered)
      assert.deepStrictEqual((yield* claim(request)).map(({ endpointId, place }) => [endpointId, place]), [
        [Scene.endpointId(0), 1],
        [Scene.endpointId(0), 1]
      ])
      yield* complete(slow.slice(1), failed)
      assert.deepStrictEqual(
        (yield* claimInTime(request)).map(({ endpointId, place }) => [endpointId, place]),
        [[Scene.endpointId(1), slow[1]?.place]]
      )
    }).pipe(Effect.provide(layer)))

  it.live("of an endpoint that is not known to answer, no more places are taken than is said for those", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ endpoints: 2, events: 12 })
      const request = { perEndpoint: 4, unproven: 2, turns: new Map([[Scene.endpointId(0), 1]]) }
      const claimed = yield* claim(request)
      assert.deepStrictEqual([0, 1].map((index) => ofEndpoint(claimed, index).length), [4, 2])
      assert.deepStrictEqual(yield* claim(request), [])
      yield* complete(ofEndpoint(claimed, 1).slice(0, 1), delivered)
      const known = yield* claim({ ...request, turns: new Map([[Scene.endpointId(1), 1]]) })
      assert.deepStrictEqual(known.map(({ endpointId }) => endpointId), range(0, 3).map(() => Scene.endpointId(1)))
    }).pipe(Effect.provide(layer)))

  it.live("the place of an attempt that failed rests, unless another one of its endpoint arrived (W4)", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 12 })
      const request = { perEndpoint: 2 }
      const delays = [long]
      yield* complete(yield* claim(request), (index) => index === 0 ? failed : delivered, delays)
      const both = yield* claim(request)
      assert.deepStrictEqual(both.map(({ place }) => place).toSorted(), [1, 2])
      yield* complete(both.slice(0, 1), failed, delays)
      assert.deepStrictEqual(yield* claim(request), [])
      yield* complete(both.slice(1), delivered, delays)
      assert.deepStrictEqual((yield* claim(request)).map(({ place }) => place), [both[1]?.place])
      assert.deepStrictEqual((yield* claimInTime(request)).map(({ place }) => place), [both[0]?.place])
    }).pipe(Effect.provide(layer)))

  it.live("what nobody tried is due again at once, as it was (W4)", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 1 })
      yield* complete(yield* claim(), { _tag: "Returned" })
      assert.deepStrictEqual(yield* statesOf(0), ["queued 0"])
      yield* complete(yield* claim(), failed)
      const again = yield* claim()
      yield* complete(again, { _tag: "Returned" })
      assert.deepStrictEqual(yield* statesOf(0), ["retry_wait 1"])
      assert.deepStrictEqual((yield* claim()).map(({ attempt, claim }) => [attempt, claim]), [[2, 4]])
    }).pipe(Effect.provide(layer)))

  it.live("a claim whose lease ran out is claimed again without costing an attempt, and only that claim counts (W4)", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 1 })
      const [lost] = yield* claim({ lease: Duration.zero })
      const [taken] = yield* Effect.repeat(claim(), { until: (claimed) => claimed.length > 0 })
      if (lost === undefined || taken === undefined) return assert.fail("both claims")
      assert.deepStrictEqual([taken.deliveryId, taken.attempt, taken.claim], [lost.deliveryId, 1, 2])
      const deliveries = yield* Deliveries
      assert.isTrue(Option.isNone(yield* deliveries.storeData(heldOf(lost), "{}")))
      const stranger = { ...taken, organization: { ...taken.organization, org_id: "another-org" } }
      assert.isTrue(Option.isNone(yield* deliveries.storeData(heldOf(stranger), "{}")))
      yield* complete([lost, stranger], { _tag: "Gone" })
      assert.deepStrictEqual(yield* statesOf(0), ["delivering 0"])
      yield* complete([taken], delivered)
      assert.deepStrictEqual(yield* statesOf(0), ["delivered 1"])
      yield* complete([taken], failed)
      assert.deepStrictEqual(yield* statesOf(0), ["delivered 1"])
      assert.deepStrictEqual(yield* claim(), [])
    }).pipe(Effect.provide(layer)))

  it.live("keeps the data that was stored first for every later attempt, until it is outdated", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 1 })
      const deliveries = yield* Deliveries
      const text = "{\"z\": 1.0, \"a\":\"\\u00e9\" }"
      const [first] = yield* claim()
      if (first === undefined) return assert.fail("claimed")
      assert.deepStrictEqual(yield* deliveries.storeData(heldOf(first), text), Option.some(text))
      assert.deepStrictEqual(yield* deliveries.storeData(heldOf(first), "{}"), Option.some(text))
      assert.deepStrictEqual(yield* deliveries.storeData(heldOf(first), "{}", "another"), Option.some(text))
      yield* complete([first], failed)
      const [second] = yield* claim()
      if (second === undefined) return assert.fail("claimed")
      assert.deepStrictEqual([second.data, second.attempt], [text, 2])
      assert.deepStrictEqual(yield* deliveries.storeData(heldOf(second), "{}", text), Option.some("{}"))
      yield* complete([second], failed)
      const [third] = yield* claim()
      assert.deepStrictEqual(third?.data, "{}")
    }).pipe(Effect.provide(layer)))

  it.live("keeps the data that comes with an outcome, unless there is some", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 1 })
      const deliveries = yield* Deliveries
      const outcomes = [[failed, "{\"first\":true}"], [failed, "{\"second\":true}"], [
        delivered,
        "{\"third\":true}"
      ]] as const
      for (const [outcome, data] of outcomes) {
        const [claimed] = yield* claim()
        if (claimed === undefined) return assert.fail("claimed")
        const { attempt } = claimed
        assert.strictEqual(claimed.data, attempt === 1 ? null : "{\"first\":true}")
        yield* deliveries.complete([{
          ...heldOf(claimed),
          endpointId: claimed.endpointId,
          attempt,
          outcome,
          data,
          durationMillis: 1
        }], atOnce)
      }
      const [row] = yield* rowsOf(0)
      const kept = yield* WebhookEndpoints.use((endpoints) => endpoints.delivery("org_a", row?.deliveryId ?? ""))
      assert.strictEqual(Option.getOrThrow(kept).data, "{\"first\":true}")
    }).pipe(Effect.provide(layer)))

  it.live("a failed attempt is due again after the delay of its attempt", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 1 })
      const delays = [Duration.minutes(1), Duration.minutes(7)]
      yield* complete(yield* claim(), failed, delays)
      const [row] = yield* rowsOf(0)
      assert.deepStrictEqual([row?.state, row?.attempts, row?.lastStatus, row?.lastError], [
        "retry_wait",
        1,
        500,
        "answered 500"
      ])
      const waits = Date.parse(row?.nextAttemptAt ?? "") - Date.parse(row?.createdAt ?? "")
      assert.isTrue(waits >= 60_000 && waits < 120_000, `waits ${waits} ms`)
      assert.deepStrictEqual(yield* claim(), [])
    }).pipe(Effect.provide(layer)))

  it.live("the fifth failed attempt ends a delivery", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 1 })
      const attempts: Array<number> = []
      while (true) {
        const claimed = yield* claim()
        if (claimed.length === 0) break
        attempts.push(...claimed.map(({ attempt }) => attempt))
        yield* complete(claimed, failed)
      }
      assert.deepStrictEqual(attempts, [1, 2, 3, 4, 5])
      assert.deepStrictEqual(yield* statesOf(0), ["failed 5"])
      assert.strictEqual((yield* endpointOf("org_a", 0))?.consecutiveFailures, 1)
    }).pipe(Effect.provide(layer)))

  it.live.each([0, 1, 2, 7])(
    "with %d waits there are as many retries, and the attempt after the last ends a delivery",
    (waits) =>
      Effect.gen(function*() {
        yield* Scene.withDeliveries({ events: 1 })
        const delays = Array.from({ length: waits }, () => Duration.zero)
        const attempts: Array<number> = []
        while (true) {
          const claimed = yield* claim()
          if (claimed.length === 0) break
          attempts.push(...claimed.map(({ attempt }) => attempt))
          yield* complete(claimed, failed, delays)
        }
        assert.deepStrictEqual(attempts, range(1, waits + 2))
        assert.deepStrictEqual(yield* statesOf(0), [`failed ${waits + 1}`])
      }).pipe(Effect.provide(layer))
  )

  it.live("20 failed deliveries in a row disable the endpoint and cancel what waits for it (W8)", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ endpoints: 2, events: 22 })
      yield* failFourTimes
      yield* complete(ofEndpoint(yield* claimInTime({ perEndpoint: 19 }), 0), failed)
      const before = yield* endpointOf("org_a", 0)
      assert.deepStrictEqual([before?.active, before?.consecutiveFailures], [true, 19])
      yield* complete(ofEndpoint(yield* claimInTime({ perEndpoint: 1 }), 0), failed)
      const after = yield* endpointOf("org_a", 0)
      assert.deepStrictEqual([after?.active, after?.disabledReason, after?.consecutiveFailures], [false, "failing", 20])
      const states = yield* statesOf(0)
      assert.strictEqual(states.filter((state) => state === "failed 5").length, 20)
      assert.strictEqual(states.filter((state) => state === "cancelled_endpoint_disabled 4").length, 2)
      assert.strictEqual((yield* endpointOf("org_a", 1))?.active, true)
      const told = yield* Notices.use((notices) => notices.list({ orgId: "org_a", limit: 10, offset: 0 }))
      assert.deepStrictEqual(told.notices.map(({ kind, text }) => [kind, text]), [[
        "endpoint_disabled",
        "Webhooks to receiver.example have stopped: 20 deliveries in a row used up their attempts."
      ]])
    }).pipe(Effect.provide(layer)))

  it.live("20 failed deliveries recorded by concurrent workers disable the endpoint", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 23 })
      yield* failFourTimes
      const claimed = yield* claim({ limit: 20 })
      yield* Effect.forEach(range(0, 5), (part) => complete(claimed.slice(part * 4, part * 4 + 4), failed), {
        concurrency: "unbounded"
      })
      const endpoint = yield* endpointOf("org_a", 0)
      assert.deepStrictEqual([endpoint?.disabledReason, endpoint?.consecutiveFailures], ["failing", 20])
      assert.deepStrictEqual((yield* statesOf(0)).slice(0, 3), Array(3).fill("cancelled_endpoint_disabled 4"))
      assert.deepStrictEqual(yield* claim(), [])
    }).pipe(Effect.provide(layer)))

  it.live("a 2xx starts the count of failed deliveries anew, in the order of the outcomes", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ endpoints: 3, events: 23 })
      yield* failFourTimes
      const claimed = yield* claim()
      // 19 failures, a success, 3 failures; 20, a success, 2; a success, 20, 2.
      const patterns = [[19], [20], [0]]
      yield* complete(
        range(0, 3).flatMap((endpoint) => ofEndpoint(claimed, endpoint)),
        (index) => patterns[Math.floor(index / 23)]?.includes(index % 23) === true ? delivered : failed
      )
      const endpoints = yield* Effect.forEach(range(0, 3), (index) => endpointOf("org_a", index))
      assert.deepStrictEqual(endpoints.map((endpoint) => endpoint?.disabledReason), [null, "failing", "failing"])
      assert.strictEqual(endpoints[0]?.consecutiveFailures, 3)
    }).pipe(Effect.provide(layer)))

  it.live("what arrives at one endpoint while others fail starts its count anew, and theirs not", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ endpoints: 2, events: 3 })
      yield* failFourTimes
      const claimed = yield* claim()
      const [earlier, ...arriving] = ofEndpoint(claimed, 0)
      if (earlier === undefined) return assert.fail("claimed")
      yield* complete([earlier], failed)
      assert.strictEqual((yield* endpointOf("org_a", 0))?.consecutiveFailures, 1)
      yield* complete([...arriving, ...ofEndpoint(claimed, 1)], (index) => index < arriving.length ? delivered : failed)
      assert.deepStrictEqual(
        yield* Effect.forEach(
          [0, 1],
          (index) => Effect.map(endpointOf("org_a", index), (each) => each?.consecutiveFailures)
        ),
        [0, 3]
      )
      assert.deepStrictEqual(yield* statesOf(0), ["delivered 5", "delivered 5", "failed 5"])
      assert.deepStrictEqual(yield* statesOf(1), ["failed 5", "failed 5", "failed 5"])
      // A late outcome of what has ended counts for nothing.
      yield* complete(arriving, delivered)
      assert.deepStrictEqual((yield* rowsOf(0)).map(({ lastStatus }) => lastStatus).toSorted(), [200, 200, 500])
    }).pipe(Effect.provide(layer)))

  it.live("a 410 disables the endpoint at once; what waits is cancelled, what is being sent ends with its own outcome", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 4 })
      const [gone, arrives, fails] = yield* claim({ limit: 3 })
      if (gone === undefined || arrives === undefined || fails === undefined) return assert.fail("claimed")
      yield* complete([gone], { _tag: "Gone" })
      assert.deepStrictEqual((yield* endpointOf("org_a", 0))?.disabledReason, "gone")
      assert.deepStrictEqual(yield* statesOf(0), [
        "cancelled_endpoint_disabled 0",
        "delivering 0",
        "delivering 0",
        "endpoint_gone 1"
      ])
      yield* complete([arrives, fails], (index) => index === 0 ? delivered : failed)
      assert.deepStrictEqual(yield* statesOf(0), [
        "cancelled_endpoint_disabled 0",
        "cancelled_endpoint_disabled 1",
        "delivered 1",
        "endpoint_gone 1"
      ])
      const row = (yield* rowsOf(0)).find(({ deliveryId }) => deliveryId === gone.deliveryId)
      assert.strictEqual(row?.lastStatus, 410)
    }).pipe(Effect.provide(layer)))

  it.live("a private address disables the endpoint at once, and a failure recorded with it is not tried again", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 3 })
      const claimed = yield* claim({ limit: 2 })
      yield* complete(claimed, (index) => index === 0 ? { _tag: "Blocked", reason: "resolves to 10.0.0.1" } : failed)
      const endpoint = yield* endpointOf("org_a", 0)
      assert.deepStrictEqual([endpoint?.active, endpoint?.disabledReason, endpoint?.consecutiveFailures], [
        false,
        "private_address",
        0
      ])
      assert.deepStrictEqual(yield* statesOf(0), [
        "blocked_private_address 1",
        "cancelled_endpoint_disabled 0",
        "cancelled_endpoint_disabled 1"
      ])
    }).pipe(Effect.provide(layer)))

  it.live("what was claimed for an endpoint that is gone, and never recorded, is cancelled when its lease is over", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 2 })
      yield* claim({ limit: 1, lease: Duration.millis(1) })
      const endpoints = yield* WebhookEndpoints
      yield* endpoints.remove("org_a", Scene.endpointId(0))
      const cancelled = Effect.andThen(claim(), statesOf(0))
      const states = yield* Effect.repeat(cancelled, {
        until: (all) => all.every((state) => state.startsWith("cancelled"))
      })
      assert.deepStrictEqual(states, ["cancelled_endpoint_disabled 0", "cancelled_endpoint_disabled 0"])
    }).pipe(Effect.provide(layer)))

  it.live("what a limit postponed is due again when the settings of its organization changed", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 2 })
      const deliveries = yield* Deliveries
      const organizations = yield* Organizations
      const until = Date.parse("2100-01-01T00:00:00.000Z")
      const postpone = (state: "postponed_daily_limit" | "retry_wait", claimed: ReadonlyArray<ClaimedDelivery>) =>
        complete(claimed, { _tag: "Postponed", until, state, reason: "made up" })
      const [limited, troubled] = yield* claim()
      if (limited === undefined || troubled === undefined) return assert.fail("claimed")
      /** How many are due again when what is postponed now is looked at. */
      const due = (lease: Duration.Duration) =>
        Effect.gen(function*() {
          yield* postpone("postponed_daily_limit", yield* claim())
          return yield* deliveries.reconsider(lease)
        })
      yield* postpone("retry_wait", [troubled])
      assert.strictEqual(yield* deliveries.reconsider(Duration.zero), 0)
      yield* postpone("postponed_daily_limit", [limited])
      // An organization that was never looked at; and what was decided before that look, and recorded after it.
      assert.strictEqual(yield* deliveries.reconsider(Duration.zero), 1)
      assert.deepStrictEqual([yield* due(Duration.zero), yield* due(Duration.zero)], [1, 0])

      yield* organizations.save({ ...Scene.organization("org_a"), name: "Renamed" })
      assert.strictEqual(yield* deliveries.reconsider(Duration.minutes(5)), 1)
      // As long as such may still be recorded.
      assert.deepStrictEqual([yield* due(Duration.minutes(5)), yield* due(Duration.minutes(5))], [1, 1])
      const again = yield* claim()
      assert.deepStrictEqual(again.map(({ deliveryId }) => deliveryId), [limited.deliveryId])
    }).pipe(Effect.provide(layer)))

  it.live("a postponed delivery waits and neither counts as attempt nor as failure", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 1 })
      const until = Date.parse("2100-01-01T00:00:00.000Z")
      const reason = "the daily limit is reached"
      yield* complete(yield* claim(), { _tag: "Postponed", until, state: "postponed_daily_limit", reason })
      const [row] = yield* rowsOf(0)
      assert.deepStrictEqual(
        [row?.state, row?.attempts, row?.lastError, row?.nextAttemptAt],
        ["postponed_daily_limit", 0, reason, "2100-01-01T00:00:00.000Z"]
      )
      assert.deepStrictEqual(yield* claim(), [])
    }).pipe(Effect.provide(layer)))

  it.live("a cancelled delivery is done and no failure of the endpoint", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 1 })
      yield* complete(yield* claim(), { _tag: "Cancelled", state: "failed", reason: "the property is gone" })
      const [row] = yield* rowsOf(0)
      assert.deepStrictEqual([row?.state, row?.attempts, row?.lastError], ["failed", 0, "the property is gone"])
      assert.strictEqual((yield* endpointOf("org_a", 0))?.consecutiveFailures, 0)
    }).pipe(Effect.provide(layer)))

  it.live("what was delivered is resent as it was, and stays delivered whatever the answer", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 1 })
      const [first] = yield* claim()
      if (first === undefined) return assert.fail("claimed")
      const { deliveryId } = first
      const endpoints = yield* WebhookEndpoints
      assert.strictEqual((yield* Effect.flip(endpoints.resend(deliveryId)))._tag, "DeliveryUnderWay")
      yield* Deliveries.use((deliveries) => deliveries.storeData(heldOf(first), "{\"kept\":true}"))
      yield* complete([first ?? assert.fail("claimed")], delivered)
      const [before] = yield* rowsOf(0)
      assert.isNotNull(before?.deliveredAt)

      assert.deepStrictEqual(
        yield* endpoints.resend(deliveryId),
        Option.some({ endpointId: Scene.endpointId(0), eventType: "lead.qualified" })
      )
      assert.strictEqual((yield* Effect.flip(endpoints.resend(deliveryId)))._tag, "DeliveryUnderWay")
      assert.deepStrictEqual(yield* statesOf(0), ["queued 1"])
      const again = yield* claim()
      assert.deepStrictEqual(
        again.map(({ attempt, data, delivered, deliveryId }) => ({ attempt, data, delivered, deliveryId })),
        [{ attempt: 2, data: "{\"kept\":true}", delivered: true, deliveryId }]
      )
      yield* complete(again, failed)
      assert.deepStrictEqual(yield* claim(), [])
      const [after] = yield* rowsOf(0)
      assert.deepInclude(after, { ...before, attempts: 2, lastStatus: 500, lastError: "answered 500" })
      assert.strictEqual((yield* endpointOf("org_a", 0))?.consecutiveFailures, 0)
    }).pipe(Effect.provide(layer)))

  it.live("what failed is resent by one attempt beyond the five, which is no failed delivery", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 1 })
      yield* failFourTimes
      const [last] = yield* claim()
      const { deliveryId } = last ?? assert.fail("claimed")
      yield* complete([last ?? assert.fail("claimed")], failed)
      const endpoints = yield* WebhookEndpoints
      const resend = Effect.andThen(endpoints.resend(deliveryId), claim())

      const sixth = yield* resend
      assert.deepStrictEqual(sixth.map(({ attempt, delivered }) => [attempt, delivered]), [[6, false]])
      yield* complete(sixth, failed)
      assert.deepStrictEqual(yield* claim(), [])
      assert.deepStrictEqual(yield* statesOf(0), ["failed 6"])
      assert.strictEqual((yield* endpointOf("org_a", 0))?.consecutiveFailures, 1)

      // Put off, it waits, and is no attempt.
      const postponed: AttemptOutcome = { _tag: "Postponed", until: 0, state: "retry_wait", reason: "a fault of ours" }
      yield* complete(yield* resend, postponed)
      assert.deepStrictEqual(yield* statesOf(0), ["retry_wait 6"])
      yield* complete(yield* claim(), delivered)
      assert.deepStrictEqual(yield* statesOf(0), ["delivered 7"])
      assert.strictEqual((yield* endpointOf("org_a", 0))?.consecutiveFailures, 0)
    }).pipe(Effect.provide(layer)))

  it.live("the deliveries of an event are found by it, under way or ended", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ endpoints: 2, events: 2 })
      const sent = yield* claim()
      const endpoints = yield* WebhookEndpoints
      yield* complete(sent.slice(0, 1), delivered)
      const events = new Set(sent.map(({ eventId }) => eventId))
      assert.isAbove(events.size, 1)
      for (const event of events) {
        const own = sent.filter(({ eventId }) => eventId === event).map(({ deliveryId }) => deliveryId)
        assert.deepStrictEqual(yield* endpoints.deliveriesOf(event), own.toSorted())
      }
      assert.deepStrictEqual(yield* endpoints.deliveriesOf(Scene.uuid(6, 9)), [])
      assert.deepStrictEqual(yield* endpoints.deliveriesOf("nothing"), [])
    }).pipe(Effect.provide(layer)))

  it.live("a 410 to what is resent disables the endpoint, to which nothing is resent until it is enabled", () =>
    Effect.gen(function*() {
      yield* Scene.withDeliveries({ events: 2 })
      const sent = yield* claim()
      const ids = sent.map(({ deliveryId }) => deliveryId)
      yield* complete(sent, delivered)
      const endpoints = yield* WebhookEndpoints
      yield* Effect.forEach(ids, (id) => endpoints.resend(id))
      yield* complete(yield* claim({ limit: 1 }), { _tag: "Gone" })
      assert.strictEqual((yield* endpointOf("org_a", 0))?.disabledReason, "gone")
      // What waited was dropped without an attempt; both arrived once.
      assert.deepStrictEqual(yield* statesOf(0), ["delivered 1", "delivered 2"])
      const refused = yield* Effect.flip(endpoints.resend(ids[0] ?? ""))
      assert.strictEqual(refused._tag, "EndpointNotEnabled")
      yield* endpoints.enable(Scene.endpointId(0))
      yield* Effect.forEach(ids, (id) => endpoints.resend(id))
      yield* endpoints.remove("org_a", Scene.endpointId(0))
      assert.deepStrictEqual(yield* statesOf(0), ["delivered 1", "delivered 2"])
      assert.deepStrictEqual(yield* endpoints.resend(Scene.uuid(6, 9)), Option.none())
      assert.deepStrictEqual(yield* endpoints.resend("nothing"), Option.none())
    }).pipe(Effect.provide(layer)))

  it.live("wakes for a new event, for a delivery that comes due, and after the given time", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0)
      const deliveries = yield* Deliveries
      const fannedOut = yield* Effect.forkChild(
        Effect.repeat(Effect.andThen(deliveries.awaitWork(long), deliveries.fanOut(10)), {
          until: (count) => count > 0
        })
      )
      yield* Scene.qualify("org_a", 0)
      yield* Fiber.join(fannedOut)
      yield* complete(yield* claim(), failed, [Duration.millis(40)])
      const [again] = yield* Effect.repeat(Effect.andThen(deliveries.awaitWork(long), claim()), {
        until: (claimed) => claimed.length > 0
      })
      assert.strictEqual(again?.attempt, 2)
      yield* deliveries.awaitWork(Duration.millis(1))
    }).pipe(Effect.provide(layer)))
}
