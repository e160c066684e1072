/** `Tasks` in memory. */
import { Effect, Layer, Option } from "effect"
import type { BundleTask } from "../../lead/BundleSource.ts"
import { type Task, Tasks } from "../../task/Tasks.ts"
import { isoOf } from "../IsoTime.ts"
import { newestFirst } from "../lead/BundleSourceMemory.ts"
import { MemoryState } from "../MemoryState.ts"
import { unlessRetired } from "../property/Retired.ts"

/** `Tasks` in memory. */
export const layer: Layer.Layer<Tasks, never, MemoryState> = Layer.effect(
  Tasks,
  Effect.gen(function*() {
    const state = yield* MemoryState

    const ofOrganization = (orgId: string): ReadonlyArray<Task> =>
      Array.from(state.tasks).flatMap(([key, tasks]) => {
        const [owner, propertyId = ""] = key.split(" ")
        return owner === orgId ? tasks.map((task) => ({ ...task, propertyId })) : []
      }).toSorted(newestFirst)

    const keep = (orgId: string, { propertyId, ...task }: Task): Task => {
      const kept = `${orgId} ${propertyId}`
      const others: ReadonlyArray<BundleTask> = (state.tasks.get(kept) ?? []).filter(({ id }) => id !== task.id)
      state.tasks.set(kept, [...others, task])
      return { ...task, propertyId }
    }

    return Tasks.of({
      add: Effect.fn("Tasks.add")(({ assignee, author: _, now, orgId, ...task }) =>
        unlessRetired(state, [task.propertyId], () =>
          Effect.succeed(keep(orgId, {
            ...task,
            status: "open",
            assigneeName: assignee?.name ?? null,
            createdAt: isoOf(now),
            completedAt: null
          })))
      ),

      list: Effect.fn("Tasks.list")(({ limit, offset, orgId, propertyId, status }) =>
        Effect.sync(() => {
          const tasks = ofOrganization(orgId).filter((task) =>
            (propertyId === null || task.propertyId === propertyId) && (status === null || task.status === status)
          )
          return { tasks: tasks.slice(offset, offset + limit), total: tasks.length }
        })
      ),

      end: Effect.fn("Tasks.end")(({ id, now, orgId, status }) =>
        Effect.sync(() =>
          Option.map(
            Option.fromUndefinedOr(ofOrganization(orgId).find((task) => task.id === id)),
            (task) =>
              task.status === "open"
                ? keep(orgId, { ...task, status, completedAt: status === "done" ? isoOf(now) : null })
                : task
          )
        )
      )
    })
  })
)
