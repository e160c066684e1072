/** Tasks: the member's own or everybody's, what is due first before all. */
import { useState } from "react"
import { addressOf, Link, navigate } from "../app/Router.tsx"
import { Confirmed } from "../part/Confirmed.tsx"
import { dueIn, isDue } from "../part/Moment.ts"
import style from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { ShowMore } from "../part/ShowMore.tsx"
import { Told } from "../part/Told.tsx"
import { actions, WideTable } from "../part/WideTable.tsx"
import { joined, plural } from "../part/Wording.ts"
import { knownOf } from "../service/Refusals.ts"
import { useSession } from "../service/Session.tsx"
import { TaskDialog, typeOf } from "./TaskDialog.tsx"
import { type Task, useAllTasks, useEndTask } from "./useTasks.ts"

const pageSize = 50

const columns = ["Task", "Property", "Due", "By whom"]

const statuses = { open: "Open", done: "Done", cancelled: "Cancelled" } as const

type Status = keyof typeof statuses

const isStatus = (value: string | null): value is Status => value !== null && Object.hasOwn(statuses, value)

export const TasksPage = ({ search }: { readonly search: URLSearchParams }) => {
  const { member } = useSession()
  const whose = search.get("whose") === "team" ? "team" : "mine"
  const asked = search.get("status")
  const status = isStatus(asked) ? asked : "open"
  const found = useAllTasks({ mine: whose === "mine", status, limit: pageSize })
  const { error, refetch } = found
  const known = knownOf(found)
  const total = known?.pages.at(-1)?.total
  const tasks = known?.pages.flatMap((page) => page.tasks)
  const end = useEndTask()
  const [editing, setEditing] = useState<Task | "new" | null>(null)
  const [said, setSaid] = useState("")
  /** As it is by now: somebody else may have changed it. */
  const edit = async (row: Task) => {
    const { data: now } = await refetch()
    setEditing(now?.pages.flatMap((page) => page.tasks).find(({ id }) => id === row.id) ?? row)
  }
  const isReadOnly = member.role === "read_only"
  const canEnd = status === "open" && !isReadOnly
  const show = (change: Readonly<Record<string, string>>): void =>
    navigate(addressOf("tasks", {}, new URLSearchParams({ whose, status, ...change })), { replace: true })
  const finish = (task: Task, to: "done" | "cancelled"): void =>
    end.mutate({ id: task.id, status: to }, {
      onSuccess: () => setSaid(`${task.title}: ${statuses[to].toLowerCase()}.`)
    })
  return (
    <main id="main">
      <div className={style["top"]}>
        <h1 tabIndex={-1}>Tasks</h1>
        <label>
          Whose
          <select onChange={(event) => show({ whose: event.target.value })} value={whose}>
            <option value="mine">Mine</option>
            <option value="team">The team's</option>
          </select>
        </label>
        <label>
          State
          <select onChange={(event) => show({ status: event.target.value })} value={status}>
            {Object.entries(statuses).map(([value, name]) => <option key={value} value={value}>{name}</option>)}
          </select>
        </label>
        {!isReadOnly && <button onClick={() => setEditing("new")} type="button">Add a task</button>}
      </div>
      <Told said={said === "" ? null : said}>
        <p className={style["quiet"]}>
          {total === undefined ? "" : joined([plural(total, "task", "tasks"), said], ". ")}
        </p>
      </Told>
      {error !== null && <RefusalNotice error={error} />}
      {end.error !== null && <RefusalNotice error={end.error} />}
      {total === 0 && <p>There is nothing here.</p>}
      {tasks !== undefined && tasks.length > 0 && (
        <WideTable columns={[...columns, ...canEnd ? [actions] : []]} isFramed label="Tasks">
          {tasks.map((task) => (
            <tr key={task.id}>
              <td>
                {task.title}
                <div className={style["quiet"]}>{joined([typeOf(task.type), task.description], ": ")}</div>
              </td>
              <td>
                <Link to={addressOf("property", { id: task.property_id })}>
                  {task.address ?? task.property_key}
                </Link>
                <div className={style["quiet"]}>{joined([task.city, task.state])}</div>
              </td>
              <td
                className={status === "open" && task.due_at !== null && isDue(task.due_at)
                  ? style["due"]
                  : undefined}
              >
                {task.due_at === null ? "whenever" : dueIn(task.due_at)}
              </td>
              <td>{task.assignee_name ?? "nobody yet"}</td>
              {canEnd && (
                <td>
                  <div className={style["buttons"]}>
                    <button
                      aria-label={`Done: ${task.title}`}
                      disabled={end.isPending}
                      onClick={() => finish(task, "done")}
                      type="button"
                    >
                      Done
                    </button>
                    <button
                      aria-label={`Edit: ${task.title}`}
                      className="plain"
                      onClick={() =>
                        void edit(task)}
                      type="button"
                    >
                      Edit
                    </button>
                    <Confirmed
                      about={task.title}
                      disabled={end.isPending}
                      label="Cancel task"
                      onConfirm={() =>
                        finish(task, "cancelled")}
                      question="It is ended for good."
                    />
                  </div>
                </td>
              )}
            </tr>
          ))}
        </WideTable>
      )}
      {known !== undefined && <ShowMore of={found} />}
      {editing !== null && (
        <TaskDialog
          onClose={() => setEditing(null)}
          onSaved={() => {
            setEditing(null)
            setSaid("The task was saved.")
          }}
          task={editing === "new" ? null : editing}
        />
      )}
    </main>
  )
}
