/**
 * A customer organization: its plan, state, area, switches and limits.
 *
 * The wire form (snake_case) is an organization of an `apply` document (operator.md, "The apply document") without its
 * keys, members and grants. The word *organization* is always the customer; owner and management firms are *firms*.
 */
import { Schema } from "effect"
import { Plan } from "../operation/Plan.ts"
import { OwnLossReason } from "../stage/LossReason.ts"

/** The operator's own id, not a UUID. */
export const OrganizationId = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{1,64}$/, { message: "Expected 1 to 64 letters, digits, '_' or '-'" })
)
export type OrganizationId = typeof OrganizationId.Type

/** A state by its two letters. */
export const StateAbbr = Schema.String.check(
  Schema.isPattern(/^[A-Z]{2}$/u, { message: "Expected a two-letter state abbreviation in upper case" })
)
/** A county by its five digits. */
export const CountyFips = Schema.String.check(
  Schema.isPattern(/^[0-9]{5}$/u, { message: "Expected a 5-digit county FIPS code" })
)

/** Whether an organization is let in. */
export const OrganizationStatus = Schema.Literals(["active", "suspended", "closed"])
export type OrganizationStatus = typeof OrganizationStatus.Type

/** The area that the organization switched on: what its keys see. */
export const ServiceableArea = Schema.Struct({
  whole_state_abbrs: Schema.Array(StateAbbr),
  county_fips: Schema.Array(CountyFips)
})

/** The licensed area: what its subscription covers, free of credits. */
export const Entitlement = Schema.Struct({
  nationwide: Schema.Boolean,
  state_abbrs: Schema.Array(StateAbbr),
  county_fips: Schema.Array(CountyFips)
})

/** What an organization has switched on. */
export const Features = Schema.Struct({
  enrichments: Schema.Boolean,
  pipeline: Schema.Boolean,
  lists: Schema.Boolean,
  full_crm_export: Schema.Boolean,
  premium_values: Schema.Boolean,
  common_names: Schema.Boolean,
  signals: Schema.Boolean,
  records_allowance: Schema.Boolean,
  limit_details: Schema.Boolean
})

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The kinds of data with daily limits. service-api "Level 2". */
export const DailyLimitKind = Schema.Literals([
  "contact_reveal",
  "lead_export",
  "agent_pipeline_change",
  "paid_property_unlock",
  "records_taken_per_day"
])
export type DailyLimitKind = typeof DailyLimitKind.Type

/** One kind's two organization-wide layers. null: no limit; 0: paused. */
export const DailyLimit = Schema.Struct({
  service: Schema.optionalKey(Schema.NullOr(Count)),
  organization: Schema.optionalKey(Schema.NullOr(Count))
})

const dailyLimitFields = {
  contact_reveal: Schema.optionalKey(DailyLimit),
  lead_export: Schema.optionalKey(DailyLimit),
  agent_pipeline_change: Schema.optionalKey(DailyLimit),
  paid_property_unlock: Schema.optionalKey(DailyLimit),
  records_taken_per_day: Schema.optionalKey(DailyLimit)
}

/** How many records an organization may take in a billing period, by its order. */
export const RecordsAllowance = Schema.Struct({
  records: Count,
  initial_load: Count,
  period: Schema.Union([
    Schema.Literal("calendar_month"),
    Schema.Struct({
      start: Schema.String,
      months: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 120 }))
    })
  ]),
  overage: Schema.NullOr(Schema.Struct({
    price_per_record_usd: Schema.String.check(
      Schema.isPattern(/^\d{1,9}(\.\d{1,6})?$/, { message: "Expected a decimal number of dollars as a string" })
    ),
    ceiling_records: Count
  }))
})

/** How much an organization may export in a month. */
export const ExportAllowance = Schema.Struct({ max_exports_per_month: Count, max_rows_per_month: Count })

/** A customer of the company that runs the service: its plan, its area, its limits. */
export const Organization = Schema.Struct({
  org_id: OrganizationId,
  name: Schema.String,
  plan: Plan,
  status: OrganizationStatus,
  payment_status: Schema.Literals(["ok", "failed"]),
  credits_dormant: Schema.Boolean,
  crm_mode: Schema.Literals(["internal", "external"]),
  agent_pipeline_changes: Schema.Boolean,
  member_connect: Schema.Literals(["all", "admins"]),
  monthly_credit_allotment: Count,
  serviceable_area: ServiceableArea,
  entitlement: Entitlement,
  features: Features,
  export_allowance: ExportAllowance,
  /** null: the plan's. */
  requests_per_minute: Schema.NullOr(Count),
  /** null: the plan's. */
  requests_per_day: Schema.NullOr(Count),
  daily_limits: Schema.Struct(dailyLimitFields),
  records_allowance: Schema.NullOr(RecordsAllowance),
  /** Reasons of its own for lost leads, beside the service's. */
  loss_reasons: Schema.Array(OwnLossReason)
})
export type Organization = typeof Organization.Type

/** What `apply` gives a new organization where its document is silent. decisions, section 20. */
export const defaults = (orgId: OrganizationId): Organization => ({
  org_id: orgId,
  name: orgId,
  plan: "team",
  status: "active",
  payment_status: "ok",
  credits_dormant: false,
  crm_mode: "internal",
  agent_pipeline_changes: true,
  member_connect: "all",
  monthly_credit_allotment: 0,
  serviceable_area: { whole_state_abbrs: [], county_fips: [] },
  entitlement: { nationwide: false, state_abbrs: [], county_fips: [] },
  features: {
    enrichments: true,
    pipeline: true,
    lists: true,
    full_crm_export: true,
    premium_values: true,
    common_names: true,
    signals: false,
    records_allowance: false,
    limit_details: true
  },
  export_allowance: { max_exports_per_month: 0, max_rows_per_month: 0 },
  requests_per_minute: null,
  requests_per_day: null,
  daily_limits: {},
  records_allowance: null,
  loss_reasons: []
})
