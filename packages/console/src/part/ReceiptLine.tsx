/** What an action charged and what is left, with the numbers of the ledger's lines, which admins may open. */
import { addressOf, Link } from "../app/Router.tsx"
import type { Receipt } from "../service/Call.ts"
import { useSession } from "../service/Session.tsx"
import { number, plural } from "./Wording.ts"

/** The address of a line of the ledger, and of those before it. */
export const receiptAddress = (entry: number): string =>
  addressOf("admin", { part: "credits" }, new URLSearchParams({ receipt: String(entry) }))

export const ReceiptNumber = ({ entry }: { readonly entry: number }) => {
  const { member } = useSession()
  return member.role === "admin" ? <Link to={receiptAddress(entry)}>#{entry}</Link> : `#${entry}`
}

export const ReceiptLine = ({ receipt, what }: { readonly what: string; readonly receipt: Receipt | null }) => {
  const [first] = receipt?.entries ?? []
  return (
    <p role="status">
      {receipt !== null && `${what}. ${plural(receipt.charged, "credit", "credits")} charged` +
          `${receipt.remaining === null ? "." : `, balance ${number(receipt.remaining)}.`}`}
      {first !== undefined && (
        <>
          {" "}
          Receipt <ReceiptNumber entry={first} />.
        </>
      )}
    </p>
  )
}
