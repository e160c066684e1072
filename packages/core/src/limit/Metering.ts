/**
 * Whether the limits of levels 2 and 3 allow a call, and what it counts if it takes effect. Pure.
 *
 * Several kinds may refuse at once: the kind of the action speaks first, then the day's records, then the allowance.
 * Webhook deliveries under way count as if they had arrived, so that no cap is ever passed. decisions, section 20.
 */
import { Result, Schema } from "effect"
import type { DailyLimitKind } from "../organization/Organization.ts"
import { refusing, roomOf, type Used } from "./DailyLimit.ts"
import {
  type DailyRefusal,
  dailyRefusal,
  type LimitRefusal,
  type RecordsAllowanceExceeded,
  recordsRefusal
} from "./LimitRefusals.ts"
import type { Limits } from "./Limits.ts"
import { fromInitial, overageOf, overageUsd, type RecordsUse, remainingOf } from "./RecordsAllowance.ts"
import { type Counted, nothing, recordKey, type RecordRef, type Usage } from "./Usage.ts"

/** What was used of a kind, with what is under way. */
export const usedOf = (usage: Usage, kind: DailyLimitKind): Used => {
  const used = usage.today[kind]
  const pending = kind === "lead_export"
    ? usage.underWay.exports
    : kind === "records_taken_per_day"
    ? usage.underWay.records
    : 0
  return { ...used, organization: used.organization + pending }
}

/** How many more people may be disclosed today. */
const revealsLeft = (limits: Limits, usage: Usage): number =>
  roomOf(limits.daily.contact_reveal, usedOf(usage, "contact_reveal"))

/** Whether so much more of the kind may be used today. */
export const allow = (
  limits: Limits,
  usage: Usage,
  kind: DailyLimitKind,
  need: number
): Result.Result<void, DailyRefusal> => {
  const reported = need === 0 ? null : refusing(limits.daily[kind], usedOf(usage, kind), need)
  return reported === null ? Result.succeed(undefined) : Result.fail(dailyRefusal(kind, reported, limits, need))
}

/**
 * The allowance after a taking, as a successful answer tells it. `taken`: records that this call took, those taken
 * before in the period are free. `remaining`: records that can be taken before a taking is refused.
 */
export const RecordsFacts = Schema.Struct({
  taken: Schema.Int,
  remaining: Schema.Int,
  overage_accrued_records: Schema.Int,
  overage_accrued_usd: Schema.Finite
}).annotate({ identifier: "RecordsTaken" })
export type RecordsFacts = typeof RecordsFacts.Type

export interface Taking {
  readonly counted: Pick<Counted, "records" | "fromInitial">
  /** null: no allowance is in force. */
  readonly facts: RecordsFacts | null
}

/** What so much of the kinds counts: nothing where nobody limits the call, or it is made in the app. */
export const counting = (limits: Limits | undefined, kinds: Counted["kinds"]): Counted =>
  limits?.metered === true ? { ...nothing, kinds } : nothing

/** What taking these records counts, whatever the limits say. */
export const countRecords = (
  limits: Limits,
  usage: Usage,
  records: ReadonlyArray<RecordRef>
): Taking => {
  const asked = new Set(records.map(recordKey))
  const fresh = limits.countsRecords ? usage.freshRecords.filter((record) => asked.has(recordKey(record))) : []
  const { allowance } = limits
  if (allowance === null) return { counted: { records: fresh, fromInitial: 0 }, facts: null }
  const initial = fromInitial(allowance, usage.records, fresh.length)
  const after: RecordsUse = {
    initial: usage.records.initial + initial,
    recurring: usage.records.recurring + fresh.length - initial
  }
  return {
    counted: { records: fresh, fromInitial: initial },
    facts: {
      taken: fresh.length,
      remaining: remainingOf(allowance, after),
      overage_accrued_records: overageOf(allowance, after),
      overage_accrued_usd: overageUsd(allowance, after)
    }
  }
}

/** Whether the records may be taken, all of them, and what that counts. */
export const takeRecords = (
  limits: Limits,
  usage: Usage,
  records: ReadonlyArray<RecordRef>
): Result.Result<Taking, DailyRefusal | RecordsAllowanceExceeded> => {
  const taking = countRecords(limits, usage, records)
  const fresh = taking.counted.records.length
  const { allowance } = limits
  return Result.flatMap(
    allow(limits, usage, "records_taken_per_day", fresh),
    (): Result.Result<Taking, RecordsAllowanceExceeded> =>
      allowance !== null && fresh > 0
        && fresh + usage.underWay.records > remainingOf(allowance, usage.records)
        ? Result.fail(recordsRefusal(allowance, usage, limits, fresh))
        : Result.succeed(taking)
  )
}

/** What reading something in full would take: records not yet taken in the period, beside how many may be taken now. */
export const RecordsAhead = Schema.Struct({
  needed: Schema.Int.annotate({
    description: "Records that reading it takes: those that this period has not had yet."
  }),
  remaining: Schema.Int.annotate({ description: "Records that may be taken now." })
}).annotate({ identifier: "RecordsAhead" })
export type RecordsAhead = typeof RecordsAhead.Type

/** In a sentence. */
export const readingOf = ({ needed, remaining }: RecordsAhead): string => {
  const takes = `To read what it opens takes ${needed} ${needed === 1 ? "record" : "records"}`
  return needed > remaining
    ? `${takes}, more than the ${remaining} that may be taken now: reading it would be refused.`
    : `${takes}; ${remaining} may be taken now.`
}

/**
 * Of the records that `usage` was asked about; null: nothing limits how many are taken, or there are none. Of the contacts that
 * it was asked about, those stay closed for which the day's reveals have no room, and are not taken.
 */
export const recordsAhead = (
  limits: Limits,
  usage: Usage,
  records: ReadonlyArray<RecordRef>
): RecordsAhead | null => {
  if (records.length === 0) return null
  const closed = new Set(
    usage.freshContacts.slice(Math.min(revealsLeft(limits, usage), usage.freshContacts.length))
  )
  const needed = usage.freshRecords.filter(({ id, kind }) => kind !== "contact" || !closed.has(id)).length
  const { allowance } = limits
  const left = allowance === null ? Infinity : remainingOf(allowance, usage.records) - usage.underWay.records
  const room = roomOf(limits.daily.records_taken_per_day, usedOf(usage, "records_taken_per_day"))
  const remaining = Math.min(room, Math.max(0, left))
  return Number.isFinite(remaining) ? { needed, remaining } : null
}

/**
 * Decides, and tells beside the answer as beside the refusal what reading would take of the records that the usage was asked about:
 * by the snapshot of the decision that took effect, which is made anew where somebody else was quicker.
 */
export const foreseeing = (limits: Limits, records: ReadonlyArray<RecordRef>) => {
  let ahead: RecordsAhead | null = null
  return {
    deciding:
      <Snapshot extends { readonly usage: Usage }, A>(decide: (snapshot: Snapshot) => A) => (snapshot: Snapshot): A => {
        ahead = recordsAhead(limits, snapshot.usage, records)
        return decide(snapshot)
      },
    told: (): { readonly records?: RecordsAhead } => ahead === null ? {} : { records: ahead }
  }
}

/** What a reading opens and counts. */
export interface Reading {
  /** Covered contacts that stay closed, because the day's reveals are used up. */
  readonly withheld: ReadonlySet<string>
  readonly counted: Counted
  readonly facts: RecordsFacts | null
}

/** What the covered contacts need of the day's reveals that were not counted on the day. */
const freshOf = (usage: Usage, covered: ReadonlyArray<string>): ReadonlyArray<string> =>
  usage.freshContacts.filter((id) => covered.includes(id))

/** Whether all of the covered contacts may be disclosed today. */
export const allowReveals = (
  limits: Limits,
  usage: Usage,
  covered: ReadonlyArray<string>
): Result.Result<void, DailyRefusal> => allow(limits, usage, "contact_reveal", freshOf(usage, covered).length)

/**
 * Disclosing people whom the subscription alone opens, of whom nothing is delivered in full: no record is taken.
 *
 * Contacts counted before on the day are open. Of the others, in their order, as many are opened as the day has room for.
 */
export const decideDisclosure = (limits: Limits, usage: Usage, covered: ReadonlyArray<string>): Reading => {
  const fresh = freshOf(usage, covered)
  const opened = fresh.slice(0, Math.min(revealsLeft(limits, usage), fresh.length))
  return {
    withheld: new Set(fresh.slice(opened.length)),
    counted: limits.metered ? { ...counting(limits, { contact_reveal: opened.length }), contacts: opened } : nothing,
    facts: null
  }
}

/**
 * Reading people who are disclosed only because the subscription covers them, beside records that are open anyway: each of
 * them who is opened is a record as well. With `whole`, all of them are opened or the call is refused.
 */
export const decideReading = (
  limits: Limits,
  usage: Usage,
  request: {
    readonly covered: ReadonlyArray<string>
    readonly whole: boolean
    readonly records: ReadonlyArray<RecordRef>
  }
): Result.Result<Reading, LimitRefusal> => {
  const disclosed = decideDisclosure(limits, usage, request.covered)
  const shown = request.covered.filter((id) => !disclosed.withheld.has(id))
  const records = [...request.records, ...shown.map((id): RecordRef => ({ kind: "contact", id }))]
  return Result.gen(function*() {
    if (request.whole) yield* allowReveals(limits, usage, request.covered)
    const { counted, facts } = yield* takeRecords(limits, usage, records)
    return {
      withheld: disclosed.withheld,
      counted: limits.metered ? { ...disclosed.counted, ...counted } : nothing,
      facts
    }
  })
}
