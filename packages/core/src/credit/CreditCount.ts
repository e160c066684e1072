/** Counts the credits that a ledger moves, by kind of entry and by action, once the ledger has applied them. */
import { Effect, Metric, Result } from "effect"
import * as Series from "../operation/Series.ts"
import type { Ledger } from "./Ledger.ts"
import type { EntryDraft } from "./LedgerEntry.ts"

const credits = Series.make(["kind", "action"], (attributes) =>
  Metric.counter("freehold_credits_total", {
    description: "Credits moved, by kind of ledger entry and by action.",
    incremental: true,
    attributes
  }))

const count = (entries: ReadonlyArray<EntryDraft>) =>
  Effect.forEach(
    entries,
    ({ action, credits: moved, kind }) => credits.update({ kind, action: action ?? "none" }, Math.abs(moved)),
    { discard: true }
  )

export const counted = (ledger: Ledger["Service"]): Ledger["Service"] => ({
  ...ledger,
  transact: (command, decide) =>
    Effect.suspend(() => {
      // Decided more than once where the account changed meanwhile: the last one was applied.
      let entries: ReadonlyArray<EntryDraft> = []
      const applied = ledger.transact(command, (snapshot) => {
        const decision = decide(snapshot)
        entries = Result.isSuccess(decision) ? decision.success.entries : []
        return decision
      })
      return Effect.tap(applied, () => count(entries))
    })
})
