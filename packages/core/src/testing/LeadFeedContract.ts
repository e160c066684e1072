/** What every `LeadFeed` must do. Adapters call `leadFeedContract` from their own tests. */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, type Layer } from "effect"
import type { Area } from "../coverage/Territory.ts"
import { type FeedPosition, LeadFeed } from "../lead/LeadFeed.ts"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import { property, Seeder } from "./Seed.ts"
import * as Scene from "./WebhookScene.ts"

const visible = { nationwide: false, stateFips: [], countyFips: [Scene.visibleCounty] }
const anyAge = 4_102_444_800_000

const since = (from: number | null) => ({ _tag: "Since", since: from }) as const
const start = (position: FeedPosition | null) => position === null ? since(null) : { _tag: "After", position } as const

/** `layer` must be fresh for each test. */
export const leadFeedContract = <E>(layer: Layer.Layer<Pipeline | LeadFeed | Seeder, E>): void => {
  it.live("pages through all events in the order of their recording, without gap or repeat", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 7)
      yield* Scene.qualifyMany("org_a", 7)
      const feed = yield* LeadFeed
      const page = (position: FeedPosition | null) =>
        feed.page({ orgId: "org_a", visible, from: start(position), recordedBefore: anyAge, limit: 3 })
      const first = yield* page(null)
      const second = yield* page(first.last)
      const third = yield* page(second.last)
      assert.deepStrictEqual(
        [first, second, third].map(({ hasMore, items }) => ({ hasMore, items: items.map((item) => item.event_id) })),
        [
          { hasMore: true, items: [0, 1, 2].map(Scene.eventId) },
          { hasMore: true, items: [3, 4, 5].map(Scene.eventId) },
          { hasMore: false, items: [6].map(Scene.eventId) }
        ]
      )
      assert.deepStrictEqual(yield* page(third.last), { items: [], last: null, hasMore: false })
      assert.deepStrictEqual(
        yield* feed.page({ orgId: "org_b", visible, from: since(null), recordedBefore: anyAge, limit: 3 }),
        { items: [], last: null, hasMore: false }
      )
    }).pipe(Effect.provide(layer)))

  it.live("a reader that follows concurrent writers sees every event once", () =>
    Effect.gen(function*() {
      const count = 60
      yield* Scene.seed(["org_a"], count)
      const feed = yield* LeadFeed
      const writers = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: count }, (_, index) => index), (index) => Scene.qualify("org_a", index), {
          concurrency: 6,
          discard: true
        })
      )
      const seen: Array<string> = []
      let position: FeedPosition | null = null
      let written = false
      while (true) {
        const page: Effect.Success<ReturnType<typeof feed.page>> = yield* feed.page({
          orgId: "org_a",
          visible,
          from: start(position),
          recordedBefore: anyAge,
          limit: 4
        })
        seen.push(...page.items.map((item) => item.event_id))
        position = page.last ?? position
        if (written && !page.hasMore) break
        written = writers.pollUnsafe() !== undefined
        yield* Effect.yieldNow
      }
      yield* Fiber.join(writers)
      assert.strictEqual(seen.length, count)
      assert.strictEqual(new Set(seen).size, count)
    }).pipe(Effect.provide(layer)))

  it.live("an event does not show before it has the age", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.qualify("org_a", 0)
      const feed = yield* LeadFeed
      const all = yield* feed.page({ orgId: "org_a", visible, from: since(null), recordedBefore: anyAge, limit: 9 })
      const recordedAt = Math.floor(Number(all.last?.createdAt) / 1000)
      const page = (recordedBefore: number) =>
        Effect.map(
          feed.page({ orgId: "org_a", visible, from: since(null), recordedBefore, limit: 9 }),
          ({ items }) => items.length
        )
      assert.strictEqual(yield* page(recordedAt - 1), 0)
      assert.strictEqual(yield* page(recordedAt + 1), 1)
    }).pipe(Effect.provide(layer)))

  it.live("answers what was recorded at a time or after it", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.qualify("org_a", 0)
      const feed = yield* LeadFeed
      const page = (from: number | null) =>
        feed.page({ orgId: "org_a", visible, from: since(from), recordedBefore: anyAge, limit: 9 })
      const recordedAt = Math.floor(Number((yield* page(null)).last?.createdAt) / 1000)
      assert.strictEqual((yield* page(recordedAt)).items.length, 1)
      assert.strictEqual((yield* page(recordedAt + 1)).items.length, 0)
    }).pipe(Effect.provide(layer)))

  it.live("leaves out what lies outside the area and goes on behind it, and tells of the survivor of what was merged", () =>
    Effect.gen(function*() {
      const seeder = yield* Seeder
      yield* seeder.add({
        organizations: [Scene.organization("org_a")],
        properties: [
          property({ id: Scene.propertyId(0), countyFips: Scene.otherCounty }),
          property({ id: Scene.propertyId(1), countyFips: Scene.visibleCounty }),
          property({ id: Scene.propertyId(2), countyFips: Scene.visibleCounty, retiredInto: Scene.propertyId(1) }),
          property({ id: Scene.propertyId(3), countyFips: Scene.visibleCounty })
        ]
      })
      yield* Scene.qualifyMany("org_a", 4)
      const feed = yield* LeadFeed
      const page = (area: Area, limit: number) =>
        Effect.map(
          feed.page({ orgId: "org_a", visible: area, from: since(null), recordedBefore: anyAge, limit }),
          ({ hasMore, items }) => ({ hasMore, ids: items.map((item) => item.event_id) })
        )
      assert.deepStrictEqual(yield* page(visible, 9), { hasMore: false, ids: [1, 2, 3].map(Scene.eventId) })
      const { items } = yield* feed.page({
        orgId: "org_a",
        visible,
        from: since(null),
        recordedBefore: anyAge,
        limit: 9
      })
      assert.deepStrictEqual(items.map((item) => item.property_id), [1, 1, 3].map(Scene.propertyId))
      assert.deepStrictEqual(yield* page(visible, 1), { hasMore: true, ids: [Scene.eventId(1)] })
      assert.deepStrictEqual(
        yield* page({ nationwide: false, stateFips: ["17"], countyFips: [] }, 9),
        { hasMore: false, ids: [Scene.eventId(0)] }
      )
      assert.deepStrictEqual(
        yield* page({ nationwide: true, stateFips: [], countyFips: [] }, 9),
        { hasMore: false, ids: [0, 1, 2, 3].map(Scene.eventId) }
      )
      assert.deepStrictEqual(yield* page({ nationwide: false, stateFips: [], countyFips: [] }, 9), {
        hasMore: false,
        ids: []
      })
    }).pipe(Effect.provide(layer)))
}
