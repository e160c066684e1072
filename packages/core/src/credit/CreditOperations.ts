/** What can be asked of an organization's credits, beyond their balance. */
import { Schema } from "effect"
import { EntryActor } from "../access/EntryActor.ts"
import { atMost } from "../operation/Characters.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { IsoMoment, isoMoment } from "../operation/IsoMoment.ts"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { Bucket } from "./Bucket.ts"
import { EntryKind, LedgerEntry } from "./LedgerEntry.ts"

export const defaultEntries = 100
const maximumEntries = 200

/** GET /credits/ledger. decisions, section 20 "JSON of the ledger". */
export const GetCreditLedger = Operation.make("service_get_credit_ledger", {
  title: "Read the credit ledger",
  description:
    "Free. Every grant, charge, refund and expiry of your organization's credits, or those of a span, the oldest first.",
  input: Schema.Struct({
    cursor: Schema.optionalKey(
      Schema.String.check(atMost(100)).annotate({ description: "next_cursor of the page before." })
    ),
    limit: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumEntries })).annotate({
        description: "Entries a page, 1 to 200; 100 when left out."
      })
    ),
    since: Schema.optionalKey(isoMoment("Entries from then on.")),
    until: Schema.optionalKey(isoMoment("Entries before then, or to the end of a day."))
  }),
  output: Schema.Struct({ entries: Schema.Array(LedgerEntry), next_cursor: Schema.NullOr(Schema.String) }),
  refusals: [InvalidCursor],
  access: { scope: "account:read", plan: "team", app: "admins" },
  effect: "read",
  tool: false,
  extension: true
})

const ofAdmins = { scope: null, plan: "team", app: "admins" } as const

/** How many days the sums go back. */
export const daysSummed = 90

/** What can be spent and until when, and what was spent on what, by whom. */
export const GetCredits = Operation.make("app_get_credits", {
  title: "Credits",
  description: "Free. The balance by bucket with its expiry dates, and the charges of the last 90 days, added up.",
  input: NoInput,
  output: Schema.Struct({
    total: Schema.Int,
    /** What has credits left, in the order in which it is spent. */
    grants: Schema.Array(Schema.Struct({
      ref: Schema.String,
      bucket: Bucket,
      remaining: Schema.Int,
      expires_at: Schema.NullOr(Schema.String)
    })),
    /** The first day that is summed. */
    since: Schema.String,
    days: Schema.Array(Schema.Struct({
      day: Schema.String,
      action: Schema.String,
      credits: Schema.Int,
      charges: Schema.Int
    })),
    actors: Schema.Array(Schema.Struct({ ...EntryActor.fields, credits: Schema.Int, charges: Schema.Int }))
  }),
  refusals: [],
  access: ofAdmins,
  effect: "read",
  tool: false
})

/** The ledger from its end, filtered. */
export const ListLedger = Operation.make("app_list_ledger", {
  title: "The ledger, newest first",
  description: "Free. Every grant, charge, refund and expiry, the newest first, narrowed by what is given.",
  input: Schema.Struct({
    cursor: Schema.optionalKey(Schema.String.check(atMost(100))),
    kind: Schema.optionalKey(EntryKind),
    action: Schema.optionalKey(Schema.String.check(atMost(100))),
    actor_id: Schema.optionalKey(Schema.String.check(atMost(100))),
    since: Schema.optionalKey(IsoMoment),
    until: Schema.optionalKey(IsoMoment),
    limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumEntries })))
  }),
  output: Schema.Struct({ entries: Schema.Array(LedgerEntry), next_cursor: Schema.NullOr(Schema.String) }),
  refusals: [InvalidCursor],
  access: ofAdmins,
  effect: "read",
  tool: false
})
