/** Why a lead was disqualified; `other` needs a note. decisions, section 6. */
import { Schema } from "effect"

export const DisqualifyReason = Schema.Literals([
  "not_a_fit",
  "wrong_property_type",
  "too_small",
  "outside_area",
  "existing_customer",
  "duplicate",
  "bad_data",
  "do_not_contact",
  "other"
])
export type DisqualifyReason = typeof DisqualifyReason.Type
