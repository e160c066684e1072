/** What the app alone tells a member of a place beyond their territory, by every operation that is a member's: nothing. */
import { assert, layer as suite } from "@effect/vitest"
import { type AppOperation, appOperations } from "@freehold/core/catalogue/AppCatalogue"
import * as ClosedPlace from "@freehold/core/testing/ClosedPlace"
import { Effect } from "effect"
import { asking, layer } from "./AppScene.ts"

type Name = AppOperation["name"]

const { closed, counties, kept: { note, property_id, task }, list: { list_id }, openFromAfar: { contact_id } } =
  ClosedPlace

const search = { countyFips: Object.values(counties) }
const said = { title: "Call", description: null, type: "call", due: null, assignee_id: null }

/** About the closed place wherever it can be named. Those that change something come last. */
const calls: Readonly<Partial<Record<Name, ReadonlyArray<object>>>> = {
  app_get_session: [{}],
  app_list_sessions: [{}],
  app_list_organizations: [{}],
  app_open_property: closed.map((id) => ({ id })),
  app_map_points: [{ filters: search }, { filters: { ...search, inListId: list_id } }],
  app_list_colleagues: [{}],
  app_get_board: [{}, { stages: ["lost"] }],
  app_get_lead: [{ property_id }],
  app_list_tasks: [{}, { property_id }],
  app_get_list: [{ list_id }],
  app_list_notes: [{ property_id }],
  app_name_records: [{ property_ids: closed, contact_ids: [...closed, contact_id] }],
  app_list_counties: [{}],
  app_get_usage: [{}],
  app_revoke_session: [{ others: true }],
  app_move_lead: [{ property_id, version: 1, status: "won" }],
  app_undo_move: [{ property_id, version: 1 }],
  app_assign_lead: [{ property_id, member_id: null }],
  app_add_task: [{ ...said, property_id }],
  app_edit_task: [{ ...said, id: task }],
  app_end_task: [{ id: task, status: "done" }],
  app_rename_search: [{ saved_search_id: list_id, name: "Sample" }],
  app_edit_note: [{ id: note, content: "A note." }],
  app_delete_note: [{ id: note }],
  app_change_list: [{ list_id, list_name: "Sample" }],
  app_delete_list: [{ list_id }]
}

const ofMembers = appOperations.filter(({ access }) => access.app !== "admins")

suite(layer)("a place beyond a member's territory", (it) => {
  it.effect("is told by no operation of the app, and by some to who sees it", () =>
    Effect.gen(function*() {
      assert.sameMembers(Object.keys(calls), ofMembers.map(({ name }) => name))
      const answers = Effect.fnUntraced(function*(who: "ana" | "tess") {
        const asked = appOperations.flatMap(({ name }) => (calls[name] ?? []).map((input) => ({ name, input })))
        return yield* Effect.forEach(asked, ({ input, name }) =>
          Effect.map(asking(who)(name, input), (answer) => ({
            name,
            asked: JSON.stringify(input),
            answered: JSON.stringify(answer)
          })))
      })
      const leaks = (yield* answers("tess")).filter(({ answered, asked }) =>
        ClosedPlace.wordsIn(answered).length > 0 || closed.some((id) => answered.includes(id) && !asked.includes(id))
      )
      assert.deepStrictEqual(leaks, [])
      const told = new Set((yield* answers("ana")).flatMap(({ answered }) => ClosedPlace.wordsIn(answered)))
      for (const word of ["zanzilnote", "zanziltask", "zanzilstreet", "zanzilperson"]) {
        assert.isTrue(told.has(word), word)
      }
    }))
})
