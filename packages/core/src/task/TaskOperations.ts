/** What the app asks of tasks. */
import { Schema } from "effect"
import { NotFound, OutOfTerritory, PropertyRetired } from "../coverage/CoverageRefusals.ts"
import { fields as pageFields } from "../operation/BrowsePage.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../operation/Uuid.ts"
import { TaskStatus, TaskType } from "./Tasks.ts"

const Text = Schema.NullOr(Schema.String)

const TaskRecord = Schema.Struct({
  id: Schema.String,
  property_id: Schema.String,
  title: Schema.String,
  description: Text,
  type: TaskType,
  status: TaskStatus,
  due_at: Text,
  assignee_name: Text,
  created_at: Schema.String,
  completed_at: Text
})

const said = {
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  type: TaskType,
  /** A day, which is its start in UTC, or a time with its zone. */
  due: Schema.NullOr(Schema.String),
  /** Whose it is; null: nobody's. */
  assignee_id: Schema.NullOr(Uuid)
}

const access = { scope: null, plan: "team" } as const

const refusals = [NotFound, OutOfTerritory, PropertyRetired] as const

export const ListTasks = Operation.make("app_list_tasks", {
  title: "Tasks",
  description: "Free. What is to be done about properties that you see: what is due first before all.",
  input: Schema.Struct({
    /** Only what is to be done about this one. */
    property_id: Schema.optionalKey(Uuid),
    /** Only the caller's own. */
    mine: Schema.optionalKey(Schema.Boolean),
    status: Schema.optionalKey(TaskStatus),
    /** Only what is due today, in UTC, or was before. */
    due: Schema.optionalKey(Schema.Boolean),
    ...pageFields
  }),
  output: Schema.Struct({
    tasks: Schema.Array(Schema.Struct({
      ...TaskRecord.fields,
      assignee_id: Text,
      property_key: Schema.String,
      address: Text,
      city: Text,
      state: Text
    })),
    total: Schema.Int,
    next_cursor: Text
  }),
  refusals: [InvalidCursor],
  access,
  effect: "read",
  tool: false
})

export const AddTask = Operation.make("app_add_task", {
  title: "Add a task",
  description: "Free. Something to be done about a property, by whoever it is given to.",
  input: Schema.Struct({ property_id: Uuid, ...said }),
  output: TaskRecord,
  refusals,
  access,
  effect: "write",
  tool: false
})

export const EditTask = Operation.make("app_edit_task", {
  title: "Edit a task",
  description: "Free. Changes what is given of an open task; what is left out stays.",
  input: Schema.Struct({
    id: Uuid,
    title: Schema.optionalKey(said.title),
    description: Schema.optionalKey(said.description),
    type: Schema.optionalKey(said.type),
    due: Schema.optionalKey(said.due),
    assignee_id: Schema.optionalKey(said.assignee_id)
  }),
  output: TaskRecord,
  refusals,
  access,
  effect: "write",
  tool: false
})

export const EndTask = Operation.make("app_end_task", {
  title: "End a task",
  description: "Free. A task is done or cancelled, for good.",
  input: Schema.Struct({ id: Uuid, status: Schema.Literals(["done", "cancelled"]) }),
  output: TaskRecord,
  refusals,
  access,
  effect: "write",
  tool: false
})
