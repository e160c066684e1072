/** What deliveries tell an admin within a territory of the places beyond it. */
import { assert, layer as suite } from "@effect/vitest"
import * as DeliveriesMemory from "@freehold/core/memory/webhook/DeliveriesMemory"
import { Pipeline } from "@freehold/core/pipeline/Pipeline"
import * as ClosedPlace from "@freehold/core/testing/ClosedPlace"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Deliveries } from "@freehold/core/webhook/Deliveries"
import { Duration, Effect, Layer } from "effect"
import { asking, layer } from "../app/AppScene.ts"

const [ana, tess] = [asking("ana"), asking("tess")]

const { far, near } = ClosedPlace.unread

interface Told {
  readonly event_id: string
  readonly property_id: string | null
}

suite(Layer.provideMerge(DeliveriesMemory.layer, layer))("deliveries", (it) => {
  it.effect("are told within a territory without a place beyond it, and without what was answered about that", () =>
    Effect.gen(function*() {
      const { endpoint: { id } } = yield* ana("service_create_webhook", { url: "https://receiver.example/hook" })
      const deliveries = yield* Deliveries
      const pipeline = yield* Pipeline
      for (const [index, place] of [far, near].entries()) {
        yield* pipeline.change(Scene.qualification(ClosedPlace.orgId, place, { eventId: Scene.eventId(index) }))
      }
      yield* deliveries.fanOut(10)
      yield* ana("service_test_webhook", { id })
      const claimed = yield* deliveries.claim({ limit: 10, perEndpoint: 10, lease: Duration.minutes(5) })
      const failed = (answer: string) => ({ _tag: "Failed", status: 500, reason: "answered 500", answer } as const)
      yield* deliveries.complete(
        claimed.map((each) => Scene.ended(each, failed(`no ${each.propertyId ?? "test"}`))),
        []
      )
      const told = Effect.fnUntraced(function*(ask: typeof ana) {
        const { deliveries } = yield* ask("service_list_webhook_deliveries", { id })
        const listed: ReadonlyArray<Told> = deliveries
        return yield* Effect.forEach(
          listed,
          ({ event_id, property_id }) =>
            Effect.map(
              ask("service_get_webhook_delivery", { event_id }),
              ({ attempts: [{ answer, status }] }) => [property_id, status, answer]
            )
        )
      })
      const open = [[near, 500, `no ${near}`], [null, 500, "no test"]]
      assert.sameDeepMembers(yield* told(ana), [[far, 500, `no ${far}`], ...open])
      assert.sameDeepMembers(yield* told(tess), [[null, 500, null], ...open])
    }))
})
