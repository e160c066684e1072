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
  Schema.isPattern(/^[A-Za-z0-9_-]{1,64}$/u, { message: "Expected 1 to 64 letters, digits, '_' or '-'" })
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

/** The same schema with a sentence for whoever writes the value. */
const told = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] => schema.annotate({ description })

/** The area that the organization switched on: what its keys see. */
export const ServiceableArea = Schema.Struct({
  whole_state_abbrs: told(Schema.Array(StateAbbr), "States that are seen whole, by their postal abbreviations."),
  county_fips: told(Schema.Array(CountyFips), "Counties that are seen, by their FIPS codes.")
})

/** The licensed area: what its subscription covers, free of credits. */
export const Entitlement = Schema.Struct({
  nationwide: told(Schema.Boolean, "Everything is licensed."),
  state_abbrs: told(Schema.Array(StateAbbr), "Licensed states."),
  county_fips: told(Schema.Array(CountyFips), "Licensed counties.")
})

/** What an organization has switched on. */
export const Features = Schema.Struct({
  enrichments: told(Schema.Boolean, "Research and drafts."),
  pipeline: told(Schema.Boolean, "Leads, their stages, notes and tasks."),
  lists: told(Schema.Boolean, "Lists."),
  full_crm_export: told(Schema.Boolean, "Leads are pushed to a CRM."),
  premium_values: told(Schema.Boolean, "Values that are premium are shown."),
  common_names: told(Schema.Boolean, "The names that properties go by are shown."),
  signals: told(Schema.Boolean, "Changes become events."),
  records_allowance: told(Schema.Boolean, "Records are drawn from the allowance, not paid one by one."),
  limit_details: told(Schema.Boolean, "Refusals by a limit tell its figures.")
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

/** What each kind counts. */
export const dailyLimitMeanings: Readonly<Record<DailyLimitKind, string>> = {
  contact_reveal: "Contacts revealed.",
  lead_export: "Leads delivered.",
  agent_pipeline_change: "Leads moved by assistants and keys.",
  paid_property_unlock: "Properties unlocked for credits.",
  records_taken_per_day: "Records taken, from the allowance or beyond it."
}

/** One kind's two organization-wide layers. null: no limit; 0: paused. */
export const DailyLimit = Schema.Struct({
  service: Schema.optionalKey(
    told(Schema.NullOr(Count), "What the operator allows a UTC day. null: no limit; 0: paused.")
  ),
  organization: Schema.optionalKey(
    told(Schema.NullOr(Count), "What the organization allows itself a UTC day. null: no limit; 0: paused.")
  )
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
  records: told(Count, "Records of each billing period."),
  initial_load: told(Count, "Records that may be taken once, spent before those of the periods."),
  period: told(
    Schema.Union([
      Schema.Literal("calendar_month"),
      Schema.Struct({
        start: told(Schema.String, "When the contract began, ISO-8601."),
        months: told(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 120 })), "Months of one period.")
      })
    ]),
    "The billing period."
  ),
  overage: told(
    Schema.NullOr(Schema.Struct({
      price_per_record_usd: told(
        Schema.String.check(
          Schema.isPattern(/^\d{1,9}(\.\d{1,6})?$/u, { message: "Expected a decimal number of dollars as a string" })
        ),
        "US dollars of one record, as a decimal text."
      ),
      ceiling_records: told(Count, "At most so many records beyond the allowance.")
    })),
    "What is taken beyond the allowance. null: nothing may be."
  )
})

/** How much an organization may export in a month. */
export const ExportAllowance = Schema.Struct({
  max_exports_per_month: told(Count, "Leads delivered in a UTC month."),
  max_rows_per_month: told(Count, "Rows exported in a UTC month.")
})

/** A customer of the company that runs the service: its plan, its area, its limits. */
export const Organization = Schema.Struct({
  org_id: told(OrganizationId, "The operator's own id of the organization, not a UUID."),
  name: Schema.String,
  plan: told(Plan, "What its keys may be granted: some scopes need enterprise."),
  status: told(OrganizationStatus, "suspended and closed refuse every call, until it is active again."),
  payment_status: told(Schema.Literals(["ok", "failed"]), "failed refuses every charge (PAYMENT_FAILED)."),
  credits_dormant: told(Schema.Boolean, "true refuses every charge (CREDITS_DORMANT)."),
  crm_mode: told(
    Schema.Literals(["internal", "external"]),
    "external: its own CRM moves leads, by POST /leads/{id}/status."
  ),
  agent_pipeline_changes: told(Schema.Boolean, "false: assistants do not move leads (MCP_QUALIFICATION_DISABLED)."),
  member_connect: told(Schema.Literals(["all", "admins"]), "Which members may connect an assistant as themselves."),
  monthly_credit_allotment: told(
    Count,
    "The credits of a month: granted with monthly_grant alone, and the measure of the default of daily pipeline changes."
  ),
  monthly_grant: Schema.optionalKey(
    told(Schema.Boolean, "true: the allotment is granted at the start of each UTC month; left out: no.")
  ),
  monthly_grant_rolls_over: Schema.optionalKey(
    told(Schema.Boolean, "true: what was granted so does not end with its month; left out: it does.")
  ),
  serviceable_area: ServiceableArea,
  entitlement: Entitlement,
  features: Features,
  export_allowance: ExportAllowance,
  requests_per_minute: told(
    Schema.NullOr(Count),
    "Requests of one key a minute. null: the plan's; 0 refuses every call."
  ),
  requests_per_day: told(
    Schema.NullOr(Count),
    "Requests of all keys a UTC day. null: the plan's; 0 refuses every call."
  ),
  daily_limits: Schema.Struct(dailyLimitFields),
  records_allowance: Schema.NullOr(RecordsAllowance),
  loss_reasons: told(Schema.Array(OwnLossReason), "Reasons of its own for lost leads, beside the service's.")
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
  monthly_grant: false,
  monthly_grant_rolls_over: false,
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
