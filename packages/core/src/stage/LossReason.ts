/** Why a deal was lost: the service's own reasons and those that an organization adds. decisions, section 6. */
import { Schema } from "effect"
import { oneLine } from "../operation/PlainText.ts"

export const LossReason = Schema.Struct({
  code: Schema.String,
  label: Schema.String,
  /** A note must say more. */
  requires_note: Schema.Boolean
})
export type LossReason = typeof LossReason.Type

/** A reason of an organization's own; its code cannot be taken for one of the service's. */
export const OwnLossReason = Schema.Struct({
  code: Schema.String.check(
    Schema.isPattern(/^org_[a-z0-9_]{1,60}$/, {
      message: "Expected org_ and 1 to 60 lower-case letters, digits or '_'"
    })
  ).annotate({ description: "org_ and 1 to 60 lower-case letters, digits or '_'." }),
  label: Schema.String.annotate({ description: "What people read." }).check(
    Schema.makeFilter((label: string) => label.trim() !== "" && label.length <= 200 || "Expected 1 to 200 characters"),
    oneLine
  ),
  requires_note: Schema.Boolean.annotate({ description: "Whoever gives the reason has to add a note." })
})
export type OwnLossReason = typeof OwnLossReason.Type

const reason = (code: string, label: string, requires_note = false): LossReason => ({ code, label, requires_note })

const common: ReadonlyArray<LossReason> = [
  reason("price", "Price too high"),
  reason("timing", "Wrong time"),
  reason("competitor", "Went to a competitor"),
  reason("no_decision", "No decision was made"),
  reason("no_response", "No response"),
  reason("in_house", "Done in house"),
  reason("under_contract", "Under contract with somebody else"),
  reason("property_sold", "The property was sold"),
  reason("scope_mismatch", "The scope did not fit"),
  reason("other", "Another reason", true)
]

/** Every reason that an organization can give. */
export const lossReasonsOf = (
  organization: { readonly loss_reasons: ReadonlyArray<OwnLossReason> }
): ReadonlyArray<LossReason> => [...common, ...organization.loss_reasons]
