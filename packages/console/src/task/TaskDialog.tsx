/** Writes a task: a new one, about a property that is found by words or about each of several, or an open one anew. */
import { type FormEvent, useState } from "react"
import { Dialog } from "../part/Dialog.tsx"
import style from "../part/Page.module.css"
import { partOf, RefusalNotice } from "../part/RefusalNotice.tsx"
import { changedOf } from "../part/useFormChanges.ts"
import { useKeptText } from "../part/useKeptText.ts"
import { number } from "../part/Wording.ts"
import { useSession } from "../service/Session.tsx"
import { type Assignee, AssigneeChoice } from "./AssigneeChoice.tsx"
import { PropertyFinder, usePropertySearch } from "./PropertyFinder.tsx"
import { type Task, useSaveTask, type Wanted } from "./useTasks.ts"

const types: Readonly<Record<Task["type"], string>> = {
  call: "Call",
  email: "Email",
  meeting: "Meeting",
  site_visit: "Site visit",
  task: "Task",
  other: "Other"
}

const typesOf = Object.entries(types)

const isType = (value: string): value is Task["type"] => Object.hasOwn(types, value)

export const typeOf = (type: Task["type"]): string => Object.hasOwn(types, type) ? types[type] : type

const assigneeOf = ({ assignee_id: id, assignee_name: name }: Task): Assignee | null =>
  name === null ? null : { id, name }

/** The day that a field holds, as the task has it: a time of day that it has already stays, as long as its day does. */
const dueOf = (due: string, before: string | null): string | null =>
  due === "" ? null : before?.startsWith(due) === true ? before : due

const textOrNull = (text: string): string | null => text.trim() === "" ? null : text.trim()

/** What the fields say. */
interface Said {
  readonly title: string
  readonly description: string | null
  readonly type: Task["type"]
  readonly due: string | null
  readonly assignee: Assignee | null
}

const saidOf = (task: Task): Said => ({
  title: task.title.trim(),
  description: textOrNull(task.description ?? ""),
  type: task.type,
  due: task.due_at,
  assignee: assigneeOf(task)
})

const wantedOf = (task: Task | null, properties: ReadonlyArray<string>, now: Said): Wanted => {
  if (task === null) {
    const { assignee, ...said } = now
    return { kind: "new", properties, input: { ...said, assignee_id: assignee?.id ?? null } }
  }
  const { assignee, ...said } = changedOf(saidOf(task), now)
  const given = assignee === undefined ? {} : { assignee_id: assignee?.id ?? null }
  return { kind: "edit", input: { id: task.id, ...said, ...given } }
}

export const TaskDialog = ({ about = null, onClose, onSaved, task }: {
  /** The properties that a new one is about, each of its own; null: one that is found by words. */
  readonly about?: ReadonlyArray<string> | null
  /** null: a new one. */
  readonly task: Task | null
  readonly onSaved: () => void
  readonly onClose: () => void
}) => {
  const { member } = useSession()
  const save = useSaveTask()
  const search = usePropertySearch()
  const properties = task !== null ? [task.property_id] : about ?? (search.chosen === null ? [] : [search.chosen])
  const name = task === null ? `new task ${about?.length === 1 ? about[0] : ""}` : `task ${task.id}`
  const title = useKeptText(`title of ${name}`, task?.title)
  const description = useKeptText(`description of ${name}`, task?.description ?? "")
  const [type, setType] = useState<Task["type"]>(task?.type ?? "call")
  const [due, setDue] = useState(task?.due_at?.slice(0, 10) ?? "")
  const writer: Assignee = { id: member.member_id, name: member.name }
  const [assignee, setAssignee] = useState(task === null ? writer : assigneeOf(task))
  const forget = () => {
    title.forget()
    description.forget()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const now = {
      title: title.text.trim(),
      description: textOrNull(description.text),
      type,
      due: dueOf(due, task?.due_at ?? null),
      assignee
    }
    save.mutate(wantedOf(task, properties, now), {
      onSuccess: () => {
        forget()
        onSaved()
      }
    })
  }
  const close = () => {
    forget()
    onClose()
  }
  return (
    <Dialog
      isBusy={save.isPending}
      onClose={close}
      title={task !== null
        ? "Edit the task"
        : properties.length > 1
        ? `Add a task about each of ${number(properties.length)}`
        : "Add a task"}
    >
      {task === null && about === null && <PropertyFinder search={search} />}
      <form className={style["form"]} onSubmit={submit}>
        <label>
          What is to be done
          <input maxLength={200} onChange={(event) => title.type(event.target.value)} required value={title.text} />
        </label>
        <label>
          Kind
          <select onChange={({ target: { value } }) => isType(value) && setType(value)} value={type}>
            {typesOf.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
          </select>
        </label>
        <label>
          Due, a day in UTC
          <input onChange={(event) => setDue(event.target.value)} type="date" value={due} />
        </label>
        <AssigneeChoice
          assignee={assignee}
          before={task === null ? writer : assigneeOf(task)}
          onChoose={setAssignee}
        />
        <label>
          More about it
          <textarea
            maxLength={5000}
            onChange={(event) => description.type(event.target.value)}
            rows={3}
            value={description.text}
          />
        </label>
        {save.error !== null && (
          <RefusalNotice done={partOf(save.reached, properties.length, "added")} error={save.error} />
        )}
        <div className={style["buttons"]}>
          <button disabled={save.isPending || properties.length === 0} type="submit">
            {save.isPending && properties.length > 1
              ? `${number(save.reached)} of ${number(properties.length)} saved…`
              : properties.length > 1
              ? `Save ${number(properties.length)} tasks` :
              "Save the task"}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
