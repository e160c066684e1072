/** The runs of research, newest first: what each is about, how it stands, what it cost and gave back. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { addressOf, Link, navigate, withParameter } from "../app/Router.tsx"
import { momentOf } from "../part/Moment.ts"
import style from "../part/Page.module.css"
import { ReceiptNumber } from "../part/ReceiptLine.tsx"
import { PropertyLine, SubjectLine } from "../part/RecordLink.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { firstPage, nextPage, ShowMore } from "../part/ShowMore.tsx"
import { useNames } from "../part/useNames.ts"
import { numbers, WideTable } from "../part/WideTable.tsx"
import { number } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { actionOf, actions, isAction, type Run, stateOf } from "./Runs.ts"

/** While something is under way, it is looked at so often. */
const between = 3000

export const ResearchPage = ({ search }: { readonly search: URLSearchParams }) => {
  const kind = search.get("kind")
  const action = isAction(kind) ? kind : null
  const mine = search.get("mine") === "yes"
  const asked = { ...action === null ? {} : { action }, ...mine ? { mine } : {} }
  const runs = useInfiniteQuery({
    queryKey: ["runs", asked],
    queryFn: async ({ pageParam, signal }) =>
      (await call("service_list_research_runs", { ...asked, ...pageParam }, signal)).data,
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.runs.some(({ finished_at }) => finished_at === null)) === true
        ? between
        : false
  })
  const known = knownOf(runs)
  const rows = known?.pages.flatMap((page) => page.runs)
  const show = (name: string, value: string) =>
    navigate(addressOf("research", {}, withParameter(search, name, value)), { replace: true })
  return (
    <main id="main">
      <div className={style["top"]}>
        <h1 tabIndex={-1}>Research</h1>
        <label>
          Kind
          <select onChange={(event) => show("kind", event.target.value)} value={action ?? ""}>
            <option value="">Any</option>
            {Object.entries(actions).map(([value, name]) => <option key={value} value={value}>{name}</option>)}
          </select>
        </label>
        <label>
          Whose
          <select onChange={(event) => show("mine", event.target.value)} value={mine ? "yes" : ""}>
            <option value="">The team’s</option>
            <option value="yes">Mine</option>
          </select>
        </label>
      </div>
      <p className={style["quiet"]}>
        Research is started where a property, a person or a firm is looked at, and for many from the search or a list.
        What finds nothing is given back.
      </p>
      {runs.error !== null && <RefusalNotice error={runs.error} />}
      {rows === undefined && runs.error === null && <p role="status">One moment…</p>}
      {rows?.length === 0 && !runs.hasNextPage && <p>There is no run yet.</p>}
      {rows !== undefined && rows.length > 0 && <RunTable runs={rows} />}
      {known !== undefined && <ShowMore of={runs} />}
    </main>
  )
}

const RunTable = ({ runs }: { readonly runs: ReadonlyArray<Run> }) => {
  const subjects = (type: Run["subject_type"]) =>
    runs.flatMap(({ subject_ids, subject_type }) => subject_type === type ? subject_ids.slice(0, 1) : [])
  const names = useNames({
    properties: [...subjects("property"), ...runs.flatMap(({ property_id }) => property_id ?? [])],
    contacts: subjects("contact")
  })
  return (
    <WideTable
      columns={["What", "About", "State", numbers("Charged"), numbers("Given back"), "Receipt", "Started"]}
      isFramed
      label="Runs of research"
    >
      {runs.map((run) => (
        <tr key={run.run_id}>
          <td>
            <Link to={addressOf("run", { id: run.run_id })}>{actionOf(run.action)}</Link>
          </td>
          <td>
            {run.subject_ids.slice(0, 1).map((id) => (
              <SubjectLine id={id} key={id} names={names} type={run.subject_type} />
            ))}
            {run.subjects > 1 && <div className={style["quiet"]}>and {number(run.subjects - 1)} more</div>}
            {run.property_id !== null && (
              <div>
                about <PropertyLine id={run.property_id} names={names} />
              </div>
            )}
          </td>
          <td>
            {stateOf(run.status)}
            {run.failed > 0 && run.subjects > 1 && (
              <div className={style["quiet"]}>{number(run.failed)} found nothing</div>
            )}
          </td>
          <td className="number">{number(run.credits_charged)}</td>
          <td className="number">{number(run.credits_returned)}</td>
          <td>
            {run.receipt !== null && <ReceiptNumber entry={run.receipt} />}
            {run.subjects > 1 && (
              <div>
                <Link to={addressOf("run", { id: run.run_id })}>All {number(run.subjects)}</Link>
              </div>
            )}
          </td>
          <td>
            {momentOf(run.created_at)}
            <div className={style["quiet"]}>{run.started_by.name}</div>
          </td>
        </tr>
      ))}
    </WideTable>
  )
}
