/** What admins set: the organization's own layer of daily limits, who and what may connect, and reasons for lost leads. */
import { useState } from "react"
import { FormEnd, limitIn, onSent, textIn } from "../part/Form.tsx"
import page from "../part/Page.module.css"
import { useFormChanges } from "../part/useFormChanges.ts"
import { actions, WideTable } from "../part/WideTable.tsx"
import type { Output } from "../service/Call.ts"
import style from "./Admin.module.css"
import { Act, Answered, useAsked, useChange } from "./Asking.tsx"
import { kindName } from "./Words.ts"

type Answer = Output<"app_get_settings">

export const SettingsPage = () => {
  const { data, error, isFetchedAfterMount } = useAsked("app_get_settings", {}, { refetchOnMount: "always" })
  // Forms begin with what is set by now.
  return (
    <Answered<"app_get_settings"> asked={{ data: isFetchedAfterMount ? data : undefined, error }}>
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

const Limits = ({ answer: { daily_limit_defaults: defaults, kinds, settings } }: { readonly answer: Answer }) => {
  const { before, changed, saved } = useFormChanges(settings.daily_limits)
  const change = useChange("app_change_settings")
  const submit = onSent((data) => {
    const daily_limits = changed({ ...before, ...Object.fromEntries(kinds.map((kind) => [kind, limitIn(data, kind)])) })
    change.mutate({ daily_limits }, { onSuccess: () => saved(daily_limits) })
  })
  return (
    <section className={page["panel"]} aria-labelledby="limits">
      <h2 id="limits">Your own daily limits</h2>
      <p className="quiet">
        They bind all keys and assistants together, each UTC day, beside the service's and those of a key. Empty: the
        number that is shown, or none of your own. 0 pauses.
      </p>
      <form className={style["form"]} onSubmit={submit}>
        <div className={style["columns"]}>
          {kinds.map((kind) => (
            <label key={kind}>
              {kindName(kind)}
              <input
                defaultValue={before[kind] ?? ""}
                min={0}
                name={kind}
                placeholder={defaults[kind]?.toString() ?? ""}
                step={1}
                type="number"
              />
            </label>
          ))}
        </div>
        <FormEnd change={change} done="Saved." />
      </form>
    </section>
  )
}

const Switches = ({ answer: { settings } }: { readonly answer: Answer }) => {
  const { before, changed, saved } = useFormChanges<
    Pick<Answer["settings"], "agent_pipeline_changes" | "member_connect">
  >({
    agent_pipeline_changes: settings.agent_pipeline_changes,
    member_connect: settings.member_connect
  })
  const change = useChange("app_change_settings")
  const submit = onSent((data) => {
    const given = changed({
      agent_pipeline_changes: data.get("pipeline") === "on",
      member_connect: data.get("connect") === "on" ? "all" : "admins"
    })
    change.mutate(given, { onSuccess: () => saved(given) })
  })
  return (
    <section className={page["panel"]} aria-labelledby="switches">
      <h2 id="switches">Keys and assistants</h2>
      <form className={style["form"]} onSubmit={submit}>
        <label className={style["check"]}>
          <input defaultChecked={before.agent_pipeline_changes} name="pipeline" type="checkbox" />
          <span>Keys and assistants may change the pipeline</span>
        </label>
        <label className={style["check"]}>
          <input defaultChecked={before.member_connect === "all"} name="connect" type="checkbox" />
          <span>Every member may connect an assistant, not admins alone</span>
        </label>
        <FormEnd change={change} done="Saved." />
      </form>
    </section>
  )
}

const LossReasons = ({ answer: { common_loss_reasons, settings: { loss_reasons } } }: { readonly answer: Answer }) => {
  const change = useChange("app_change_settings")
  const [made, setMade] = useState(0)
  const submit = onSent((data) =>
    change.mutate({
      add_loss_reasons: [{
        code: textIn(data, "code"),
        label: textIn(data, "label"),
        requires_note: data.get("note") === "on"
      }]
    }, { onSuccess: () => setMade(made + 1) })
  )
  return (
    <section className={page["panel"]} aria-labelledby="reasons">
      <h2 id="reasons">Reasons for lost leads</h2>
      <p className="quiet">
        Everybody has: {common_loss_reasons.map(({ label }) => label).join(", ")}.
      </p>
      {loss_reasons.length > 0 && (
        <WideTable
          caption="Your own"
          columns={["Reason", "Code", "Needs a note", actions]}
          label="Your own reasons"
        >
          {loss_reasons.map(({ code, label, requires_note }) => (
            <tr key={code}>
              <th scope="row">{label}</th>
              <td>
                <code>{code}</code>
              </td>
              <td>{requires_note ? "Yes" : "No"}</td>
              <td>
                <Act
                  about={label}
                  change={change}
                  input={{ remove_loss_reasons: [code] }}
                >
                  Delete
                </Act>
              </td>
            </tr>
          ))}
        </WideTable>
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
        <FormEnd change={change} done="Saved." />
      </form>
    </section>
  )
}
