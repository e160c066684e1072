/** What a caller can ask about its limits: every one in force, with what is used and left. decisions, section 9. */
import { Schema } from "effect"
import { DailyLimitFacts } from "../limit/LimitRefusals.ts"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { Plan } from "../operation/Plan.ts"
import { ownLimitField } from "./OwnLimit.ts"

/** What is told of the records allowance. decisions, section 9. */
export const recordsFields = {
  rollout: Schema.Literals(["live", "not_started"]),
  period: Schema.Struct({
    start: Schema.String,
    end: Schema.String,
    basis: Schema.Literals(["contract", "calendar_month"])
  }),
  /**
   * `used` is what was taken of the recurring allowance, and goes on past `value` during overage. `by_kind` is all
   * that was taken in the period, from the initial load too.
   */
  records_allowance: Schema.NullOr(Schema.Struct({
    value: Schema.Int,
    used: Schema.Int,
    remaining: Schema.Int,
    by_kind: Schema.Struct({ property: Schema.Int, organization: Schema.Int, contact: Schema.Int })
  })),
  initial_load: Schema.NullOr(Schema.Struct({
    value: Schema.Int,
    used: Schema.Int,
    remaining: Schema.Int,
    expires_at: Schema.Null
  })),
  overage: Schema.Struct({
    enabled: Schema.Boolean,
    price_per_record_usd: Schema.NullOr(Schema.Finite),
    ceiling_records: Schema.NullOr(Schema.Int),
    accrued_records: Schema.Int,
    accrued_usd: Schema.Finite
  })
}

/** GET /allowance. */
export const GetAllowance = Operation.make("service_get_allowance", {
  title: "Limits and allowance",
  description:
    "Free. Your records allowance: used, left, when the period ends, overage; and every daily and request limit in " +
    "force, with its layer and what is left.",
  input: NoInput,
  output: Schema.Struct({
    plan: Plan,
    ...recordsFields,
    ...ownLimitField,
    /** One a kind: the layer with the least left. */
    daily_limits: Schema.Array(Schema.Struct({ ...DailyLimitFacts.fields, remaining: Schema.Int })),
    rate_limits: Schema.Array(Schema.Struct({
      name: Schema.Literals(["requests_per_minute", "requests_per_day"]),
      level: Schema.Literal(1),
      value: Schema.Int,
      used: Schema.Int,
      resets_at: Schema.String
    }))
  }),
  refusals: [],
  access: { scope: null, plan: "enterprise", feature: "recordsAllowance", app: "admins" },
  effect: "read",
  work: "point"
})
