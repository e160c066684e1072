/** `Tasks` in memory. */
import { Effect, Layer, Option } from "effect"
import * as Territory from "../../coverage/Territory.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { type AgendaPlace, type PlacedTask, type Task, Tasks } from "../../task/Tasks.ts"
import { isoOf } from "../IsoTime.ts"
import { newestFirst } from "../lead/BundleSourceMemory.ts"
import { type KeptTask, MemoryState } from "../MemoryState.ts"
import { compareBy } from "../property/PropertyReading.ts"
import { unlessRetired } from "../property/Retired.ts"

interface Filed extends KeptTask {
  readonly propertyId: string
}

/** Later than any day that a task is due. */
const never = "9999"

const dueFirst = compareBy<AgendaPlace>(
  (left, right) => compareText(left.dueAt ?? never, right.dueAt ?? never),
  newestFirst
)

const shown = ({ assigneeId: _, ...task }: Filed): Task => task

/** `Tasks` in memory. */
export const layer: Layer.Layer<Tasks, never, MemoryState> = Layer.effect(
  Tasks,
  Effect.gen(function*() {
    const state = yield* MemoryState

    const ofOrganization = (orgId: string): ReadonlyArray<Filed> =>
      Array.from(state.tasks).flatMap(([key, tasks]) => {
        const [owner, propertyId = ""] = key.split(" ")
        return owner === orgId ? tasks.map((task) => ({ ...task, propertyId })) : []
      }).toSorted(newestFirst)

    const found = (orgId: string, id: string): Option.Option<Filed> =>
      Option.fromUndefinedOr(ofOrganization(orgId).find((task) => task.id === id))

    const keep = (orgId: string, filed: Filed): Task => {
      const { propertyId, ...task } = filed
      const kept = `${orgId} ${propertyId}`
      const others = (state.tasks.get(kept) ?? []).filter(({ id }) => id !== task.id)
      state.tasks.set(kept, [...others, task])
      return shown(filed)
    }

    /** Makes room for one more, for which the oldest that has ended may be forgotten; whether there is some. */
    const makeRoom = (orgId: string, most: number): boolean => {
      const all = ofOrganization(orgId)
      if (all.length < most) return true
      const ended = all.findLast(({ status }) => status !== "open")
      if (ended === undefined) return false
      const kept = `${orgId} ${ended.propertyId}`
      state.tasks.set(kept, (state.tasks.get(kept) ?? []).filter(({ id }) => id !== ended.id))
      return true
    }

    const placed = (filed: Filed): ReadonlyArray<PlacedTask> => {
      const property = state.properties.get(filed.propertyId)
      if (property === undefined) return []
      const { address, city, countyFips, key: propertyKey, retiredInto, state: stateAbbr } = property
      return [{ ...filed, propertyKey, countyFips, retiredInto, address, city, state: stateAbbr }]
    }

    return Tasks.of({
      add: Effect.fn("Tasks.add")(({ assignee, author: _, most, now, orgId, ...task }) =>
        unlessRetired(
          state,
          [task.propertyId],
          () =>
            makeRoom(orgId, most)
              ? Effect.succeedSome(keep(orgId, {
                ...task,
                status: "open",
                assigneeId: assignee?.memberId ?? null,
                assigneeName: assignee?.name ?? null,
                createdAt: isoOf(now),
                completedAt: null
              }))
              : Effect.succeedNone
        )
      ),

      list: Effect.fn("Tasks.list")(({ after, limit, offset, orgId, propertyId, status }) =>
        Effect.sync(() => {
          const tasks = ofOrganization(orgId).filter((task) =>
            (propertyId === null || task.propertyId === propertyId) && (status === null || task.status === status)
          )
          const page = after === undefined ? tasks : tasks.filter((task) => newestFirst(task, after) > 0)
          return { tasks: page.slice(offset, offset + limit).map(shown), total: tasks.length }
        })
      ),

      agenda: Effect.fn("Tasks.agenda")((
        { after, assigneeId, dueBefore, limit, offset, orgId, propertyId, status, visible }
      ) =>
        Effect.sync(() => {
          const tasks = ofOrganization(orgId).flatMap(placed).filter((task) =>
            task.retiredInto === null && Territory.contains(visible, task.countyFips) &&
            (propertyId === null || task.propertyId === propertyId) &&
            (status === null || task.status === status) &&
            (assigneeId === null || task.assigneeId === assigneeId) &&
            (dueBefore === null || task.dueAt !== null && Date.parse(task.dueAt) < dueBefore)
          ).toSorted(dueFirst)
          const page = after === undefined ? tasks : tasks.filter((task) => dueFirst(task, after) > 0)
          return { tasks: page.slice(offset, offset + limit), total: tasks.length }
        })
      ),

      find: Effect.fn("Tasks.find")((orgId, id) =>
        Effect.sync(() => Option.flatMap(found(orgId, id), (filed) => Option.fromUndefinedOr(placed(filed)[0])))
      ),

      edit: Effect.fn("Tasks.edit")(({ assignee, id, orgId, ...given }) =>
        Effect.sync(() =>
          found(orgId, id).pipe(
            Option.filter(({ status }) => status === "open"),
            Option.map((task) =>
              keep(orgId, {
                ...task,
                ...given,
                ...assignee === undefined
                  ? {}
                  : { assigneeId: assignee?.memberId ?? null, assigneeName: assignee?.name ?? null }
              })
            )
          )
        )
      ),

      end: Effect.fn("Tasks.end")(({ id, now, orgId, status }) =>
        Effect.sync(() =>
          Option.map(found(orgId, id), (task) =>
            task.status === "open"
              ? keep(orgId, { ...task, status, completedAt: status === "done" ? isoOf(now) : null })
              : shown(task))
        )
      )
    })
  })
)
