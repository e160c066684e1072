/** The board as a member works with it: what was looked at is what is changed, and what nobody may see is not told. */
import { assert, layer as suite } from "@effect/vitest"
import { Pipeline } from "@freehold/core/pipeline/Pipeline"
import * as ClosedPlace from "@freehold/core/testing/ClosedPlace"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { asking, layer, people, places } from "./AppScene.ts"

const [ana, tess, otto] = [asking("ana"), asking("tess"), asking("otto")]

/** Makes a property a lead of the organization. */
const qualified = (propertyId: string, index: number) =>
  Pipeline.use((pipeline) =>
    pipeline.change(
      Scene.qualification(ClosedPlace.orgId, propertyId, { eventId: Scene.eventId(index), now: Scene.at })
    )
  )

const move = (property_id: string, version: number, to: object) => ({ property_id, version, ...to })

suite(layer)("the board", (it) => {
  it.effect("a move of what somebody else moved first is refused, and changes nothing", () =>
    Effect.gen(function*() {
      yield* qualified(places.second, 1)
      const moved = yield* ana("app_move_lead", move(places.second, 1, { status: "won", deal_value: 40_000 }))
      assert.deepInclude(moved, { status: "won", version: 2, deal_value: 40_000 })
      const late = yield* tess("app_move_lead", move(places.second, 1, { status: "lost", reason_code: "price" }))
      assert.strictEqual(late.code, "CHANGED_IN_FLIGHT")
      const { lead: { history, targets, version } } = yield* tess("app_get_lead", { property_id: places.second })
      assert.strictEqual(version, 2)
      assert.deepStrictEqual(targets, ["active_opportunity", "lost"])
      assert.deepStrictEqual(
        history.map((line: Record<string, unknown>) => [line["from"], line["to"], line["by"], line["by_agent"]]),
        [[null, "qualified", "Sample Member", false], ["qualified", "won", "Ana", false]]
      )
    }))

  it.effect("the last move is taken back by whoever made it, to any stage, for a minute", () =>
    Effect.gen(function*() {
      yield* qualified(places.third, 2)
      const undo = { property_id: places.third, version: 2 }
      yield* TestClock.setTime(Scene.at)
      yield* ana("app_move_lead", move(places.third, 1, { status: "disqualified", reason_code: "too_small" }))
      assert.include((yield* tess("app_undo_move", undo)).message, "Only whoever made a move")
      const back = yield* ana("app_undo_move", undo)
      assert.deepInclude(back, { status: "qualified", deal_value: 1000, version: 3 })
      assert.strictEqual((yield* ana("app_undo_move", undo)).code, "CHANGED_IN_FLIGHT")
      yield* ana("app_move_lead", move(places.third, 3, { status: "lost", reason_code: "other", note: "made up" }))
      yield* ana("app_move_lead", move(places.third, 4, { status: "active_opportunity" }))
      const again = yield* ana("app_undo_move", { ...undo, version: 5 })
      assert.deepInclude(again, { status: "lost", version: 6 })
      const { lead: { history, reason_code } } = yield* ana("app_get_lead", { property_id: places.third })
      assert.deepStrictEqual([reason_code, history.at(-1).note], ["other", "made up"])
      yield* ana("app_move_lead", move(places.third, 6, { status: "won" }))
      yield* TestClock.setTime(Scene.at + 60_001)
      assert.include((yield* ana("app_undo_move", { ...undo, version: 7 })).message, "for a minute")
      yield* qualified(places.near, 3)
      assert.include((yield* ana("app_undo_move", { property_id: places.near, version: 1 })).message, "first")
    }))

  it.effect("a disqualified lead has a reason of the list", () =>
    Effect.gen(function*() {
      for (const reason of [{}, { reason_code: "made_up" }]) {
        const refused = yield* ana("app_move_lead", move(places.near, 1, { status: "disqualified", ...reason }))
        assert.match(refused.message, /^reason_code: Expected one of not_a_fit/)
      }
    }))

  it.effect("a lead is given to a member with a seat who sees the property, or to nobody", () =>
    Effect.gen(function*() {
      const give = (property_id: string, member_id: string | null) => ana("app_assign_lead", { property_id, member_id })
      const given = yield* give(places.near, people.tess.memberId)
      assert.deepStrictEqual(given.owner, { member_id: people.tess.memberId, name: "Tess" })
      const mine = yield* tess("app_get_board", { mine: true, stages: ["qualified"] })
      assert.deepStrictEqual(
        mine.stages.map(({ leads, total }: { leads: ReadonlyArray<{ property_id: string }>; total: number }) => [
          total,
          leads.map(({ property_id }) => property_id)
        ]),
        [[1, [places.near]]]
      )
      assert.include((yield* give(places.far, people.tess.memberId)).message, "outside of this member's territory")
      assert.include((yield* give(places.near, people.otto.memberId)).message, "no such member")
      assert.isNull((yield* give(places.near, null)).owner)
      const { members } = yield* ana("app_list_colleagues", {})
      assert.deepStrictEqual(members.map(({ name }: { name: string }) => name), ["Ana", "Tess"])
    }))

  it.effect("where the CRM owns the stages, only what the app may do is offered", () =>
    Effect.gen(function*() {
      const external = asking("ana", { crm_mode: "external" })
      const { stages: [column] } = yield* external("app_get_board", { stages: ["qualified"] })
      assert.deepStrictEqual(column.targets, ["disqualified"])
      assert.strictEqual(
        (yield* external("app_move_lead", move(places.near, 1, { status: "won" }))).code,
        "STAGE_CAPPED"
      )
    }))

  it.effect("nothing is told or changed beyond a territory or in another organization", () =>
    Effect.gen(function*() {
      const calls = (property_id: string) =>
        [
          ["app_get_lead", { property_id }],
          ["app_move_lead", move(property_id, 1, { status: "won" })],
          ["app_undo_move", { property_id, version: 1 }],
          ["app_assign_lead", { property_id, member_id: null }]
        ] as const
      for (const [name, input] of calls(places.far)) {
        assert.strictEqual((yield* tess(name, input)).code, "OUT_OF_TERRITORY", name)
      }
      const [show, ...changes] = calls(places.near)
      assert.deepStrictEqual(yield* otto(...show), { lead: null })
      for (const [name, input] of changes) {
        assert.strictEqual((yield* otto(name, input)).code, "NO_PIPELINE_RECORD", name)
      }
      const { stages } = yield* otto("app_get_board", {})
      assert.strictEqual(stages.reduce((sum: number, { total }: { total: number }) => sum + total, 0), 0)
      assert.notInclude(JSON.stringify(yield* tess("app_get_board", {})), "zanzil")
      assert.include(JSON.stringify(yield* ana("app_get_board", {})), "zanzil")
    }))
})
