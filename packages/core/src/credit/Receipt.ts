/**
 * What the call in progress charged and what is left, told to the host beside the answer: REST shows it in the headers
 * `Service-Credits-Charged` and `Service-Credits-Remaining`. What is left is known from the decision itself; where there was
 * nothing to decide, it is read.
 */
import { Result } from "effect"
import type { Limits } from "../limit/Limits.ts"
import * as Aside from "../operation/Aside.ts"
import { total } from "./Bucket.ts"
import { spendable } from "./BurnDown.ts"
import { ownRemaining } from "./Charge.ts"
import type { AccountBalance, LedgerDecision, LedgerSnapshot } from "./Ledger.ts"
import type { EntryDraft } from "./LedgerEntry.ts"

export interface ReceiptFacts {
  readonly charged: number
  /** Spendable credits after the call; null: the answer did not need to look. */
  readonly remaining: number | null
  /** What is left of the own monthly limit of the member who calls; null: they have none, or the answer did not need to look. */
  readonly ownRemaining: number | null
  /** The numbers of its charges in the ledger, the receipts. */
  readonly entries: ReadonlyArray<number>
}

/** What was charged nothing, being the organization's already, and the credits that there are. */
export const nothingCharged = ({ balance }: AccountBalance): ReceiptFacts => ({
  charged: 0,
  remaining: total(balance),
  ownRemaining: null,
  entries: []
})

export const { listener, listening, tell } = Aside.make<ReceiptFacts>("@freehold/core/credit/Receipt")

/** What can be spent once the entries are in the ledger: credits, and of the caller's own limit. */
export const leftAfter = (
  { grants, usage }: LedgerSnapshot,
  entries: ReadonlyArray<Pick<EntryDraft, "kind" | "credits">>,
  { now, spender }: Pick<Limits, "now" | "spender">
): Pick<ReceiptFacts, "remaining" | "ownRemaining"> => {
  const charged = entries.reduce((sum, { credits, kind }) => kind === "charge" ? sum - credits : sum, 0)
  return {
    remaining: total(spendable(grants, now)) - charged,
    ownRemaining: ownRemaining(spender, usage.spent + charged)
  }
}

/** The decision together with what it leaves, and the numbers that its charges will have. */
export const withRemaining =
  <A, E>(decide: (snapshot: LedgerSnapshot) => Result.Result<LedgerDecision<A>, E>, limits: Limits) =>
  (snapshot: LedgerSnapshot): Result.Result<LedgerDecision<{ readonly value: A } & Omit<ReceiptFacts, "charged">>, E> =>
    Result.map(decide(snapshot), (decision) => ({
      ...decision,
      value: {
        value: decision.value,
        ...leftAfter(snapshot, decision.entries, limits),
        // The ledger numbers its entries without gaps.
        entries: decision.entries.flatMap(({ kind }, index) => kind === "charge" ? [snapshot.version + index + 1] : [])
      }
    }))
