/** The events that an endpoint can be told of, as the service lists them. */
import { eventName } from "../change/Kinds.ts"
import type { Input } from "../service/Call.ts"
import style from "./Admin.module.css"
import { Answered, useAsked } from "./Asking.tsx"

export type Event = NonNullable<Input<"service_create_webhook">["events"]>[number]

const field = "event"

/** It is recorded for the feed of events, and sent to no endpoint. */
const neverSent = "lead.changed"

/** What cannot be chosen says why; it can still be taken away from an endpoint that has it. */
export const EventChoices = ({ chosen }: { readonly chosen: ReadonlyArray<string> }) => {
  const asked = useAsked("service_lookup", { kind: "event_types" })
  return (
    <fieldset>
      <legend>Events</legend>
      <Answered<"service_lookup"> asked={asked}>
        {({ values }) =>
          values.filter(({ value }) => value !== neverSent).map(({ note, value }) => (
            <label className={style["check"]} key={value}>
              <input
                defaultChecked={chosen.includes(value)}
                disabled={note !== null && !chosen.includes(value)}
                name={field}
                type="checkbox"
                value={value}
              />
              <span>
                {eventName(value)}
                {note !== null && <span className="quiet">: {note.toLowerCase()}</span>}
              </span>
            </label>
          ))}
      </Answered>
    </fieldset>
  )
}

/** The fields were made from what the service lists; it refuses what it does not know. */
export const isEvent = (value: FormDataEntryValue): value is Event => typeof value === "string"

export const eventsIn = (data: FormData): ReadonlyArray<Event> => data.getAll(field).filter(isEvent)
