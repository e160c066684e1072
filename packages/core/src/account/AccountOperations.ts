/** What a caller can ask about itself, its organization and its credits. */
import { Schema } from "effect"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { Plan } from "../operation/Plan.ts"
import { Scope } from "../operation/Scope.ts"
import { DailyLimitKind, Entitlement, ServiceableArea } from "../organization/Organization.ts"
import { MemberRole, MemberTerritory } from "../organization/Organizations.ts"
import { ownLimitField } from "./OwnLimit.ts"

/** GET /me. */
export const GetIdentity = Operation.make("service_get_identity", {
  title: "Who am I",
  description: "Free. The key that calls: its organization, its scopes and its label.",
  input: NoInput,
  output: Schema.Struct({
    org_id: Schema.String,
    credential_id: Schema.String,
    scopes: Schema.Array(Scope),
    label: Schema.String
  }),
  refusals: [],
  access: { scope: null, plan: "team", app: "nobody" },
  effect: "read",
  work: "point",
  tool: false
})

const CreditBalance = Schema.Struct({
  total: Schema.Int,
  included: Schema.Int,
  purchased: Schema.Int,
  trial: Schema.Int,
  enterprise_pool: Schema.Int
}).annotate({ identifier: "CreditBalance" })

/** GET /account. */
export const GetAccount = Operation.make("service_get_account", {
  title: "Account status",
  description: "Free. Credits, export allowance, licensed and switched-on area, and what the plan allows.",
  input: NoInput,
  output: Schema.Struct({
    credit_balance: CreditBalance,
    ...ownLimitField,
    monthly_grant: Schema.NullOr(Schema.Struct({
      credits: Schema.Int,
      rolls_over: Schema.Boolean,
      next_at: Schema.String
    })),
    egress_quota: Schema.Struct({
      billed_via: Schema.Literals(["quota", "credit"]),
      used_this_period: Schema.Int,
      max_exports_per_month: Schema.Int,
      max_rows_per_month: Schema.Int,
      period_start: Schema.String
    }),
    entitlement: Entitlement,
    serviceable_area: ServiceableArea,
    tier: Schema.Struct({
      can_run_enrichments: Schema.Boolean,
      can_use_pipeline: Schema.Boolean,
      can_use_lists: Schema.Boolean,
      can_export_full_crm: Schema.Boolean
    })
  }),
  refusals: [],
  access: { scope: "account:read", plan: "team", app: "admins" },
  effect: "read",
  work: "point"
})

/** The balance alone. decisions, section 14. */
export const GetCreditBalance = Operation.make("service_get_credit_balance", {
  title: "Credit balance",
  description: "Free. The credits that your organization can spend now, in all and by bucket.",
  input: NoInput,
  output: Schema.Struct({ ...CreditBalance.fields, ...ownLimitField }),
  refusals: [],
  access: { scope: "mcp", plan: "enterprise" },
  effect: "read",
  work: "point"
})

/** The price table. decisions, section 14. */
export const GetPriceSheet = Operation.make("service_get_price_sheet", {
  title: "Price sheet",
  description: "Free. What each action costs in credits, and when it is free.",
  input: NoInput,
  output: Schema.Struct({
    actions: Schema.Array(Schema.Struct({
      action: Schema.String,
      credits: Schema.Int,
      free_when: Schema.Array(Schema.String)
    }))
  }),
  refusals: [],
  access: { scope: "mcp", plan: "enterprise" },
  effect: "read",
  work: "point"
})

/** Where an assistant starts. decisions, section 14. */
export const DescribeWorkspace = Operation.make("service_describe_workspace", {
  title: "Workspace",
  description:
    "Free. Start here: your organization, plan, credits, counties, switches, daily limits, and which tools you cannot use " +
    "and why.",
  input: NoInput,
  output: Schema.Struct({
    organization: Schema.Struct({ org_id: Schema.String, name: Schema.String }),
    plan: Plan,
    credential: Schema.Struct({
      kind: Schema.Literals(["key", "person"]),
      label: Schema.String,
      scopes: Schema.Array(Scope),
      /** A person's; null: a key. */
      role: Schema.NullOr(MemberRole)
    }),
    territory: Schema.Struct({
      serviceable_area: ServiceableArea,
      entitlement: Entitlement,
      /** The member's own counties; null: the whole serviceable area. */
      member: MemberTerritory,
      /** Those with records that the caller sees, by name, 50 at most. */
      counties: Schema.Array(Schema.Struct({ fips: Schema.String, name: Schema.NullOr(Schema.String) })),
      counties_total: Schema.Int
    }),
    crm_mode: Schema.Literals(["internal", "external"]),
    switches: Schema.Struct({ agent_pipeline_changes: Schema.Boolean, signals: Schema.Boolean }),
    credits_remaining: Schema.Int,
    ...ownLimitField,
    /** Reveals and exports, and every other one that is in force. */
    daily_limits: Schema.Array(Schema.Struct({
      name: DailyLimitKind,
      service: Schema.NullOr(Schema.Int),
      organization: Schema.NullOr(Schema.Int),
      key: Schema.NullOr(Schema.Int),
      used_today: Schema.Int,
      used_today_by_key: Schema.Int,
      /** null: no layer has a limit. */
      remaining_today: Schema.NullOr(Schema.Int),
      resets_at: Schema.String
    })),
    tools_unavailable: Schema.Array(Schema.Struct({
      name: Schema.String,
      code: Schema.String,
      why: Schema.String
    }))
  }),
  refusals: [],
  access: { scope: "mcp", plan: "enterprise", app: "nobody" },
  effect: "read",
  work: "point"
})
