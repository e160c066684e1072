/** What every `Board` must do, with the leads and tasks that it shows. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Board, type BoardPage } from "../pipeline/Board.ts"
import { Pipeline } from "../pipeline/Pipeline.ts"
import { Stage } from "../stage/Stage.ts"
import { Tasks } from "../task/Tasks.ts"
import { member, property, Seeder } from "./Seed.ts"
import * as Scene from "./WebhookScene.ts"

const ana = { memberId: "00000000-0000-4000-a000-0000000000a1", name: "Ana" }

const page: BoardPage = {
  visible: { nationwide: false, stateFips: [], countyFips: [Scene.visibleCounty] },
  stages: Stage.literals,
  ownerId: null,
  unmovedSince: null,
  limit: 10,
  offset: 0
}

const read = (given: Partial<BoardPage> = {}, orgId = "org_a") =>
  Board.use((board) => board.read(orgId, { ...page, ...given }))

/** Five leads of org_a, worth 1,000 each, the fourth beyond the area; the second was attempted since. */
const scene = Effect.gen(function*() {
  yield* Scene.seed(["org_a", "org_b"], 3)
  yield* Seeder.use((seeder) =>
    seeder.add({
      members: [{ orgId: "org_a", ...member({ memberId: ana.memberId, email: "ana@people.example", name: "Ana" }) }],
      properties: [
        property({ id: Scene.propertyId(3), countyFips: Scene.otherCounty }),
        property({
          id: Scene.propertyId(4),
          countyFips: Scene.visibleCounty,
          address: "4 Made-up Way",
          city: "Faketon"
        })
      ]
    })
  )
  yield* Scene.qualifyMany("org_a", 5)
  yield* Pipeline.use((pipeline) =>
    pipeline.change({
      ...Scene.qualification("org_a", Scene.propertyId(1), { eventId: Scene.eventId(20), now: Scene.at + 60_000 }),
      expected: 1,
      move: {
        from: "qualified",
        to: {
          status: "attempted_contact",
          dealValue: 2500,
          lossReasonCode: null,
          lossReasonNote: null,
          disqualifiedReason: null
        },
        note: null
      }
    })
  )
})

const task = (n: number, title: string, dueAt: string | null) => ({
  orgId: "org_a",
  id: Scene.eventId(100 + n),
  propertyId: Scene.propertyId(4),
  title,
  description: null,
  type: "task" as const,
  dueAt,
  author: ana,
  assignee: null,
  most: 1000,
  now: Scene.at + n
})

/** `layer` must be fresh for each test. */
export const boardContract = <E>(layer: Layer.Layer<Board | Pipeline | Tasks | Seeder, E>): void => {
  it.live("has a column for each stage, with what all of its leads are worth and a page of them", () =>
    Effect.gen(function*() {
      yield* scene
      const columns = yield* read({ limit: 2 })
      assert.deepStrictEqual(
        columns.map(({ cards, dealValue, status, total }) => [status, total, dealValue, cards.length]),
        [
          ["qualified", 3, 3000, 2],
          ["attempted_contact", 1, 2500, 1],
          ["active_opportunity", 0, 0, 0],
          ["won", 0, 0, 0],
          ["lost", 0, 0, 0],
          ["disqualified", 0, 0, 0]
        ]
      )
      const [qualified, attempted] = columns
      assert.deepStrictEqual(qualified?.cards.map((card) => card.propertyId), [
        Scene.propertyId(4),
        Scene.propertyId(2)
      ])
      assert.deepInclude(qualified?.cards[0], {
        address: "4 Made-up Way",
        city: "Faketon",
        version: 1,
        statusChangedAt: "2026-09-21T14:13:20.004Z",
        nextTask: null
      })
      assert.strictEqual(attempted?.cards[0]?.version, 2)
      const [rest, ...none] = yield* read({ stages: ["qualified"], limit: 2, offset: 2 })
      assert.deepStrictEqual(rest?.cards.map((card) => card.propertyId), [Scene.propertyId(0)])
      assert.strictEqual(rest?.total, 3)
      assert.deepStrictEqual(none, [])
    }).pipe(Effect.provide(layer)))

  it.live("shows of another organization nothing", () =>
    Effect.gen(function*() {
      yield* scene
      for (const { cards, dealValue, total } of yield* read({}, "org_b")) {
        assert.deepStrictEqual([cards, dealValue, total], [[], 0, 0])
      }
    }).pipe(Effect.provide(layer)))

  it.live("shows one member's leads, or those that nobody moved since a moment", () =>
    Effect.gen(function*() {
      yield* scene
      yield* Pipeline.use((pipeline) =>
        pipeline.assign({
          orgId: "org_a",
          propertyId: Scene.propertyId(2),
          owner: { id: ana.memberId, name: ana.name },
          actor: Scene.actor,
          eventId: Scene.eventId(30),
          now: Scene.at
        })
      )
      const [mine] = yield* read({ stages: ["qualified"], ownerId: ana.memberId })
      assert.deepStrictEqual(mine?.cards.map((card) => [card.propertyId, card.ownerName]), [[
        Scene.propertyId(2),
        "Ana"
      ]])
      assert.strictEqual(mine?.dealValue, 1000)
      const unmoved = yield* read({ stages: ["attempted_contact", "qualified"], unmovedSince: Scene.at + 2 })
      assert.deepStrictEqual(unmoved.map(({ cards }) => cards.map((card) => card.propertyId)), [
        [],
        [Scene.propertyId(2), Scene.propertyId(0)]
      ])
    }).pipe(Effect.provide(layer)))

  it.live("a card names the open task that is due first; what has no day comes last", () =>
    Effect.gen(function*() {
      yield* scene
      const tasks = yield* Tasks
      const next = Effect.map(read({ stages: ["qualified"], limit: 1 }), ([column]) => column?.cards[0]?.nextTask)
      yield* tasks.add(task(1, "some day", null))
      assert.deepStrictEqual(yield* next, { title: "some day", dueAt: null })
      yield* tasks.add(task(2, "later", "2026-12-02T00:00:00.000Z"))
      yield* tasks.add(task(3, "first", "2026-12-01T00:00:00.000Z"))
      assert.deepStrictEqual(yield* next, { title: "first", dueAt: "2026-12-01T00:00:00.000Z" })
      yield* tasks.end({ orgId: "org_a", id: task(3, "", null).id, status: "done", now: Scene.at })
      assert.deepStrictEqual(yield* next, { title: "later", dueAt: "2026-12-02T00:00:00.000Z" })
    }).pipe(Effect.provide(layer)))
}
