/**
 * What a member with a monthly credit limit has spent: their charges of a UTC calendar month that were not refunded.
 *
 * The entries of the ledger say it, so that it cannot differ from them; a refund gives back to the month of its charge.
 */
import { DateTime } from "effect"
import type { Member } from "../organization/Organizations.ts"

/** Whose spending counts, and when. Times are milliseconds; `until` is the first one of the next month. */
export interface Spender {
  readonly memberId: string
  readonly limit: number
  readonly since: number
  readonly until: number
}

/** What of a line of the ledger tells about spending. */
export interface SpendingEntry {
  readonly entry: number
  readonly at: string
  readonly kind: string
  readonly credits: number
  readonly actor: { readonly kind: string; readonly id: string | null }
  readonly refund_of: number | null
}

/** The UTC month in which spending is counted. */
export const monthOf = (now: number): Pick<Spender, "since" | "until"> => {
  const month = DateTime.startOf(DateTime.makeUnsafe(now), "month")
  return {
    since: DateTime.toEpochMillis(month),
    until: DateTime.toEpochMillis(DateTime.add(month, { months: 1 }))
  }
}

/** null: the member has no limit of their own. */
export const spenderOf = (
  { memberId, monthlyCreditLimit: limit }: Pick<Member, "memberId" | "monthlyCreditLimit">,
  now: number
): Spender | null => {
  return limit === null ? null : { memberId, limit, ...monthOf(now) }
}

/** What the entries, all of one organization, say of a spender. */
export const spentIn = (entries: ReadonlyArray<SpendingEntry>, { memberId, since, until }: Spender): number => {
  const refunded = new Set(entries.map(({ refund_of }) => refund_of))
  const charges = entries.filter(({ actor, at, entry, kind }) => {
    const moment = Date.parse(at)
    return kind === "charge" && actor.kind === "member" && actor.id === memberId && moment >= since && moment < until
      && !refunded.has(entry)
  })
  return charges.reduce((sum, { credits }) => sum - credits, 0)
}
