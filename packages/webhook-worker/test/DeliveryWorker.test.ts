/** The delivery worker over the ports in memory, and how it takes trouble of ours. */
import { assert, describe, it } from "@effect/vitest"
import * as ChangesMemory from "@freehold/core/memory/change/ChangesMemory"
import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import * as BundleSourceMemory from "@freehold/core/memory/lead/BundleSourceMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import * as PipelineMemory from "@freehold/core/memory/pipeline/PipelineMemory"
import * as SuppressionsMemory from "@freehold/core/memory/suppression/SuppressionsMemory"
import * as DeliveriesMemory from "@freehold/core/memory/webhook/DeliveriesMemory"
import * as WebhookEndpointsMemory from "@freehold/core/memory/webhook/WebhookEndpointsMemory"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { setClock } from "@freehold/core/testing/SetClock"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { type AttemptRecord, Deliveries } from "@freehold/core/webhook/Deliveries"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Clock, Deferred, Duration, Effect, Layer, Option, Queue, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { ProcessTurn } from "../src/ProcessTurn.ts"
import { crmSuite } from "./CrmSuite.ts"
import * as HubSpotServer from "./HubSpotServer.ts"
import { Leases } from "./Leases.ts"
import { meteringSuite } from "./MeteringSuite.ts"
import { suppressionSuite } from "./SuppressionSuite.ts"
import { bundles, bundlesOf, factsOf, receive, settled, work, workerSuite } from "./WorkerSuite.ts"

const ports = Layer.mergeAll(
  BundleSourceMemory.layer,
  ChangesMemory.layer,
  PipelineMemory.layer,
  WebhookEndpointsMemory.layer,
  DeliveriesMemory.layer,
  OrganizationsMemory.layer,
  SeederMemory.layer,
  SuppressionsMemory.layer,
  Leases.layerMemory
).pipe(Layer.provideMerge(LedgerMemory.layer), Layer.provide([MemoryState.layer, SecureRandom.layerWebCrypto]))

const errors = WebhookEndpoints.use((endpoints) =>
  Effect.map(
    endpoints.deliveries(Scene.endpointId(0), 9),
    (rows) => Option.getOrThrow(rows).map((row) => row.lastError)
  )
)

/** Each kind of call fails a few times before it works. */
const shaky = Layer.effect(
  Deliveries,
  Effect.gen(function*() {
    const deliveries = yield* Deliveries
    const failures = new Map<string, number>()
    const shake = <A>(what: string, effect: Effect.Effect<A, TemporarilyUnavailable>) =>
      Effect.suspend(() => {
        const count = failures.get(what) ?? 0
        failures.set(what, count + 1)
        if (count >= 2) return effect
        return count === 0
          ? Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 1 }))
          : Effect.die("made-up fault")
      })
    return Deliveries.of({
      fanOut: (limit) => shake("fanOut", deliveries.fanOut(limit)),
      claim: (request) => shake("claim", deliveries.claim(request)),
      storeData: deliveries.storeData,
      complete: (records, delays) => shake("complete", deliveries.complete(records, delays)),
      reconsider: (lease) => shake("reconsider", deliveries.reconsider(lease)),
      awaitWork: (atMost) => shake("awaitWork", deliveries.awaitWork(atMost))
    })
  })
)

// Most of the time a test waits for what is due later: others go on meanwhile, each over ports of its own.
describe.concurrent("DeliveryWorker in memory", () => {
  workerSuite(ports)
  crmSuite(ports)
  meteringSuite(ports)
  suppressionSuite(ports)

  it.live("goes on after failures and defects of the ports", () =>
    Effect.gen(function*() {
      const receiver = yield* receive((response) => void response.writeHead(200).end())
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0, { url: receiver.url })
      yield* Scene.qualify("org_a", 0)
      yield* work()
      yield* settled(0, ["delivered 1"])
      assert.strictEqual(receiver.received.length, 1)
    }).pipe(Effect.provide(Layer.merge(Layer.provideMerge(shaky, ports), bundles))))

  it.live("records what others were sent while somebody holds what belongs to an organization", () =>
    Effect.gen(function*() {
      const receiver = yield* receive((response) => void response.writeHead(200).end())
      const letGo = yield* Deferred.make<void>()
      const held = Layer.effect(
        Deliveries,
        Effect.map(Deliveries, (deliveries) =>
          Deliveries.of({
            ...deliveries,
            complete: (records, delays) =>
              Effect.flatMap(Deferred.isDone(letGo), (isFree) => {
                const isLeft = ({ orgId }: AttemptRecord) => !isFree && orgId === "org_a"
                return Effect.as(
                  deliveries.complete(records.filter((each) => !isLeft(each)), delays),
                  records.filter(isLeft)
                )
              })
          }))
      )
      yield* Scene.seed(["org_a", "org_b"], 4)
      yield* Scene.register("org_a", 0, { url: `${receiver.url}/a` })
      yield* Scene.register("org_b", 1, { url: `${receiver.url}/b` })
      yield* Effect.forEach([0, 1], (index) => Scene.qualify("org_a", index))
      yield* work().pipe(Effect.provide(held))
      // Of both, so that what follows is recorded after what is held up.
      yield* Effect.forEach([0, 1], () => Queue.take(receiver.arrivals))
      yield* Effect.forEach([2, 3], (index) => Scene.qualify("org_b", index))
      yield* settled(1, ["delivered 1", "delivered 1"])
      yield* settled(0, ["delivering 0", "delivering 0"])
      yield* Deferred.succeed(letGo, undefined)
      yield* settled(0, ["delivered 1", "delivered 1"])
      assert.strictEqual(receiver.received.length, 4)
    }).pipe(Effect.provide(Layer.merge(ports, bundles))))

  const hour = Duration.toMillis("1 hour")

  it.live("an attempt took as long as it did, whatever the time was set to meanwhile", () =>
    Effect.gen(function*() {
      const running = yield* Clock.Clock
      let back = 0
      const crm = yield* HubSpotServer.make
      crm.fail(() => void (back += hour))
      const receiver = yield* receive((response) => {
        back += hour
        response.writeHead(200).end()
      })
      yield* Scene.seed(["org_a", "org_b"], 2)
      yield* Scene.register("org_a", 0, { url: receiver.url })
      yield* Scene.connect("org_b", 1, { url: crm.url, credentials: Redacted.make(HubSpotServer.token) })
      const took = Effect.fnUntraced(function*(orgId: string, index: number) {
        const endpoints = yield* WebhookEndpoints
        const [row] = Option.getOrThrow(yield* endpoints.deliveries(Scene.endpointId(index), 1))
        const { attempts } = Option.getOrThrow(yield* endpoints.delivery(orgId, row?.deliveryId ?? ""))
        return attempts.map(({ durationMillis }) => durationMillis)
      })
      yield* work().pipe(
        Effect.provideService(Clock.Clock, setClock(running, () => running.currentTimeMillisUnsafe() - back))
      )
      for (const [index, orgId] of ["org_a", "org_b"].entries()) {
        yield* Scene.qualify(orgId, index)
        yield* settled(index, ["delivered 1"])
        const [millis = -1] = yield* took(orgId, index)
        assert.isTrue(Number.isInteger(millis) && millis >= 0 && millis < hour, `${orgId}: ${millis}`)
      }
      assert.isAbove(back, hour)
    }).pipe(Effect.provide(Layer.merge(ports, bundles))))

  it.live("sends for an organization when it is its turn in the process, and for others meanwhile", () =>
    Effect.gen(function*() {
      const receiver = yield* receive((response) => void response.writeHead(200).end())
      const comes = yield* Deferred.make<void>()
      yield* Scene.seed(["org_a", "org_b"], 2)
      yield* Scene.register("org_a", 0, { url: `${receiver.url}/a` })
      yield* Scene.register("org_b", 1, { url: `${receiver.url}/b` })
      yield* Scene.qualify("org_a", 0)
      yield* Scene.qualify("org_b", 1)
      yield* work().pipe(
        Effect.provideService(ProcessTurn, (orgId) => orgId === "org_a" ? Deferred.await(comes) : Effect.void)
      )
      assert.strictEqual((yield* Queue.take(receiver.arrivals)).path, "/hook/b")
      yield* Deferred.succeed(comes, undefined)
      assert.strictEqual((yield* Queue.take(receiver.arrivals)).path, "/hook/a")
    }).pipe(Effect.provide(Layer.merge(ports, bundles))))

  it.live("a bundle that cannot be built is postponed, and the others are delivered", () =>
    Effect.gen(function*() {
      const receiver = yield* receive((response) => void response.writeHead(200).end())
      yield* Scene.seed(["org_a"], 2)
      yield* Scene.register("org_a", 0, { url: receiver.url })
      yield* Scene.qualifyMany("org_a", 2)
      yield* work()
      yield* settled(0, ["delivered 1", "retry_wait 0"])
      assert.include(yield* errors, "a fault of ours")
    }).pipe(Effect.provide(Layer.merge(
      ports,
      bundlesOf((id) => id === Scene.propertyId(0) ? Effect.die("made-up fault") : Effect.succeedSome(factsOf(id)))
    ))))

  it.live("a property that is gone ends its delivery and is no failure of the endpoint", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.register("org_a", 0)
      yield* Scene.qualify("org_a", 0)
      yield* work()
      yield* settled(0, ["failed 0"])
      assert.deepStrictEqual(yield* errors, ["the property is gone"])
      const endpoints = yield* WebhookEndpoints
      assert.strictEqual((yield* endpoints.list("org_a"))[0]?.consecutiveFailures, 0)
    }).pipe(Effect.provide(Layer.merge(ports, bundlesOf(() => Effect.succeedNone)))))
})
