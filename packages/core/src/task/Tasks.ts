/** What members of an organization mean to do about properties: the `actions` of a bundle. decisions, section 5. */
import { Context, type Effect, type Option, Schema } from "effect"
import type { Area } from "../coverage/Territory.ts"
import type { Author } from "../note/Notes.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"

/** So many has an organization at most; the oldest that have ended make room for new ones. */
export const mostTasks = 200_000

/** What a task is about. */
export const TaskType = Schema.Literals(["call", "email", "meeting", "site_visit", "task", "other"])
export type TaskType = typeof TaskType.Type

/** `open` becomes `done` or `cancelled`; both are final. */
export const TaskStatus = Schema.Literals(["open", "done", "cancelled"])
export type TaskStatus = typeof TaskStatus.Type

/** Times are ISO-8601. */
export interface Task {
  readonly id: string
  readonly propertyId: string
  readonly title: string
  readonly description: string | null
  readonly type: TaskType
  readonly status: TaskStatus
  readonly dueAt: string | null
  readonly assigneeName: string | null
  readonly createdAt: string
  /** When it was done; null while it is open, and when it was cancelled. */
  readonly completedAt: string | null
}

/** A task as the API shows it among the `actions` of a bundle. */
export const actionRecord = (task: Omit<Task, "propertyId">) => ({
  id: task.id,
  title: task.title,
  description: task.description,
  type: task.type,
  status: task.status,
  due_at: task.dueAt,
  assignee_name: task.assigneeName,
  created_at: task.createdAt,
  completed_at: task.completedAt
})

/** A task with whose it is and what it is about. */
export interface PlacedTask extends Task {
  /** The member whose it is; null: nobody's, or of before members were known. */
  readonly assigneeId: string | null
  readonly propertyKey: string
  readonly countyFips: string
  readonly retiredInto: string | null
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
}

export interface NewTask {
  readonly orgId: OrganizationId
  readonly id: string
  readonly propertyId: string
  readonly title: string
  readonly description: string | null
  readonly type: TaskType
  readonly dueAt: string | null
  readonly author: Author
  readonly assignee: Author | null
  readonly most: number
  /** Milliseconds. */
  readonly now: number
}

/** A place in the order of the list: a task, by what the order compares. */
export type TaskPlace = Pick<Task, "createdAt" | "id">

/** The same of the agenda. */
export type AgendaPlace = TaskPlace & Pick<Task, "dueAt">

/** Port: what members have to do about properties. */
export class Tasks extends Context.Service<Tasks, {
  /**
   * Where the organization has `most` of them, the oldest that has ended makes room. None: all are open, and nothing was written.
   * However many write at once, there are no more.
   */
  add(task: NewTask): Effect.Effect<Option.Option<Task>, TemporarilyUnavailable>

  /**
   * Newest first, those of one moment by id, and how many there are. null: of any property, in any state; with `after`, from behind
   * that place on, which changes nothing of how many there are.
   */
  list(
    request: {
      readonly orgId: OrganizationId
      readonly propertyId: string | null
      readonly status: TaskStatus | null
      readonly after?: TaskPlace | undefined
      readonly limit: number
      readonly offset: number
    }
  ): Effect.Effect<{ readonly tasks: ReadonlyArray<Task>; readonly total: number }, TemporarilyUnavailable>

  /**
   * Tasks about properties in the area that were not merged away, what is due first before all, then the newest, and how many there
   * are; with `after`, from behind that place on, as for `list`.
   */
  agenda(
    request: {
      readonly orgId: OrganizationId
      readonly visible: Area
      /** null: about any. */
      readonly propertyId: string | null
      /** null: in any state. */
      readonly status: TaskStatus | null
      /** null: of anybody and nobody. */
      readonly assigneeId: string | null
      /** Due before this moment, in milliseconds; null: whenever, or never. */
      readonly dueBefore: number | null
      readonly after?: AgendaPlace | undefined
      readonly limit: number
      readonly offset: number
    }
  ): Effect.Effect<{ readonly tasks: ReadonlyArray<PlacedTask>; readonly total: number }, TemporarilyUnavailable>

  /** None: no such task. */
  find(orgId: OrganizationId, id: string): Effect.Effect<Option.Option<PlacedTask>, TemporarilyUnavailable>

  /** Changes what is given of an open task; what is left out stays. None: there is no such task, or it has ended. */
  edit(
    request:
      & Pick<NewTask, "orgId" | "id">
      & Partial<Pick<NewTask, "title" | "description" | "type" | "dueAt" | "assignee">>
  ): Effect.Effect<Option.Option<Task>, TemporarilyUnavailable>

  /**
   * Ends an open task; of calls at once exactly one does. Answers the task as it stands, which has another state than
   * the wanted one when it had ended so before. None: no such task.
   */
  end(
    request: {
      readonly orgId: OrganizationId
      readonly id: string
      readonly status: "done" | "cancelled"
      /** Milliseconds. */
      readonly now: number
    }
  ): Effect.Effect<Option.Option<Task>, TemporarilyUnavailable>
}>()("@freehold/core/task/Tasks") {}
