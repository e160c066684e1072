/** What was sent to an endpoint: its health, each delivery with every attempt, and sending again. */
import { type FormEvent, useState } from "react"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import type { Output } from "../service/Call.ts"
import style from "./Admin.module.css"
import { Answered, useAsked, useChange } from "./Asking.tsx"
import { momentOf, textIn, wordsOf } from "./Words.ts"

type Delivery = Output<"service_list_webhook_deliveries">["deliveries"][number]

export const Deliveries = ({ endpointId }: { readonly endpointId: string }) => {
  const asked = useAsked("service_list_webhook_deliveries", { id: endpointId, limit: 50 })
  const [shown, setShown] = useState<string | null>(null)
  return (
    <>
      <h3>The last 50 deliveries</h3>
      <Answered<"service_list_webhook_deliveries"> asked={asked}>
        {({ deliveries }) =>
          deliveries.length === 0 ? <p className={style["quiet"]}>Nothing was sent yet.</p> : (
            <>
              <Health deliveries={deliveries} />
              <Table deliveries={deliveries} onOpen={setShown} />
            </>
          )}
      </Answered>
      <p>
        <button className="plain" onClick={() => void asked.refetch()} type="button">Look again</button>
      </p>
      {shown !== null && <Attempts eventId={shown} key={shown} />}
      <ResendFailed endpointId={endpointId} />
    </>
  )
}

const Health = ({ deliveries }: { readonly deliveries: ReadonlyArray<Delivery> }) => {
  const count = (state: string) => deliveries.filter((each) => each.state === state).length
  const [delivered, failed] = [count("delivered"), count("failed")]
  return (
    <p>
      {delivered} arrived, {failed} failed for good, {deliveries.length - delivered - failed} wait or were cancelled.
    </p>
  )
}

const Table = ({ deliveries, onOpen }: {
  readonly deliveries: ReadonlyArray<Delivery>
  readonly onOpen: (eventId: string) => void
}) => (
  <div className={style["scroll"]} tabIndex={0} role="region" aria-label="Table of deliveries">
    <table>
      <caption>The newest first.</caption>
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">State</th>
          <th scope="col" className={style["number"]}>Attempts</th>
          <th scope="col">Last answer</th>
          <th scope="col">When</th>
          <th scope="col">Next</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((each) => (
          <tr key={each.event_id}>
            <th scope="row">{wordsOf(each.event_type)}</th>
            <td>{wordsOf(each.state)}</td>
            <td className={style["number"]}>{each.attempts}</td>
            <td>{[each.last_status, each.last_error].filter((part) => part !== null).join(": ") || "None"}</td>
            <td>{momentOf(each.created_at)}</td>
            <td>{each.next_attempt_at === null ? "" : momentOf(each.next_attempt_at)}</td>
            <td>
              <button className="plain" onClick={() => onOpen(each.event_id)} type="button">Attempts</button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Attempts = ({ eventId: event_id }: { readonly eventId: string }) => {
  const asked = useAsked("service_get_webhook_delivery", { event_id })
  const resend = useChange("service_resend_webhook_delivery")
  return (
    <section aria-label="Attempts">
      <h3>Attempts of {event_id}</h3>
      <Answered<"service_get_webhook_delivery"> asked={asked}>
        {({ attempts, data }) => (
          <>
            <ol>
              {attempts.map(({ at, attempt, duration_ms, error, status }) => (
                <li key={`${attempt} ${at}`} value={attempt}>
                  {momentOf(at)}: {status ?? "no answer"} after {duration_ms} ms{error !== null && `, ${error}`}
                </li>
              ))}
            </ol>
            {attempts.length === 0 && <p className={style["quiet"]}>None was made yet.</p>}
            {data !== null && (
              <details>
                <summary>Data, as it was sent</summary>
                <code className={style["secret"]}>{data}</code>
              </details>
            )}
          </>
        )}
      </Answered>
      <button className="plain" disabled={resend.isPending} onClick={() => resend.mutate({ event_id })} type="button">
        Send once more
      </button>
      {resend.isSuccess && <p role="status">It is on its way.</p>}
      {resend.error !== null && <RefusalNotice error={resend.error} />}
    </section>
  )
}

const ResendFailed = ({ endpointId }: { readonly endpointId: string }) => {
  const resend = useChange("service_resend_failed_deliveries")
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    resend.mutate({ id: endpointId, since: textIn(new FormData(event.currentTarget), "since") })
  }
  return (
    <form className={style["form"]} onSubmit={submit}>
      <h3>Send again what failed</h3>
      <label>
        Since this day, UTC
        <input name="since" required type="date" />
      </label>
      <div className={style["actions"]}>
        <button className="plain" disabled={resend.isPending} type="submit">Send them again</button>
      </div>
      {resend.data !== undefined && (
        <p role="status">
          {resend.data.resent} are on their way.{resend.data.more && " More failed: ask again."}
        </p>
      )}
      {resend.error !== null && <RefusalNotice error={resend.error} />}
    </form>
  )
}
