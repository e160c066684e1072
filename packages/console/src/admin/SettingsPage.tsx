/** What admins set: the organization's own layer of daily limits, who and what may connect, and reasons for lost leads. */
import { type FormEvent, useState } from "react"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import type { Output } from "../service/Call.ts"
import style from "./Admin.module.css"
import { Answered, useAsked, useChange } from "./Asking.tsx"
import { kindName, limitIn, textIn } from "./Words.ts"

type Answer = Output<"app_get_settings">

export const SettingsPage = () => {
  const asked = useAsked("app_get_settings", {})
  return (
    <Answered<"app_get_settings"> asked={asked}>
      {(answer) => (
        <>
          <Limits answer={answer} />
          <Switches answer={answer} />
          <LossReasons answer={answer} />
        </>
      )}
    </Answered>
  )
}

const Limits = ({ answer: { kinds, settings } }: { readonly answer: Answer }) => {
  const change = useChange("app_change_settings")
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    change.mutate({ daily_limits: Object.fromEntries(kinds.map((kind) => [kind, limitIn(data, kind)])) })
  }
  return (
    <section className={style["box"]} aria-labelledby="limits">
      <h2 id="limits">Your own daily limits</h2>
      <p className={style["quiet"]}>
        They bind all keys and assistants together, each UTC day, beside the service's and those of a key. Empty: none
        of your own. 0 pauses.
      </p>
      <form className={style["form"]} onSubmit={submit}>
        <div className={style["columns"]}>
          {kinds.map((kind) => (
            <label key={kind}>
              {kindName(kind)}
              <input defaultValue={settings.daily_limits[kind] ?? ""} min={0} name={kind} step={1} type="number" />
            </label>
          ))}
        </div>
        <Outcome change={change} />
      </form>
    </section>
  )
}

const Outcome = (
  { change: { error, isPending, isSuccess } }: {
    readonly change: Pick<ReturnType<typeof useChange>, "error" | "isPending" | "isSuccess">
  }
) => (
  <>
    {error !== null && <RefusalNotice error={error} />}
    {isSuccess && <p role="status">Saved.</p>}
    <div className={style["actions"]}>
      <button disabled={isPending} type="submit">Save</button>
    </div>
  </>
)

const Switches = ({ answer: { settings } }: { readonly answer: Answer }) => {
  const change = useChange("app_change_settings")
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    change.mutate({
      agent_pipeline_changes: data.get("pipeline") === "on",
      member_connect: data.get("connect") === "on" ? "all" : "admins"
    })
  }
  return (
    <section className={style["box"]} aria-labelledby="switches">
      <h2 id="switches">Keys and assistants</h2>
      <form className={style["form"]} onSubmit={submit}>
        <label className={style["check"]}>
          <input defaultChecked={settings.agent_pipeline_changes} name="pipeline" type="checkbox" />
          <span>Keys and assistants may change the pipeline</span>
        </label>
        <label className={style["check"]}>
          <input defaultChecked={settings.member_connect === "all"} name="connect" type="checkbox" />
          <span>Every member may connect an assistant, not admins alone</span>
        </label>
        <Outcome change={change} />
      </form>
    </section>
  )
}

const LossReasons = ({ answer: { common_loss_reasons, settings: { loss_reasons } } }: { readonly answer: Answer }) => {
  const change = useChange("app_change_settings")
  const [made, setMade] = useState(0)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    change.mutate({
      loss_reasons: [...loss_reasons, {
        code: textIn(data, "code"),
        label: textIn(data, "label"),
        requires_note: data.get("note") === "on"
      }]
    }, { onSuccess: () => setMade(made + 1) })
  }
  return (
    <section className={style["box"]} aria-labelledby="reasons">
      <h2 id="reasons">Reasons for lost leads</h2>
      <p className={style["quiet"]}>
        Everybody has: {common_loss_reasons.map(({ label }) => label).join(", ")}.
      </p>
      {loss_reasons.length > 0 && (
        <div className={style["scroll"]} tabIndex={0} role="region" aria-label="Table of your own reasons">
          <table>
            <caption>Your own</caption>
            <thead>
              <tr>
                <th scope="col">Reason</th>
                <th scope="col">Code</th>
                <th scope="col">Needs a note</th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {loss_reasons.map(({ code, label, requires_note }) => (
                <tr key={code}>
                  <th scope="row">{label}</th>
                  <td>
                    <code>{code}</code>
                  </td>
                  <td>{requires_note ? "Yes" : "No"}</td>
                  <td>
                    <button
                      aria-label={`Delete ${label}`}
                      className="plain"
                      disabled={change.isPending}
                      onClick={() =>
                        change.mutate({ loss_reasons: loss_reasons.filter((each) => each.code !== code) })}
                      type="button"
                    >
                      Delete
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <form className={style["form"]} key={made} onSubmit={submit}>
        <h3>New reason</h3>
        <label>
          Reason, as people read it
          <input autoComplete="off" maxLength={200} name="label" required />
        </label>
        <label>
          Code, which begins with org_
          <input autoComplete="off" name="code" pattern="org_[a-z0-9_]{1,60}" required />
        </label>
        <label className={style["check"]}>
          <input name="note" type="checkbox" />
          <span>Needs a note</span>
        </label>
        <Outcome change={change} />
      </form>
    </section>
  )
}
