/**
 * Reading what is metered: counts what is new under the organization's lock, and takes no lock where nothing is.
 *
 * What was used is read without a lock first. Counters only grow within their day and period, so a refusal that was read
 * stands, and what was counted before need not be counted again; only what is new is decided anew under the lock.
 */
import { Effect, Option, Result } from "effect"
import { Caller } from "../access/Caller.ts"
import type { DailyRefusal, LimitRefusal } from "../limit/LimitRefusals.ts"
import { type Limits, ofCaller, queryOf } from "../limit/Limits.ts"
import { allowReveals, decideDisclosure, decideReading, type Reading } from "../limit/Metering.ts"
import { tell } from "../limit/Takings.ts"
import { isNothing, type RecordRef, type Usage, type UsageQuery } from "../limit/Usage.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Ledger, type Subject } from "./Ledger.ts"
import { decide } from "./LedgerDecision.ts"

export interface ReadingRequest {
  /** What is read. */
  readonly subject: Extract<Subject, { readonly _tag: "Property" | "Contact" | "Firm" }>
  /** Contacts that only the coverage opens, in the answer's order. */
  readonly covered: ReadonlyArray<string>
  /** All of them are read, or the call is refused. */
  readonly whole: boolean
  /** What is delivered in full anyway. */
  readonly records: ReadonlyArray<RecordRef>
}

const nobody: ReadonlySet<string> = new Set()

export const make = Effect.gen(function*() {
  const ledger = yield* Ledger

  /** Decides on what was used, and counts what the decision counts. Nothing of it is in progress: the command is not exclusive. */
  const counted = Effect.fnUntraced(function*<E>(
    { limits, orgId, subject, usage }: {
      readonly limits: Limits
      readonly orgId: OrganizationId
      readonly subject: ReadingRequest["subject"]
      readonly usage: UsageQuery
    },
    decideOn: (facts: Usage) => Result.Result<Reading, E>
  ) {
    const seen = yield* Effect.fromResult(decideOn(yield* ledger.usage(orgId, usage)))
    if (isNothing(seen.counted)) return seen
    return yield* ledger.transact(
      { orgId, subject, exclusive: false, now: limits.now, usage },
      (snapshot) => Result.map(decideOn(snapshot.usage), (reading) => decide(reading, { counted: reading.counted }))
    )
  })

  /** Counts a reading of the caller in context; answers the covered contacts that stay closed. */
  const read = Effect.fn("Meter.read")(function*(
    request: ReadingRequest,
    now: number
  ): Effect.fn.Return<ReadonlySet<string>, LimitRefusal | TemporarilyUnavailable, Caller> {
    const caller = yield* Caller
    const limits = ofCaller(caller, now)
    const { covered, records, subject } = request
    if (covered.length === 0 && (!limits.countsRecords || records.length === 0)) return nobody
    const persons = covered.map((id): RecordRef => ({ kind: "contact", id }))
    const usage = queryOf(limits, { contacts: covered, records: [...records, ...persons] })
    const reading = yield* counted(
      { limits, orgId: caller.organization.org_id, subject, usage },
      (facts) => decideReading(limits, facts, request)
    ).pipe(Effect.catchTag("ACTION_IN_PROGRESS", Effect.die))
    yield* tell(reading.facts)
    return reading.withheld
  })

  /** How people whom the coverage alone opens are told of, where nobody is delivered in full; null: nobody limits it. */
  const disclosing = Effect.fnUntraced(function*([first, ...others]: ReadonlyArray<string>, now: number) {
    const caller = yield* Caller
    const limits = ofCaller(caller, now)
    if (first === undefined || !limits.metered) return null
    const covered = [first, ...others]
    const usage = queryOf(limits, { contacts: covered })
    const subject = { _tag: "Contact", contactId: first } as const
    return { covered, limits, orgId: caller.organization.org_id, subject, usage }
  })

  /**
   * Counts that the caller in context is told how to reach people whom the coverage alone opens; answers those of them who
   * stay closed. No record is taken: that is for what delivers a person in full.
   */
  const disclose = Effect.fn("Meter.disclose")(function*(
    contactIds: ReadonlyArray<string>,
    now: number
  ): Effect.fn.Return<ReadonlySet<string>, TemporarilyUnavailable, Caller> {
    const asked = yield* disclosing(contactIds, now)
    if (asked === null) return nobody
    const { covered, limits } = asked
    const told = yield* counted(asked, (facts) => Result.succeed(decideDisclosure(limits, facts, covered))).pipe(
      Effect.catchTag("ACTION_IN_PROGRESS", Effect.die)
    )
    return told.withheld
  })

  /** The same where all of them are told of, or the call is refused. */
  const discloseAll = Effect.fn("Meter.discloseAll")(function*(
    contactIds: ReadonlyArray<string>,
    now: number
  ): Effect.fn.Return<void, DailyRefusal | TemporarilyUnavailable, Caller> {
    const asked = yield* disclosing(contactIds, now)
    if (asked === null) return
    const { covered, limits } = asked
    yield* counted(
      asked,
      (facts) => Result.map(allowReveals(limits, facts, covered), () => decideDisclosure(limits, facts, covered))
    ).pipe(
      Effect.catchTag("ACTION_IN_PROGRESS", Effect.die)
    )
  })

  /** What `discloseAll` would be refused with now; none: nothing. Nothing is counted. */
  const foresee = Effect.fn("Meter.foresee")(function*(
    contactIds: ReadonlyArray<string>,
    now: number
  ): Effect.fn.Return<Option.Option<DailyRefusal>, TemporarilyUnavailable, Caller> {
    const asked = yield* disclosing(contactIds, now)
    if (asked === null) return Option.none()
    const { covered, limits, orgId, usage } = asked
    return Result.getFailure(allowReveals(limits, yield* ledger.usage(orgId, usage), covered))
  })

  return { read, disclose, discloseAll, foresee }
})
