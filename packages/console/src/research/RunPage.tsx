/** One run: how it stands, what it cost, what became of each part, and what was found. */
import { useQuery } from "@tanstack/react-query"
import { addressOf, Link } from "../app/Router.tsx"
import { Facts } from "../part/Facts.tsx"
import { momentOf } from "../part/Moment.ts"
import style from "../part/Page.module.css"
import { ReceiptNumber } from "../part/ReceiptLine.tsx"
import { PropertyLine, SubjectLine } from "../part/RecordLink.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { useNames } from "../part/useNames.ts"
import { number, plural, word } from "../part/Wording.ts"
import { EmailOf } from "../people/Ways.tsx"
import { call } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { DraftText } from "./DraftText.tsx"
import { Evidence } from "./Evidence.tsx"
import { actionOf, emailOf, hasEvidence, stateOf, type Status } from "./Runs.ts"
import { StrategyText } from "./StrategyText.tsx"

/** While it is under way, it is looked at so often. */
const between = 1500

export const RunPage = ({ id }: { readonly id: string }) => {
  const { data, error } = useQuery({
    queryKey: ["run", id],
    queryFn: async ({ signal }) => (await call("service_get_research_status", { run_id: id }, signal)).data,
    refetchInterval: ({ state }) => state.data?.finished_at === null ? between : false
  })
  const known = knownOf({ data, error })
  return (
    <main id="main">
      <p>
        <Link to={addressOf("research")}>All research</Link>
      </p>
      <h1 tabIndex={-1}>{known === undefined ? "Research" : actionOf(known.action)}</h1>
      {error !== null && <RefusalNotice error={error} />}
      {known === undefined ? error === null && <p role="status">One moment…</p> : <Run run={known} />}
    </main>
  )
}

const Run = ({ run }: { readonly run: Status }) => {
  const ids = (type: Status["items"][number]["subject_type"]) =>
    run.items.flatMap(({ subject_id, subject_type }) => subject_type === type ? [subject_id] : [])
  const names = useNames({
    properties: [...ids("property"), ...run.items.flatMap(({ property_id }) => property_id ?? [])],
    contacts: ids("contact")
  })
  return (
    <div className={style["grid"]}>
      <section aria-labelledby="about-run" className={style["panel"]}>
        <h2 id="about-run">How it stands</h2>
        <p role="status">
          <strong>{word(stateOf(run.status))}</strong>
          {run.finished_at === null &&
            `, ${number(run.counts.queued + run.counts.running)} of ${
              plural(run.counts.total, "part", "parts")
            } to come`}
        </p>
        <Facts
          facts={[
            ["Charged", plural(run.credits_charged, "credit", "credits")],
            ["Given back", plural(run.credits_returned, "credit", "credits")],
            ["Started", momentOf(run.created_at)],
            ["Ended", run.finished_at === null ? null : momentOf(run.finished_at)],
            ["Email", emailOf(run)],
            ["To", run.to === undefined ? null : <To to={run.to} />]
          ]}
        />
        <h3>What it is about</h3>
        <ul className={style["lines"]}>
          {run.items.map((item) => (
            <li key={`${item.subject_id} ${item.property_id}`}>
              <div>
                <SubjectLine id={item.subject_id} names={names} type={item.subject_type} />
                {item.property_id !== null && (
                  <div>
                    about <PropertyLine id={item.property_id} names={names} />
                  </div>
                )}
              </div>
              <span className={style["quiet"]}>
                {item.reason === null
                  ? stateOf(item.status)
                  : item.reason === "nothing_found"
                  ? "nothing found, given back"
                  : `${word(item.reason)}, given back`}
                , receipt <ReceiptNumber entry={item.receipt} />
              </span>
            </li>
          ))}
        </ul>
        {run.action === "research_property" && run.counts.complete > 0 && !hasEvidence(run) && (
          <p className={style["quiet"]}>
            What was found, or was known and is open now, stands on the page of the property.
          </p>
        )}
      </section>
      {hasEvidence(run) && (
        <section aria-labelledby="found" className={style["panel"]}>
          <h2 id="found">What was found</h2>
          <Evidence run={run} />
        </section>
      )}
      {run.strategy !== undefined && (
        <section aria-labelledby="approach" className={style["panel"]}>
          <h2 id="approach">How to approach them</h2>
          <StrategyText strategy={run.strategy} />
        </section>
      )}
      {run.draft !== undefined && (
        <section aria-labelledby="draft" className={style["panel"]}>
          <h2 id="draft">Draft</h2>
          <DraftText draft={run.draft} />
        </section>
      )}
    </div>
  )
}

/** Whom the draft is written to. */
const To = ({ to: { doNotContact = { email: false, phone: false }, email, name } }: {
  readonly to: NonNullable<Status["to"]>
}) => (
  <>
    {name} <EmailOf person={{ doNotContact, email }} />
  </>
)
