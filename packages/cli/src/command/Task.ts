/** `freehold task`: what members mean to do about properties. */
import { NotFound } from "@freehold/core/coverage/CoverageRefusals"
import { Properties } from "@freehold/core/property/Properties"
import * as PropertyRef from "@freehold/core/property/PropertyRef"
import * as TaskKeeper from "@freehold/core/task/TaskKeeper"
import { actionRecord, type Task, Tasks, TaskStatus, TaskType } from "@freehold/core/task/Tasks"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { administration } from "../LazyComposition.ts"
import { json, print, record, table } from "../Output.ts"
import { allPages, type Page } from "./AllPages.ts"
import { by, findAuthor, findWorkingOn } from "./MemberFlag.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"
import { property } from "./PropertyFlag.ts"

/** A property named by id or key. */
const findProperty = Effect.fnUntraced(function*(orgId: string, named: string) {
  const found = yield* Properties.use((properties) => properties.standing(PropertyRef.parse(named), orgId))
  return Option.isSome(found) ? found.value : yield* new NotFound({ resource: "property" })
})

const view = (task: Task) => {
  const { id, ...action } = actionRecord(task)
  return { id, property_id: task.propertyId, ...action }
}

const add = Command.make(
  "add",
  {
    org,
    property,
    by,
    title: Flag.String("title").pipe(Flag.withMetavar("T"), Flag.withDescription("What is to be done")),
    description: Flag.String("description").pipe(Flag.withDescription("More about it"), Flag.optional),
    type: Flag.Literals("type", TaskType.literals).pipe(
      Flag.withDescription("What kind of work it is"),
      Flag.withDefault("task" as const)
    ),
    due: Flag.String("due").pipe(
      Flag.withMetavar("D"),
      Flag.withDescription("Until when: 2026-12-01, or 2026-12-01T09:00:00Z"),
      Flag.optional
    ),
    assignee: Flag.String("assignee").pipe(
      Flag.withMetavar("EMAIL"),
      Flag.withDescription("The member who is to do it"),
      Flag.optional
    ),
    json
  },
  Effect.fn(function*(input) {
    const organization = yield* findOrganization(input.org)
    const author = yield* findAuthor(organization, input.by, "pipeline")
    const assignee = Option.isNone(input.assignee)
      ? null
      : yield* findWorkingOn(
        organization,
        input.assignee.value,
        yield* findProperty(organization.org_id, input.property)
      )
    const keeper = yield* TaskKeeper.make
    const task = yield* keeper.add({
      perspective: { organization, territory: author.territory },
      author,
      property: input.property,
      title: input.title,
      description: Option.getOrNull(input.description),
      type: input.type,
      due: Option.getOrNull(input.due),
      assignee
    })
    yield* print(input.json, view(task), (shown) => record(Object.entries(shown)))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Make a task about a property; it goes into lead bundles as an action"),
  Command.withExamples([{
    command:
      "freehold task add --org org_acme --property 36061-1000477501 --by ana@acme.example --title \"Call the manager\" --type call --due 2026-12-01",
    description: "Ana makes a task that is due in December"
  }])
)

const list = Command.make(
  "list",
  {
    org,
    property: property.pipe(Flag.optional),
    status: Flag.Literals("status", TaskStatus.literals).pipe(Flag.withDescription("Only these"), Flag.optional),
    json
  },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const propertyId = yield* Option.match(input.property, {
      onNone: () => Effect.succeed(null),
      onSome: (named) => Effect.map(findProperty(orgId, named), ({ id }) => id)
    })
    const port = yield* Tasks
    const tasks = yield* allPages(({ last: after, limit }: Page<Task>) =>
      Effect.map(
        port.list({ orgId, propertyId, status: Option.getOrNull(input.status), after, limit, offset: 0 }),
        (found) => found.tasks
      )
    )
    yield* print(input.json, { items: tasks.map(view) }, ({ items }) =>
      table(
        ["id", "status", "type", "due_at", "assignee_name", "title"],
        items.map((task) => [task.id, task.status, task.type, task.due_at, task.assignee_name, task.title])
      ))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("List the tasks of an organization, newest first"),
  Command.withExamples([{
    command: "freehold task list --org org_acme --status open",
    description: "What is still to be done"
  }])
)

const ending = (name: string, status: "done" | "cancelled", description: string) =>
  Command.make(
    name,
    { id: Argument.String("id").pipe(Argument.withDescription("Id of the task")), org, json },
    Effect.fn(function*(input) {
      const { org_id: orgId } = yield* findOrganization(input.org)
      const keeper = yield* TaskKeeper.make
      const task = yield* keeper.end(orgId, input.id, status)
      yield* print(input.json, view(task), (shown) => record(Object.entries(shown)))
    }, Effect.provide(administration))
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{
      command: `freehold task ${name} 3f0c2f5e-0000-4000-8000-000000000001 --org org_acme`,
      description
    }])
  )

export const taskCommand = Command.make("task").pipe(
  Command.withExamples([{ command: "freehold task list --org org_acme", description: "The tasks of org_acme" }]),
  Command.withSubcommands([
    add,
    list,
    ending("done", "done", "Mark an open task as done"),
    ending("cancel", "cancelled", "Cancel an open task")
  ])
)
