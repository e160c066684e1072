/** Who is told of a change that a later import gives another subject. */
import { assert, it } from "@effect/vitest"
import * as ImportStorePg from "@freehold/adapters-pg/import/ImportStorePg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import * as WebhookPorts from "@freehold/adapters-pg/testing/WebhookPorts"
import { Changes } from "@freehold/core/change/Changes"
import { bodyOf } from "@freehold/core/change/Signals"
import { parsers } from "@freehold/core/import/ImportRow"
import { ImportStore } from "@freehold/core/import/ImportStore"
import { property, Seeder } from "@freehold/core/testing/Seed"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Deliveries } from "@freehold/core/webhook/Deliveries"
import { Duration, Effect, Layer, Option, Result } from "effect"

const ports = Layer.merge(WebhookPorts.layer, ImportStorePg.layer).pipe(Layer.provideMerge(TestDatabase.layer))

/** One sees all, the other only the first county. */
const orgs = ["org_a", "org_b"]
const [first, second] = [Scene.propertyId(0), Scene.propertyId(1)]

const scene = Effect.gen(function*() {
  const { add } = yield* Seeder
  yield* add({
    organizations: orgs.map((id) => ({
      ...Scene.seeingChanges(id),
      serviceable_area: {
        whole_state_abbrs: [],
        county_fips: [Scene.visibleCounty, ...id === "org_a" ? [Scene.otherCounty] : []]
      }
    })),
    properties: [
      property({ id: first, key: "first", countyFips: Scene.visibleCounty }),
      property({ id: second, key: "second", countyFips: Scene.otherCounty })
    ]
  })
  for (const [index, orgId] of orgs.entries()) {
    yield* Scene.register(orgId, index, { events: ["signal.ownership_transfer", "signal.withdrawn"] })
  }
})

const context = { latestYear: 2027, idOf: () => Scene.uuid(5, 1) }

const importOf = (propertyKey: string) =>
  ImportStore.use((store) =>
    store.load({
      kind: "changes",
      rows: [Result.getOrThrow(parsers.changes({
        key: "transfer",
        kind: "ownership_transfer",
        propertyKey,
        after: { value: "Sample Holdings" },
        detectedAt: "2026-08-14",
        source: "county_record"
      }, context))]
    })
  )

/** What the webhooks tell that are due. */
const sent = Effect.gen(function*() {
  const deliveries = yield* Deliveries
  const changes = yield* Changes
  yield* deliveries.fanOut(100)
  const claimed = yield* deliveries.claim({ limit: 100, perEndpoint: 100, lease: Duration.minutes(5) })
  const told = yield* Effect.forEach(
    claimed,
    ({ eventId, organization }) =>
      Effect.map(changes.ofEvent(organization.org_id, eventId), (event) => {
        const body = bodyOf(Option.getOrThrow(event), organization, false)
        assert.strictEqual(body._tag, "Body")
        return { org: organization.org_id, ...body._tag === "Body" ? body.data : {} }
      })
  )
  yield* deliveries.complete(claimed.map((each) => Scene.ended(each)), [Duration.zero])
  return told
})

it.live("who was told of the former subject is told to forget it, and who sees the new one is told of that", () =>
  Effect.gen(function*() {
    yield* scene
    yield* importOf("first")
    const before = yield* sent
    assert.sameDeepMembers(before.map(({ org }) => org), orgs)

    yield* importOf("second")
    const after = yield* sent
    assert.lengthOf(after, 3)
    for (const { event_id, org } of before as ReadonlyArray<{ readonly org: string; readonly event_id: string }>) {
      assert.containSubset(after.filter((each) => each.org === org && "withdraws_event_id" in each), [{
        kind: "withdrawn",
        reason: "source_correction",
        withdraws_event_id: event_id,
        subject: { type: "property", id: first }
      }])
    }
    assert.containSubset(after.filter((each) => !("withdraws_event_id" in each)), [{
      org: "org_a",
      kind: "ownership_transfer",
      subject: { type: "property", id: second }
    }])

    yield* importOf("second")
    assert.deepStrictEqual(yield* sent, [])
  }).pipe(Effect.provide(ports)))
