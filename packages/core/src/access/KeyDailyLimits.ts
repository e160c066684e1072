/** The daily limits of one key, by kind: null or absent no limit of its own, 0 pauses. service-api "Level 2". */
import { Schema } from "effect"
import { type DailyLimitKind, dailyLimitMeanings } from "../organization/Organization.ts"

const limit = (kind: DailyLimitKind) =>
  Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))).annotate({
      description: dailyLimitMeanings[kind]
    })
  )

export const KeyDailyLimits = Schema.Struct({
  contact_reveal: limit("contact_reveal"),
  lead_export: limit("lead_export"),
  agent_pipeline_change: limit("agent_pipeline_change"),
  paid_property_unlock: limit("paid_property_unlock"),
  records_taken_per_day: limit("records_taken_per_day")
})
export type KeyDailyLimits = typeof KeyDailyLimits.Type
