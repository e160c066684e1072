/** An organization as the document that makes it: edited, its difference shown, and applied if that is what was meant. */
import { type FormEvent, useState } from "react"
import style from "../admin/Admin.module.css"
import { useChange } from "../admin/Asking.tsx"
import { textIn } from "../part/Form.tsx"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { ReasonField } from "./Act.tsx"
import own from "./Operator.module.css"

/** The value of a JSON text; undefined: it is none. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const outcomes = {
  created: "It makes the organization.",
  changed: "It changes the organization.",
  unchanged: "It changes nothing."
} as const

export const DocumentForm = ({ document }: { readonly document: unknown }) => {
  const [text, setText] = useState(() => JSON.stringify(document, null, 2))
  const [isJson, setIsJson] = useState(true)
  const plan = useChange("operator_plan_organization")
  const apply = useChange("operator_apply_organization")
  const look = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const value = parsed(text)
    setIsJson(value !== undefined)
    apply.reset()
    if (value === undefined) plan.reset()
    else plan.mutate({ document: value })
  }
  const confirm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = textIn(new FormData(event.currentTarget), "reason")
    if (plan.data === undefined) return
    apply.mutate({ document: parsed(text), seen: plan.data.seen, reason }, { onSuccess: () => plan.reset() })
  }
  return (
    <>
      <form className={style["form"]} onSubmit={look}>
        <label>
          <span>
            Document, as <code>freehold apply</code> takes it; what is left out stays as it is
          </span>
          <textarea
            className={own["document"]}
            onChange={(event) => {
              setText(event.target.value)
              plan.reset()
            }}
            rows={14}
            spellCheck={false}
            value={text}
          />
        </label>
        {!isJson && <p role="alert">This is not JSON: look for a comma or a quote too many or too few.</p>}
        {plan.error !== null && <RefusalNotice error={plan.error} />}
        <div className={page["buttons"]}>
          <button disabled={plan.isPending} type="submit">Show the difference</button>
        </div>
      </form>
      {plan.data !== undefined && (
        <form aria-label="The difference" className={style["form"]} onSubmit={confirm}>
          <h3>{outcomes[plan.data.outcome]}</h3>
          {plan.data.changes.length > 0 && (
            <ul className={own["changes"]}>{plan.data.changes.map((change) => <li key={change}>{change}</li>)}</ul>
          )}
          {plan.data.warnings.map((warning) => <p key={warning}>Warning: {warning}.</p>)}
          {apply.error !== null && <RefusalNotice error={apply.error} />}
          {plan.data.outcome !== "unchanged" && (
            <>
              <ReasonField />
              <div className={page["buttons"]}>
                <button disabled={apply.isPending} type="submit">
                  Apply to {plan.data.org_id}
                </button>
              </div>
            </>
          )}
        </form>
      )}
      {apply.data !== undefined && (
        <div role="status">
          <p>Applied to {apply.data.org_id}.</p>
          {apply.data.secrets.map(({ key, secret }) => (
            <div key={key}>
              <p>
                The secret of the key <strong>{key}</strong> is shown this once.
              </p>
              <code className={style["secret"]}>{secret}</code>
            </div>
          ))}
        </div>
      )}
    </>
  )
}
