/**
 * Level 3: how many distinct records an Enterprise organization may take in a billing period.
 *
 * Taking is all or nothing. The one-time initial load is spent first, once ever; then the recurring allowance, which
 * begins anew with each period; then the overage, up to its ceiling. `recurring` counts on past the allowance, so that
 * what is over it is the overage. Money is in whole millionths of a dollar. service-api "Level 3", decisions section 19.
 */
import { DateTime } from "effect"
import type { Organization } from "../organization/Organization.ts"

const dayMillis = 86_400_000

/** Half-open; times in milliseconds. */
export interface Period {
  readonly start: number
  readonly end: number
  readonly basis: "contract" | "calendar_month"
}

type PeriodRule = NonNullable<Organization["records_allowance"]>["period"]

/** So many months after the anchor, at its time of day; a day that the month lacks is the month's last. */
const monthsAfter = (anchor: number, months: number): number => {
  const { day, hour, millisecond, minute, month, second, year } = DateTime.toPartsUtc(DateTime.makeUnsafe(anchor))
  const index = month - 1 + months
  const lastDay = DateTime.toPartsUtc(DateTime.makeUnsafe(Date.UTC(year, index + 1, 0))).day
  return Date.UTC(year, index, Math.min(day, lastDay), hour, minute, second, millisecond)
}

/** The period that `now` lies in. A contract's periods recur from its start, in both directions. */
export const periodOf = (rule: PeriodRule, now: number): Period => {
  if (rule === "calendar_month") {
    const start = DateTime.toEpochMillis(DateTime.startOf(DateTime.makeUnsafe(now), "month"))
    return { start, end: monthsAfter(start, 1), basis: "calendar_month" }
  }
  const anchor = Date.parse(rule.start)
  const boundary = (index: number) => monthsAfter(anchor, index * rule.months)
  const [from, to] = [DateTime.makeUnsafe(anchor), DateTime.makeUnsafe(now)].map((time) => DateTime.toPartsUtc(time))
  let index = Math.floor(
    from === undefined || to === undefined ? 0 : ((to.year - from.year) * 12 + to.month - from.month) / rule.months
  )
  while (boundary(index + 1) <= now) index += 1
  while (boundary(index) > now) index -= 1
  return { start: boundary(index), end: boundary(index + 1), basis: "contract" }
}

export const daysIn = ({ end, start }: Period): number => Math.round((end - start) / dayMillis)

/** What the order states. */
export interface AllowanceTerms {
  readonly records: number
  readonly initialLoad: number
  readonly overage: { readonly priceMicros: number; readonly ceiling: number } | null
}

/** Millionths of a dollar from a decimal string of at most six places. */
export const microsOf = (usd: string): number => {
  const [whole = "", fraction = ""] = usd.split(".")
  return Number(whole) * 1_000_000 + Number(fraction.padEnd(6, "0"))
}

/** Dollars, as they are shown. */
export const usdOf = (micros: bigint | number): number => Number(micros) / 1_000_000

export const termsOf = (allowance: NonNullable<Organization["records_allowance"]>): AllowanceTerms => ({
  records: allowance.records,
  initialLoad: allowance.initial_load,
  overage: allowance.overage === null ? null : {
    priceMicros: microsOf(allowance.overage.price_per_record_usd),
    ceiling: allowance.overage.ceiling_records
  }
})

/** An organization's records allowance is in force: its order states one and the service has switched it on. */
export const isInForce = (organization: Pick<Organization, "plan" | "features" | "records_allowance">): boolean =>
  organization.plan === "enterprise" && organization.features.records_allowance &&
  organization.records_allowance !== null

/** What was taken so far. */
export interface RecordsUse {
  /** From the initial load, ever. */
  readonly initial: number
  /** In this period, what the initial load paid for left out. */
  readonly recurring: number
}

/** What is left of each part. */
export const leftOf = (terms: AllowanceTerms, use: RecordsUse) => ({
  initial: Math.max(0, terms.initialLoad - use.initial),
  recurring: Math.max(0, terms.records - use.recurring),
  overage: terms.overage === null
    ? 0
    : Math.max(0, terms.overage.ceiling - Math.max(0, use.recurring - terms.records))
})

/** How many records can be taken before a taking is refused. */
export const remainingOf = (terms: AllowanceTerms, use: RecordsUse): number => {
  const { initial, overage, recurring } = leftOf(terms, use)
  return initial + recurring + overage
}

/** The records over the allowance. */
export const overageOf = (terms: AllowanceTerms, use: RecordsUse): number =>
  terms.overage === null ? 0 : Math.max(0, use.recurring - terms.records)

/** What the overage costs so far, in dollars. */
export const overageUsd = (terms: AllowanceTerms, use: RecordsUse): number =>
  usdOf(BigInt(overageOf(terms, use)) * BigInt(terms.overage?.priceMicros ?? 0))

/** How many of so many new records the initial load pays for. */
export const fromInitial = (terms: AllowanceTerms, use: RecordsUse, fresh: number): number =>
  Math.min(fresh, leftOf(terms, use).initial)
