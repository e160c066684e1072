/** What can be done with the chosen properties or people: onto a list, into the pipeline, opened, researched. */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import { number, plural } from "../part/Wording.ts"
import { QualifyDialog } from "../property/QualifyDialog.tsx"
import { useSession } from "../service/Session.tsx"
import { TaskDialog } from "../task/TaskDialog.tsx"
import { ListDialog } from "./ListDialog.tsx"
import { type Kind, OpenDialog } from "./OpenDialog.tsx"
import { maximumBatch, ResearchDialog } from "./ResearchDialog.tsx"
import style from "./SearchPage.module.css"

/** As many tasks are written at once: each is asked for by itself. */
const mostTasks = 100

export const SelectionBar = ({ children, chosen, kind = "properties", onDone }: {
  readonly chosen: ReadonlySet<string>
  readonly kind?: Kind
  /** What else can be done with them. */
  readonly children?: ReactNode
  readonly onDone: () => void
}) => {
  const ids = Array.from(chosen)
  const { member, organization: { features } } = useSession()
  const [open, setOpen] = useState<"qualify" | "list" | "task" | "open" | "research" | null>(null)
  const [told, setTold] = useState<ReactNode>(null)
  const isProperties = kind === "properties"
  const bar = useRef<HTMLElement>(null)

  // It comes and goes above the rows while somebody chooses them: they stay below the pointer. Further down, browsers see to that.
  useLayoutEffect(() => {
    const after = bar.current?.nextElementSibling?.getBoundingClientRect().top
    if (bar.current === null || after === undefined || window.scrollY > 0) return undefined
    const room = after - bar.current.getBoundingClientRect().top
    window.scrollBy(0, room)
    return () => {
      if (window.scrollY <= room) window.scrollBy(0, -room)
    }
  }, [])

  useEffect(() => {
    const escape = ({ key }: KeyboardEvent) => {
      if (key === "Escape" && document.querySelector("dialog[open]") === null) onDone()
    }
    window.addEventListener("keydown", escape)
    return () => window.removeEventListener("keydown", escape)
  }, [onDone])

  const close = () => setOpen(null)
  const done = (words: ReactNode) => {
    setTold(words)
    close()
  }
  return (
    <section aria-label={isProperties ? "Chosen properties" : "Chosen people"} className={style["selection"]} ref={bar}>
      <p>
        <strong>{number(ids.length)} chosen</strong>
      </p>
      <div aria-live="polite" className={style["told"]}>{told}</div>
      {member.role !== "read_only" && (
        <>
          {features.lists && <button onClick={() => setOpen("list")} type="button">Add to list</button>}
          {isProperties && features.pipeline && (
            <button onClick={() => setOpen("qualify")} type="button">Qualify</button>
          )}
          {isProperties && (
            <button
              disabled={ids.length > mostTasks}
              onClick={() => setOpen("task")}
              type="button"
            >
              Add tasks…
            </button>
          )}
          <button
            onClick={() =>
              setOpen("open")}
            type="button"
          >
            {isProperties ? "Unlock…" : "Reveal…"}
          </button>
          {isProperties && features.enrichments && (
            <button
              disabled={ids.length > maximumBatch}
              onClick={() => setOpen("research")}
              type="button"
            >
              Research…
            </button>
          )}
          {isProperties && ids.length > maximumBatch && (
            <span className={style["quiet"]}>
              At most {maximumBatch} are researched at once{ids.length > mostTasks && `, and ${mostTasks} tasks added`}.
            </span>
          )}
          {children}
        </>
      )}
      <button className="plain" onClick={onDone} type="button">Clear (Esc)</button>
      {open === "qualify" && <QualifyDialog ids={ids} onClose={close} onDone={done} />}
      {open === "list" && <ListDialog ids={ids} onAdded={done} onClose={close} type={kind} />}
      {open === "task" && (
        <TaskDialog
          about={ids}
          onClose={close}
          onSaved={() =>
            done(
              <>
                {`${plural(ids.length, "task was", "tasks were")} added.`} <Link to={addressOf("tasks")}>Tasks</Link>
              </>
            )}
          task={null}
        />
      )}
      {open === "open" && <OpenDialog ids={ids} kind={kind} onClose={close} onDone={done} />}
      {open === "research" && <ResearchDialog ids={ids} onClose={close} onDone={done} />}
    </section>
  )
}
