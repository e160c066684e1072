/** What every `Pipeline` must do. Adapters call `pipelineContract` from their own tests. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { LeadFeed } from "../lead/LeadFeed.ts"
import { Pipeline } from "../pipeline/Pipeline.ts"
import type { Seeder } from "./Seed.ts"
import * as Scene from "./WebhookScene.ts"

const everywhere = { nationwide: true, stateFips: [], countyFips: [] }

const recorded = (orgId: string) =>
  LeadFeed.use((feed) =>
    feed.page({
      orgId,
      visible: everywhere,
      from: { _tag: "Since", since: null },
      recordedBefore: 4_102_444_800_000,
      limit: 100
    })
  )

/** `layer` must be fresh for each test. */
export const pipelineContract = <E>(layer: Layer.Layer<Pipeline | LeadFeed | Seeder, E>): void => {
  it.live("a first qualification makes the lead and one event", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      const qualification = yield* Scene.qualify("org_a", 0)
      assert.deepStrictEqual(qualification, {
        lead: {
          propertyId: Scene.propertyId(0),
          status: "qualified",
          dealValue: 1000,
          qualifiedAt: "2026-09-21T14:13:20.000Z",
          qualifiedBy: Scene.actor,
          statusChangedAt: "2026-09-21T14:13:20.000Z",
          version: 1
        },
        eventId: Scene.eventId(0),
        firstTime: true
      })
      const { items } = yield* recorded("org_a")
      assert.deepStrictEqual(
        items.map(({ created_at: _createdAt, ...item }) => item),
        [{
          event_id: Scene.eventId(0),
          property_id: Scene.propertyId(0),
          event_type: "lead.qualified",
          qualified_at: "2026-09-21T14:13:20.000Z"
        }]
      )
    }).pipe(Effect.provide(layer)))

  it.live("a second qualification answers the lead as it stands and records nothing", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      const pipeline = yield* Pipeline
      const first = yield* Scene.qualify("org_a", 0)
      const second = yield* pipeline.qualify({
        orgId: "org_a",
        propertyId: Scene.propertyId(0),
        dealValue: 7,
        actor: { kind: "agent", id: "key", name: "Sample Key" },
        eventId: Scene.eventId(99),
        partial: true,
        now: Scene.at + 60_000
      })
      assert.deepStrictEqual(second, { lead: first.lead, eventId: null, firstTime: false })
      assert.strictEqual((yield* recorded("org_a")).items.length, 1)
    }).pipe(Effect.provide(layer)))

  it.live("of concurrent qualifications of one property exactly one is the first", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      const pipeline = yield* Pipeline
      const all = yield* Effect.forEach(Array.from({ length: 12 }, (_, index) => index), (index) =>
        pipeline.qualify({
          orgId: "org_a",
          propertyId: Scene.propertyId(0),
          dealValue: index,
          actor: Scene.actor,
          eventId: Scene.eventId(index),
          partial: false,
          now: Scene.at
        }), { concurrency: "unbounded" })
      const first = all.filter(({ firstTime }) => firstTime)
      assert.strictEqual(first.length, 1)
      assert.isTrue(all.every(({ lead }) => lead.dealValue === first[0]?.lead.dealValue))
      assert.deepStrictEqual((yield* recorded("org_a")).items.map((item) => item.event_id), [first[0]?.eventId])
    }).pipe(Effect.provide(layer)))

  it.live("two organizations qualify the same property each for itself", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 1)
      const pipeline = yield* Pipeline
      yield* Scene.qualify("org_a", 0)
      const other = yield* pipeline.qualify({
        orgId: "org_b",
        propertyId: Scene.propertyId(0),
        dealValue: 5,
        actor: Scene.actor,
        eventId: Scene.eventId(1),
        partial: false,
        now: Scene.at
      })
      assert.isTrue(other.firstTime)
      assert.strictEqual((yield* pipeline.list("org_a", { limit: 10, offset: 0 })).leads[0]?.dealValue, 1000)
    }).pipe(Effect.provide(layer)))

  it.live("lists leads, last changed first, a page at a time with the total", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 5)
      yield* Scene.qualifyMany("org_a", 5)
      const pipeline = yield* Pipeline
      const page = yield* pipeline.list("org_a", { limit: 2, offset: 1 })
      assert.deepStrictEqual(page.leads.map((lead) => lead.propertyId), [Scene.propertyId(3), Scene.propertyId(2)])
      assert.strictEqual(page.leads[0]?.propertyKey, `${Scene.visibleCounty}-${Scene.propertyId(3)}`)
      assert.strictEqual(page.total, 5)
      assert.deepStrictEqual(yield* pipeline.list("org_a", { limit: 2, offset: 10 }), { leads: [], total: 5 })
      assert.deepStrictEqual(yield* pipeline.list("org_b", { limit: 2, offset: 0 }), { leads: [], total: 0 })
    }).pipe(Effect.provide(layer)))
}
