/**
 * Reading what is metered: counts what is new under the organization's lock, and takes no lock where nothing is.
 *
 * What was used is read without a lock first. Counters only grow within their day and period, so a refusal that was read
 * stands, and what was counted before need not be counted again; only what is new is decided anew under the lock.
 */
import { Effect, Result } from "effect"
import { Caller } from "../access/Caller.ts"
import type { LimitRefusal } from "../limit/LimitRefusals.ts"
import { type Limits, ofCaller, queryOf } from "../limit/Limits.ts"
import { decideReading } from "../limit/Metering.ts"
import { tell } from "../limit/Takings.ts"
import { isNothing, type RecordRef, type Usage } from "../limit/Usage.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { ActionInProgress } from "./CreditRefusals.ts"
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

  /** Counts a reading of the caller in context; answers the covered contacts that stay closed. */
  const read = Effect.fn("Meter.read")(function*(
    request: ReadingRequest,
    now: number
  ): Effect.fn.Return<ReadonlySet<string>, LimitRefusal | TemporarilyUnavailable, Caller> {
    const caller = yield* Caller
    const limits: Limits = ofCaller(caller, now)
    const { covered, subject } = request
    if (covered.length === 0 && (!limits.countsRecords || request.records.length === 0)) return nobody
    const { org_id: orgId } = caller.organization
    const persons = covered.map((id): RecordRef => ({ kind: "contact", id }))
    const usage = queryOf(limits, { contacts: covered, records: [...request.records, ...persons] })
    const decideOn = (facts: Usage) => decideReading(limits, facts, request)
    const seen = yield* Effect.fromResult(decideOn(yield* ledger.usage(orgId, usage)))
    const reading = isNothing(seen.counted) ? seen : yield* ledger.transact(
      { orgId, subject, exclusive: false, now, usage },
      (snapshot) => Result.map(decideOn(snapshot.usage), (reading) => decide(reading, { counted: reading.counted }))
    ).pipe(
      // It cannot be: the command is not exclusive.
      Effect.catchTag("ACTION_IN_PROGRESS", (refusal: ActionInProgress) => Effect.die(refusal))
    )
    yield* tell(reading.facts)
    return reading.withheld
  })

  return { read }
})
