/** What an action charged, and what is left. */
import type { Receipt } from "../service/Call.ts"
import { number, plural } from "./Wording.ts"

export const ReceiptLine = ({ receipt, what }: { readonly what: string; readonly receipt: Receipt | null }) => (
  <p role="status">
    {receipt !== null && `${what}. ${plural(receipt.charged, "credit", "credits")} charged` +
        `${receipt.remaining === null ? "." : `, balance ${number(receipt.remaining)}.`}`}
  </p>
)
