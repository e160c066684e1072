/** Answers what is left of a caller's limits; takes nothing itself. */
import { Clock, Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { Ledger } from "../credit/Ledger.ts"
import { tightest } from "../limit/DailyLimit.ts"
import { dailyFacts, iso } from "../limit/LimitRefusals.ts"
import { type Limits, ofCaller, queryOf } from "../limit/Limits.ts"
import { type AllowanceTerms, leftOf, overageOf, overageUsd, usdOf } from "../limit/RecordsAllowance.ts"
import type { Usage } from "../limit/Usage.ts"
import { DailyLimitKind } from "../organization/Organization.ts"
import type { Counted } from "../rate/RateWindow.ts"
import type { GetAllowance } from "./AllowanceOperations.ts"
import { ownLimitOf } from "./OwnLimit.ts"

const allowanceOf = (terms: AllowanceTerms, { byKind, records }: Usage) => ({
  value: terms.records,
  used: records.recurring,
  remaining: leftOf(terms, records).recurring,
  by_kind: byKind
})

const initialLoadOf = (terms: AllowanceTerms, { records }: Usage) =>
  terms.initialLoad === 0 ? null : {
    value: terms.initialLoad,
    used: records.initial,
    remaining: leftOf(terms, records).initial,
    expires_at: null
  }

const overageFacts = (terms: AllowanceTerms | null, { records }: Usage) => {
  const overage = terms?.overage ?? null
  return {
    enabled: overage !== null,
    price_per_record_usd: overage === null ? null : usdOf(overage.priceMicros),
    ceiling_records: overage === null ? null : overage.ceiling,
    accrued_records: terms === null ? 0 : overageOf(terms, records),
    accrued_usd: terms === null ? 0 : overageUsd(terms, records)
  }
}

/** What is told of the records allowance. */
export const recordsOf = ({ allowance, period }: Limits, usage: Usage) => ({
  rollout: allowance === null ? "not_started" as const : "live" as const,
  period: { start: iso(period.start), end: iso(period.end), basis: period.basis },
  records_allowance: allowance === null ? null : allowanceOf(allowance, usage),
  initial_load: allowance === null ? null : initialLoadOf(allowance, usage),
  overage: overageFacts(allowance, usage)
})

const dailyLimits = (limits: Limits, { today }: Usage) =>
  DailyLimitKind.literals.flatMap((kind) => {
    const reported = tightest(limits.daily[kind], today[kind])
    return reported === null
      ? []
      : [{ ...dailyFacts(kind, reported, limits.now), remaining: Math.max(0, reported.value - reported.used) }]
  })

const rateLimit = (name: "requests_per_minute" | "requests_per_day", counted: Counted) => ({
  name,
  level: 1 as const,
  value: counted.limit,
  used: counted.used,
  resets_at: iso(counted.resetsAt)
})

export const make = Effect.gen(function*() {
  const ledger = yield* Ledger

  const read: HandlerOf<typeof GetAllowance> = Effect.fn("AllowanceReader.read")(function*() {
    const caller = yield* Caller
    const { organization, requests } = caller
    const limits = ofCaller(caller, yield* Clock.currentTimeMillis)
    const usage = yield* ledger.usage(organization.org_id, queryOf(limits))
    return {
      plan: organization.plan,
      ...recordsOf(limits, usage),
      ...ownLimitOf(limits.spender, usage.spent),
      daily_limits: dailyLimits(limits, usage),
      rate_limits: requests === undefined ? [] : [
        rateLimit("requests_per_minute", requests.minute),
        ...(requests.day === null ? [] : [rateLimit("requests_per_day", requests.day)])
      ]
    }
  })

  return { read }
})
