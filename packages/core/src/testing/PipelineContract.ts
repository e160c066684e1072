/**
 * What every `Pipeline` must do, and what holds of the moves over it. Adapters call `pipelineContract` from their own
 * tests.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import * as fc from "fast-check"
import { wholeArea } from "../coverage/Territory.ts"
import { EventLog } from "../event/EventLog.ts"
import { LeadFeed } from "../lead/LeadFeed.ts"
import { limitsOf, queryOf } from "../limit/Limits.ts"
import { nothing } from "../limit/Usage.ts"
import { LeadMover } from "../pipeline/LeadMover.ts"
import { decideMove, type LeadState, targets, type Wish } from "../pipeline/Moves.ts"
import { type LeadChange, mostMoves, Pipeline, type PipelineActor, type StageChange } from "../pipeline/Pipeline.ts"
import type { Properties } from "../property/Properties.ts"
import { DisqualifyReason } from "../stage/DisqualifyReason.ts"
import { Stage } from "../stage/Stage.ts"
import { property, Seeder } from "./Seed.ts"
import * as Scene from "./WebhookScene.ts"

const openLead = { dealValue: 1000, lossReasonCode: null, lossReasonNote: null, disqualifiedReason: null }
const everywhere = { nationwide: true, stateFips: [], countyFips: [] }
const agent: PipelineActor = { kind: "agent", id: "00000000-0000-4000-a000-000000000001", name: "Sample Key" }
const owner = { id: "00000000-0000-4000-a000-000000000002", name: "Sample Owner" }

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

const change = (given: LeadChange) => Pipeline.use((pipeline) => pipeline.change(given))

const historyOf = (index: number) => Pipeline.use((pipeline) => pipeline.history("org_a", Scene.propertyId(index)))

const leadOf = (index: number) =>
  Pipeline.use((pipeline) => pipeline.standing({ _tag: "Id", id: Scene.propertyId(index) }, "org_a")).pipe(
    Effect.map(Option.match({ onNone: () => null, onSome: ({ lead }) => lead }))
  )

/** The lead.changed events of org_a about a property, oldest first. */
const changes = (index: number) =>
  EventLog.use((log) =>
    log.recent("org_a", { since: 0, type: "lead.changed", signals: false, visible: null, after: null, limit: 1000 })
  ).pipe(
    Effect.map(({ events }) =>
      events.map(({ event }) => event).filter((event) => event.property_id === Scene.propertyId(index)).toReversed()
    )
  )

/** Moves a lead of org_a; with a credential, as its key. */
const move = (
  index: number,
  wish: Wish,
  given: { readonly cap?: number; readonly credentialId?: string } = {}
) =>
  LeadMover.use((mover) => {
    const { cap, credentialId } = given
    const organization = {
      ...Scene.organization("org_a"),
      ...(cap === undefined ? {} : { daily_limits: { agent_pipeline_change: { organization: cap } } })
    }
    return mover.move({
      perspective: wholeArea(organization),
      property: { _tag: "Id", id: Scene.propertyId(index) },
      wish,
      actor: credentialId === undefined ? Scene.actor : agent,
      owner: credentialId === undefined ? owner : null,
      limits: credentialId === undefined ? null : limitsOf(organization, { credentialId }, Scene.at)
    })
  })

const wishes: fc.Arbitrary<Wish> = fc.record({
  to: fc.constantFrom(...Stage.literals),
  dealValue: fc.option(fc.constantFrom(1, 2, 50_000), { nil: undefined }),
  note: fc.option(fc.constantFrom("", "because"), { nil: undefined }),
  lossReasonCode: fc.option(fc.constantFrom("price", "other", "made_up"), { nil: undefined }),
  reason: fc.constantFrom(...DisqualifyReason.literals)
}).map(({ dealValue, lossReasonCode, note, reason, to }): Wish =>
  to === "lost"
    ? { to, dealValue, note, lossReasonCode }
    : to === "disqualified"
    ? { to, dealValue, note, reason }
    : { to, dealValue, note }
)

/** Each line goes on from the one before, only where the table says yes. */
const assertChain = (history: ReadonlyArray<StageChange>) => {
  history.forEach(({ from, to, version }, index) => {
    assert.strictEqual(version, index + 1)
    assert.strictEqual(from, history[index - 1]?.to ?? null)
    assert.isTrue(from === null ? to === "qualified" : targets[from].includes(to), `${from} to ${to}`)
  })
}

/** `layer` must be fresh for each test. */
export const pipelineContract = <E>(
  layer: Layer.Layer<Pipeline | LeadFeed | EventLog | Properties | Seeder, E>
): void => {
  const all = LeadMover.layer.pipe(Layer.provideMerge(layer), Layer.provide(SecureRandom.layerWebCrypto))

  it.live("a first qualification makes the lead, one line of history and one event (M1)", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      const given = Scene.qualification("org_a", Scene.propertyId(0), { eventId: Scene.eventId(0), owner })
      assert.deepStrictEqual(Option.getOrNull(yield* change(given)), {
        propertyId: Scene.propertyId(0),
        status: "qualified",
        dealValue: 1000,
        lossReasonCode: null,
        lossReasonNote: null,
        disqualifiedReason: null,
        qualifiedAt: "2026-09-21T14:13:20.000Z",
        qualifiedBy: Scene.actor,
        statusChangedAt: "2026-09-21T14:13:20.000Z",
        ownerId: owner.id,
        ownerName: owner.name,
        version: 1
      })
      assert.deepStrictEqual(yield* historyOf(0), [{
        version: 1,
        from: null,
        to: "qualified",
        at: "2026-09-21T14:13:20.000Z",
        actor: Scene.actor,
        byAgent: false,
        dealValue: 1000,
        reasonCode: null,
        note: null
      }])
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
    }).pipe(Effect.provide(all)))

  it.live("a change of another version than the one that was read does nothing (M4)", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.qualify("org_a", 0)
      const before = yield* leadOf(0)
      const to = { ...Scene.qualification("org_a", Scene.propertyId(0), { eventId: Scene.eventId(9) }) }
      for (const expected of [0, 2]) {
        assert.isTrue(Option.isNone(yield* change({ ...to, expected, customerStatus: "active" })))
      }
      assert.deepStrictEqual(yield* leadOf(0), before)
      assert.lengthOf(yield* historyOf(0), 1)
      assert.lengthOf((yield* recorded("org_a")).items, 1)
      const standing = yield* Pipeline.use((pipeline) =>
        pipeline.standing({ _tag: "Id", id: Scene.propertyId(0) }, "org_a")
      )
      assert.isNull(Option.getOrThrow(standing).customerStatus)
    }).pipe(Effect.provide(all)))

  it.live("of concurrent first qualifications of one property exactly one is written (M1)", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      const written = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, index) => index),
        (index) => change(Scene.qualification("org_a", Scene.propertyId(0), { eventId: Scene.eventId(index) })),
        {
          concurrency: "unbounded"
        }
      )
      assert.lengthOf(written.filter(Option.isSome), 1)
      const winner = written.findIndex(Option.isSome)
      assert.deepStrictEqual(
        (yield* recorded("org_a")).items.map((item) => item.event_id),
        [Scene.eventId(winner)]
      )
    }).pipe(Effect.provide(all)))

  it.live("two organizations qualify the same property each for itself", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 1)
      yield* Scene.qualify("org_a", 0)
      const other = yield* change(
        Scene.qualification("org_b", Scene.propertyId(0), { eventId: Scene.eventId(1), actor: agent })
      )
      assert.isTrue(Option.isSome(other))
      assert.deepStrictEqual((yield* leadOf(0))?.qualifiedBy, Scene.actor)
    }).pipe(Effect.provide(all)))

  it.live("a move keeps its reason until the next one, and the history keeps it for good", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* move(0, { to: "qualified", dealValue: 5 })
      const lost = yield* move(0, { to: "lost", lossReasonCode: "price", note: "half of it", dealValue: 7 })
      assert.deepInclude(lost.lead, { lossReasonCode: "price", lossReasonNote: "half of it", dealValue: 7, version: 2 })
      const open = yield* move(0, { to: "active_opportunity" })
      assert.deepInclude(open.lead, { lossReasonCode: null, lossReasonNote: null, dealValue: 7, ownerId: owner.id })
      yield* move(0, { to: "disqualified", reason: "other", note: "gone" })
      assert.deepInclude(yield* leadOf(0), { disqualifiedReason: "other" })
      const again = yield* move(0, { to: "qualified" })
      assert.deepInclude(again.lead, { disqualifiedReason: null, dealValue: 7, version: 5 })
      assert.deepStrictEqual(
        (yield* historyOf(0)).map(({ from, note, reasonCode, to }) => [from, to, reasonCode, note]),
        [
          [null, "qualified", null, null],
          ["qualified", "lost", "price", "half of it"],
          ["lost", "active_opportunity", null, null],
          ["active_opportunity", "disqualified", "other", "gone"],
          ["disqualified", "qualified", null, null]
        ]
      )
      assert.lengthOf((yield* recorded("org_a")).items, 1)
    }).pipe(Effect.provide(all)))

  it.live("of very many moves the last are kept, and of the changes that they record", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* move(0, { to: "qualified", dealValue: 5 })
      for (let n = 0; n < mostMoves + 2; n++) {
        yield* move(0, { to: n % 2 === 0 ? "attempted_contact" : "active_opportunity" })
      }
      const versions = (yield* historyOf(0)).map(({ version }) => version)
      assert.deepStrictEqual(versions, Array.from({ length: mostMoves }, (_, index) => index + 4))
      assert.strictEqual((yield* leadOf(0))?.version, versions.at(-1))
      assert.strictEqual((yield* changes(0)).length, mostMoves)
    }).pipe(Effect.provide(all)))

  it.live("records one lead.changed, never sent, for a move and for a change of the customer's flag (M6)", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      yield* Scene.qualify("org_a", 0)
      const given = {
        ...Scene.qualification("org_a", Scene.propertyId(0), { eventId: Scene.eventId(1) }),
        expected: 1,
        actor: agent
      }
      const won = { ...given.move, from: "qualified" as const, to: { ...openLead, status: "won" as const } }
      yield* change({ ...given, move: { ...won, note: null }, customerStatus: "active" })
      const [first] = yield* changes(0)
      assert.deepStrictEqual(first, {
        id: Scene.eventId(1),
        type: "lead.changed",
        property_id: Scene.propertyId(0),
        subject_type: "property",
        subject_id: Scene.propertyId(0),
        withdraws_event_id: null,
        status: "skipped",
        skip_reason: "record_only",
        by_agent: true,
        occurred_at: "2026-09-21T14:13:20.000Z",
        fanned_out_at: null,
        test: false
      })
      const flag = (customerStatus: "active" | "churned", event: number) =>
        change({ ...given, expected: 2, move: null, customerStatus, eventId: Scene.eventId(event) })
      for (const [index, status] of (["active", "churned", "churned", "active"] as const).entries()) {
        const lead = Option.getOrThrow(yield* flag(status, 2 + index))
        assert.deepInclude(lead, { status: "won", version: 2 })
      }
      assert.deepStrictEqual(
        (yield* changes(0)).map(({ id }) => id).toSorted(),
        [Scene.eventId(1), Scene.eventId(3), Scene.eventId(5)]
      )
      assert.lengthOf(yield* historyOf(0), 2)
    }).pipe(Effect.provide(all)))

  it.live("a lead given to another member is recorded once, and no move takes it away (M6)", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 2)
      yield* move(0, { to: "qualified", dealValue: 2 })
      const other = { id: "00000000-0000-4000-a000-000000000009", name: "Other Owner" }
      const assign = (index: number, to: typeof other | null, event: number) =>
        Pipeline.use((pipeline) =>
          pipeline.assign({
            orgId: "org_a",
            propertyId: Scene.propertyId(index),
            owner: to,
            actor: Scene.actor,
            eventId: Scene.eventId(event),
            now: Scene.at
          })
        )
      const given = Option.getOrThrow(yield* assign(0, other, 1))
      assert.deepInclude(given, { ownerId: other.id, ownerName: other.name, status: "qualified", version: 1 })
      yield* assign(0, other, 2)
      const moved = yield* move(0, { to: "won" })
      assert.deepInclude(moved.lead, { ownerName: other.name })
      assert.isNull(Option.getOrThrow(yield* assign(0, null, 3)).ownerId)
      assert.isTrue(Option.isNone(yield* assign(1, other, 4)))
      const ids = (yield* changes(0)).map(({ id }) => id)
      assert.includeMembers(ids, [Scene.eventId(1), Scene.eventId(3)])
      assert.lengthOf(ids, 3)
    }).pipe(Effect.provide(all)))

  it.live("any sequence of wishes follows the table, and the history replays to the lead (M1 M2 M3)", () =>
    Effect.gen(function*() {
      const runs = 25
      yield* Scene.seed(["org_a"], runs)
      const context = yield* Effect.context<Pipeline | LeadFeed | EventLog | LeadMover>()
      let index = 0
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(wishes, { minLength: 1, maxLength: 12 }), (sequence) => {
            const lead = index++ % runs
            return Effect.runPromiseWith(context)(Effect.gen(function*() {
              const organization = Scene.organization("org_a")
              let state: LeadState | null = yield* leadOf(lead)
              const eventsBefore = (yield* recorded("org_a")).items.length
              const first = state === null
              for (const wish of sequence) {
                const expected = decideMove(state, wish, organization)
                const told = yield* Effect.result(move(lead, wish))
                if (Result.isFailure(expected)) {
                  assert(Result.isFailure(told))
                  assert.strictEqual(told.failure._tag, expected.failure._tag)
                } else {
                  assert(Result.isSuccess(told))
                  assert.deepInclude(told.success.lead, expected.success.to)
                  state = expected.success.to
                }
              }
              const history = yield* historyOf(lead)
              assertChain(history)
              assert.lengthOf(yield* changes(lead), Math.max(0, history.length - 1))
              const last = history.at(-1)
              const stored = yield* leadOf(lead)
              assert.strictEqual(last?.to, stored?.status)
              assert.strictEqual(last?.dealValue, stored?.dealValue)
              assert.strictEqual(last?.version, stored?.version)
              assert.strictEqual(last?.reasonCode ?? null, stored?.lossReasonCode ?? stored?.disqualifiedReason ?? null)
              const qualified = first && state !== null ? 1 : 0
              assert.lengthOf((yield* recorded("org_a")).items, eventsBefore + qualified)
            }))
          }),
          { numRuns: runs }
        )
      )
    }).pipe(Effect.provide(all)))

  it.live("concurrent moves of one lead make one chain; the others changed in flight or were refused by the table (M3 M4)", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 1)
      const wish: ReadonlyArray<Wish> = [
        { to: "qualified", dealValue: 9 },
        { to: "attempted_contact" },
        { to: "active_opportunity" },
        { to: "won", dealValue: 3 },
        { to: "lost", lossReasonCode: "price" },
        { to: "disqualified", reason: "too_small" }
      ]
      yield* move(0, { to: "qualified", dealValue: 9 })
      const told = yield* Effect.forEach([...wish, ...wish, ...wish], (each) => Effect.result(move(0, each)), {
        concurrency: "unbounded"
      })
      const history = yield* historyOf(0)
      assertChain(history)
      assert.lengthOf(history, 1 + told.filter(Result.isSuccess).length)
      assert.isAbove(history.length, 1)
      const byTable = ["CHANGED_IN_FLIGHT", "SAME_STATUS", "ALREADY_DISQUALIFIED", "CLOSED_STAGE", "INVALID_TRANSITION"]
      for (const each of told) if (Result.isFailure(each)) assert.include(byTable, each.failure._tag)
      assert.lengthOf((yield* recorded("org_a")).items, 1)
    }).pipe(Effect.provide(all)))

  it.live("of concurrent changes by keys exactly as many take effect as the day's cap allows (M5 D11)", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 12)
      const credentials = ["00000000-0000-4000-a000-000000000001", "00000000-0000-4000-a000-000000000003"]
      const told = yield* Effect.forEach(Array.from({ length: 12 }, (_, index) => index), (index) =>
        Effect.result(
          move(index, { to: "qualified", dealValue: 2 }, { cap: 5, credentialId: credentials[index % 2] ?? "" })
        ), { concurrency: "unbounded" })
      const refused = told.flatMap((each) => Result.isFailure(each) ? [each.failure._tag] : [])
      assert.deepStrictEqual(refused, Array.from({ length: 7 }, () => "DAILY_CAP_EXCEEDED"))
      assert.lengthOf((yield* recorded("org_a")).items, 5)
    }).pipe(Effect.provide(all)))

  it.live("what is refused, what changed in flight and what a person does is not counted (M5)", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 4)
      const byKey = { cap: 2, credentialId: "00000000-0000-4000-a000-000000000001" }
      yield* move(0, { to: "qualified", dealValue: 2 })
      yield* move(0, { to: "won" })
      assert.strictEqual((yield* Effect.flip(move(0, { to: "won" }, byKey)))._tag, "SAME_STATUS")
      assert.strictEqual((yield* Effect.flip(move(1, { to: "won" }, byKey)))._tag, "NO_PIPELINE_RECORD")
      const limits = limitsOf(Scene.organization("org_a"), { credentialId: byKey.credentialId }, Scene.at)
      const stale = yield* Pipeline.use((pipeline) =>
        pipeline.change(
          { ...Scene.qualification("org_a", Scene.propertyId(0), { eventId: Scene.eventId(9) }), expected: 9 },
          {
            usage: queryOf(limits),
            decide: () => Result.succeed({ ...nothing, kinds: { agent_pipeline_change: 1 } })
          }
        )
      )
      assert.isTrue(Option.isNone(stale))
      const racing = yield* Effect.forEach(
        [1, 2, 3, 4],
        () => Effect.result(move(1, { to: "qualified", dealValue: 2 }, byKey)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(racing.filter(Result.isSuccess), 1)
      yield* move(2, { to: "qualified", dealValue: 2 }, byKey)
      const over = yield* Effect.flip(move(3, { to: "qualified", dealValue: 2 }, byKey))
      assert.deepInclude(over, { _tag: "DAILY_CAP_EXCEEDED", cap: 2, usedToday: 2, remainingToday: 0 })
      yield* move(3, { to: "qualified", dealValue: 2 })
    }).pipe(Effect.provide(all)))

  it.live("lists leads, last changed first, a page at a time with the total", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 5)
      yield* Scene.qualifyMany("org_a", 5)
      const pipeline = yield* Pipeline
      const asked = { visible: everywhere, status: null, limit: 2, offset: 1 }
      const page = yield* pipeline.list("org_a", asked)
      assert.deepStrictEqual(page.leads.map((lead) => lead.propertyId), [Scene.propertyId(3), Scene.propertyId(2)])
      assert.strictEqual(page.leads[0]?.propertyKey, `${Scene.visibleCounty}-${Scene.propertyId(3)}`)
      assert.strictEqual(page.total, 5)
      assert.deepStrictEqual(yield* pipeline.list("org_a", { ...asked, offset: 10 }), { leads: [], total: 5 })
      assert.deepStrictEqual(yield* pipeline.list("org_b", asked), { leads: [], total: 0 })
    }).pipe(Effect.provide(all)))

  it.live("lists the leads of one stage in an area, and counts no others", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a"], 3)
      yield* Seeder.use((seeder) =>
        seeder.add({
          properties: [
            property({ id: Scene.propertyId(3), countyFips: Scene.otherCounty }),
            property({ id: Scene.propertyId(4), countyFips: Scene.visibleCounty, retiredInto: Scene.propertyId(0) })
          ]
        })
      )
      yield* Scene.qualifyMany("org_a", 5)
      yield* move(1, { to: "attempted_contact" })
      const pipeline = yield* Pipeline
      const visible = { nationwide: false, stateFips: [], countyFips: [Scene.visibleCounty] }
      const ids = Effect.fnUntraced(
        function*(asked: { readonly visible: typeof visible; readonly status: Stage | null }) {
          const { leads, total } = yield* pipeline.list("org_a", { ...asked, limit: 10, offset: 0 })
          assert.strictEqual(total, leads.length)
          return leads.map(({ propertyId }) => propertyId).toSorted()
        }
      )
      const { propertyId } = Scene
      assert.deepStrictEqual(yield* ids({ visible, status: null }), [propertyId(0), propertyId(1), propertyId(2)])
      assert.deepStrictEqual(yield* ids({ visible, status: "attempted_contact" }), [propertyId(1)])
      assert.deepStrictEqual(yield* ids({ visible, status: "qualified" }), [propertyId(0), propertyId(2)])
      assert.lengthOf(yield* pipeline.all("org_a", { after: null, limit: 10 }), 5)
    }).pipe(Effect.provide(all)))

  it.live("reads every lead page by page; one that moves meanwhile is read once", () =>
    Effect.gen(function*() {
      yield* Scene.seed(["org_a", "org_b"], 5)
      yield* Scene.qualifyMany("org_a", 5)
      yield* Scene.qualifyMany("org_b", 1)
      const pipeline = yield* Pipeline
      const page = (after: string | null) =>
        Effect.map(
          pipeline.all("org_a", { after, limit: 2 }),
          (leads) => leads.map((lead) => [lead.propertyId, lead.propertyKey, lead.status])
        )
      const of = (index: number, status: Stage = "qualified") => {
        const id = Scene.propertyId(index)
        return [id, `${Scene.visibleCounty}-${id}`, status]
      }
      assert.deepStrictEqual(yield* page(null), [of(0), of(1)])
      yield* move(0, { to: "attempted_contact" })
      yield* move(3, { to: "attempted_contact" })
      assert.deepStrictEqual(yield* page(Scene.propertyId(1)), [of(2), of(3, "attempted_contact")])
      assert.deepStrictEqual(yield* page(Scene.propertyId(3)), [of(4)])
      assert.deepStrictEqual(yield* page(Scene.propertyId(4)), [])
    }).pipe(Effect.provide(all)))
}
