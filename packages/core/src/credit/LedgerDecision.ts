/** Ways to make a `LedgerDecision`, and what its entries become once the ledger numbers them. */
import { DateTime } from "effect"
import { nothing } from "../limit/Usage.ts"
import { total } from "./Bucket.ts"
import type { LedgerDecision, LedgerSnapshot, Subject } from "./Ledger.ts"
import type { Allocation, EntryDraft, LedgerEntry } from "./LedgerEntry.ts"

/** An entry as it is stored: with what it took from, or gave back to, each grant (amounts are positive). */
export type StoredEntry = LedgerEntry & { readonly allocations: ReadonlyArray<Allocation> }

/** Answers `value` and changes nothing, but for what `change` names. */
export const decide = <A>(value: A, change: Partial<Omit<LedgerDecision<A>, "value">> = {}): LedgerDecision<A> => ({
  value,
  entries: [],
  newGrants: [],
  access: [],
  exports: 0,
  counted: nothing,
  holds: null,
  ...change
})

/** The property that the command is about, where the decision takes it as a record. */
export const takenProperty = (subject: Subject, { counted }: LedgerDecision<unknown>): ReadonlyArray<string> => {
  const about = subject._tag === "Property" || subject._tag === "Exports" ? subject.propertyId : undefined
  return about !== undefined && counted.records.some(({ id, kind }) => kind === "property" && id === about)
    ? [about]
    : []
}

/** The decision's entries with number, time and running balance, as they follow the snapshot. */
export const numbered = (
  snapshot: Pick<LedgerSnapshot, "grants" | "version">,
  entries: ReadonlyArray<EntryDraft>,
  now: number
): ReadonlyArray<StoredEntry> => {
  const at = DateTime.formatIso(DateTime.makeUnsafe(now))
  let balance = snapshot.grants.reduce((sum, grant) => sum + grant.remaining, 0)
  return entries.map((draft, index) => {
    balance += total(draft.buckets)
    return { ...draft, entry: snapshot.version + 1 + index, at, balance_after: balance }
  })
}
