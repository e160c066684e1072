/** What can be asked of an organization's credits, beyond their balance. */
import { Schema } from "effect"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import * as Operation from "../operation/Operation.ts"
import { LedgerEntry } from "./LedgerEntry.ts"

export const defaultEntries = 100
const maximumEntries = 200

/** GET /credits/ledger. decisions, section 20 "JSON of the ledger". */
export const GetCreditLedger = Operation.make("service_get_credit_ledger", {
  title: "Read the credit ledger",
  description: "Free. Every grant, charge, refund and expiry of your organization's credits, the oldest first.",
  input: Schema.Struct({
    cursor: Schema.optionalKey(
      Schema.String.check(Schema.isMaxLength(100)).annotate({ description: "next_cursor of the page before." })
    ),
    limit: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumEntries })).annotate({
        description: "Entries a page, 1 to 200; 100 when left out."
      })
    )
  }),
  output: Schema.Struct({ entries: Schema.Array(LedgerEntry), next_cursor: Schema.NullOr(Schema.String) }),
  refusals: [InvalidCursor],
  access: { scope: "account:read", plan: "team" },
  effect: "read",
  tool: false,
  extension: true
})
