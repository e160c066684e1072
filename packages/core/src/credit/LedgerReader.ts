/** Reads the caller's organization its own ledger. */
import { Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { defaultEntries, type GetCreditLedger } from "./CreditOperations.ts"
import { Ledger } from "./Ledger.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"

/** Which of the operator's people it was, is the operator's to know. */
const told = (entry: LedgerEntry): LedgerEntry =>
  entry.actor.kind === "operator" ? { ...entry, actor: { ...entry.actor, id: null, name: null } } : entry

/** The number of the last entry of the page before. */
const positionOf = (cursor: string | undefined): number | null =>
  cursor === undefined ? 0 : /^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : null

export const make = Effect.gen(function*() {
  const ledger = yield* Ledger

  const entries: HandlerOf<typeof GetCreditLedger> = Effect.fn("LedgerReader.entries")(function*(input) {
    const { organization } = yield* Caller
    const after = positionOf(input.cursor)
    if (after === null) return yield* InvalidCursor.refuse()
    const limit = input.limit ?? defaultEntries
    const found = yield* ledger.entries(organization.org_id, { after, limit: limit + 1 })
    const entries = found.slice(0, limit)
    const last = entries.at(-1)
    return {
      entries: entries.map(told),
      next_cursor: found.length > limit && last !== undefined ? String(last.entry) : null
    }
  })

  return { entries }
})
