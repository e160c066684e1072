/**
 * The limits of levels 2 and 3 that are in force for one call: the organization's, the calling key's, at one moment.
 *
 * They are those that admission read for this very call, or the delivery worker with its claim.
 */
import * as Acting from "../access/Acting.ts"
import type { CallerFacts } from "../access/Caller.ts"
import type { KeyDailyLimits } from "../access/KeyDailyLimits.ts"
import { nextMidnight } from "../operation/UtcTime.ts"
import type { DailyLimitKind, Organization } from "../organization/Organization.ts"
import { capsOf, type DailyCaps, derivedRecordsCap, uncapped } from "./DailyLimit.ts"
import { type Spender, spenderOf } from "./MemberSpending.ts"
import { type AllowanceTerms, daysIn, isInForce, type Period, periodOf, termsOf } from "./RecordsAllowance.ts"
import type { RecordRef, UsageQuery } from "./Usage.ts"

export interface Limits {
  /** Milliseconds: when the call started. Its day and its period are those of this moment. */
  readonly now: number
  /** The calling key; null: no key. */
  readonly credentialId: string | null
  readonly daily: Readonly<Record<DailyLimitKind, DailyCaps>>
  readonly period: Period
  /** null: no allowance is in force. */
  readonly allowance: AllowanceTerms | null
  /** Records are counted: for an allowance, or for a daily cap on them. */
  readonly countsRecords: boolean
  /** What the call does counts. Not in the app: it draws no daily limit and takes no record. decisions, section 21. */
  readonly metered: boolean
  /** Refusals carry the structured limit. */
  readonly details: boolean
  /** The member who calls and has a monthly credit limit; null: nobody. */
  readonly spender: Spender | null
}

export type LimitedOrganization = Pick<
  Organization,
  "plan" | "features" | "daily_limits" | "records_allowance" | "monthly_credit_allotment"
>

export const limitsOf = (
  organization: LimitedOrganization,
  key: { readonly credentialId: string; readonly dailyLimits?: KeyDailyLimits } | null,
  now: number
): Limits => {
  const { records_allowance: stated } = organization
  const period = periodOf(stated?.period ?? "calendar_month", now)
  const allowance = stated !== null && isInForce(organization) ? termsOf(stated) : null
  const derived = allowance === null ? null : derivedRecordsCap(allowance.records, daysIn(period))
  const caps = (kind: DailyLimitKind) =>
    capsOf(kind, organization, key === null ? null : key.dailyLimits ?? {}, derived)
  const records = caps("records_taken_per_day")
  return {
    now,
    credentialId: key?.credentialId ?? null,
    daily: {
      contact_reveal: caps("contact_reveal"),
      lead_export: caps("lead_export"),
      agent_pipeline_change: caps("agent_pipeline_change"),
      paid_property_unlock: caps("paid_property_unlock"),
      records_taken_per_day: records
    },
    period,
    allowance,
    countsRecords: allowance !== null || Object.values(records).some((cap) => cap !== null),
    metered: true,
    details: organization.features.limit_details,
    spender: null
  }
}

/** The same moment where nothing is counted and nothing capped. */
const unmetered = (limits: Limits): Limits => ({
  ...limits,
  credentialId: null,
  daily: {
    contact_reveal: uncapped,
    lead_export: uncapped,
    agent_pipeline_change: uncapped,
    paid_property_unlock: uncapped,
    records_taken_per_day: uncapped
  },
  allowance: null,
  countsRecords: false,
  metered: false
})

/** The limits of a caller. */
export const ofCaller = (caller: CallerFacts, now: number): Limits => {
  const person = Acting.member(caller)
  const limits = limitsOf(caller.organization, caller, now)
  return {
    ...(Acting.isAgent(caller) ? limits : unmetered(limits)),
    spender: person === null ? null : spenderOf(person, now)
  }
}

/** What a call under these limits asks the ledger. */
export const queryOf = (
  limits: Limits,
  asked: { readonly records?: ReadonlyArray<RecordRef>; readonly contacts?: ReadonlyArray<string> } = {}
): UsageQuery => ({
  credentialId: limits.credentialId,
  now: limits.now,
  day: nextMidnight(limits.now) - 86_400_000,
  period: limits.period.start,
  records: limits.countsRecords ? asked.records ?? [] : [],
  contacts: asked.contacts ?? [],
  spender: limits.spender
})
