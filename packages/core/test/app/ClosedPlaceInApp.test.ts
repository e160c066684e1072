/** What the app alone tells a member, or an admin, of a place beyond their territory, by every operation: nothing. */
import { assert, layer as suite } from "@effect/vitest"
import { type AppOperation, appOperations } from "@freehold/core/catalogue/AppCatalogue"
import * as ClosedPlace from "@freehold/core/testing/ClosedPlace"
import { Effect } from "effect"
import { asking, layer, people } from "./AppScene.ts"

type Name = AppOperation["name"]

const { closed, counties, kept: { note, property_id, task }, list: { list_id }, openFromAfar: { contact_id } } =
  ClosedPlace

const search = { countyFips: Object.values(counties) }
const said = { title: "Call", description: null, type: "call", due: null, assignee_id: null }

const { memberId: member_id } = people.tess
const credential_id = task

/** About the closed place wherever it can be named. Those that change something come last. */
const calls: Readonly<Record<Name, ReadonlyArray<object>>> = {
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
  app_get_credits: [{}],
  app_list_ledger: [{}, { limit: 1 }, { kind: "charge" }, { action: "research_contact" }],
  app_get_settings: [{}],
  app_list_administration: [{}],
  app_list_notices: [{}],
  app_list_keys: [{}],
  app_list_members: [{}],
  app_list_member_sessions: [{ member_id }],
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
  app_delete_list: [{ list_id }],
  app_create_key: [{ name: "Sample", scopes: ["mcp"] }],
  app_change_key: [{ credential_id, scopes: ["mcp"] }],
  app_revoke_key: [{ credential_id }],
  app_add_member: [{ email: "new@people.example" }],
  app_change_member: [{ member_id, name: "Tess" }],
  app_issue_sign_in_link: [{ member_id }],
  app_revoke_member_sessions: [{ member_id, session_id: null }],
  app_set_member_connections: [{ member_id, client_id: null, revoked: false }],
  app_change_settings: [{}],
  app_remove_member: [{ member_id: list_id }]
}

const forAdmins = new Set<Name>(appOperations.flatMap(({ access, name }) => access.app === "admins" ? [name] : []))

/** Every operation that is for them. */
const answers = Effect.fnUntraced(function*(who: "ana" | "ada" | "tess") {
  const names = appOperations.map(({ name }) => name).filter((name) => who !== "tess" || !forAdmins.has(name))
  return yield* Effect.forEach(
    names.flatMap((name) => calls[name].map((input) => ({ name, input }))),
    ({ input, name }) =>
      Effect.map(asking(who)(name, input), (answer) => ({
        name,
        asked: JSON.stringify(input),
        answered: JSON.stringify(answer)
      }))
  )
})

const bought = Effect.forEach(ClosedPlace.purchases, ([name, input]) => asking("ana")(name, input))

for (const who of ["tess", "ada"] as const) {
  suite(layer)(`a place beyond the territory of ${who === "ada" ? "an admin" : "a member"}`, (it) => {
    it.effect("is told by no operation of the app, and by some to who sees it (T1)", () =>
      Effect.gen(function*() {
        for (const purchase of yield* bought) assert.property(purchase, "run_id", JSON.stringify(purchase))
        assert.deepStrictEqual(ClosedPlace.leaksIn(yield* answers(who)), [])
        const whole = (yield* answers("ana")).map(({ answered }) => answered).join()
        const told = new Set(ClosedPlace.wordsIn(whole))
        for (const word of ["zanzilnote", "zanziltask", "zanzilstreet", "zanzilperson"]) {
          assert.isTrue(told.has(word), word)
        }
      }))
  })
}
