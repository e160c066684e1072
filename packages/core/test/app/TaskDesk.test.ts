/** Tasks as members work with them in the app. */
import { assert, layer as suite } from "@effect/vitest"
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
