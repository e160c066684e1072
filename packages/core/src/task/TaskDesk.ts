/** Tasks in the app: of what a member sees, given to members who see it too. */
import { Clock, Effect, Option } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import * as Colleagues from "../access/Colleagues.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import { defaultLimit } from "../operation/BrowsePage.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { nextMidnight } from "../operation/UtcTime.ts"
import { Properties } from "../property/Properties.ts"
import { parse } from "../property/PropertyRef.ts"
import * as VisibleProperty from "../property/VisibleProperty.ts"
import * as TaskKeeper from "./TaskKeeper.ts"
import type { AddTask, EditTask, EndTask, ListTasks } from "./TaskOperations.ts"
import { actionRecord, type Task, Tasks } from "./Tasks.ts"

const view = ({ propertyId, ...task }: Task) => ({ property_id: propertyId, ...actionRecord(task) })

export const make = Effect.gen(function*() {
  const tasks = yield* Tasks
  const properties = yield* Properties
  const keeper = yield* TaskKeeper.make
  const visible = yield* VisibleProperty.make
  const colleagues = yield* Colleagues.make

  /** A task about a property that the caller sees. */
  const taskOf = Effect.fnUntraced(function*(id: string) {
    const caller = yield* Caller
    const found = yield* tasks.find(caller.organization.org_id, id)
    if (Option.isNone(found)) return yield* invalid("id", "There is no such task")
    yield* visible(found, caller)
    return found.value
  })

  const assigneeOf = Effect.fnUntraced(function*(id: string | null, property: { readonly countyFips: string }) {
    return id === null ? null : yield* colleagues.forProperty("assignee_id", id, property)
  })

  const list: HandlerOf<typeof ListTasks> = Effect.fn("TaskDesk.list")(
    function*(
      { due = false, limit = defaultLimit, mine = false, offset = 0, property_id: propertyId = null, status = null }
    ) {
      const caller = yield* Caller
      const found = yield* tasks.agenda({
        orgId: caller.organization.org_id,
        visible: Territory.visible(caller),
        propertyId,
        status,
        assigneeId: mine ? Acting.actor(caller).id : null,
        dueBefore: due ? nextMidnight(yield* Clock.currentTimeMillis) : null,
        limit,
        offset
      })
      return {
        tasks: found.tasks.map((task) => ({
          ...view(task),
          assignee_id: task.assigneeId,
          property_key: task.propertyKey,
          address: task.address,
          city: task.city,
          state: task.state
        })),
        total: found.total
      }
    }
  )

  const add: HandlerOf<typeof AddTask> = Effect.fn("TaskDesk.add")(
    function*({ assignee_id, description, due, property_id, title, type }) {
      const caller = yield* Caller
      const author = Acting.member(caller)
      if (author === null) return yield* Effect.die("a key has no tasks")
      const found = yield* properties.standing(parse(property_id), caller.organization.org_id)
      const assignee = yield* assigneeOf(assignee_id, yield* visible(found, caller))
      const task = { perspective: caller, author, property: property_id, title, description, type, due, assignee }
      return view(yield* keeper.add(task))
    }
  )

  const edit: HandlerOf<typeof EditTask> = Effect.fn("TaskDesk.edit")(
    function*({ assignee_id, description, due, id, title, type }) {
      const { organization: { org_id: orgId } } = yield* Caller
      const assignee = yield* assigneeOf(assignee_id, yield* taskOf(id))
      return view(yield* keeper.edit({ orgId, id, title, description, type, due, assignee }))
    }
  )

  const end: HandlerOf<typeof EndTask> = Effect.fn("TaskDesk.end")(function*({ id, status }) {
    const { organization: { org_id: orgId } } = yield* Caller
    yield* taskOf(id)
    return view(yield* keeper.end(orgId, id, status))
  })

  return { list, add, edit, end }
})
