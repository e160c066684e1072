/** Writes a task: a new one, about a property that is found by words or about each of several, or an open one anew. */
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { Dialog } from "../part/Dialog.tsx"
import style from "../part/Page.module.css"
import { partOf, RefusalNotice } from "../part/RefusalNotice.tsx"
import { useKeptText } from "../part/useKeptText.ts"
import { joined, number } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { useSession } from "../service/Session.tsx"
import { useColleagues } from "./useColleagues.ts"
import { type Task, useSaveTask } from "./useTasks.ts"

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

export const TaskDialog = ({ about = null, onClose, onSaved, task }: {
  /** The properties that a new one is about, each of its own; null: one that is found by words. */
  readonly about?: ReadonlyArray<string> | null
  /** null: a new one. */
  readonly task: Task | null
  readonly onSaved: () => void
  readonly onClose: () => void
}) => {
  const { member } = useSession()
  const colleagues = useColleagues()
  const save = useSaveTask()
  const [found, setFound] = useState("")
  const properties = task !== null ? [task.property_id] : about ?? (found === "" ? [] : [found])
  const name = task === null ? `new task ${about?.length === 1 ? about[0] : ""}` : `task ${task.id}`
  const title = useKeptText(`title of ${name}`, task?.title)
  const description = useKeptText(`description of ${name}`, task?.description ?? "")
  const [type, setType] = useState<Task["type"]>(task?.type ?? "call")
  const [due, setDue] = useState(task?.due_at?.slice(0, 10) ?? "")
  const [assignee, setAssignee] = useState(task === null ? member.member_id : task.assignee_id ?? "")
  const forget = () => {
    title.forget()
    description.forget()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const said = {
      title: title.text.trim(),
      description: description.text.trim() === "" ? null : description.text.trim(),
      type,
      // A time of day that the task has already stays, as long as its day does.
      due: due === "" ? null : task?.due_at?.startsWith(due) === true ? task.due_at : due,
      assignee_id: assignee === "" ? null : assignee
    }
    save.mutate(
      task === null
        ? { kind: "new", properties, input: said }
        : { kind: "edit", input: { id: task.id, ...said } },
      {
        onSuccess: () => {
          forget()
          onSaved()
        }
      }
    )
  }
  const close = () => {
    forget()
    onClose()
  }
  return (
    <Dialog
      onClose={close}
      title={task !== null
        ? "Edit the task"
        : properties.length > 1
        ? `Add a task about each of ${number(properties.length)}`
        : "Add a task"}
    >
      {task === null && about === null && <PropertyFinder onChoose={setFound} />}
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
        <label>
          By whom
          <select onChange={(event) => setAssignee(event.target.value)} value={assignee}>
            <option value="">Nobody yet</option>
            {colleagues.data?.map(({ member_id, name }) => <option key={member_id} value={member_id}>{name}</option>)}
          </select>
        </label>
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

const PropertyFinder = ({ onChoose }: { readonly onChoose: (id: string) => void }) => {
  const [words, setWords] = useState("")
  const [asked, setAsked] = useState("")
  const found = useQuery({
    queryKey: ["property finder", asked],
    queryFn: async ({ signal }) => {
      const { results } = (await call("service_search_properties", { query: asked, limit: 20 }, signal)).data
      return results
    },
    enabled: asked.length >= 2
  })
  return (
    <form
      className={style["form"]}
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(words.trim())
      }}
      role="search"
    >
      <label>
        Property: words of its address, name or owner
        <input onChange={(event) => setWords(event.target.value)} type="search" value={words} />
      </label>
      <div className={style["buttons"]}>
        <button className="plain" disabled={words.trim().length < 2} type="submit">Find</button>
      </div>
      {found.error !== null && <RefusalNotice error={found.error} />}
      {found.data?.length === 0 && <p role="status">Nothing was found.</p>}
      {found.data !== undefined && found.data.length > 0 && (
        <label>
          Found
          <select defaultValue="" onChange={(event) => onChoose(event.target.value)}>
            <option value="">Choose one</option>
            {found.data.map(({ address, city, id, key }) => (
              <option key={id} value={id}>{joined([address ?? key, city])}</option>
            ))}
          </select>
        </label>
      )}
    </form>
  )
}
