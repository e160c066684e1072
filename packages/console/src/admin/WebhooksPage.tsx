/** Where events are sent: how each endpoint does, everything that was sent there, and what can be done about it. */
import { useState } from "react"
import { eventName } from "../change/Kinds.ts"
import { Confirmed } from "../part/Confirmed.tsx"
import { FormEnd, onSent, textIn } from "../part/Form.tsx"
import { type Issue, issueText, IssueWords } from "../part/Issues.ts"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { fieldName } from "../part/ServiceWords.ts"
import { useFormChanges } from "../part/useFormChanges.ts"
import { actions, WideTable } from "../part/WideTable.tsx"
import type { Output } from "../service/Call.ts"
import style from "./Admin.module.css"
import { Act, Answered, useAsked, useChange } from "./Asking.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { endpointState, isGone } from "./DeliveryWords.ts"
import { type Event, EventChoices, eventsIn, isEvent } from "./EventChoices.tsx"
import { OpenedHeading } from "./OpenedHeading.tsx"
import { ReceiverHelp } from "./ReceiverHelp.tsx"
import { Secret } from "./Secret.tsx"

type Endpoint = Output<"service_list_webhooks">["endpoints"][number]

export const WebhooksPage = () => {
  const asked = useAsked("service_list_webhooks", {})
  return (
    <Answered<"service_list_webhooks"> asked={asked}>
      {({ endpoints }) => (
        <>
          <Endpoints
            endpoints={endpoints}
            readAnew={async (id) => endpointOf((await asked.refetch()).data?.endpoints ?? [], id)}
          />
          <NewEndpoint />
          <ReceiverHelp />
        </>
      )}
    </Answered>
  )
}

const endpointOf = (endpoints: ReadonlyArray<Endpoint>, id: string): Endpoint | undefined =>
  endpoints.find((endpoint) => endpoint.id === id)

/** Nothing is wrong with it: what an admin or a customer did is not. */
const isWell = ({ consecutiveFailures, disabledReason }: Endpoint): boolean =>
  isGone(disabledReason) || disabledReason === "disabled" || disabledReason === null && consecutiveFailures === 0

const Endpoints = ({ endpoints, readAnew }: {
  readonly endpoints: ReadonlyArray<Endpoint>
  /** The endpoint as it is by now. */
  readonly readAnew: (id: string) => Promise<Endpoint | undefined>
}) => {
  const [opened, setOpened] = useState<Endpoint | null>(null)
  const endpoint = opened === null ? undefined : endpointOf(endpoints, opened.id)
  const open = async (row: Endpoint) => setOpened(await readAnew(row.id) ?? row)
  return (
    <section className={page["panel"]} aria-label="Endpoints that there are">
      {endpoints.length === 0 ?
        <p>Nothing is sent anywhere yet.</p> :
        (
          <WideTable
            caption="The newest first."
            columns={["Address", "Events", "State", "Since", actions]}
            label="Endpoints"
          >
            {endpoints.map((each) => (
              <tr key={each.id}>
                <th scope="row">
                  {each.label}
                  <div className={style["address"]}>{each.url}</div>
                </th>
                <td>{each.subscribedEvents.map(eventName).join("; ")}</td>
                <td className={isWell(each) ? undefined : style["fault"]}>
                  {endpointState(each.disabledReason, each.consecutiveFailures)}
                </td>
                <td>{momentOf(each.createdAt)}</td>
                <td>
                  <button
                    aria-label={`Open ${each.label ?? each.url}`}
                    className="plain"
                    onClick={() => void open(each)}
                    type="button"
                  >
                    Open
                  </button>
                </td>
              </tr>
            ))}
          </WideTable>
        )}
      {opened !== null && endpoint !== undefined && (
        <EndpointDetail endpoint={endpoint} key={endpoint.id} opened={opened} />
      )}
    </section>
  )
}

const EndpointDetail = ({ endpoint, opened }: {
  readonly endpoint: Endpoint
  /** As it was when it was opened. */
  readonly opened: Endpoint
}) => {
  const { active, disabledReason, id } = endpoint
  return (
    <section aria-label={`About ${endpoint.label ?? endpoint.url}`}>
      <OpenedHeading as="h2">{endpoint.label ?? endpoint.url}</OpenedHeading>
      <Care endpoint={endpoint} />
      {(active || disabledReason !== "deleted") && <Settings opened={opened} />}
      <Deliveries endpointId={id} />
    </section>
  )
}

const Care = ({ endpoint: { active, disabledReason, id } }: { readonly endpoint: Endpoint }) => {
  const test = useChange("service_test_webhook")
  const enable = useChange("service_enable_webhook")
  const disable = useChange("service_disable_webhook")
  const rotate = useChange("service_rotate_webhook_secret")
  const remove = useChange("service_delete_webhook")
  const error = test.error ?? enable.error ?? disable.error ?? rotate.error ?? remove.error
  const stands = !isGone(disabledReason)
  return (
    <>
      <div className={page["buttons"]}>
        {active
          ? (
            <>
              <Act change={test} input={{ id }}>Send a test</Act>
              <Confirmed
                disabled={disable.isPending}
                label="Disable"
                onConfirm={() => {
                  test.reset()
                  disable.mutate({ id })
                }}
                question="Nothing is sent until you enable it; what waits is cancelled."
              />
              <Confirmed
                disabled={rotate.isPending}
                label="Rotate the secret"
                onConfirm={() => rotate.mutate({ id })}
                question="Both secrets sign for 24 hours."
              />
            </>
          )
          : stands && <Act change={enable} input={{ id }}>Enable</Act>}
        {stands && (
          <Confirmed
            disabled={remove.isPending}
            label="Remove"
            onConfirm={() => remove.mutate({ id })}
            question="For good: nothing is sent there any more, and what waits is cancelled."
          />
        )}
      </div>
      {active && test.isSuccess && <p role="status">The test is on its way; below stands how it goes.</p>}
      {rotate.data !== undefined && (
        <Secret onKept={() => rotate.reset()} secret={rotate.data.signing_secret}>
          The new signing secret is shown this once. The old one signs as well until{" "}
          {momentOf(rotate.data.previous_until)}.
        </Secret>
      )}
      {error !== null && <RefusalNotice error={error} />}
    </>
  )
}

interface Fields {
  readonly label: string | null
  readonly events: ReadonlyArray<Event>
}

const Settings = ({ opened: { id, label, subscribedEvents } }: { readonly opened: Endpoint }) => {
  const { before, changed, saved } = useFormChanges<Fields>({
    label,
    events: subscribedEvents.filter(isEvent).toSorted()
  })
  const change = useChange("service_change_webhook")
  const submit = onSent((data) => {
    const given = changed({ label: textIn(data, "label") || null, events: eventsIn(data).toSorted() })
    change.mutate({ id, ...given }, { onSuccess: () => saved(given) })
  })
  return (
    <details className={style["apart"]}>
      <summary>Label and events</summary>
      <form className={style["form"]} onSubmit={submit}>
        <label>
          Label
          <input autoComplete="off" defaultValue={before.label ?? ""} maxLength={120} name="label" />
        </label>
        <EventChoices chosen={before.events} />
        <FormEnd change={change} done="Saved." />
      </form>
    </details>
  )
}

/** What is wrong with a new endpoint, in the words of its form. */
const inFormWords = (issue: Issue): string =>
  issueText(issue, (field) => field === "url" ? "Address" : fieldName(field))

const NewEndpoint = () => {
  const create = useChange("service_create_webhook")
  const submit = onSent((data, form) =>
    create.mutate({ url: textIn(data, "url"), events: eventsIn(data) }, { onSuccess: () => form.reset() })
  )
  return (
    <section className={page["panel"]} aria-labelledby="new-endpoint">
      <h2 id="new-endpoint">New endpoint</h2>
      {create.data !== undefined && (
        <Secret onKept={() => create.reset()} secret={create.data.signing_secret}>
          {create.data.superseded_endpoint_id !== null &&
            "It replaces the endpoint that had this address. "}
          The signing secret is shown this once. Keep it with the receiver.
        </Secret>
      )}
      <form className={style["form"]} onSubmit={submit}>
        <label>
          Address
          <input autoComplete="off" maxLength={2048} name="url" required type="url" />
        </label>
        <EventChoices chosen={["lead.qualified"]} />
        <IssueWords value={inFormWords}>
          <FormEnd change={create} send="Add" />
        </IssueWords>
      </form>
    </section>
  )
}
