/** What every `CustomerAccounts` must do. Adapters call `customerAccountsContract` from their own tests. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { CustomerAccounts } from "../customer/CustomerAccounts.ts"
import { EventLog } from "../event/EventLog.ts"
import { type CustomerStatus, mostMoves, Pipeline } from "../pipeline/Pipeline.ts"
import { property, Seeder } from "./Seed.ts"
import * as Scene from "./WebhookScene.ts"

const statusOf = (index: number) =>
  Pipeline.use((pipeline) => pipeline.standing({ _tag: "Id", id: Scene.propertyId(index) }, "org_a")).pipe(
    Effect.map(Option.match({ onNone: () => null, onSome: ({ customerStatus }) => customerStatus }))
  )

/** Sets the accounts of org_a by the number of the property, with events from that number on. */
const sync = (accounts: ReadonlyArray<readonly [index: number, status: CustomerStatus]>, firstEvent: number) =>
  CustomerAccounts.use((customers) =>
    customers.sync(
      "org_a",
      accounts.map(([index, status]) => ({
        propertyId: Scene.propertyId(index),
        status,
        eventId: Scene.eventId(firstEvent + index)
      })),
      { byAgent: true, now: Scene.at }
    )
  )

const changed = EventLog.use((log) =>
  log.recent("org_a", { since: 0, type: "lead.changed", signals: false, visible: null, after: null, limit: 1000 })
).pipe(Effect.map(({ events }) => events.map(({ event }) => event)))

/** `layer` must be fresh for each test. */
export const customerAccountsContract = <E>(
  layer: Layer.Layer<CustomerAccounts | EventLog | Pipeline | Seeder, E>
): void => {
  it.live("finds properties by id and by key, in the order in which they were named", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 2)
      yield* Seeder.use((seeder) =>
        seeder.add({
          properties: [property({
            id: Scene.propertyId(2),
            key: "made up:/ 2",
            countyFips: Scene.otherCounty,
            retiredInto: Scene.propertyId(0)
          })]
        })
      )
      const customers = yield* CustomerAccounts
      const found = yield* customers.locate([
        { _tag: "Key", key: "made up:/ 2" },
        { _tag: "Id", id: Scene.propertyId(1) },
        { _tag: "Key", key: "nothing \0 at all" },
        { _tag: "Id", id: Scene.propertyId(1) },
        { _tag: "Id", id: Scene.propertyId(9) }
      ])
      assert.deepStrictEqual(
        found.map(Option.map(({ countyFips, id, retiredInto }) => [id, countyFips, retiredInto])),
        [
          Option.some([Scene.propertyId(2), Scene.otherCounty, Scene.propertyId(0)]),
          Option.some([Scene.propertyId(1), Scene.visibleCounty, null]),
          Option.none(),
          Option.some([Scene.propertyId(1), Scene.visibleCounty, null]),
          Option.none()
        ]
      )
    }).pipe(Effect.provide(layer)))

  it.live("sets accounts, keeps churned ones and takes them back", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 2)
      yield* sync([[0, "active"], [1, "churned"]], 0)
      assert.deepStrictEqual([yield* statusOf(0), yield* statusOf(1)], ["active", "churned"])
      yield* sync([[0, "churned"]], 10)
      assert.strictEqual(yield* statusOf(0), "churned")
      yield* sync([[0, "active"]], 20)
      assert.strictEqual(yield* statusOf(0), "active")
      const other = yield* Pipeline.use((pipeline) =>
        pipeline.standing({ _tag: "Id", id: Scene.propertyId(0) }, "org_b")
      )
      assert.isNull(Option.getOrThrow(other).customerStatus)
      assert.lengthOf(yield* changed, 0)
    }).pipe(Effect.provide(layer)))

  it.live("records lead.changed for each lead whose flag changes, and for no other (M6)", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 4)
      yield* Scene.qualifyMany("org_a", 3)
      yield* sync([[0, "active"], [1, "churned"], [3, "active"]], 100)
      yield* sync([[0, "active"], [1, "active"], [2, "churned"]], 200)
      yield* sync([[0, "churned"]], 300)
      const events = yield* changed
      assert.deepStrictEqual(
        events.map(({ id }) => id).toSorted(),
        [Scene.eventId(100), Scene.eventId(201), Scene.eventId(300)]
      )
      for (const event of events) {
        assert.deepInclude(event, { status: "skipped", skip_reason: "record_only", by_agent: true })
      }
    }).pipe(Effect.provide(layer)))

  it.live("of very many changes of a flag the last are kept", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 2)
      yield* Scene.qualifyMany("org_a", 2)
      yield* sync([[1, "active"]], 5000)
      for (let n = 1; n <= mostMoves + 3; n++) yield* sync([[0, n % 2 === 1 ? "active" : "churned"]], 10 * n)
      const ids = new Set((yield* changed).map(({ id }) => id))
      assert.strictEqual(ids.size, mostMoves + 1)
      assert.isTrue(ids.has(Scene.eventId(5001)))
      assert.isFalse(ids.has(Scene.eventId(30)))
      assert.isTrue(ids.has(Scene.eventId(40)))
    }).pipe(Effect.provide(layer)))

  it.live("of many at once, each change of a flag is recorded once (M6)", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 3)
      yield* Scene.qualifyMany("org_a", 3)
      yield* Effect.forEach(
        Array.from({ length: 6 }, (_, index) => index),
        (index) => sync([[0, "active"], [1, "active"], [2, "active"]], 100 * (index + 1)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(yield* changed, 3)
    }).pipe(Effect.provide(layer)))
}
