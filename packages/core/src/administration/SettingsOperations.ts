/**
 * What an organization's admins may set of it: its own layer of daily limits, its reasons for lost leads, and who and what
 * may connect. Area, plan and credits are the operator's. decisions, section 21.
 */
import { Schema } from "effect"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { DailyLimitKind } from "../organization/Organization.ts"
import { LossReason, OwnLossReason } from "../stage/LossReason.ts"

const access = { scope: null, plan: "team", app: "admins" } as const

/** Reasons of its own that an organization may have. */
export const maximumLossReasons = 50

const Cap = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 })))

const caps = {
  contact_reveal: Cap,
  lead_export: Cap,
  agent_pipeline_change: Cap,
  paid_property_unlock: Cap,
  records_taken_per_day: Cap
}

const MemberConnect = Schema.Literals(["all", "admins"])

const Settings = Schema.Struct({
  /** The organization's own layer; null: none of its own. */
  daily_limits: Schema.Struct(caps),
  agent_pipeline_changes: Schema.Boolean,
  member_connect: MemberConnect,
  loss_reasons: Schema.Array(OwnLossReason)
})

export const GetSettings = Operation.make("app_get_settings", {
  title: "Settings",
  description: "Free. What an admin may set of your organization.",
  input: NoInput,
  output: Schema.Struct({
    settings: Settings,
    kinds: Schema.Array(DailyLimitKind),
    /** What binds in the place of a limit that the organization does not set; null: nothing. */
    daily_limit_defaults: Schema.Struct(caps),
    /** Those that every organization has. */
    common_loss_reasons: Schema.Array(LossReason)
  }),
  refusals: [],
  access,
  effect: "read",
  work: "point",
  tool: false
})

export const ChangeSettings = Operation.make("app_change_settings", {
  title: "Change settings",
  description: "Free. Replaces what is given; what is left out stays.",
  input: Schema.Struct({
    daily_limits: Schema.optionalKey(Schema.Struct({
      contact_reveal: Schema.optionalKey(Cap),
      lead_export: Schema.optionalKey(Cap),
      agent_pipeline_change: Schema.optionalKey(Cap),
      paid_property_unlock: Schema.optionalKey(Cap),
      records_taken_per_day: Schema.optionalKey(Cap)
    })),
    agent_pipeline_changes: Schema.optionalKey(Schema.Boolean),
    member_connect: Schema.optionalKey(MemberConnect),
    /** Reasons of its own that it had not before. */
    add_loss_reasons: Schema.optionalKey(Schema.Array(OwnLossReason).check(Schema.isMaxLength(maximumLossReasons))),
    /** Codes of reasons of its own; one that it does not have is none. */
    remove_loss_reasons: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(maximumLossReasons)))
  }),
  output: Settings,
  refusals: [],
  access,
  effect: "write",
  tool: false
})
