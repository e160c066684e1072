/** What the operator does to an organization as a whole: gives credits, suspends, resumes, closes. */
import { useState } from "react"
import style from "../admin/Admin.module.css"
import { useAsked, useChange } from "../admin/Asking.tsx"
import { textIn } from "../part/Form.tsx"
import page from "../part/Page.module.css"
import { number, word } from "../part/Wording.ts"
import { Act } from "./Act.tsx"
import type { Shown } from "./OrganizationPage.tsx"
import { useBalance } from "./useBalance.ts"

const buckets = ["trial", "included", "enterprise_pool", "purchased"] as const

/** The states that one may become, and what that does. */
const becoming = {
  active: {
    title: "Resume this organization",
    button: "Resume",
    confirm: "Resume",
    says: "Its keys, its members and its waiting deliveries go on from the next request."
  },
  suspended: {
    title: "Suspend this organization",
    button: "Suspend",
    confirm: "Suspend",
    says:
      "Every call of its keys, its members and its assistants is refused from the next request on, and its webhooks "
      + "wait. It can be resumed."
  },
  closed: {
    title: "Close the account of this organization",
    button: "Close the account",
    confirm: "Close the account of",
    says: "Every call is refused from the next request on. Nothing is deleted, and it can be resumed."
  }
} as const

type Status = keyof typeof becoming

const offered: Readonly<Record<Status, ReadonlyArray<Status>>> = {
  active: ["suspended", "closed"],
  suspended: ["active", "closed"],
  closed: ["active"]
}

export const Actions = ({ shown }: { readonly shown: Shown }) => {
  const [open, setOpen] = useState<Status | "grant" | null>(null)
  const close = () => setOpen(null)
  return (
    <div className={page["buttons"]}>
      <button onClick={() => setOpen("grant")} type="button">Give credits</button>
      {offered[shown.status].map((status) => (
        <button
          className="plain"
          key={status}
          onClick={() => setOpen(status)}
          type="button"
        >
          {becoming[status].button}
        </button>
      ))}
      {open === "grant" && <Grant onClose={close} shown={shown} />}
      {open !== null && open !== "grant" && <SetStatus onClose={close} shown={shown} status={open} />}
    </div>
  )
}

const SetStatus = ({ onClose, shown: { name, org_id, status: now }, status }: {
  readonly shown: Shown
  readonly status: Status
  readonly onClose: () => void
}) => {
  const act = useChange("operator_set_organization_status")
  // How it stands by now, whatever was done in another tab.
  useAsked("operator_get_organization", { org_id }, { refetchOnMount: "always" })
  const { confirm, says, title } = becoming[status]
  return (
    <Act
      act={act}
      button={`${confirm} ${name}`}
      input={(_, reason) => ({ org_id, status, reason })}
      onClose={onClose}
      says={<p>{name}: from {word(now)} to {word(status)}. {says}</p>}
      title={title}
    />
  )
}

/** The UTC day after a moment. */
const dayAfter = (millis: number): string => new Date(millis + 86_400_000).toISOString().slice(0, 10)

const Grant = ({ onClose, shown: { name, org_id } }: {
  readonly shown: Shown
  readonly onClose: () => void
}) => {
  const act = useChange("operator_grant_credits")
  const balance = useBalance(org_id)
  const [amount, setAmount] = useState(100)
  return (
    <Act
      act={act}
      button={`Give ${number(amount)} credits`}
      input={(data, reason) => ({
        org_id,
        amount,
        bucket: buckets.find((each) => each === textIn(data, "bucket")) ?? "purchased",
        ref: textIn(data, "ref"),
        expires_at: textIn(data, "expires") === "" ? null : `${textIn(data, "expires")}T00:00:00Z`,
        reason
      })}
      left={({ outcome }) =>
        outcome === "unchanged" ? "Nothing was given: credits were given for this reference before." : null}
      onClose={onClose}
      says={
        <p>
          Balance of {name}: {balance()}, then {balance(amount)}. A reference that was used before gives nothing.
        </p>
      }
      title="Give credits"
    >
      <div className={style["columns"]}>
        <label>
          Credits
          <input
            min={1}
            onChange={(event) => setAmount(event.target.valueAsNumber || 0)}
            required
            step={1}
            type="number"
            value={amount === 0 ? "" : amount}
          />
        </label>
        <label>
          Bucket
          <select defaultValue="purchased" name="bucket">
            {buckets.map((bucket) => <option key={bucket} value={bucket}>{word(bucket)}</option>)}
          </select>
        </label>
        <label>
          Reference, such as the invoice
          <input autoComplete="off" maxLength={200} name="ref" required />
        </label>
        <label>
          Until (UTC); empty: without end
          <input min={dayAfter(Date.now())} name="expires" type="date" />
        </label>
      </div>
    </Act>
  )
}
