/** What every `EventLog` must do. Adapters call `eventLogContract` from their own tests. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { EventLog } from "../event/EventLog.ts"
import { Pipeline } from "../pipeline/Pipeline.ts"
import { property, Seeder } from "./Seed.ts"
import * as Scene from "./WebhookScene.ts"

const everything = { since: 0, type: null, signals: true, visible: null, after: null, limit: 100 }

const recent = (orgId: string, asked: Partial<Parameters<EventLog["Service"]["recent"]>[1]> = {}) =>
  Effect.map(
    EventLog.use((log) => log.recent(orgId, { ...everything, ...asked })),
    ({ events, total }) => ({ ids: events.map(({ event }) => event.id), total })
  )

/** `layer` must be fresh for each test. */
export const eventLogContract = <E>(layer: Layer.Layer<EventLog | Pipeline | Seeder, E>): void => {
  it.live("tells an organization's own events, newest first, a page of them and how many there are", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 4)
      yield* Scene.qualifyMany("org_a", 3)
      const [two, one, none] = [2, 1, 0].map(Scene.eventId)
      assert.deepStrictEqual(yield* recent("org_a"), { ids: [two, one, none], total: 3 })
      assert.deepStrictEqual(yield* recent("org_a", { limit: 2 }), { ids: [two, one], total: 3 })
      assert.deepStrictEqual(yield* recent("org_a", { since: Scene.at + 1 }), { ids: [two, one], total: 2 })
      assert.deepStrictEqual(yield* recent("org_a", { since: Scene.at + 9 }), { ids: [], total: 0 })
      assert.deepStrictEqual(yield* recent("org_b"), { ids: [], total: 0 })
    }).pipe(Effect.provide(layer)))

  it.live("goes on after an event, also among those of one moment, and counts all", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 5)
      yield* Scene.qualifyMany("org_a", 3)
      for (const index of [3, 4]) {
        const eventId = Scene.eventId(index)
        yield* Pipeline.use((pipeline) =>
          pipeline.change(Scene.qualification("org_a", Scene.propertyId(index), { eventId }))
        )
      }
      const all = yield* EventLog.use((log) => log.recent("org_a", everything))
      for (const [index, { position }] of all.events.entries()) {
        const rest = all.events.slice(index + 1).map(({ event }) => event.id)
        assert.deepStrictEqual(yield* recent("org_a", { after: position }), { ids: rest, total: 5 })
      }
    }).pipe(Effect.provide(layer)))

  it.live("an event tells what it was recorded with", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.qualify("org_a", 0)
      const { events } = yield* EventLog.use((log) => log.recent("org_a", everything))
      assert.deepStrictEqual(events.map(({ event }) => event), [{
        id: Scene.eventId(0),
        type: "lead.qualified",
        property_id: Scene.propertyId(0),
        subject_type: null,
        subject_id: null,
        withdraws_event_id: null,
        status: "pending",
        skip_reason: null,
        by_agent: false,
        occurred_at: "2026-09-21T14:13:20.000Z",
        fanned_out_at: null,
        test: false
      }])
    }).pipe(Effect.provide(layer)))

  it.live("keeps to one type and to an area", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* Seeder.use((seeder) =>
        seeder.add({ properties: [property({ id: Scene.propertyId(1), countyFips: Scene.otherCounty })] })
      )
      yield* Scene.qualifyMany("org_a", 2)
      const visible = { nationwide: false, stateFips: [], countyFips: [Scene.visibleCounty] }
      const [one, none] = [1, 0].map(Scene.eventId)
      assert.deepStrictEqual(yield* recent("org_a", { visible }), { ids: [none], total: 1 })
      assert.deepStrictEqual(yield* recent("org_a", { type: "lead.qualified" }), { ids: [one, none], total: 2 })
      assert.deepStrictEqual(yield* recent("org_a", { type: "lead.changed" }), { ids: [], total: 0 })
      assert.deepStrictEqual(yield* recent("org_a", { signals: false }), { ids: [one, none], total: 2 })
    }).pipe(Effect.provide(layer)))
}
