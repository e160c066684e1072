/** A list that is read to its end while items come and go. */
import { assert, describe, it } from "@effect/vitest"
import { allPages, type Page } from "@freehold/cli/command/AllPages"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as TasksMemory from "@freehold/core/memory/task/TasksMemory"
import { defaults } from "@freehold/core/organization/Organization"
import { type Task, Tasks } from "@freehold/core/task/Tasks"
import { property, startOver } from "@freehold/core/testing/Seed"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Array, Effect, Layer } from "effect"

const orgId = "org_pages"
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const add = (n: number) =>
  Tasks.use((tasks) =>
    tasks.add({
      orgId,
      id: id(n),
      propertyId: id(0),
      title: `Task ${n}`,
      description: null,
      type: "task",
      dueAt: null,
      author: { memberId: id(0), name: "Ana" },
      assignee: null,
      most: 10_000,
      now: n
    })
  )

describe("allPages", () => {
  it.effect("tells each once and leaves none out, whatever is added and ended between two pages", () =>
    Effect.gen(function*() {
      yield* startOver({ organizations: [defaults(orgId)], properties: [property({ id: id(0), countyFips: "48001" })] })
      const numbers = Array.range(1, 1200)
      yield* Effect.forEach(numbers, add)
      const tasks = yield* Tasks
      let pages = 0
      const items = yield* allPages(({ last: after, limit }: Page<Task>) =>
        Effect.gen(function*() {
          const page = yield* tasks.list({ orgId, propertyId: null, status: "open", after, limit, offset: 0 })
          pages++
          yield* add(2000 + pages)
          if (pages > 1) {
            yield* Effect.forEach([1199, 1198], (n) => tasks.end({ orgId, id: id(n), status: "done", now: 1 }))
          }
          return page.tasks
        })
      )
      assert.strictEqual(pages, 3)
      assert.deepStrictEqual(items.map((task) => task.id), numbers.toReversed().map(id))
    }).pipe(
      Effect.provide(Layer.mergeAll(TasksMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer)))
    ))
})
