/**
 * Refusals of levels 2 and 3: a day's data is used up, or the records allowance is. Each leaves everything as it was.
 *
 * The structured `limit` is left out for an organization whose feature `limit_details` is off. service-api "Shape of
 * limit refusals".
 */
import { DateTime, Schema } from "effect"
import { nextMidnight } from "../operation/UtcTime.ts"
import { DailyLimitKind } from "../organization/Organization.ts"
import { secondsUntil } from "../rate/RateWindow.ts"
import { LimitLayer, type Reported, serviceLayer } from "./DailyLimit.ts"
import type { Limits } from "./Limits.ts"
import { type AllowanceTerms, remainingOf, usdOf } from "./RecordsAllowance.ts"
import type { Usage } from "./Usage.ts"

/** One kind's limit, as refusals and GET /allowance show it. */
export const DailyLimitFacts = Schema.Struct({
  name: DailyLimitKind,
  level: Schema.Literal(2),
  layer: LimitLayer,
  /** Only when several say the same. */
  layers: Schema.optionalKey(Schema.Array(LimitLayer)),
  /** Only when computed from the allowance. */
  derived: Schema.optionalKey(Schema.Literal(true)),
  value: Schema.Int,
  used: Schema.Int,
  resets_at: Schema.String
}).annotate({ identifier: "DailyLimit" })

export const iso = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

export const dailyFacts = (
  kind: DailyLimitKind,
  { derived, layer, layers, used, value }: Reported,
  now: number
): typeof DailyLimitFacts.Type => ({
  name: kind,
  level: 2,
  layer,
  ...(layers.length > 1 ? { layers } : {}),
  ...(derived ? { derived: true as const } : {}),
  value,
  used,
  resets_at: iso(nextMidnight(now))
})

const dailyFields = {
  usedToday: Schema.Int,
  cap: Schema.Int,
  remainingToday: Schema.Int,
  resetsAt: Schema.String,
  retryAfterSeconds: Schema.Int,
  needed: Schema.optionalKey(
    Schema.Int.annotate({ description: "How many the call needs at once, where that is more than one." })
  ),
  limit: Schema.optionalKey(DailyLimitFacts)
}

/** What one of a kind is called, and several. */
const words: Readonly<Record<DailyLimitKind, readonly [string, string]>> = {
  contact_reveal: ["contact reveal", "contact reveals"],
  lead_export: ["lead delivery", "lead deliveries"],
  agent_pipeline_change: ["pipeline change by keys and assistants", "pipeline changes by keys and assistants"],
  paid_property_unlock: ["paid property unlock", "paid property unlocks"],
  records_taken_per_day: ["record", "records"]
}

const sentence = (
  whose: string,
  { cap, limit, needed }: {
    readonly cap: number
    readonly needed?: number
    readonly limit?: { readonly name: DailyLimitKind }
  }
): string => {
  const [one, several] = limit === undefined ? ["use", "uses"] : words[limit.name]
  const need = needed === undefined ? "" : `, which needs ${needed}`
  // No day is long enough for more than its maximum.
  const wait = needed !== undefined && needed > cap ? "No day allows as many." : "The count restarts at midnight UTC."
  return `${whose} ${cap} ${cap === 1 ? one : several} a day does not allow this${need}; nothing was done. ${wait}`
}

/** The service's own maximum. */
export class AccountDailyCapExceeded
  extends Schema.TaggedError<AccountDailyCapExceeded>()("ACCOUNT_DAILY_CAP_EXCEEDED", dailyFields)
{
  override get message() {
    return sentence("The service's maximum of", this)
  }
}

/** The organization's own limit. */
export class DailyCapExceeded extends Schema.TaggedError<DailyCapExceeded>()("DAILY_CAP_EXCEEDED", dailyFields) {
  override get message() {
    return sentence("Your organization's limit of", this)
  }
}

/** The key's own limit. */
export class CredentialDailyCapExceeded
  extends Schema.TaggedError<CredentialDailyCapExceeded>()("CREDENTIAL_DAILY_CAP_EXCEEDED", dailyFields)
{
  override get message() {
    return sentence("This key's limit of", this)
  }
}

export type DailyRefusal = AccountDailyCapExceeded | DailyCapExceeded | CredentialDailyCapExceeded

const neededOf = (need: number) => need > 1 ? { needed: need } : {}

export const dailyRefusal = (
  kind: DailyLimitKind,
  reported: Reported,
  limits: Limits,
  need: number
): DailyRefusal => {
  const { now } = limits
  const fields = {
    usedToday: reported.used,
    cap: reported.value,
    remainingToday: Math.max(0, reported.value - reported.used),
    resetsAt: iso(nextMidnight(now)),
    retryAfterSeconds: secondsUntil(nextMidnight(now), now),
    ...neededOf(need),
    ...(limits.details ? { limit: dailyFacts(kind, reported, now) } : {})
  }
  switch (reported.layer) {
    case serviceLayer:
      return new AccountDailyCapExceeded(fields)
    case "organization":
      return new DailyCapExceeded(fields)
    case "key":
      return new CredentialDailyCapExceeded(fields)
  }
}

/** The taking exceeds what remains of the records allowance. */
export class RecordsAllowanceExceeded
  extends Schema.TaggedError<RecordsAllowanceExceeded>()("RECORDS_ALLOWANCE_EXCEEDED", {
    retryAfterSeconds: Schema.Int,
    needed: dailyFields.needed,
    limit: Schema.optionalKey(Schema.Struct({
      name: Schema.Literal("records_allowance"),
      level: Schema.Literal(3),
      value: Schema.Int,
      used: Schema.Int,
      remaining: Schema.Int,
      period_ends_at: Schema.String,
      overage_enabled: Schema.Boolean,
      overage_price_per_record_usd: Schema.NullOr(Schema.Finite)
    }))
  })
{
  override get message() {
    const [taken, left] = [
      this.needed === undefined ? "more records" : `${this.needed} records, more`,
      this.limit === undefined ? "" : ` (${this.limit.remaining})`
    ]
    return `This would take ${taken} than remain of your organization's records allowance${left}; nothing was taken.`
  }
}

/** `underWay`: what deliveries that are not over may still take. */
export const recordsRefusal = (
  terms: AllowanceTerms,
  { records: use, underWay }: Pick<Usage, "records" | "underWay">,
  limits: Limits,
  need: number
): RecordsAllowanceExceeded =>
  new RecordsAllowanceExceeded({
    retryAfterSeconds: secondsUntil(limits.period.end, limits.now),
    ...neededOf(need),
    ...(limits.details
      ? {
        limit: {
          name: "records_allowance",
          level: 3,
          value: terms.records,
          used: use.recurring,
          remaining: Math.max(0, remainingOf(terms, use) - underWay.records),
          period_ends_at: iso(limits.period.end),
          overage_enabled: terms.overage !== null,
          overage_price_per_record_usd: terms.overage === null ? null : usdOf(terms.overage.priceMicros)
        }
      }
      : {})
  })

export type LimitRefusal = DailyRefusal | RecordsAllowanceExceeded

/** Every refusal of level 2. */
export const dailyRefusals = [AccountDailyCapExceeded, DailyCapExceeded, CredentialDailyCapExceeded] as const

/** Every refusal of levels 2 and 3. */
export const limitRefusals = [...dailyRefusals, RecordsAllowanceExceeded] as const
