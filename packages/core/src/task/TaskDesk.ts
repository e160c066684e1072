/** Tasks in the app: of what a member sees, given to members who see it too. */
import { Clock, Effect, Option, Schema } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import * as Colleagues from "../access/Colleagues.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import * as BrowsePage from "../operation/BrowsePage.ts"
import { invalid } from "../operation/InvalidInput.ts"
import * as PageCursor from "../operation/PageCursor.ts"
import { nextMidnight } from "../operation/UtcTime.ts"
import { Properties } from "../property/Properties.ts"
import { parse } from "../property/PropertyRef.ts"
import * as VisibleProperty from "../property/VisibleProperty.ts"
import * as TaskKeeper from "./TaskKeeper.ts"
import type { AddTask, EditTask, EndTask, ListTasks } from "./TaskOperations.ts"
import { actionRecord, type PlacedTask, type Task, Tasks } from "./Tasks.ts"

const view = ({ propertyId, ...task }: Task) => ({ property_id: propertyId, ...actionRecord(task) })

/** Where a page of the agenda ends: when the task is due, when it was made, and its id. */
const Position = Schema.Tuple([Schema.NullOr(Schema.String), Schema.String, PageCursor.ShortId])

export const make = Effect.gen(function*() {
  const tasks = yield* Tasks
  const properties = yield* Properties
  const keeper = yield* TaskKeeper.make
  const visible = yield* VisibleProperty.make
  const colleagues = yield* Colleagues.make
  const cursors = yield* PageCursor.make(Position)

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
    function*(input) {
      const { due = false, limit = BrowsePage.defaultLimit, mine = false, offset = 0, property_id: propertyId = null } =
        input
      const caller = yield* Caller
      const orgId = caller.organization.org_id
      yield* BrowsePage.oneWay(input)
      const assigneeId = mine ? Acting.actor(caller).id : null
      const question = BrowsePage.questionOf("tasks", orgId, { ...input, mine: assigneeId })
      const position = yield* cursors.open(input.cursor, question)
      const after = position === null ? undefined : { dueAt: position[0], createdAt: position[1], id: position[2] }
      const found = yield* tasks.agenda({
        orgId,
        visible: Territory.visible(caller),
        propertyId,
        status: input.status ?? null,
        assigneeId,
        dueBefore: due ? nextMidnight(yield* Clock.currentTimeMillis) : null,
        after,
        limit: limit + 1,
        offset
      })
      const page = yield* cursors.page(found.tasks, {
        limit,
        question,
        position: ({ createdAt, dueAt, id }: PlacedTask) => [dueAt, createdAt, id] as const
      })
      return {
        tasks: page.rows.map((task) => ({
          ...view(task),
          assignee_id: task.assigneeId,
          property_key: task.propertyKey,
          address: task.address,
          city: task.city,
          state: task.state
        })),
        total: found.total,
        next_cursor: page.next
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
    function*({ assignee_id: to, ...given }) {
      const { organization: { org_id: orgId } } = yield* Caller
      const task = yield* taskOf(given.id)
      // Whoever has it keeps it, though it could not be given to them any more.
      const isLeft = to === undefined || to !== null && to === task.assigneeId
      const assignee = isLeft ? {} : { assignee: yield* assigneeOf(to, task) }
      return view(yield* keeper.edit({ orgId, ...given, ...assignee }))
    }
  )

  const end: HandlerOf<typeof EndTask> = Effect.fn("TaskDesk.end")(function*({ id, status }) {
    const { organization: { org_id: orgId } } = yield* Caller
    yield* taskOf(id)
    return view(yield* keeper.end(orgId, id, status))
  })

  return { list, add, edit, end }
})
