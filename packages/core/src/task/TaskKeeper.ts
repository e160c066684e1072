/** Makes, changes and ends tasks, as members do in the app and through the command line. */
import { Clock, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Perspective } from "../coverage/Territory.ts"
import type { Author } from "../note/Notes.ts"
import { within } from "../operation/Characters.ts"
import { invalid } from "../operation/InvalidInput.ts"
import * as IsoMoment from "../operation/IsoMoment.ts"
import { isOneLine } from "../operation/PlainText.ts"
import { parseId } from "../operation/Uuid.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Properties } from "../property/Properties.ts"
import * as PropertyRef from "../property/PropertyRef.ts"
import * as VisibleProperty from "../property/VisibleProperty.ts"
import { mostTasks, Tasks, type TaskType } from "./Tasks.ts"

const maximumTitle = 200
const maximumDescription = 5000

const requireTitle = Effect.fnUntraced(function*(title: string) {
  if (title.trim() === "" || !within(title, 1, maximumTitle)) {
    return yield* invalid("title", `Expected 1 to ${maximumTitle} characters that are not blank`)
  }
  if (!isOneLine(title)) return yield* invalid("title", "Expected text in one line")
})

const requireDescription = Effect.fnUntraced(function*(description: string | null) {
  if (description !== null && !within(description, 0, maximumDescription)) {
    return yield* invalid("description", `Expected at most ${maximumDescription} characters`)
  }
})

const momentOf = Effect.fnUntraced(function*(due: string | null) {
  const dueAt = due === null ? null : IsoMoment.read(due)
  if (due !== null && dueAt === null) {
    return yield* invalid("due", "Expected a day or time, such as 2026-12-01 or 2026-12-01T09:00:00Z")
  }
  return dueAt
})

export const make = Effect.gen(function*() {
  const tasks = yield* Tasks
  const properties = yield* Properties
  const visible = yield* VisibleProperty.make
  const random = yield* SecureRandom.SecureRandom

  /** Makes a task about a property named by id or key. `due`: a day, which is its start in UTC, or a time with its zone. */
  const add = Effect.fn("TaskKeeper.add")(function*(task: {
    readonly perspective: Perspective
    readonly author: Author
    readonly property: string
    readonly title: string
    readonly description: string | null
    readonly type: TaskType
    readonly due: string | null
    readonly assignee: Author | null
  }) {
    const { assignee, author, description, due, perspective, property, title, type } = task
    yield* requireTitle(title)
    yield* requireDescription(description)
    const dueAt = yield* momentOf(due)
    const orgId = perspective.organization.org_id
    const found = yield* properties.standing(PropertyRef.parse(property), orgId)
    const { id: propertyId } = yield* visible(found, perspective)
    const added = yield* tasks.add({
      orgId,
      id: yield* random.uuidV4(),
      propertyId,
      title,
      description,
      type,
      dueAt,
      author,
      assignee,
      most: mostTasks,
      now: yield* Clock.currentTimeMillis
    })
    return Option.isSome(added)
      ? added.value
      : yield* invalid("title", `Expected at most ${mostTasks} open tasks in your organization; end some first`)
  })

  /** Ends a task; ending it in the same way again changes nothing. */
  const end = Effect.fn("TaskKeeper.end")(function*(orgId: string, id: string, status: "done" | "cancelled") {
    const parsed = parseId(id)
    const found = Option.isNone(parsed)
      ? Option.none()
      : yield* tasks.end({ orgId, id: parsed.value, status, now: yield* Clock.currentTimeMillis })
    if (Option.isNone(found)) return yield* invalid("id", "There is no such task")
    if (found.value.status !== status) return yield* invalid("id", `This task is ${found.value.status} already`)
    return found.value
  })

  /** Changes what is given of an open task; what is left out stays. */
  const edit = Effect.fn("TaskKeeper.edit")(function*({ due, ...task }: {
    readonly orgId: OrganizationId
    readonly id: string
    readonly title?: string
    readonly description?: string | null
    readonly type?: TaskType
    readonly due?: string | null
    readonly assignee?: Author | null
  }) {
    const { description, title } = task
    if (title !== undefined) yield* requireTitle(title)
    if (description !== undefined) yield* requireDescription(description)
    const found = yield* tasks.edit({ ...task, ...due === undefined ? {} : { dueAt: yield* momentOf(due) } })
    return Option.isNone(found) ? yield* invalid("id", "This task has ended") : found.value
  })

  return { add, edit, end }
})
