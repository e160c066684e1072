/** Where events are sent: how each endpoint does, everything that was sent there, and what can be done about it. */
import { type FormEvent, useState } from "react"
import { Confirmed } from "../part/Confirmed.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import type { Output } from "../service/Call.ts"
import style from "./Admin.module.css"
import { Answered, useAsked, useChange } from "./Asking.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { momentOf, textIn, wordsOf } from "./Words.ts"

type Endpoint = Output<"service_list_webhooks">["endpoints"][number]

/** What an endpoint may be told of; the server refuses what the organization does not have. */
const offered = [
  "lead.qualified",
  "signal.ownership_transfer",
  "signal.sale",
  "signal.manager_change",
  "signal.contact_departure",
  "signal.contact_title_change",
  "signal.contact_employer_change",
  "signal.withdrawn"
] as const

export const WebhooksPage = () => {
  const asked = useAsked("service_list_webhooks", {})
  return (
    <Answered<"service_list_webhooks"> asked={asked}>
      {({ endpoints }) => (
        <>
          <Endpoints endpoints={endpoints} />
          <NewEndpoint />
        </>
      )}
    </Answered>
  )
}

const reasons: Readonly<Record<NonNullable<Endpoint["disabledReason"]>, string>> = {
  deleted: "Removed",
  gone: "Disabled: it answered 410",
  failing: "Disabled: 20 deliveries in a row failed",
  private_address: "Disabled: its address is not public",
  superseded: "Replaced",
  disabled: "Disabled by an admin"
}

const stateOf = ({ disabledReason }: Endpoint): string => disabledReason === null ? "Active" : reasons[disabledReason]

const Endpoints = ({ endpoints }: { readonly endpoints: ReadonlyArray<Endpoint> }) => {
  const [shown, setShown] = useState<string | null>(null)
  const endpoint = endpoints.find(({ id }) => id === shown)
  return (
    <section className={style["box"]} aria-label="Endpoints that there are">
      {endpoints.length === 0 ?
        <p>Nothing is sent anywhere yet.</p> :
        (
          <div className={style["scroll"]} tabIndex={0} role="region" aria-label="Table of endpoints">
            <table>
              <caption>The newest first.</caption>
              <thead>
                <tr>
                  <th scope="col">Address</th>
                  <th scope="col">Events</th>
                  <th scope="col">State</th>
                  <th scope="col">Since</th>
                  <th scope="col">
                    <span className="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {endpoints.map((each) => (
                  <tr key={each.id}>
                    <th scope="row">
                      {each.label}
                      <div className={style["address"]}>{each.url}</div>
                    </th>
                    <td>{each.subscribedEvents.join(", ")}</td>
                    <td>{stateOf(each)}</td>
                    <td>{momentOf(each.createdAt)}</td>
                    <td>
                      <button
                        aria-label={`Open ${each.label ?? each.url}`}
                        className="plain"
                        onClick={() => setShown(each.id)}
                        type="button"
                      >
                        Open
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      {endpoint !== undefined && <EndpointDetail endpoint={endpoint} key={endpoint.id} />}
    </section>
  )
}

const EndpointDetail = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const { active, disabledReason, id } = endpoint
  return (
    <section aria-label={`About ${endpoint.label ?? endpoint.url}`}>
      <h2>{endpoint.label ?? endpoint.url}</h2>
      <Care endpoint={endpoint} />
      {(active || disabledReason !== "deleted") && <Settings endpoint={endpoint} />}
      <Deliveries endpointId={id} />
    </section>
  )
}

const Care = ({ endpoint: { active, disabledReason, id } }: { readonly endpoint: Endpoint }) => {
  const test = useChange("service_test_webhook")
  const enable = useChange("service_enable_webhook")
  const disable = useChange("service_disable_webhook")
  const rotate = useChange("service_rotate_webhook_secret")
  const error = test.error ?? enable.error ?? disable.error ?? rotate.error
  return (
    <>
      <div className={style["actions"]}>
        {active
          ? (
            <>
              <button className="plain" disabled={test.isPending} onClick={() => test.mutate({ id })} type="button">
                Send a test
              </button>
              <Confirmed
                disabled={disable.isPending}
                label="Disable"
                onConfirm={() => disable.mutate({ id })}
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
          : disabledReason !== "deleted" && (
            <button
              disabled={enable.isPending}
              onClick={() => enable.mutate({ id })}
              type="button"
            >
              Enable
            </button>
          )}
      </div>
      {test.isSuccess && <p role="status">The test is on its way; see below how it went.</p>}
      {rotate.data !== undefined && (
        <div role="status">
          <p>
            The new signing secret is shown this once. The old one signs as well until{" "}
            {momentOf(rotate.data.previous_until)}.
          </p>
          <code className={style["secret"]}>{rotate.data.signing_secret}</code>
        </div>
      )}
      {error !== null && <RefusalNotice error={error} />}
    </>
  )
}

const EventChoices = ({ chosen }: { readonly chosen: ReadonlyArray<string> }) => (
  <fieldset>
    <legend>Events</legend>
    {offered.map((event) => (
      <label className={style["check"]} key={event}>
        <input defaultChecked={chosen.includes(event)} name={event} type="checkbox" />
        <span>{wordsOf(event)}</span>
      </label>
    ))}
  </fieldset>
)

const eventsIn = (data: FormData) => offered.filter((event) => data.get(event) === "on")

const Settings = ({ endpoint: { id, label, subscribedEvents } }: { readonly endpoint: Endpoint }) => {
  const change = useChange("service_change_webhook")
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    change.mutate({ id, label: textIn(data, "label") || null, events: eventsIn(data) })
  }
  return (
    <details>
      <summary>Label and events</summary>
      <form className={style["form"]} onSubmit={submit}>
        <label>
          Label
          <input autoComplete="off" defaultValue={label ?? ""} maxLength={120} name="label" />
        </label>
        <EventChoices chosen={subscribedEvents} />
        {change.error !== null && <RefusalNotice error={change.error} />}
        {change.isSuccess && <p role="status">Saved.</p>}
        <div className={style["actions"]}>
          <button disabled={change.isPending} type="submit">Save</button>
        </div>
      </form>
    </details>
  )
}

const NewEndpoint = () => {
  const create = useChange("service_create_webhook")
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    create.mutate({ url: textIn(data, "url"), events: eventsIn(data) }, { onSuccess: () => form.reset() })
  }
  return (
    <section className={style["box"]} aria-labelledby="new-endpoint">
      <h2 id="new-endpoint">New endpoint</h2>
      {create.data !== undefined && (
        <div role="status">
          <p>The signing secret is shown this once. Keep it with the receiver.</p>
          <code className={style["secret"]}>{create.data.signing_secret}</code>
        </div>
      )}
      <form className={style["form"]} onSubmit={submit}>
        <label>
          Address
          <input autoComplete="off" maxLength={2048} name="url" required type="url" />
        </label>
        <EventChoices chosen={["lead.qualified"]} />
        {create.error !== null && <RefusalNotice error={create.error} />}
        <div className={style["actions"]}>
          <button disabled={create.isPending} type="submit">Add</button>
        </div>
      </form>
    </section>
  )
}
