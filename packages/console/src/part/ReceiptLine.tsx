/** What an action charged and what is left, with the numbers of the ledger's lines, which admins may open. */
import { Fragment } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import type { Receipt } from "../service/Call.ts"
import { useSession } from "../service/Session.tsx"
import { Told } from "./Told.tsx"
import { number, plural } from "./Wording.ts"

/** The address of a line of the ledger, and of those before it. */
export const receiptAddress = (entry: number): string =>
  addressOf("admin", { part: "credits" }, new URLSearchParams({ receipt: String(entry) }))

export const ReceiptNumber = ({ entry }: { readonly entry: number }) => {
  const { member } = useSession()
  return member.role === "admin" ? <Link to={receiptAddress(entry)}>#{entry}</Link> : `#${entry}`
}

/** So many are named where there is little room; more are a click away. */
const few = 6

/** The receipts of an action, each by itself. */
export const Receipts = ({ entries }: { readonly entries: ReadonlyArray<number> }) => {
  const numbers = entries.map((entry, index) => (
    <Fragment key={entry}>
      {index > 0 && ", "}
      <ReceiptNumber entry={entry} />
    </Fragment>
  ))
  if (entries.length === 0) return null
  if (entries.length <= few) return <>{entries.length === 1 ? "Receipt" : "Receipts"} {numbers}.</>
  return (
    <details>
      <summary>{number(entries.length)} receipts</summary>
      {numbers}
    </details>
  )
}

export const ReceiptLine = ({ receipt, what }: { readonly what: string; readonly receipt: Receipt | null }) => {
  return (
    <Told said={receipt}>
      {receipt?.charged === 0 && `${what}, free of charge. `}
      {receipt !== null && receipt.charged > 0 && `${what}. ${plural(receipt.charged, "credit", "credits")} charged` +
          `${receipt.remaining === null ? "." : `, balance ${number(receipt.remaining)}.`} `}
      <Receipts entries={receipt?.entries ?? []} />
    </Told>
  )
}
