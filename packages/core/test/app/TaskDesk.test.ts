/** Tasks as members work with them in the app. */
import { assert, layer as suite } from "@effect/vitest"
import { Organizations } from "@freehold/core/organization/Organizations"
import * as ClosedPlace from "@freehold/core/testing/ClosedPlace"
import { member } from "@freehold/core/testing/Seed"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { asking, layer, people, places } from "./AppScene.ts"

const [ana, tess, otto] = [asking("ana"), asking("tess"), asking("otto")]

const said = { title: "Call the owner", description: null, type: "call", due: "2026-03-01", assignee_id: null }

const titles = ({ tasks, total }: { tasks: ReadonlyArray<{ title: string }>; total: number }) => [
  tasks.map(({ title }) => title),
  total
]

suite(layer)("tasks in the app", (it) => {
  it.effect("are added, given to a colleague, edited, due on their day, and ended once", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 1, 28, 23))
      const tessId = people.tess.memberId
      const task = yield* ana("app_add_task", { ...said, property_id: places.second, assignee_id: tessId })
      assert.deepInclude(task, { title: said.title, status: "open", due_at: "2026-03-01T00:00:00.000Z" })
      yield* ana("app_add_task", { ...said, title: "Some day", due: null, property_id: places.second })
      assert.deepStrictEqual(titles(yield* tess("app_list_tasks", {})), [["Call the owner", "Some day"], 2])
      assert.deepStrictEqual(titles(yield* tess("app_list_tasks", { mine: true })), [["Call the owner"], 1])
      assert.deepStrictEqual(titles(yield* tess("app_list_tasks", { mine: true, due: true })), [[], 0])
      yield* TestClock.setTime(Date.UTC(2026, 2, 1))
      assert.deepStrictEqual(titles(yield* tess("app_list_tasks", { mine: true, due: true })), [["Call the owner"], 1])
      const anew = { ...said, id: task.id, title: "Write to the owner", due: null }
      assert.deepInclude(yield* tess("app_edit_task", anew), { title: "Write to the owner", assignee_name: null })
      assert.match((yield* tess("app_edit_task", { ...anew, title: " " })).message, /^title: /)
      assert.match((yield* tess("app_edit_task", { ...anew, due: "soon" })).message, /^due: /)
      assert.deepInclude(yield* tess("app_end_task", { id: task.id, status: "done" }), { status: "done" })
      assert.include((yield* ana("app_end_task", { id: task.id, status: "cancelled" })).message, "done already")
      assert.include((yield* ana("app_edit_task", anew)).message, "has ended")
    }))

  it.effect("stay with whoever left until they are given to somebody else, and what is not given stays as it is", () =>
    Effect.gen(function*() {
      const { saveMember } = yield* Organizations
      const una = member({ memberId: "00000000-0000-4000-b000-000000000071", name: "Una", email: "una@people.example" })
      yield* saveMember(ClosedPlace.orgId, una)
      const { id } = yield* ana("app_add_task", { ...said, property_id: places.third, assignee_id: una.memberId })
      yield* saveMember(ClosedPlace.orgId, { ...una, status: "removed" })
      assert.deepInclude(yield* ana("app_edit_task", { id, description: "By the side door" }), {
        title: said.title,
        description: "By the side door",
        due_at: "2026-03-01T00:00:00.000Z",
        assignee_name: "Una"
      })
      const same = yield* ana("app_edit_task", { ...said, id, assignee_id: una.memberId })
      assert.deepInclude(same, { description: null, assignee_name: "Una" })
      const other = yield* ana("app_add_task", { ...said, property_id: places.third })
      const given = yield* ana("app_edit_task", { id: other.id, assignee_id: una.memberId })
      assert.match(given.message, /^assignee_id: There is no such member/)
      assert.deepInclude(yield* ana("app_edit_task", { id, assignee_id: null }), { assignee_name: null })
      for (const task of [id, other.id]) yield* ana("app_end_task", { id: task, status: "cancelled" })
    }))

  it.effect("are read page by page, by a cursor of the same question alone", () =>
    Effect.gen(function*() {
      const property_id = places.third
      for (const [title, due] of [["One", "2026-03-01"], ["Two", "2026-03-01"], ["Three", null]] as const) {
        yield* ana("app_add_task", { ...said, title, due, property_id })
      }
      const asked = { property_id, status: "open" }
      const read: Array<string> = []
      const first = yield* ana("app_list_tasks", { ...asked, limit: 1 })
      for (let page = first;;) {
        assert.deepStrictEqual([page.tasks.length, page.total], [1, 3])
        read.push(page.tasks[0].id)
        if (page.next_cursor === null) break
        page = yield* ana("app_list_tasks", { ...asked, limit: 1, cursor: page.next_cursor })
      }
      const whole = yield* ana("app_list_tasks", asked)
      assert.isNull(whole.next_cursor)
      assert.deepStrictEqual(read, whole.tasks.map(({ id }: { readonly id: string }) => id))
      const { next_cursor: cursor } = first
      const wrong = [{ ...asked, mine: true, cursor }, { ...asked, cursor: "made-up" }, { cursor }]
      for (const input of wrong) assert.strictEqual((yield* ana("app_list_tasks", input)).code, "INVALID_CURSOR")
      assert.match(
        (yield* ana("app_list_tasks", { ...asked, cursor, offset: 1 })).message,
        /cursor or offset, not both/
      )
      for (const id of read) yield* ana("app_end_task", { id, status: "cancelled" })
    }))

  it.effect("nothing is told or changed beyond a territory or in another organization", () =>
    Effect.gen(function*() {
      const { tasks: [far] } = yield* ana("app_list_tasks", { status: "open" })
      assert.strictEqual(far.title, "zanziltask")
      const { id: near } = yield* ana("app_add_task", { ...said, property_id: places.near })
      const calls = (id: string) =>
        [["app_edit_task", { ...said, id }], ["app_end_task", { id, status: "done" }]] as const
      for (const [name, input] of calls(far.id)) {
        assert.strictEqual((yield* tess(name, input)).code, "OUT_OF_TERRITORY", name)
      }
      for (const [name, input] of [...calls(near), ...calls(places.near)]) {
        assert.strictEqual((yield* otto(name, input)).message, "id: There is no such task", name)
      }
      assert.strictEqual((yield* tess("app_add_task", { ...said, property_id: places.far })).code, "OUT_OF_TERRITORY")
      const wrong = yield* ana("app_add_task", { ...said, property_id: places.far, assignee_id: people.tess.memberId })
      assert.match(wrong.message, /^assignee_id: .*territory/)
      assert.deepStrictEqual(titles(yield* otto("app_list_tasks", {})), [[], 0])
      assert.notInclude(JSON.stringify(yield* tess("app_list_tasks", {})), "zanzil")
    }))
})
