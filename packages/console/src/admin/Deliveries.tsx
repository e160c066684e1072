/** What was sent to an endpoint: its health, each delivery with every attempt, and sending again. */
import { useState } from "react"
import { eventName } from "../change/Kinds.ts"
import { onSent, textIn } from "../part/Form.tsx"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { actions, numbers, WideTable } from "../part/WideTable.tsx"
import { plural } from "../part/Wording.ts"
import type { Output } from "../service/Call.ts"
import style from "./Admin.module.css"
import { Act, Answered, useAsked, useChange } from "./Asking.tsx"
import { tallyOf } from "./DeliveryTally.ts"
import { answerOf, deliveryState } from "./DeliveryWords.ts"
import { OpenedHeading } from "./OpenedHeading.tsx"

type Delivery = Output<"service_list_webhook_deliveries">["deliveries"][number]

/** Milliseconds for which a test is followed by itself. */
const patience = 60_000

/** Whether a test is under way; a receiver that fails is tried again for days, which nobody waits for. */
const isTested = ({ deliveries }: Output<"service_list_webhook_deliveries">): boolean =>
  deliveries.some(({ created_at, state, test }) =>
    test && (state === "queued" || state === "delivering") && Math.abs(Date.now() - Date.parse(created_at)) < patience
  )

export const Deliveries = ({ endpointId }: { readonly endpointId: string }) => {
  const asked = useAsked("service_list_webhook_deliveries", { id: endpointId, limit: 50 }, { isUnderWay: isTested })
  const [shown, setShown] = useState<string | null>(null)
  return (
    <>
      <h3>The last 50 deliveries</h3>
      <Answered<"service_list_webhook_deliveries"> asked={asked}>
        {({ deliveries }) =>
          deliveries.length === 0 ? <p className="quiet">Nothing was sent yet.</p> : (
            <>
              <p>{tallyOf(deliveries)}</p>
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

const Table = ({ deliveries, onOpen }: {
  readonly deliveries: ReadonlyArray<Delivery>
  readonly onOpen: (eventId: string) => void
}) => (
  <WideTable
    caption="The newest first."
    columns={["Event", "State", numbers("Attempts"), "Last answer", "When", "Next", actions]}
    label="Deliveries"
  >
    {deliveries.map((each) => (
      <tr key={each.event_id}>
        <th scope="row">{each.test ? `Test: ${eventName(each.event_type)}` : eventName(each.event_type)}</th>
        <td>{deliveryState(each.state)}</td>
        <td className="number">{each.attempts}</td>
        <td>{answerOf(each.last_status, each.last_error) ?? "None"}</td>
        <td>{momentOf(each.created_at)}</td>
        <td>{each.next_attempt_at === null ? "" : momentOf(each.next_attempt_at)}</td>
        <td>
          <button className="plain" onClick={() => onOpen(each.event_id)} type="button">Attempts</button>
        </td>
      </tr>
    ))}
  </WideTable>
)

/** The same JSON over several lines, to be read. */
const laidOut = (json: string): string => JSON.stringify(JSON.parse(json), null, 2)

const Attempts = ({ eventId: event_id }: { readonly eventId: string }) => {
  const asked = useAsked("service_get_webhook_delivery", { event_id })
  const resend = useChange("service_resend_webhook_delivery")
  return (
    <section aria-label="Attempts">
      <OpenedHeading as="h3">Attempts of {event_id}</OpenedHeading>
      <Answered<"service_get_webhook_delivery"> asked={asked}>
        {({ attempts, data }) => (
          <>
            <ol>
              {attempts.map(({ at, attempt, duration_ms, error, status }) => (
                <li key={`${attempt} ${at}`} value={attempt}>
                  {momentOf(at)}: {answerOf(status, error) ?? "no answer"} after {duration_ms} ms
                </li>
              ))}
            </ol>
            {attempts.length === 0 && <p className="quiet">None was made yet.</p>}
            {data !== null && (
              <details>
                <summary>Data that was sent</summary>
                <pre className={style["code"]} tabIndex={0}>{laidOut(data)}</pre>
              </details>
            )}
          </>
        )}
      </Answered>
      <p>
        <Act change={resend} input={{ event_id }}>Send once more</Act>
      </p>
      {resend.isSuccess && <p role="status">It is on its way.</p>}
      {resend.error !== null && <RefusalNotice error={resend.error} />}
    </section>
  )
}

const ResendFailed = ({ endpointId }: { readonly endpointId: string }) => {
  const resend = useChange("service_resend_failed_deliveries")
  const submit = onSent((data) => resend.mutate({ id: endpointId, since: textIn(data, "since") }))
  return (
    <form className={style["form"]} onSubmit={submit}>
      <h3>Send again what failed</h3>
      <label>
        Since this day, UTC
        <input name="since" required type="date" />
      </label>
      <div className={page["buttons"]}>
        <button className="plain" disabled={resend.isPending} type="submit">Send them again</button>
      </div>
      {resend.data !== undefined && (
        <p role="status">
          {resend.data.resent === 0
            ? "Nothing failed for good since then."
            : `${plural(resend.data.resent, "delivery is on its way", "deliveries are on their way")}.`}
          {resend.data.more && " More failed: ask again."}
        </p>
      )}
      {resend.error !== null && <RefusalNotice error={resend.error} />}
    </form>
  )
}
