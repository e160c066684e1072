/**
 * What the call in progress charged and what is left, told to the host beside the answer: REST shows it in the headers
 * `Service-Credits-Charged` and `Service-Credits-Remaining`. What is left is known from the decision itself; where there was
 * nothing to decide, it is read.
 */
import { Result } from "effect"
import * as Aside from "../operation/Aside.ts"
import { total } from "./Bucket.ts"
import { spendable } from "./BurnDown.ts"
import type { AccountBalance, LedgerDecision, LedgerSnapshot } from "./Ledger.ts"
import type { EntryDraft } from "./LedgerEntry.ts"

export interface ReceiptFacts {
  readonly charged: number
  /** Spendable credits after the call; null: the answer did not need to look. */
  readonly remaining: number | null
  /** The numbers of its charges in the ledger, the receipts. */
  readonly entries: ReadonlyArray<number>
}

/** What was charged nothing, being the organization's already, and the credits that there are. */
export const nothingCharged = ({ balance }: AccountBalance): ReceiptFacts => ({
  charged: 0,
  remaining: total(balance),
  entries: []
})

export const { listener, listening, tell } = Aside.make<ReceiptFacts>("@freehold/core/credit/Receipt")

/** Spendable credits once the entries are in the ledger. */
export const remainingAfter = (
  { grants }: LedgerSnapshot,
  entries: ReadonlyArray<Pick<EntryDraft, "kind" | "credits">>,
  now: number
): number =>
  entries.reduce((sum, { credits, kind }) => kind === "charge" ? sum + credits : sum, total(spendable(grants, now)))

/** The decision together with the credits that it leaves, and the numbers that its charges will have. */
export const withRemaining =
  <A, E>(decide: (snapshot: LedgerSnapshot) => Result.Result<LedgerDecision<A>, E>, now: number) =>
  (snapshot: LedgerSnapshot): Result.Result<LedgerDecision<{ readonly value: A } & Omit<ReceiptFacts, "charged">>, E> =>
    Result.map(decide(snapshot), (decision) => ({
      ...decision,
      value: {
        value: decision.value,
        remaining: remainingAfter(snapshot, decision.entries, now),
        // The ledger numbers its entries without gaps.
        entries: decision.entries.flatMap(({ kind }, index) => kind === "charge" ? [snapshot.version + index + 1] : [])
      }
    }))
