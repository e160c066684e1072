/** What somebody needs who writes a receiver: an event as it arrives, and the lines that tell whether it is genuine. */
import { useState } from "react"
import { eventName } from "../change/Kinds.ts"
import page from "../part/Page.module.css"
import type { Input } from "../service/Call.ts"
import style from "./Admin.module.css"
import { Answered, useAsked } from "./Asking.tsx"

type Event = NonNullable<Input<"service_get_webhook_sample">["event"]>

const events: Readonly<Record<Event, null>> = {
  "lead.qualified": null,
  "signal.ownership_transfer": null,
  "signal.sale": null,
  "signal.manager_change": null,
  "signal.contact_departure": null,
  "signal.contact_title_change": null,
  "signal.contact_employer_change": null,
  "signal.withdrawn": null
}

const isEvent = (value: string): value is Event => Object.hasOwn(events, value)

/** As in docs/webhooks.md, where the other languages are. */
const check = `import { createHmac, timingSafeEqual } from "node:crypto"

const isGenuine = (header: string, body: Buffer, secret: string, now = Date.now() / 1000): boolean => {
  const parts = header.split(",").map((part) => part.split("="))
  const time = parts.find(([name]) => name === "t")?.[1] ?? ""
  const expected = createHmac("sha256", secret).update(\`\${time}.\`).update(body).digest()
  const isSigned = parts.some(([name, value = ""]) => {
    const given = Buffer.from(value, "hex")
    return name === "v1" && given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isSigned && Math.abs(now - Number(time)) <= 300
}
`

export const ReceiverHelp = () => (
  <section className={page["panel"]} aria-labelledby="receiver">
    <h2 id="receiver">For whoever writes the receiver</h2>
    <Sample />
    <details className={style["help"]}>
      <summary>Is it genuine?</summary>
      <p>
        Hand the header Service-Signature, the body as it arrived and the signing secret to these lines of Node.js.
      </p>
      <pre className={style["code"]} tabIndex={0}>{check}</pre>
    </details>
  </section>
)

const Sample = () => {
  const [event, setEvent] = useState<Event>("lead.qualified")
  const asked = useAsked("service_get_webhook_sample", { event })
  return (
    <details className={style["help"]}>
      <summary>A sample event</summary>
      <label>
        Event{" "}
        <select onChange={({ target }) => isEvent(target.value) && setEvent(target.value)} value={event}>
          {Object.keys(events).map((each) => <option key={each} value={each}>{eventName(each)}</option>)}
        </select>
      </label>
      <Answered<"service_get_webhook_sample"> asked={asked}>
        {(sample) => <pre className={style["code"]} tabIndex={0}>{JSON.stringify(sample, null, 2)}</pre>}
      </Answered>
    </details>
  )
}
