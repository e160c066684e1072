/** What the delivery worker does, from a qualification to a receiver on loopback, over any adapter of the ports. */
import { assert, it } from "@effect/vitest"
import type { Changes } from "@freehold/core/change/Changes"
import { Signals } from "@freehold/core/change/Signals"
import type { Ledger } from "@freehold/core/credit/Ledger"
import { type BundleFacts, BundleSource } from "@freehold/core/lead/BundleSource"
import { LeadBundles } from "@freehold/core/lead/LeadBundles"
import { ServiceSettings, type TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import type { Organizations } from "@freehold/core/organization/Organizations"
import type { Pipeline } from "@freehold/core/pipeline/Pipeline"
import * as Seed from "@freehold/core/testing/Seed"
import * as Scene from "@freehold/core/testing/WebhookScene"
import type { Deliveries } from "@freehold/core/webhook/Deliveries"
import { newSecret } from "@freehold/core/webhook/EndpointDesk"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Duration, Effect, Fiber, Layer, Option, Queue, Redacted, Schedule, Schema, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHmac } from "node:crypto"
import type { ServerResponse } from "node:http"
import { Webhook } from "standardwebhooks"
import * as CrmPushers from "../src/CrmPushers.ts"
import * as DeliveryWorker from "../src/DeliveryWorker.ts"
import { Sender } from "../src/Sender.ts"
import { verifySignature } from "../src/VerifySignature.ts"
import { Leases } from "./Leases.ts"
import * as Receiver from "./Receiver.ts"

export type Ports = Changes | Deliveries | Leases | Ledger | WebhookEndpoints | Pipeline | Organizations | Seed.Seeder

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** What is made up about a property. */
export const factsOf = (id: string): BundleFacts => ({
  property: {
    ...Seed.property({ id, countyFips: Scene.visibleCounty, address: "1 Sample “Café” Street" }),
    hasManagementCompany: false,
    hasBeneficialOwner: false,
    researchedAt: null,
    lastEnrichedAt: null,
    primaryOrganizationId: null,
    managementOrganizationId: null,
    source: null,
    contactCounts: { contacts: 0, withEmail: 0, withPhone: 0, withLinkedin: 0, roleTypes: [] },
    unlocked: false,
    ownerWithheld: false,
    beneficialOwnerWithheld: false
  },
  contacts: [],
  firms: [],
  lead: null,
  notes: [],
  tasks: [],
  customerAccountStatus: null
})

/** Bundles of made-up facts, through the real builder. */
export const bundlesOf = (read: (id: string) => Effect.Effect<Option.Option<BundleFacts>>) =>
  LeadBundles.layer.pipe(
    Layer.provide(Layer.succeed(
      BundleSource,
      BundleSource.of({ read: (ref) => ref._tag === "Id" ? read(ref.id) : Effect.succeedNone })
    )),
    Layer.provide(Layer.succeed(
      ServiceSettings,
      ServiceSettings.of({ appUrl: "https://app.example", feedDelayMillis: 0, webhookTargets: "any" })
    ))
  )

export const bundles = bundlesOf((id) => Effect.succeedSome(factsOf(id)))

const quick = DeliveryWorker.settingsOf({
  retryDelays: range(4).map(() => Duration.millis(15)),
  poll: Duration.millis(200)
})

/** A worker in the background until the test ends or interrupts it. */
export const work = (
  given: Partial<DeliveryWorker.DeliveryWorkerSettings> = {},
  policy: TargetPolicy = "any"
) =>
  Effect.forkScoped(
    DeliveryWorker.run({ ...quick, ...given }).pipe(
      Effect.provide(
        Layer.mergeAll(Signals.layer, Sender.layer({ policy }), CrmPushers.layer({ policy, timeout: "10 seconds" })),
        { local: true }
      )
    )
  )

/** A receiver, and a queue of what arrives there. `answer` gets the number of the request, from 0. */
export const receive = Effect.fnUntraced(function*(answer: (response: ServerResponse, index: number) => void) {
  const arrivals = yield* Queue.unbounded<Receiver.Received>()
  const receiver = yield* Receiver.http((_request, response) => {
    const arrived = receiver.received.at(-1)
    if (arrived !== undefined) Queue.offerUnsafe(arrivals, arrived)
    answer(response, receiver.received.length - 1)
  })
  return { ...receiver, arrivals, url: `http://127.0.0.1:${receiver.port}/hook` }
})

const status = (code: number) => (response: ServerResponse) => void response.writeHead(code).end()

const Envelope = Schema.fromJsonString(Schema.Struct({
  event_id: Schema.String,
  feed_event_id: Schema.String,
  event_type: Schema.String,
  created_at: Schema.String,
  test: Schema.Boolean,
  data: Schema.Record(Schema.String, Schema.Unknown)
}))

const envelopeOf = (arrived: Receiver.Received) =>
  Schema.decodeUnknownEffect(Envelope, { onExcessProperty: "error" })(arrived.body.toString("utf8"))

const dataText = (arrived: Receiver.Received) => arrived.body.toString("utf8").replace(/^.*?"data":/, "")

const signatureOf = (arrived: Receiver.Received): string => {
  const header = arrived.headers["service-signature"]
  return typeof header === "string" ? header : ""
}

const isSigned = (arrived: Receiver.Received, endpoint: number) =>
  verifySignature({
    header: signatureOf(arrived),
    body: arrived.body,
    secret: Redacted.value(Scene.secretOf(endpoint))
  })
    .valid

export const statesOf = (endpoint: number) =>
  WebhookEndpoints.use((endpoints) =>
    Effect.map(
      endpoints.deliveries(Scene.endpointId(endpoint), 1000),
      (rows) => Option.getOrThrow(rows).map(({ attempts, state }) => `${state} ${attempts}`).toSorted()
    )
  )

/** Waits until all deliveries of the endpoint are in these states. */
export const settled = (endpoint: number, expected: ReadonlyArray<string>) =>
  Effect.repeat(statesOf(endpoint), {
    until: (states) => states.join() === expected.toSorted().join(),
    schedule: Schedule.spaced("5 millis")
  })

const disabledReason = (endpoint: number) =>
  WebhookEndpoints.use((endpoints) =>
    Effect.map(
      endpoints.list("org_a"),
      (all) => all.find(({ id }) => id === Scene.endpointId(endpoint))?.disabledReason
    )
  )

/** `ports` must be fresh for each test. */
export const workerSuite = <E>(ports: Layer.Layer<Ports, E>): void => {
  const test = <A, E2>(
    name: string,
    body: Effect.Effect<A, E2, Ports | LeadBundles | Scope.Scope>
  ) => it.live(name, () => Effect.provide(body, Layer.merge(ports, bundles)))

  test(
    "delivers a qualification with the headers, body and signature of the contract",
    Effect.gen(function*() {
      const receiver = yield* receive(status(204))
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url: receiver.url })
      yield* work()
      yield* Scene.qualify("org_a", 0, { partial: true })
      const arrived = yield* Queue.take(receiver.arrivals)
      const body = yield* envelopeOf(arrived)
      assert.strictEqual(arrived.method, "POST")
      assert.strictEqual(arrived.headers["content-type"], "application/json")
      assert.strictEqual(arrived.headers["service-event-type"], "lead.qualified")
      assert.strictEqual(arrived.headers["service-event-id"], body.event_id)
      assert.deepStrictEqual([body.event_type, body.test], ["lead.qualified", false])
      assert.deepStrictEqual(
        [
          body.data["bundle_version"],
          body.data["service_property_id"],
          body.data["delivered_to_org"],
          body.data["partial"]
        ],
        [1, Scene.propertyId(0), "org_a", true]
      )
      const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signatureOf(arrived)) ?? []
      const expected = createHmac("sha256", "whsec_made-up-0").update(`${time}.`).update(arrived.body).digest("hex")
      assert.strictEqual(signature, expected)
      assert.strictEqual(Math.floor(Date.parse(body.created_at) / 1000), Number(time))
      yield* settled(0, ["delivered 1"])
    })
  )

  test(
    "tries again after a 500, with a signature of its own, the same event_id and the same bytes of data",
    Effect.gen(function*() {
      const receiver = yield* receive((response, index) => status(index === 0 ? 500 : 200)(response))
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url: receiver.url })
      yield* work({ retryDelays: [Duration.millis(1100)] })
      yield* Scene.qualify("org_a", 0)
      const [first, second] = [yield* Queue.take(receiver.arrivals), yield* Queue.take(receiver.arrivals)]
      assert.isTrue(isSigned(first, 0) && isSigned(second, 0))
      assert.notStrictEqual(signatureOf(first), signatureOf(second))
      const [one, two] = [yield* envelopeOf(first), yield* envelopeOf(second)]
      assert.strictEqual(one.event_id, two.event_id)
      assert.notStrictEqual(one.created_at, two.created_at)
      assert.strictEqual(dataText(first), dataText(second))
      yield* settled(0, ["delivered 2"])
    })
  )

  test(
    "a ready library of Standard Webhooks verifies deliveries, by either secret of a rotation, and nothing else",
    Effect.gen(function*() {
      const receiver = yield* receive(status(204))
      const [older, newer, foreign] = yield* Effect.all([newSecret, newSecret, newSecret]).pipe(
        Effect.provide(SecureRandom.layerWebCrypto)
      )
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url: receiver.url, secret: older })
      const endpoints = yield* WebhookEndpoints
      yield* endpoints.rotateSecret(Scene.endpointId(0), newer, Duration.hours(1))
      yield* work()
      yield* Scene.qualify("org_a", 0)
      const { body, headers } = yield* Queue.take(receiver.arrivals)
      const standard = {
        "webhook-id": String(headers["webhook-id"]),
        "webhook-timestamp": String(headers["webhook-timestamp"]),
        "webhook-signature": String(headers["webhook-signature"])
      }
      assert.strictEqual(standard["webhook-id"], headers["service-event-id"])
      const verify = (secret: Redacted.Redacted, text: string) =>
        new Webhook(Redacted.value(secret)).verify(text, standard)
      const text = body.toString("utf8")
      assert.deepInclude(verify(newer, text), { event_id: headers["service-event-id"] })
      assert.deepInclude(verify(older, text), { event_id: headers["service-event-id"] })
      assert.throws(() => verify(foreign, text), "No matching signature found")
      assert.throws(() => verify(newer, `${text} `), "No matching signature found")
    })
  )

  test(
    "makes exactly five attempts",
    Effect.gen(function*() {
      const receiver = yield* receive(status(503))
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url: receiver.url })
      const worker = yield* work()
      yield* Scene.qualify("org_a", 0)
      yield* settled(0, ["failed 5"])
      yield* Fiber.interrupt(worker)
      assert.strictEqual(receiver.received.length, 5)
      assert.strictEqual(new Set(receiver.received.map((arrived) => arrived.headers["service-event-id"])).size, 1)
    })
  )

  test(
    "stops at a 410, disables the endpoint and sends it nothing more",
    Effect.gen(function*() {
      const receiver = yield* receive(status(410))
      yield* Scene.withEvents({ events: 3, url: receiver.url })
      yield* work({ perEndpoint: 1 })
      yield* settled(0, ["endpoint_gone 1", "cancelled_endpoint_disabled 0", "cancelled_endpoint_disabled 0"])
      assert.strictEqual(yield* disabledReason(0), "gone")
      assert.strictEqual(receiver.received.length, 1)
    })
  )

  test(
    "does not follow a redirect and counts it as failed",
    Effect.gen(function*() {
      const elsewhere = yield* receive(status(200))
      const receiver = yield* receive((response) => void response.writeHead(307, { location: elsewhere.url }).end())
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url: receiver.url })
      yield* work()
      yield* Scene.qualify("org_a", 0)
      yield* settled(0, ["failed 5"])
      assert.strictEqual(elsewhere.received.length, 0)
    })
  )

  test(
    "disables an endpoint whose address is not allowed, without a connection",
    Effect.gen(function*() {
      const receiver = yield* receive(status(200))
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url: `https://127.0.0.1:${receiver.port}/` })
      yield* work({}, "public")
      yield* Scene.qualify("org_a", 0)
      yield* settled(0, ["blocked_private_address 1"])
      assert.strictEqual(yield* disabledReason(0), "private_address")
      assert.strictEqual(receiver.connections, 0)
    })
  )

  test(
    "a receiver that does not answer does not delay another (W5)",
    Effect.gen(function*() {
      const slow = yield* receive(() => {})
      const quickOne = yield* receive(status(200))
      yield* Scene.seed(["org_a"], 20)
      yield* Scene.register("org_a", 0, { url: slow.url })
      yield* Scene.register("org_a", 1, { url: quickOne.url })
      yield* Scene.qualifyMany("org_a", 20)
      yield* work({ concurrency: 4, perEndpoint: 2, drain: Duration.zero })
      yield* settled(1, range(20).map(() => "delivered 1"))
      assert.strictEqual(slow.received.length, 2)
    })
  )

  test(
    "sends no more at once to an endpoint than it has places, however quickly it answers (W2)",
    Effect.gen(function*() {
      let open = 0
      let most = 0
      // The first answer waits for a second request, so that both places are seen to be used.
      const second = Promise.withResolvers<void>()
      const receiver = yield* receive((response) => {
        open += 1
        most = Math.max(most, open)
        if (open === 2) second.resolve()
        void second.promise.then(() =>
          setImmediate(() => {
            open -= 1
            response.writeHead(200).end()
          })
        )
      })
      yield* Scene.withEvents({ events: 60, url: receiver.url })
      yield* work({ perEndpoint: 2 })
      yield* settled(0, range(60).map(() => "delivered 1"))
      assert.strictEqual(most, 2)
    })
  )

  test(
    "two workers send every delivery once",
    Effect.gen(function*() {
      const receiver = yield* receive(status(200))
      yield* Scene.withEvents({ events: 60, url: receiver.url })
      yield* work({ concurrency: 7 })
      yield* work({ concurrency: 7 })
      yield* settled(0, range(60).map(() => "delivered 1"))
      assert.strictEqual(receiver.received.length, 60)
      assert.strictEqual(new Set(receiver.received.map((arrived) => arrived.headers["service-event-id"])).size, 60)
    })
  )

  test(
    "when a worker dies while it sends, another takes over after the lease, and no attempt is used",
    Effect.gen(function*() {
      const receiver = yield* receive((response, index) => index === 0 ? undefined : status(200)(response))
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url: receiver.url })
      yield* Scene.qualify("org_a", 0)
      const doomed = yield* work({ drain: Duration.zero })
      const first = yield* Queue.take(receiver.arrivals)
      yield* Fiber.interrupt(doomed)
      assert.deepStrictEqual(yield* statesOf(0), ["delivering 0"])
      yield* Leases.use(({ end }) => end)
      yield* work()
      const second = yield* Queue.take(receiver.arrivals)
      assert.strictEqual(first.headers["service-event-id"], second.headers["service-event-id"])
      assert.strictEqual(dataText(first), dataText(second))
      yield* settled(0, ["delivered 1"])
    })
  )

  test(
    "a worker that stops finishes and records what is in flight, and starts nothing more",
    Effect.gen(function*() {
      const held: Array<ServerResponse> = []
      const receiver = yield* receive((response) => void held.push(response))
      yield* Scene.withEvents({ events: 2, url: receiver.url })
      const worker = yield* work({ perEndpoint: 1 })
      yield* Queue.take(receiver.arrivals)
      const stopping = yield* Effect.forkChild(Fiber.interrupt(worker), { startImmediately: true })
      held.forEach(status(200))
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(yield* statesOf(0), ["delivered 1", "queued 0"])
      assert.strictEqual(receiver.received.length, 1)
    })
  )
}
