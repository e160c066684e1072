/** Lists, notes, saved searches, runs, requests and usage as members look after them in the app. */
import { assert, layer as suite } from "@effect/vitest"
import { Organizations } from "@freehold/core/organization/Organizations"
import { OperatorRequests } from "@freehold/core/request/OperatorRequests"
import * as ClosedPlace from "@freehold/core/testing/ClosedPlace"
import { member } from "@freehold/core/testing/Seed"
import { Effect } from "effect"
import { asking, layer, people, places } from "./AppScene.ts"

const [ana, tess, otto] = [asking("ana"), asking("tess"), asking("otto")]

const nowhere = "00000000-0000-4000-b000-000000000099"

interface Named {
  readonly id: string
}

suite(layer)("lists in the app", (it) => {
  const make = Effect.fnUntraced(function*(list_name: string, ask: typeof tess = tess) {
    const { list } = yield* ask("service_create_list", { list_name, list_type: "properties" })
    return String(list.id)
  })

  it.effect("are renamed, shared and deleted by their owner, and the team's by an admin", () =>
    Effect.gen(function*() {
      const list_id = yield* make("Mine")
      yield* make("Other")
      const anaId = people.ana.memberId
      assert.deepInclude(yield* tess("app_get_list", { list_id }), {
        manageable: true,
        shareable: true,
        shared_with: []
      })
      assert.strictEqual((yield* ana("app_get_list", { list_id })).code, "LIST_NOT_FOUND")
      const change = (input: object, ask = tess) => ask("app_change_list", { list_id, ...input })
      assert.strictEqual((yield* change({ list_name: "OTHER" })).code, "NAME_IN_USE")
      assert.match((yield* change({ shared_with: [anaId] })).message, /^shared_with: .*shared/)
      assert.match(
        (yield* change({ visibility: "shared", shared_with: [people.otto.memberId] })).message,
        /no such member/
      )
      const shared = { visibility: "shared", shared_with: [anaId, people.tess.memberId], list_name: "Ours" }
      assert.deepInclude(yield* change(shared), { list_name: "Ours", shared_count: 1, shared_with: [anaId] })
      assert.deepInclude(yield* ana("app_get_list", { list_id }), {
        manageable: false,
        shared_count: 1,
        shared_with: null
      })
      assert.match((yield* change({ list_name: "Hers" }, ana)).message, /Its owner changes it/)
      assert.deepInclude(yield* change({ visibility: "team" }), { visibility: "team", shared_count: 0 })
      assert.deepInclude(yield* change({ list_name: "The team's" }, ana), { list_name: "The team's", manageable: true })
      assert.match((yield* change({ visibility: "private" }, ana)).message, /Its owner alone/)
      assert.deepStrictEqual(yield* ana("app_delete_list", { list_id }), { list_id, deleted: true })
      assert.strictEqual((yield* tess("app_delete_list", { list_id })).code, "LIST_NOT_FOUND")
    }))

  it.effect("are renamed though somebody whom they are shared with is gone, who cannot be chosen anew", () =>
    Effect.gen(function*() {
      const { saveMember } = yield* Organizations
      const una = member({ memberId: "00000000-0000-4000-b000-000000000071", name: "Una", email: "una@people.example" })
      yield* saveMember(ClosedPlace.orgId, una)
      const list_id = yield* make("Hers too")
      const shared_with = [una.memberId]
      yield* tess("app_change_list", { list_id, visibility: "shared", shared_with })
      yield* saveMember(ClosedPlace.orgId, { ...una, status: "removed" })
      const renamed = yield* tess("app_change_list", { list_id, list_name: "Hers once" })
      assert.deepInclude(renamed, { list_name: "Hers once", visibility: "shared", shared_with })
      assert.match((yield* tess("app_change_list", { list_id, shared_with })).message, /no such member/)
      assert.deepInclude(yield* tess("app_change_list", { list_id, shared_with: [] }), { shared_count: 0 })
    }))

  it.effect("of another organization do not exist", () =>
    Effect.gen(function*() {
      const list_id = yield* make("Ours alone", ana)
      yield* ana("app_change_list", { list_id, visibility: "team" })
      for (const id of [list_id, nowhere]) {
        for (
          const [name, input] of [["app_get_list", {}], ["app_change_list", { list_name: "Theirs" }], [
            "app_delete_list",
            {}
          ]] as const
        ) {
          assert.strictEqual((yield* otto(name, { list_id: id, ...input })).code, "LIST_NOT_FOUND", name)
        }
      }
    }))
})

suite(layer)("notes in the app", (it) => {
  it.effect("are edited by their author, and deleted by the author or an admin", () =>
    Effect.gen(function*() {
      const about = { property_id: places.second }
      const note = yield* tess("service_add_note", { ...about, content: "The roof is old" })
      const told = (ask = tess) => Effect.map(ask("app_list_notes", about), ({ notes: [first] }) => first)
      assert.deepInclude(yield* told(), { content: "The roof is old", editable: true, deletable: true })
      assert.deepInclude(yield* told(ana), { author: "Tess", editable: false, deletable: true })
      assert.deepInclude(yield* tess("app_edit_note", { id: note.id, content: "The roof is new" }), {
        content: "The roof is new",
        created_at: note.created_at
      })
      assert.match((yield* ana("app_edit_note", { id: note.id, content: "Ana's" })).message, /Its author alone/)
      assert.match((yield* tess("app_edit_note", { id: note.id, content: " " })).message, /^content: /)
      const hers = yield* ana("service_add_note", { ...about, content: "Mine" })
      assert.match((yield* tess("app_delete_note", { id: hers.id })).message, /author or an admin/)
      assert.deepStrictEqual(yield* ana("app_delete_note", { id: note.id }), { id: note.id, deleted: true })
      assert.match((yield* tess("app_delete_note", { id: note.id })).message, /no such note/)
    }))

  it.effect("beyond a territory or of another organization are neither told nor changed", () =>
    Effect.gen(function*() {
      const { notes: [far] } = yield* ana("app_list_notes", { property_id: places.far })
      const near = yield* ana("service_add_note", { property_id: places.near, content: "Near" })
      const calls = (id: string) => [["app_edit_note", { id, content: "Theirs" }], ["app_delete_note", { id }]] as const
      for (const [name, input] of calls(far.id)) {
        assert.strictEqual((yield* tess(name, input)).code, "OUT_OF_TERRITORY", name)
      }
      for (const [name, input] of [...calls(near.id), ...calls(nowhere)]) {
        assert.strictEqual((yield* otto(name, input)).message, "id: There is no such note", name)
      }
      assert.strictEqual((yield* tess("app_list_notes", { property_id: places.far })).code, "OUT_OF_TERRITORY")
      assert.deepStrictEqual((yield* otto("app_list_notes", { property_id: places.near })).notes, [])
    }))
})

suite(layer)("saved searches in the app", (it) => {
  it.effect("are renamed by whoever saved them", () =>
    Effect.gen(function*() {
      const save = (name: string) =>
        Effect.map(
          ana("service_save_search", { name, search: { filters: { countyFips: ["53903"] } } }),
          ({ saved_search }) => saved_search.id
        )
      const saved_search_id = yield* save("North")
      yield* save("South")
      assert.strictEqual((yield* ana("app_rename_search", { saved_search_id, name: " SOUTH" })).code, "NAME_IN_USE")
      const name = "East"
      assert.deepStrictEqual(yield* ana("app_rename_search", { saved_search_id, name }), { saved_search_id, name })
      for (const ask of [tess, otto]) {
        assert.strictEqual((yield* ask("app_rename_search", { saved_search_id, name })).code, "NOT_FOUND")
      }
      const { saved_searches } = yield* ana("service_list_saved_searches", {})
      assert.sameMembers(saved_searches.map((each: { name: string }) => each.name), ["East", "South"])
    }))
})

suite(layer)("research and records in the app", (it) => {
  it.effect("runs are listed with their receipts, as far as whoever asks sees what they are about", () =>
    Effect.gen(function*() {
      const launch = (id: string, ask = ana) => ask("service_research_property", { id })
      const runs = [yield* launch(places.near), yield* launch(places.far), yield* launch(places.second, tess)]
      const [near, far, second] = runs.map(({ run_id }) => run_id)
      const ids = (ask: typeof ana, input: object = {}) =>
        Effect.map(
          ask("service_list_research_runs", input),
          ({ next_cursor, runs }): [Array<string>, string | null] => [
            runs.map((run: { run_id: string }) => run.run_id),
            next_cursor
          ]
        )
      assert.deepStrictEqual((yield* ids(ana))[0].toSorted(), [near, far, second].toSorted())
      assert.deepStrictEqual((yield* ids(tess))[0].toSorted(), [near, second].toSorted())
      assert.deepStrictEqual(yield* ids(tess, { mine: true }), [[second], null])
      assert.deepStrictEqual(yield* ids(ana, { action: "draft_email" }), [[], null])
      assert.deepStrictEqual(yield* ids(otto), [[], null])
      const paged: Array<string> = []
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: [Array<string>, string | null] = yield* ids(ana, { limit: 1, ...cursor === "" ? {} : { cursor } })
        paged.push(...page[0])
        cursor = page[1]
      }
      assert.deepStrictEqual(paged, (yield* ids(ana))[0])
      assert.strictEqual((yield* ana("service_list_research_runs", { cursor: "1.somewhere" })).code, "INVALID_CURSOR")
      const { runs: told } = yield* ana("service_list_research_runs", {})
      const { entries } = yield* ana("service_get_credit_ledger", {})
      for (const run of told) {
        const charge = entries.find((each: { entry: number }) => each.entry === run.receipt)
        assert.deepInclude(charge, { kind: "charge", action: run.action, subject_id: run.subject_ids[0] })
      }
    }))

  it.effect("names are told of what is seen, and of people once they are revealed", () =>
    Effect.gen(function*() {
      const person = "00000000-0000-4000-b000-000000000032"
      const far = "00000000-0000-4000-b000-000000000031"
      const asked = {
        property_ids: [places.far, places.near, places.second, nowhere],
        contact_ids: [person, far, nowhere]
      }
      const told = Effect.fnUntraced(function*(ask: typeof ana) {
        const { contacts, properties } = yield* ask("app_name_records", asked)
        return {
          properties: new Map(properties.map((each: Named & { standing: string }) => [each.id, each.standing])),
          contacts: new Map(contacts.map((each: Named & { full_name: string | null }) => [each.id, each.full_name]))
        }
      })
      assert.deepStrictEqual(yield* told(ana), {
        properties: new Map([[places.far, "customer"], [places.near, "revealed"], [places.second, "none"]]),
        contacts: new Map([[person, "bothperson"], [far, "zanzilperson"]])
      })
      assert.deepStrictEqual(yield* told(tess), {
        properties: new Map([[places.near, "revealed"], [places.second, "none"]]),
        contacts: new Map([[person, "bothperson"]])
      })
      assert.deepStrictEqual((yield* told(otto)).contacts, new Map([[person, null], [far, null]]))
    }))
})

suite(layer)("requests and usage in the app", (it) => {
  it.effect("a member reads what they asked for, an admin what anybody did, and nobody what others did elsewhere", () =>
    Effect.gen(function*() {
      yield* ana("service_request_coverage", { county_fips: ["53907"] })
      yield* tess("service_request_support", { subject: "Help", message: "It does not work" })
      const subjects = (ask: typeof ana) =>
        Effect.map(
          ask("service_list_requests", {}),
          ({ requests, total }) => [requests.map((each: { subject: string | null }) => each.subject).toSorted(), total]
        )
      assert.deepStrictEqual(yield* subjects(ana), [["Help", null], 2])
      assert.deepStrictEqual(yield* subjects(tess), [["Help"], 1])
      assert.deepStrictEqual(yield* subjects(otto), [[], 0])
    }))

  it.effect("whoever asked reads what the operator answered", () =>
    Effect.gen(function*() {
      const { id } = yield* tess("service_request_support", { subject: "An answer", message: "Is there one?" })
      const answerOf = Effect.map(
        tess("service_list_requests", {}),
        ({ requests }) => requests.find((each: { id: string }) => each.id === id).answer
      )
      assert.isNull(yield* answerOf)
      yield* OperatorRequests.use((requests) => requests.close(id, 0, "There is.\nThis one."))
      assert.strictEqual(yield* answerOf, "There is.\nThis one.")
    }))

  it.effect("a member reads their own spending, an admin every level with its keys and members", () =>
    Effect.gen(function*() {
      yield* tess("service_research_property", { id: places.third })
      const { mine, organization } = yield* tess("app_get_usage", {})
      assert.deepStrictEqual([mine.spent, mine.limit, organization], [10, null, null])
      const limited = asking("ana", { daily_limits: { lead_export: { service: 100, organization: 20 } } })
      const { organization: all } = yield* limited("app_get_usage", {})
      const of = (kind: string) => all.daily.find((each: { kind: string }) => each.kind === kind)
      assert.deepInclude(of("lead_export"), { service: 100, organization: 20, used: 0, remaining: 20 })
      assert.deepInclude(of("contact_reveal"), { service: null, organization: null, remaining: null })
      assert.deepInclude(all.requests, { per_minute: 100_000, per_day: 50_000, used_today: 0 })
      assert.strictEqual(all.records.rollout, "not_started")
      const spent = all.members.map((each: { name: string; spent: number }) => [each.name, each.spent])
      assert.sameDeepMembers(spent, [["Ana", 0], ["Tess", 10]])
    }))
})
