/** One webhook endpoint: how it does, what was sent there with every attempt, and what the operator does about it. */
import { useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Answered, useAsked, useChange, usePaged } from "../admin/Asking.tsx"
import { answerOf, deliveryState, isGone } from "../admin/DeliveryWords.ts"
import { Link } from "../app/Router.tsx"
import { eventName } from "../change/Kinds.ts"
import { ChooseAll } from "../part/ChooseAll.tsx"
import { Dialog } from "../part/Dialog.tsx"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { partOf, RefusalNotice } from "../part/RefusalNotice.tsx"
import { ShowMore } from "../part/ShowMore.tsx"
import { useChosen } from "../part/useChosen.ts"
import { Waiting } from "../part/Waiting.tsx"
import { actions, choices, numbers, WideTable } from "../part/WideTable.tsx"
import { plural } from "../part/Wording.ts"
import { call, type Output, Refused } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useMutation } from "../service/useMutation.ts"
import { Act } from "./Act.tsx"
import own from "./Operator.module.css"
import { organizationAddress, partAddress } from "./OperatorPaths.ts"
import { type Endpoint, givenUpOf, isWell, stateOf, waitingIn } from "./WebhooksPage.tsx"

type Delivery = Output<"operator_list_deliveries">["deliveries"][number]

export const EndpointPage = ({ id }: { readonly id: string }) => {
  const found = usePaged(
    ["operator_list_deliveries", id],
    (position, signal) => call("operator_list_deliveries", { id, ...position }, signal)
  )
  const [told, setTold] = useState("")
  const { error } = found
  const isMissing = error instanceof Refused && (error.code === "NOT_FOUND" || error.code === "INVALID_ARGUMENTS")
  const pages = knownOf(found)?.pages
  const endpoint = pages?.[0]?.endpoint
  return (
    <>
      <div className={own["head"]}>
        <h1 tabIndex={-1}>
          {isMissing ? "There is no such endpoint" : endpoint?.label ?? endpoint?.url ?? "Webhook endpoint"}
        </h1>
        {endpoint !== undefined && (
          <div className={page["buttons"]}>
            <button className="plain" disabled={found.isFetching} onClick={() => void found.refetch()} type="button">
              Look again
            </button>
            <Care endpoint={endpoint} onDone={setTold} />
          </div>
        )}
      </div>
      <p role="status">{told}</p>
      {isMissing && <Link to={partAddress("webhooks")}>All endpoints</Link>}
      {pages === undefined || endpoint === undefined ? isMissing || <Waiting error={error} /> : (
        <>
          <Figures endpoint={endpoint} />
          <section aria-labelledby="deliveries" className={page["panel"]}>
            <h2 id="deliveries">Deliveries</h2>
            <Deliveries
              deliveries={pages.flatMap((each) => each.deliveries)}
              endpoint={endpoint}
              onDone={setTold}
            >
              {error !== null && <RefusalNotice error={error} />}
              <ShowMore of={found} />
            </Deliveries>
          </section>
        </>
      )}
    </>
  )
}

const Figures = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const { is_crm, label, org_id, organization, organization_status, subscribed_events, url } = endpoint
  return (
    <section aria-label="How it does">
      <dl className={own["figures"]}>
        <div>
          <dt>State</dt>
          <dd className={isWell(endpoint) ? undefined : own["fault"]}>{stateOf(endpoint)}</dd>
        </div>
        <div>
          <dt>Waits</dt>
          <dd>{waitingIn(endpoint)}</dd>
        </div>
        <div>
          <dt>Given up</dt>
          <dd>{givenUpOf(endpoint)}</dd>
        </div>
        <div>
          <dt>Organization</dt>
          <dd>
            <Link to={organizationAddress(org_id)}>{organization}</Link>
            {organization_status !== "active" && `, ${organization_status}: its deliveries wait`}
          </dd>
        </div>
        <div>
          <dt>{is_crm ? "A CRM, which is told of" : "Sent there"}</dt>
          <dd>{subscribed_events.map(eventName).join("; ")}</dd>
        </div>
        {label !== null && (
          <div>
            <dt>Address</dt>
            <dd>{url}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}

type Told = (told: string) => void

const Care = ({ endpoint: { active, disabled_reason, id }, onDone }: {
  readonly endpoint: Endpoint
  readonly onDone: Told
}) => {
  const [open, setOpen] = useState<"test" | "enable" | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      {active && <button className="plain" onClick={() => setOpen("test")} type="button">Send a test</button>}
      {!active && !isGone(disabled_reason) && <button onClick={() => setOpen("enable")} type="button">Enable</button>}
      {open === "test" && <Test id={id} onClose={close} onDone={onDone} />}
      {open === "enable" && (
        <Enable id={id} isByAdmin={disabled_reason === "disabled"} onClose={close} onDone={onDone} />
      )}
    </>
  )
}

const Test = ({ id, onClose, onDone }: {
  readonly id: string
  readonly onClose: () => void
  readonly onDone: Told
}) => (
  <Act
    act={useChange("operator_test_endpoint")}
    button="Send a test"
    input={(_, reason) => ({ id, reason })}
    onClose={onClose}
    onDone={() => onDone("The test is on its way; look again to see how it went.")}
    says={<p>Sends a made-up event there, marked as a test. It is free, and in no feed.</p>}
    title="Send a test"
  />
)

const Enable = ({ id, isByAdmin, onClose, onDone }: {
  readonly id: string
  readonly isByAdmin: boolean
  readonly onClose: () => void
  readonly onDone: Told
}) => (
  <Act
    act={useChange("operator_enable_endpoint")}
    button="Enable"
    input={(_, reason) => ({ id, reason })}
    onClose={onClose}
    onDone={() => onDone("It is active.")}
    says={
      <>
        {isByAdmin && <p>An admin of the organization disabled it.</p>}
        <p>What happens from now on is sent there, and its failures are counted anew. What was cancelled stays so.</p>
      </>
    }
    title="Enable this endpoint"
  />
)

const nameOf = ({ created_at, event_type, test }: Delivery): string =>
  `${test ? "test: " : ""}${eventName(event_type)} of ${momentOf(created_at)}`

const Deliveries = ({ children, deliveries, endpoint, onDone }: {
  /** What stands below the rows. */
  readonly children: ReactNode
  readonly endpoint: Endpoint
  readonly deliveries: ReadonlyArray<Delivery>
  readonly onDone: Told
}) => {
  const { choose, chosen, clear, toggle } = useChosen()
  const [shown, setShown] = useState<Delivery | null>(null)
  const [again, setAgain] = useState<ReadonlyArray<Delivery> | null>(null)
  if (deliveries.length === 0) return <p>Nothing was sent there yet.</p>
  const lost = endpoint.active ? deliveries.filter(({ given_up }) => given_up) : []
  const picked = lost.filter(({ event_id }) => chosen.has(event_id))
  return (
    <>
      {lost.length > 0 && <ChooseAll chosen={chosen} ids={lost.map(({ event_id }) => event_id)} onChoose={choose} />}
      <WideTable
        caption="The newest first."
        columns={[
          ...lost.length > 0 ? [choices] : [],
          "Event",
          "State",
          numbers("Attempts"),
          "Last answer",
          "When",
          "Next",
          actions
        ]}
        label="Deliveries"
      >
        {deliveries.map((each) => (
          <tr key={each.event_id}>
            {lost.length > 0 && (
              <td>
                {each.given_up && (
                  <input
                    aria-label={`Choose ${nameOf(each)}`}
                    checked={chosen.has(each.event_id)}
                    onChange={() => toggle(each.event_id)}
                    type="checkbox"
                  />
                )}
              </td>
            )}
            <th scope="row">{each.test ? `Test: ${eventName(each.event_type)}` : eventName(each.event_type)}</th>
            <td className={each.given_up ? own["fault"] : undefined}>{deliveryState(each.state)}</td>
            <td className="number">{each.attempts}</td>
            <td className={own["wrap"]}>{answerOf(each.last_status, each.last_error) ?? "None"}</td>
            <td className={page["moment"]}>{momentOf(each.created_at)}</td>
            <td className={page["moment"]}>{each.next_attempt_at === null ? "" : momentOf(each.next_attempt_at)}</td>
            <td>
              <button
                aria-label={`Attempts at ${nameOf(each)}`}
                className="plain"
                onClick={() => setShown(each)}
                type="button"
              >
                Attempts
              </button>
            </td>
          </tr>
        ))}
      </WideTable>
      {children}
      {lost.length > 0 && (
        <div className={`${page["buttons"]} ${own["deciding"]}`}>
          <button disabled={picked.length === 0} onClick={() => setAgain(picked)} type="button">
            {`Send again (${picked.length})`}
          </button>
        </div>
      )}
      {shown !== null && (
        <Attempts
          delivery={shown}
          onAgain={endpoint.active && shown.has_ended
            ? () => {
              setAgain([shown])
              setShown(null)
            }
            : null}
          onClose={() => setShown(null)}
          orgId={endpoint.org_id}
        />
      )}
      {again !== null && (
        <SendAgain
          deliveries={again}
          id={endpoint.id}
          onClose={() => setAgain(null)}
          onDone={(words) => {
            onDone(words)
            clear()
          }}
        />
      )}
    </>
  )
}

const Attempts = ({ delivery, onAgain, onClose, orgId }: {
  readonly orgId: string
  readonly delivery: Delivery
  /** null: it cannot be sent again. */
  readonly onAgain: (() => void) | null
  readonly onClose: () => void
}) => {
  const asked = useAsked("operator_get_delivery", { org_id: orgId, event_id: delivery.event_id })
  return (
    <Dialog onClose={onClose} title={`Attempts at ${nameOf(delivery)}`}>
      <p className={page["quiet"]}>event_id {delivery.event_id}</p>
      <Answered<"operator_get_delivery"> asked={asked}>
        {({ attempts }) =>
          attempts.length === 0 ? <p>None was made yet.</p> : (
            <ol className={own["attempts"]}>
              {attempts.map(({ answer, at, attempt, duration_ms, error, status }) => (
                <li key={`${attempt} ${at}`} value={attempt}>
                  {momentOf(at)}: {answerOf(status, error) ?? "no answer"} after {duration_ms} ms
                  {answer !== null && <pre>{answer}</pre>}
                </li>
              ))}
            </ol>
          )}
      </Answered>
      {onAgain !== null && <button onClick={onAgain} type="button">Send again</button>}
    </Dialog>
  )
}

/** So many are named before it is done. */
const named = 8

/** What became of it. */
const sentIn = ({ resent, under_way }: Output<"operator_resend_deliveries">): string =>
  `${plural(resent, "delivery is on its way", "deliveries are on their way")}.`
  + (under_way === 0 ? "" : ` ${plural(under_way, "was", "were")} being sent already.`)

/** So many are taken by one request. */
const atOnce = 50

/** Sends several again, so many after the others, for one reason: the first refusal ends it, and what is sent stays so. */
const SendAgain = ({ deliveries, id, onClose, onDone }: {
  readonly id: string
  readonly deliveries: ReadonlyArray<Delivery>
  readonly onClose: () => void
  readonly onDone: Told
}) => {
  const client = useQueryClient()
  const [sent, setSent] = useState({ resent: 0, under_way: 0 })
  const done = sent.resent + sent.under_way
  const act = useMutation({
    mutationFn: async ({ reason }: { readonly reason: string }) => {
      let all = sent
      for (let from = done; from < deliveries.length; from += atOnce) {
        const event_ids = deliveries.slice(from, from + atOnce).map(({ event_id }) => event_id)
        const { data } = await call("operator_resend_deliveries", { id, event_ids, reason })
        all = { resent: all.resent + data.resent, under_way: all.under_way + data.under_way }
        setSent(all)
      }
      return all
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["admin"] })
  })
  return (
    <Act
      act={act}
      button={`Send again (${deliveries.length})`}
      done={partOf(done, deliveries.length, "sent again")}
      input={(_, reason) => ({ reason })}
      onClose={onClose}
      onDone={(all) => onDone(sentIn(all))}
      says={
        <>
          <p>Sends each once more, for one attempt. Nothing is billed again that was delivered before.</p>
          <ul>
            {deliveries.slice(0, named).map((each) => <li key={each.event_id}>{nameOf(each)}</li>)}
            {deliveries.length > named && <li>and {plural(deliveries.length - named, "other", "others")}</li>}
          </ul>
        </>
      }
      title="Send again"
    />
  )
}
