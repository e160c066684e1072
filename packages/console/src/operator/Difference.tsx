/** What the document of an organization would change: shown first, and applied if that is what was meant. */
import { type FormEvent, useState } from "react"
import style from "../admin/Admin.module.css"
import { useChange } from "../admin/Asking.tsx"
import { changesOf } from "../admin/Changed.ts"
import { Link } from "../app/Router.tsx"
import { textIn } from "../part/Form.tsx"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { joined } from "../part/Wording.ts"
import { ReasonField } from "./Act.tsx"
import own from "./Operator.module.css"
import { organizationAddress } from "./OperatorPaths.ts"
import { SignInCommand } from "./SignInCommand.tsx"
import { useCountyNames } from "./useCountyNames.ts"

const outcomes = {
  created: "It makes the organization.",
  changed: "It changes the organization.",
  unchanged: "It changes nothing."
} as const

/** What is known of a document: its difference, and what became of applying it. */
export const useDifference = () => {
  const plan = useChange("operator_plan_organization")
  const apply = useChange("operator_apply_organization")
  const [document, setDocument] = useState<unknown>()
  /** Secrets that are shown this once stay until somebody has kept them. */
  const isKept = apply.data !== undefined && apply.data.secrets.length > 0
  return {
    plan,
    apply,
    document,
    look: (given: unknown): void => {
      setDocument(given)
      if (!isKept) apply.reset()
      plan.mutate({ document: given })
    },
    /** What was shown is not what would be applied any more. */
    forget: (): void => {
      if (!plan.isIdle) plan.reset()
      if (!apply.isIdle && !isKept) apply.reset()
    }
  }
}

type OfDocument = ReturnType<typeof useDifference>

/** The button that asks for the difference, and why there is none. */
export const LookButton = ({ of: { plan } }: { readonly of: OfDocument }) => (
  <>
    {plan.error !== null && <RefusalNotice error={plan.error} />}
    <div className={page["buttons"]}>
      <button disabled={plan.isPending} type="submit">Show the difference</button>
    </div>
  </>
)

/** In words, and as the document has it for whoever asks. */
const Changes = ({ changes }: { readonly changes: ReadonlyArray<string> }) => {
  const countyOf = useCountyNames()
  return (
    <>
      <ul className={own["changes"]}>
        {changesOf(null, { changes }, countyOf).map(({ field, words }, index) => (
          <li key={`${field} ${index}`}>{joined([field, words], ": ")}</li>
        ))}
      </ul>
      <details>
        <summary>As it is written</summary>
        <ul className={own["changes"]}>{changes.map((change) => <li key={change}>{change}</li>)}</ul>
      </details>
    </>
  )
}

export const Difference = ({ admin, isNew = false, of: { apply, document, plan }, onApplied }: {
  readonly of: OfDocument
  readonly onApplied?: () => void
  /** It is about an organization that there is not to be yet. */
  readonly isNew?: boolean
  /** Whose sign-in comes next. */
  readonly admin?: string
}) => {
  const confirm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = textIn(new FormData(event.currentTarget), "reason")
    if (plan.data === undefined) return
    apply.mutate({ document, seen: plan.data.seen, reason }, {
      onSuccess: () => {
        plan.reset()
        onApplied?.()
      }
    })
  }
  if (isNew && plan.data !== undefined && plan.data.outcome !== "created") return <Taken orgId={plan.data.org_id} />
  return (
    <>
      {plan.data !== undefined && (
        <form
          aria-label="The difference"
          className={`${style["form"]} ${own["next"]}`}
          onChange={() => apply.isError && apply.reset()}
          onSubmit={confirm}
        >
          <h3>{outcomes[plan.data.outcome]}</h3>
          {plan.data.changes.length > 0 && <Changes changes={plan.data.changes} />}
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
        <div className={own["next"]} role="status">
          <p>
            Applied to <Link to={organizationAddress(apply.data.org_id)}>{apply.data.org_id}</Link>.
          </p>
          {admin !== undefined && apply.data.outcome === "created" && (
            <SignInCommand email={admin} orgId={apply.data.org_id} />
          )}
          {apply.data.secrets.map(({ key, secret }) => (
            <div key={key}>
              <p>
                The secret of the key <strong>{key}</strong> is shown this once.
              </p>
              <code className={style["secret"]}>{secret}</code>
            </div>
          ))}
          {apply.data.secrets.length > 0 && (
            <p>
              <button className="plain" onClick={apply.reset} type="button">I have kept it</button>
            </p>
          )}
        </div>
      )}
    </>
  )
}

const Taken = ({ orgId }: { readonly orgId: string }) => (
  <p className={own["next"]} role="status">
    There is an organization <Link to={organizationAddress(orgId)}>{orgId}</Link> already. It is changed on its page.
  </p>
)
