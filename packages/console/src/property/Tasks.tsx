/** What is to be done about the property: the open tasks, and a new one. */
import { useState } from "react"
import { late } from "../part/Late.tsx"
import { dueIn } from "../part/Moment.ts"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { Told } from "../part/Told.tsx"
import { joined, plural } from "../part/Wording.ts"
import { useSession } from "../service/Session.tsx"
import { useEndTask, useTasks } from "../task/useTasks.ts"
import style from "./PropertyPage.module.css"

const TaskDialog = late(async () => (await import("../task/TaskDialog.tsx")).TaskDialog)

/** More of them are on the page of tasks. */
const most = 20

export const Tasks = ({ id }: { readonly id: string }) => {
  const { member } = useSession()
  const { data, error } = useTasks({ property_id: id, status: "open", limit: most })
  const end = useEndTask()
  const [isAdding, setAdding] = useState(false)
  const [told, setTold] = useState("")
  const isReadOnly = member.role === "read_only"
  return (
    <section aria-labelledby="tasks">
      <h2 id="tasks">Tasks</h2>
      {error !== null && <RefusalNotice error={error} />}
      {end.error !== null && <RefusalNotice error={end.error} />}
      {data === undefined && error === null && <p className="quiet">One moment…</p>}
      {data?.total === 0 && <p className="quiet">Nothing is to be done.</p>}
      <ul className={style["notes"]}>
        {data?.tasks.map(({ assignee_name, due_at, id: task, title }) => (
          <li key={task}>
            <p>{title}</p>
            <p className="quiet">
              {joined([due_at === null ? "whenever" : dueIn(due_at), assignee_name ?? "nobody yet"])}
            </p>
            {!isReadOnly && (
              <button
                aria-label={`Done: ${title}`}
                className="plain"
                disabled={end.isPending}
                onClick={() =>
                  end.mutate({ id: task, status: "done" }, { onSuccess: () => setTold(`${title}: done.`) })}
                type="button"
              >
                Done
              </button>
            )}
          </li>
        ))}
      </ul>
      {data !== undefined && data.total > data.tasks.length && (
        <p className="quiet">and {plural(data.total - data.tasks.length, "other", "others")}</p>
      )}
      {!isReadOnly && <button className="plain" onClick={() => setAdding(true)} type="button">Add a task</button>}
      <Told said={told === "" ? null : told}>{told !== "" && <p>{told}</p>}</Told>
      {isAdding && (
        <TaskDialog
          about={[id]}
          onClose={() => setAdding(false)}
          onSaved={() => {
            setAdding(false)
            setTold("The task was saved.")
          }}
          task={null}
        />
      )}
    </section>
  )
}
