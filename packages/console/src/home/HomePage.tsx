/** Where a member's day begins: what is due, leads that stand still, what changed, and the credits that are left. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import { nameOf, stageOf } from "../board/Stages.ts"
import { ChangeLine, subjectsOf } from "../change/ChangeLine.tsx"
import { ageOf, dueIn } from "../part/Moment.ts"
import style from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { Told } from "../part/Told.tsx"
import { useNames } from "../part/useNames.ts"
import { number } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useSession } from "../service/Session.tsx"
import { useEndTask, useTasks } from "../task/useTasks.ts"

/** So many lines of each. */
const shown = 6

/** Days after which a lead stands still. */
const stillDays = 14

export const HomePage = () => {
  const { credits, organization: { features }, own_limit: own } = useSession()
  return (
    <main id="main">
      <h1 tabIndex={-1}>Home</h1>
      <div className={style["halves"]}>
        <DueTasks />
        {features.pipeline && <StillLeads />}
        {features.signals && <LatestChanges />}
        <section aria-labelledby="credits-left" className={style["panel"]}>
          <h2 id="credits-left">Credits left</h2>
          <p className={style["figure"]}>{number(credits)}</p>
          <p className={style["quiet"]}>
            {own === undefined
              ? "You have no monthly limit of your own."
              : `You may spend ${number(own.limit)} of them a UTC month: ${number(own.remaining)} are left.`}
          </p>
        </section>
      </div>
    </main>
  )
}

const DueTasks = () => {
  const { member } = useSession()
  const { data, error } = useTasks({ mine: true, due: true, status: "open", limit: shown })
  const end = useEndTask()
  const [told, setTold] = useState("")
  return (
    <section aria-labelledby="due" className={style["panel"]}>
      <h2 id="due">My tasks that are due</h2>
      {error !== null && <RefusalNotice error={error} />}
      {end.error !== null && <RefusalNotice error={end.error} />}
      <Told said={told === "" ? null : told}>{told !== "" && <p>{told}</p>}</Told>
      {data?.total === 0 && <p>Nothing is due.</p>}
      <ul className={style["lines"]}>
        {data?.tasks.map(({ address, due_at, id, property_id, property_key, title }) => (
          <li key={id}>
            <div>
              <strong>{title}</strong>
              <div>
                <Link to={addressOf("property", { id: property_id })}>{address ?? property_key}</Link>
              </div>
              {due_at !== null && <div className={style["due"]}>{dueIn(due_at)}</div>}
            </div>
            {member.role !== "read_only" && (
              <button
                aria-label={`Done: ${title}`}
                className="plain"
                disabled={end.isPending}
                onClick={() => end.mutate({ id, status: "done" }, { onSuccess: () => setTold(`${title}: done.`) })}
                type="button"
              >
                Done
              </button>
            )}
          </li>
        ))}
      </ul>
      <p>
        <Link to={addressOf("tasks")}>
          {data === undefined || data.total <= shown ? "All my tasks" : `All ${number(data.total)} that are due`}
        </Link>
      </p>
    </section>
  )
}

const StillLeads = () => {
  const { data, error } = useQuery({
    queryKey: ["board", "still"],
    queryFn: async ({ signal }) => {
      const mine = {
        mine: true,
        stages: ["qualified", "attempted_contact", "active_opportunity"],
        limit: shown
      } as const
      const [open, still] = await Promise.all([
        call("app_get_board", mine, signal),
        call("app_get_board", { ...mine, unmoved_days: stillDays }, signal)
      ])
      return {
        isAny: open.data.stages.some(({ total }) => total > 0),
        leads: still.data.stages.flatMap((column) => column.leads)
      }
    }
  })
  const known = knownOf({ data, error })
  return (
    <section aria-labelledby="still" className={style["panel"]}>
      <h2 id="still">My leads without a move for {stillDays} days</h2>
      {error !== null && <RefusalNotice error={error} />}
      {known?.leads.length === 0 && <p>{known.isAny ? "All of them moved lately." : "No open lead is yours."}</p>}
      <ul className={style["lines"]}>
        {known?.leads.slice(0, shown).map((card) => (
          <li key={card.property_id}>
            <Link to={addressOf("property", { id: card.property_id })}>{nameOf(card)}</Link>
            <span className={style["quiet"]}>{stageOf(card.status)} for {ageOf(card.status_changed_at)}</span>
          </li>
        ))}
      </ul>
      <p>
        <Link to={addressOf("pipeline", {}, new URLSearchParams({ mine: "yes" }))}>My pipeline</Link>
      </p>
    </section>
  )
}

const LatestChanges = () => {
  const { data, error } = useQuery({
    queryKey: ["changes", "latest"],
    queryFn: async ({ signal }) => (await call("service_get_changes", { limit: shown }, signal)).data.changes
  })
  const known = knownOf({ data, error })
  const names = useNames(subjectsOf(known ?? []))
  return (
    <section aria-labelledby="changed" className={style["panel"]}>
      <h2 id="changed">Latest changes</h2>
      {error !== null && <RefusalNotice error={error} />}
      {known?.length === 0 && <p>Nothing was recorded in the last 30 days.</p>}
      <ul className={style["lines"]}>
        {known?.map((change) => (
          <li key={change.signal_id}>
            <ChangeLine change={change} names={names} />
          </li>
        ))}
      </ul>
    </section>
  )
}
