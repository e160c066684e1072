/** What is told of changes while somebody subscribes, or is suppressed, at the same moment. */
import { assert, it } from "@effect/vitest"
import * as SuppressionsPg from "@freehold/adapters-pg/suppression/SuppressionsPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import * as WebhookPorts from "@freehold/adapters-pg/testing/WebhookPorts"
import { Changes } from "@freehold/core/change/Changes"
import { bodyOf } from "@freehold/core/change/Signals"
import type { Pipeline } from "@freehold/core/pipeline/Pipeline"
import { Suppressions } from "@freehold/core/suppression/Suppressions"
import { contact, property, type SeedChange, Seeder, tie } from "@freehold/core/testing/Seed"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Deliveries } from "@freehold/core/webhook/Deliveries"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { relay } from "../../src/change/ChangeRelay.ts"
import { holding, waiting } from "../database/Holding.ts"

const ports = Layer.merge(WebhookPorts.layer, SuppressionsPg.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const orgId = "org_a"
const person = Scene.uuid(4, 1)

const scene = Seeder.use((seeder) =>
  seeder.add({
    organizations: [Scene.seeingChanges(orgId)],
    properties: [property({ id: Scene.propertyId(0), countyFips: Scene.visibleCounty })],
    contacts: [contact({ id: person })],
    relationships: [tie(Scene.propertyId(0), person)]
  })
)

const listen = Scene.register(orgId, 1, { events: ["signal.contact_departure", "signal.withdrawn"] })

/** That the person left, as change `index`. */
const left = (index: number): SeedChange => ({
  id: Scene.uuid(5, index),
  kind: "contact_departure",
  propertyId: null,
  contactId: person,
  detectedAt: Scene.at,
  withdraws: null,
  before: { value: "Acme", organization_id: null }
})

const add = (index: number) => Seeder.use((seeder) => seeder.add({ changes: [left(index)] }))

const fanOut = Deliveries.use((deliveries) => deliveries.fanOut(100))

const claim = Deliveries.use((deliveries) =>
  deliveries.claim({ limit: 100, perEndpoint: 100, lease: Duration.minutes(5) })
)

const suppress = Suppressions.use((port) => port.suppress({ _tag: "Contact", named: person }))

const events = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Record<string, unknown>>`SELECT type, status, skip_reason AS reason FROM event ORDER BY created_at`
)

/** What would be sent now of what is claimed. */
const sent = Effect.gen(function*() {
  const changes = yield* Changes
  return yield* Effect.forEach(
    yield* claim,
    ({ eventId, eventType, organization }) =>
      Effect.map(
        changes.ofEvent(orgId, eventId),
        (event) => `${eventType} ${bodyOf(Option.getOrThrow(event), organization, true)._tag}`
      )
  )
})

it.live("what was still being recorded when an organization subscribed is sent, and what it could read is not", () =>
  Effect.gen(function*() {
    yield* scene
    yield* add(1)
    const commit = yield* holding(add(2))
    yield* listen
    yield* commit
    yield* fanOut
    const told = yield* claim
    assert.lengthOf(told, 1)
    const event = yield* Changes.use((changes) => changes.ofEvent(orgId, told[0]?.eventId ?? ""))
    assert.strictEqual(Option.getOrThrow(event).change.signalId, left(2).id)
  }).pipe(Effect.provide(ports)))

it.live("what is being fanned out while its person is suppressed is waited for, and taken back", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* scene
    yield* listen
    yield* add(1)
    yield* fanOut
    yield* add(2)
    yield* relay(sql)
    const free = yield* holding(sql`SELECT FROM delivery_lane FOR UPDATE`)
    const fanning = yield* Effect.forkChild(fanOut)
    yield* waiting(1)
    const suppressing = yield* Effect.forkChild(suppress)
    yield* Effect.raceFirst(waiting(2), Fiber.join(suppressing))
    yield* free
    yield* Effect.all([Fiber.join(fanning), Fiber.join(suppressing)])
    const change = { type: "signal.contact_departure", status: "fanned_out", reason: null }
    const removal = { type: "signal.withdrawn", status: "pending", reason: null }
    assert.deepStrictEqual(yield* events, [change, change, removal, removal])
  }).pipe(Effect.provide(ports)))

const relayed = Effect.flatMap(SqlClient.SqlClient, relay)

for (const [name, before] of [["an event", relayed], ["no event", Effect.void]] as const) {
  it.live(`a change of which there is ${name} yet goes nowhere while its person is being suppressed, nor later`, () =>
    Effect.gen(function*() {
      yield* scene
      yield* listen
      yield* add(1)
      yield* before
      const commit = yield* holding(suppress)
      yield* fanOut
      const meanwhile = yield* sent
      yield* commit
      yield* fanOut
      assert.deepStrictEqual([meanwhile, yield* sent], [[], []])
      assert.deepStrictEqual(yield* events, [
        { type: "signal.contact_departure", status: "skipped", reason: "owner_suppressed" }
      ])
    }).pipe(Effect.provide(ports)))
}

it.live("who suppresses waits for a fan-out with no delivery in hand that others wait for", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const deliveries = yield* Deliveries
    yield* scene
    yield* Scene.register(orgId, 1, { events: ["lead.qualified", "signal.contact_departure", "signal.withdrawn"] })
    yield* Scene.qualify(orgId, 0)
    yield* add(1)
    yield* fanOut
    for (const { claim: held, deliveryId } of yield* claim) {
      yield* deliveries.storeData({ orgId, deliveryId, claim: held }, "{}")
    }
    yield* add(2)
    yield* relayed
    const free = yield* holding(sql`SELECT FROM event WHERE status = 'pending' FOR UPDATE`)
    const suppressing = yield* Effect.forkChild(suppress)
    yield* Effect.raceFirst(waiting(1), Fiber.join(suppressing))
    const unlocked = yield* sql`SELECT 1 FROM delivery FOR UPDATE SKIP LOCKED`
    yield* free
    yield* Fiber.join(suppressing)
    assert.lengthOf(unlocked, 2)
  }).pipe(Effect.provide(ports)))

it.live("who suppresses waits for a delivery with nothing in hand that records events", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* scene
    yield* listen
    yield* add(1)
    yield* fanOut
    const free = yield* holding(sql`SELECT FROM delivery FOR UPDATE`)
    const suppressing = yield* Effect.forkChild(suppress)
    yield* Effect.raceFirst(waiting(1), Fiber.join(suppressing))
    const isRecorded = yield* Effect.raceFirst(
      Effect.as(Scene.qualify(orgId, 0), true),
      Effect.as(waiting(2), false)
    )
    yield* free
    yield* Fiber.join(suppressing)
    assert.isTrue(isRecorded)
    assert.deepStrictEqual((yield* events).map(({ type }) => type), [
      "signal.contact_departure",
      "lead.qualified",
      "signal.withdrawn"
    ])
  }).pipe(Effect.provide(ports)))

/** So many of each: people, endpoints, and rounds of everybody. */
const [people, endpoints, rounds] = [4, 4, 8]

it.live("who suppresses ends nobody's work: what is recorded, fanned out, sent and booked meanwhile goes on", () =>
  Effect.gen(function*() {
    const deliveries = yield* Deliveries
    const webhooks = yield* WebhookEndpoints
    const suppressions = yield* Suppressions
    const { add } = yield* Seeder
    yield* scene
    const known = Array.from({ length: people }, (_, index) => Scene.uuid(4, index + 2))
    yield* add({
      contacts: known.map((id) => contact({ id })),
      properties: Array.from(
        { length: rounds },
        (_, index) => property({ id: Scene.propertyId(index + 1), countyFips: Scene.visibleCounty })
      ),
      relationships: known.flatMap((contactId) =>
        Array.from({ length: rounds }, (_, index) => ({
          propertyId: Scene.propertyId(index + 1),
          contactId,
          role: null,
          relationshipStatus: "current" as const,
          attributionType: "web"
        }))
      )
    })
    for (let index = 0; index < endpoints; index++) {
      yield* Scene.register(orgId, index, {
        events: ["lead.qualified", "signal.contact_departure", "signal.withdrawn"]
      })
    }
    const personOf = (turn: number) => known[turn % people] ?? person
    const work = Effect.fnUntraced(function*(turn: number) {
      const claimed = yield* deliveries.claim({ limit: 40, perEndpoint: 8, lease: Duration.minutes(1) })
      for (const { deliveryId, claim: held } of claimed) {
        yield* Effect.ignore(deliveries.storeData({ orgId, deliveryId, claim: held }, "{}"))
      }
      yield* deliveries.complete(
        claimed.toReversed().map((each, index) =>
          Scene.ended(
            each,
            (turn + index) % 3 === 0 ? { _tag: "Failed", status: 500, reason: "http_status" } : undefined
          )
        ),
        [Duration.zero, Duration.zero, Duration.zero]
      )
    })
    const record = (turn: number) =>
      add({ changes: known.map((contactId, index) => ({ ...left(turn * people + index + 1), contactId })) })
    const test = (turn: number) =>
      webhooks.sendTest({
        endpointId: Scene.endpointId(turn % endpoints),
        eventId: Scene.uuid(6, turn),
        deliveryId: Scene.uuid(7, turn),
        eventType: "lead.qualified",
        data: "{}",
        now: Scene.at
      })
    const everybody: ReadonlyArray<(turn: number) => Effect.Effect<unknown, unknown, Pipeline>> = [
      record,
      () => deliveries.fanOut(20),
      () => deliveries.fanOut(20),
      work,
      work,
      work,
      test,
      (turn) => Scene.qualify(orgId, turn + 1),
      (turn) => suppressions.suppress({ _tag: "Contact", named: personOf(turn) }),
      (turn) => suppressions.lift({ _tag: "Contact", named: personOf(turn + 1) })
    ]
    yield* Effect.forEach(
      everybody,
      (each) => Effect.forEach(Array.from({ length: rounds }, (_, turn) => turn), each, { discard: true }),
      { concurrency: "unbounded", discard: true }
    )
  }).pipe(Effect.provide(ports)))
