/** The daily limits of one key, by kind: null or absent no limit of its own, 0 pauses. service-api "Level 2". */
import { Schema } from "effect"

const Limit = Schema.optionalKey(Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))))

export const KeyDailyLimits = Schema.Struct({
  contact_reveal: Limit,
  lead_export: Limit,
  agent_pipeline_change: Limit,
  paid_property_unlock: Limit,
  records_taken_per_day: Limit
})
export type KeyDailyLimits = typeof KeyDailyLimits.Type
