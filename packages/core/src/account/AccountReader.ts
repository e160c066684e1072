/** Answers what a caller asks about itself, its organization and its credits. */
import { Clock, DateTime, Effect } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import { total } from "../credit/Bucket.ts"
import { spendable } from "../credit/BurnDown.ts"
import { isFreeExport } from "../credit/ExportDecision.ts"
import { Ledger } from "../credit/Ledger.ts"
import { look } from "../credit/Look.ts"
import { isGranted } from "../credit/MonthlyGrant.ts"
import { freeWhen, type PaidAction, prices } from "../credit/Price.ts"
import { layersOf, roomOf } from "../limit/DailyLimit.ts"
import { ofCaller, queryOf } from "../limit/Limits.ts"
import { isInForce } from "../limit/RecordsAllowance.ts"
import { type KnownCounties, labelOf } from "../lookup/KnownCounties.ts"
import * as Span from "../operation/Span.ts"
import { monthStart, nextMidnight, nextMonth } from "../operation/UtcTime.ts"
import { DailyLimitKind } from "../organization/Organization.ts"
import type {
  DescribeWorkspace,
  GetAccount,
  GetCreditBalance,
  GetIdentity,
  GetPriceSheet
} from "./AccountOperations.ts"
import { balanceView } from "./BalanceView.ts"
import * as CallerBalance from "./CallerBalance.ts"
import { type Offered, unavailableTools } from "./Obstacles.ts"
import { ownLimitOf } from "./OwnLimit.ts"

const paidActions: ReadonlyArray<PaidAction> = [
  "unlock_property",
  "research_property",
  "reveal_contact",
  "research_contact",
  "research_organization",
  "find_email",
  "deep_research_contact",
  "draft_email",
  "lead_delivery"
]

/** Told whether anything limits them or not. */
const alwaysTold: ReadonlySet<DailyLimitKind> = new Set(["contact_reveal", "lead_export"])

/** Most counties that a workspace names. */
const maximumNamed = 50

/** `operations`: everything that the hosts offer, so that a workspace can tell what of it is out of reach. */
export const make = Effect.fnUntraced(function*(operations: ReadonlyArray<Offered>, knownCounties: KnownCounties) {
  const ledger = yield* Ledger

  const identity: HandlerOf<typeof GetIdentity> = Effect.fnUntraced(function*() {
    const caller = yield* Caller
    return {
      org_id: caller.organization.org_id,
      credential_id: caller.credentialId,
      scopes: caller.scopes,
      label: caller.label
    }
  }, Span.named("AccountReader.identity"))

  const account: HandlerOf<typeof GetAccount> = Effect.fnUntraced(function*() {
    const caller = yield* Caller
    const { organization } = caller
    const now = yield* Clock.currentTimeMillis
    const { balance, exportsUsed, own } = yield* CallerBalance.read(ledger, caller, now)
    const { export_allowance: allowance, features } = organization
    return {
      credit_balance: balanceView(balance),
      ...own,
      monthly_grant: isGranted(organization)
        ? {
          credits: organization.monthly_credit_allotment,
          rolls_over: organization.monthly_grant_rolls_over === true,
          next_at: DateTime.formatIso(DateTime.makeUnsafe(nextMonth(now)))
        }
        : null,
      egress_quota: {
        billed_via: isFreeExport(exportsUsed, allowance, isInForce(organization))
          ? "quota" as const
          : "credit" as const,
        used_this_period: exportsUsed,
        max_exports_per_month: allowance.max_exports_per_month,
        max_rows_per_month: allowance.max_rows_per_month,
        period_start: DateTime.formatIso(DateTime.makeUnsafe(monthStart(now)))
      },
      entitlement: organization.entitlement,
      serviceable_area: organization.serviceable_area,
      tier: {
        can_run_enrichments: features.enrichments,
        can_use_pipeline: features.pipeline,
        can_use_lists: features.lists,
        can_export_full_crm: features.full_crm_export
      }
    }
  }, Span.named("AccountReader.account"))

  const balance: HandlerOf<typeof GetCreditBalance> = Effect.fn("AccountReader.balance")(function*() {
    const { balance, own } = yield* CallerBalance.read(ledger, yield* Caller, yield* Clock.currentTimeMillis)
    return { ...balanceView(balance), ...own }
  })

  const priceSheet: HandlerOf<typeof GetPriceSheet> = () =>
    Effect.succeed({
      actions: paidActions.map((action) => ({ action, credits: prices[action], free_when: freeWhen[action] }))
    })

  const workspace: HandlerOf<typeof DescribeWorkspace> = Effect.fn("AccountReader.workspace")(function*() {
    const caller = yield* Caller
    const { organization } = caller
    const now = yield* Clock.currentTimeMillis
    const limits = ofCaller(caller, now)
    const { org_id: orgId } = organization
    const snapshot = yield* look(ledger, { orgId, now, usage: queryOf(limits) }, (snapshot) => snapshot)
    const { spent, today } = snapshot.usage
    const told = DailyLimitKind.literals.filter((kind) =>
      alwaysTold.has(kind) || layersOf(limits.daily[kind], today[kind]).length > 0
    )
    const seen = (yield* knownCounties).filter(({ countyFips }) => Territory.sees(caller, countyFips))
    return {
      organization: { org_id: orgId, name: organization.name },
      plan: organization.plan,
      credential: {
        kind: caller.kind === "key" ? "key" : "person",
        label: caller.label,
        scopes: caller.scopes,
        role: Acting.member(caller)?.role ?? null
      },
      territory: {
        serviceable_area: organization.serviceable_area,
        entitlement: organization.entitlement,
        member: caller.territory,
        counties: seen.slice(0, maximumNamed).map((county) => ({ fips: county.countyFips, name: labelOf(county) })),
        counties_total: seen.length
      },
      crm_mode: organization.crm_mode,
      switches: {
        agent_pipeline_changes: organization.agent_pipeline_changes,
        signals: organization.features.signals
      },
      credits_remaining: total(spendable(snapshot.grants, now)),
      ...ownLimitOf(limits.spender, spent),
      daily_limits: told.map((name) => {
        const { greenfinch_admin: service, key, organization } = limits.daily[name]
        const room = roomOf(limits.daily[name], today[name])
        return {
          name,
          service: service?.value ?? null,
          organization: organization?.value ?? null,
          key: key?.value ?? null,
          used_today: today[name].organization,
          used_today_by_key: today[name].key,
          remaining_today: room === Infinity ? null : room,
          resets_at: DateTime.formatIso(DateTime.makeUnsafe(nextMidnight(now)))
        }
      }),
      tools_unavailable: unavailableTools({ caller, limits, snapshot }, operations)
    }
  })

  return { identity, account, balance, priceSheet, workspace }
})
