/** Leads that are pushed to a CRM as deliveries like any other, over any adapter of the ports. */
import { assert, it } from "@effect/vitest"
import { Ledger } from "@freehold/core/credit/Ledger"
import type { LeadBundles } from "@freehold/core/lead/LeadBundles"
import { Organizations } from "@freehold/core/organization/Organizations"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Clock, Duration, Effect, Fiber, Layer, Option, Redacted, Schedule, type Scope } from "effect"
import { at } from "./CrmServer.ts"
import * as HubSpotServer from "./HubSpotServer.ts"
import { Leases } from "./Leases.ts"
import { bundles, type Ports, settled, work } from "./WorkerSuite.ts"

/** A CRM that is connected, and a lead. */
const scene = Effect.gen(function*() {
  const server = yield* HubSpotServer.make
  yield* Scene.seed(["org_a"], 2)
  yield* Scene.connect("org_a", 0, { url: server.url, credentials: Redacted.make(HubSpotServer.token) })
  yield* Scene.qualify("org_a", 0)
  return server
})

const exportsUsed = Effect.gen(function*() {
  const ledger = yield* Ledger
  return (yield* ledger.balance("org_a", yield* Clock.currentTimeMillis)).exportsUsed
})

const rows = WebhookEndpoints.use((endpoints) =>
  Effect.map(endpoints.deliveries(Scene.endpointId(0), 10), Option.getOrThrow)
)

/** `ports` must be fresh for each test. */
export const crmSuite = <E>(ports: Layer.Layer<Ports, E>): void => {
  const test = <A, E2>(name: string, body: Effect.Effect<A, E2, Ports | LeadBundles | Scope.Scope>) =>
    it.live(name, () => Effect.provide(body, Layer.merge(ports, bundles)))

  test(
    "a lead is pushed once, counted once, and its log says what it is there; sent again it is not counted again",
    Effect.gen(function*() {
      const server = yield* scene
      yield* work()
      yield* settled(0, ["delivered 1"])
      const { deliveryId = "" } = (yield* rows)[0] ?? {}
      const endpoints = yield* WebhookEndpoints
      const { attempts } = Option.getOrThrow(yield* endpoints.delivery("org_a", deliveryId))
      assert.deepStrictEqual(attempts.map(({ answer, status }) => [answer, status]), [["company 1, deal 2", 200]])
      assert.strictEqual(yield* exportsUsed, 1)
      yield* endpoints.resend(deliveryId)
      yield* settled(0, ["delivered 2"])
      assert.strictEqual(yield* exportsUsed, 1)
      assert.lengthOf(server.kept("deals"), 1)
      assert.strictEqual(server.kept("deals")[0]?.service_property_id, Scene.propertyId(0))
    })
  )

  test(
    "what the CRM asks to wait for costs no attempt, and nothing that did not arrive is counted",
    Effect.gen(function*() {
      const server = yield* scene
      server.fail(at("/crm/v3/objects/deals", HubSpotServer.tooMany("DAILY", {})))
      yield* work()
      yield* settled(0, ["retry_wait 0"])
      assert.include((yield* rows)[0]?.lastError ?? "", "DAILY")
      assert.strictEqual(yield* exportsUsed, 0)
    })
  )

  test(
    "what fails is tried again like any delivery, and ends like one",
    Effect.gen(function*() {
      const server = yield* scene
      const expired = at("/crm", HubSpotServer.refusal(401, "EXPIRED_AUTHENTICATION", "expired"))
      server.fail(expired, expired)
      yield* work()
      yield* settled(0, ["delivered 3"])
      assert.lengthOf(server.kept("companies"), 1)
    })
  )

  test(
    "a worker that is lost between two requests is followed by another, and the CRM has everything once (W9)",
    Effect.gen(function*() {
      const server = yield* scene
      server.fail(at("/crm/v3/objects/deals", "lost"))
      const first = yield* work({ drain: Duration.zero })
      yield* Effect.repeat(Effect.sync(() => server.kept("deals").length), {
        until: (count) => count === 1,
        schedule: Schedule.spaced("5 millis")
      })
      yield* Fiber.interrupt(first)
      yield* Leases.use(({ end }) => end)
      yield* work()
      yield* settled(0, ["delivered 1"])
      assert.deepStrictEqual([server.kept("companies").length, server.kept("deals").length], [1, 1])
      assert.strictEqual(yield* exportsUsed, 1)
    })
  )

  test(
    "a test looks whether a lead could be pushed, and writes nothing",
    Effect.gen(function*() {
      const server = yield* HubSpotServer.make
      yield* Scene.seed(["org_a"], 0)
      yield* Scene.connect("org_a", 0, { url: server.url, credentials: Redacted.make(HubSpotServer.token) })
      yield* WebhookEndpoints.use((endpoints) =>
        endpoints.sendTest({
          endpointId: Scene.endpointId(0),
          eventId: Scene.eventId(0),
          deliveryId: Scene.eventId(1),
          eventType: "lead.qualified",
          data: "{}",
          now: Scene.at
        })
      )
      yield* work()
      yield* settled(0, ["delivered 1"])
      assert.isTrue(server.asked.length > 0 && server.asked.every(({ method }) => method === "GET"))
      assert.strictEqual(yield* exportsUsed, 0)
    })
  )

  test(
    "what waits is not pushed once the plan no more has it",
    Effect.gen(function*() {
      const server = yield* scene
      const busy = at("/crm", HubSpotServer.tooMany("SECONDLY", { "Retry-After": "1" }))
      server.fail(...Array.from({ length: 1000 }, () => busy))
      const before = yield* work()
      yield* settled(0, ["retry_wait 0"])
      // However long that took: what was asked until now was put off, and nothing is asked while the plan changes.
      yield* Fiber.interrupt(before)
      const asked = server.asked.length
      const { features, ...organization } = Scene.organization("org_a")
      yield* Organizations.use((organizations) =>
        organizations.save({ ...organization, features: { ...features, full_crm_export: false } })
      )
      yield* work()
      yield* settled(0, ["failed 0"])
      assert.strictEqual((yield* rows)[0]?.lastError, "plan_not_eligible")
      assert.lengthOf(server.asked, asked)
    })
  )
}
