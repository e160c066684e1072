/** Reads the caller's organization its own ledger. */
import { Clock, DateTime, Effect, Result } from "effect"
import { Caller } from "../access/Caller.ts"
import type { EntryActor } from "../access/EntryActor.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { invalid, type InvalidInput } from "../operation/InvalidInput.ts"
import { endOf, startOf } from "../operation/IsoMoment.ts"
import { nextMidnight } from "../operation/UtcTime.ts"
import {
  daysSummed,
  defaultEntries,
  type GetCreditLedger,
  type GetCredits,
  type ListLedger
} from "./CreditOperations.ts"
import * as EntrySight from "./EntrySight.ts"
import { Ledger } from "./Ledger.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"
import { LedgerReport } from "./LedgerReport.ts"

/** Which of the operator's people it was, is the operator's to know. */
const toldActor = <Actor extends EntryActor>(actor: Actor): Actor =>
  actor.kind === "operator" ? { ...actor, id: null, name: null } : actor

const told = (entry: LedgerEntry): LedgerEntry => ({ ...entry, actor: toldActor(entry.actor) })

const dayMillis = 86_400_000

/** The span that is asked for; a part that is left out is null. */
const spanOf = (
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined }
): Result.Result<{ readonly since: number | null; readonly until: number | null }, InvalidInput> => {
  // A day ends where the next one begins.
  const isReversed = since !== undefined && until !== undefined &&
    startOf(until) < startOf(since) && endOf(until) <= startOf(since)
  return isReversed
    ? Result.fail(invalid("until", "Expected none before since"))
    : Result.succeed({
      since: since === undefined ? null : startOf(since),
      until: until === undefined ? null : endOf(until)
    })
}

const isoOf = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

/** The number of the last entry of the page before. */
const positionOf = (cursor: string | undefined): number | null =>
  cursor === undefined ? 0 : /^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : null

export const make = Effect.gen(function*() {
  const ledger = yield* Ledger
  const report = yield* LedgerReport
  const seen = yield* EntrySight.make

  const entries: HandlerOf<typeof GetCreditLedger> = Effect.fn("LedgerReader.entries")(function*(input) {
    const { organization } = yield* Caller
    const after = positionOf(input.cursor)
    if (after === null) return yield* InvalidCursor.refuse()
    const limit = input.limit ?? defaultEntries
    const { since, until } = yield* Effect.fromResult(spanOf(input))
    const found = yield* ledger.entries(organization.org_id, {
      after,
      limit: limit + 1,
      ...since === null ? {} : { since },
      ...until === null ? {} : { until }
    })
    const entries = found.slice(0, limit)
    const last = entries.at(-1)
    return {
      entries: (yield* seen(entries)).map(told),
      next_cursor: found.length > limit && last !== undefined ? String(last.entry) : null
    }
  })

  const credits: HandlerOf<typeof GetCredits> = Effect.fn("LedgerReader.credits")(function*() {
    const { organization: { org_id: orgId } } = yield* Caller
    const now = yield* Clock.currentTimeMillis
    const since = nextMidnight(now) - daysSummed * dayMillis
    const [grants, { actors, days }] = yield* Effect.all([
      report.grants(orgId, now),
      report.spending(orgId, { since, until: now + 1 })
    ])
    return {
      total: grants.reduce((sum, { remaining }) => sum + remaining, 0),
      grants: grants.map(({ bucket, expiresAt, ref, remaining }) => ({
        ref,
        bucket,
        remaining,
        expires_at: expiresAt === null ? null : isoOf(expiresAt)
      })),
      since: isoOf(since).slice(0, 10),
      days,
      actors: actors.map(toldActor)
    }
  })

  const latest: HandlerOf<typeof ListLedger> = Effect.fn("LedgerReader.latest")(function*(input) {
    const { organization } = yield* Caller
    const before = input.cursor === undefined ? null : positionOf(input.cursor)
    if (before === null && input.cursor !== undefined) return yield* InvalidCursor.refuse()
    const limit = input.limit ?? defaultEntries
    const found = yield* report.latest(organization.org_id, {
      before,
      limit: limit + 1,
      kind: input.kind ?? null,
      action: input.action ?? null,
      actorId: input.actor_id ?? null,
      ...yield* Effect.fromResult(spanOf(input))
    })
    const entries = found.slice(0, limit)
    const last = entries.at(-1)
    return {
      entries: (yield* seen(entries)).map(told),
      next_cursor: found.length > limit && last !== undefined ? String(last.entry) : null
    }
  })

  return { entries, credits, latest }
})
