/** Examples of the endpoints about keys and accounts. All data is made up. */
import { GetAccount, GetIdentity } from "@freehold/core/account/AccountOperations"
import { GetAllowance } from "@freehold/core/account/AllowanceOperations"
import { example } from "./Example.ts"

export const accountExamples = [
  example(GetIdentity, {}, {
    org_id: "org_demo",
    credential_id: "01a200af-78f9-724c-a149-899f023097f3",
    scopes: ["events:subscribe", "leads:read_single", "pipeline:write"],
    label: "sync fhk_inmY3WcU"
  }),
  example(GetAccount, {}, {
    credit_balance: { total: 990, included: 990, purchased: 0, trial: 0, enterprise_pool: 0 },
    monthly_grant: { credits: 1000, rolls_over: false, next_at: "2026-12-01T00:00:00.000Z" },
    egress_quota: {
      billed_via: "quota",
      used_this_period: 1,
      max_exports_per_month: 1000,
      max_rows_per_month: 100000,
      period_start: "2026-11-01T00:00:00.000Z"
    },
    entitlement: { nationwide: false, state_abbrs: [], county_fips: ["53901"] },
    serviceable_area: { whole_state_abbrs: [], county_fips: ["53901", "53903"] },
    tier: { can_run_enrichments: true, can_use_pipeline: true, can_use_lists: true, can_export_full_crm: true }
  }),
  example(GetAllowance, {}, {
    plan: "enterprise",
    rollout: "live",
    period: { start: "2026-11-01T00:00:00.000Z", end: "2026-12-01T00:00:00.000Z", basis: "calendar_month" },
    records_allowance: {
      value: 50000,
      used: 1234,
      remaining: 48766,
      by_kind: { property: 700, organization: 234, contact: 300 }
    },
    initial_load: { value: 20000, used: 20000, remaining: 0, expires_at: null },
    overage: { enabled: false, price_per_record_usd: null, ceiling_records: null, accrued_records: 0, accrued_usd: 0 },
    daily_limits: [{
      name: "agent_pipeline_change",
      level: 2,
      layer: "organization",
      value: 25,
      used: 0,
      resets_at: "2026-11-23T00:00:00.000Z",
      remaining: 25
    }],
    rate_limits: [{
      name: "requests_per_minute",
      level: 1,
      value: 300,
      used: 14,
      resets_at: "2026-11-22T00:38:36.139Z"
    }, { name: "requests_per_day", level: 1, value: 50000, used: 14, resets_at: "2026-11-23T00:00:00.000Z" }]
  })
] as const
