/**
 * What the call in progress charged and what is left, told to the host beside the answer.
 *
 * A host provides a fresh `Receipt` for each call and reads it after the operation succeeded: REST shows it in the headers
 * `Service-Credits-Charged` and `Service-Credits-Remaining`. Without a host nobody listens. What is left is known from the
 * decision itself, so that nothing is read for it.
 */
import { Context, Effect, MutableRef, Option, Result } from "effect"
import { total } from "./Bucket.ts"
import { spendable } from "./BurnDown.ts"
import type { LedgerDecision, LedgerSnapshot } from "./Ledger.ts"

export interface ReceiptFacts {
  readonly charged: number
  /** Spendable credits after the call; null: the answer did not need to look. */
  readonly remaining: number | null
}

type Told = MutableRef.MutableRef<Option.Option<ReceiptFacts>>

export const Receipt = Context.Reference<Option.Option<Told>>("@freehold/core/credit/Receipt", {
  defaultValue: () => Option.none()
})

/** Tells the host, if there is one. */
export const tell = (facts: ReceiptFacts): Effect.Effect<void> =>
  Effect.map(Receipt, Option.map((told) => MutableRef.set(told, Option.some(facts))))

/** Runs the effect with somebody listening; answers with what it told. */
export const listening = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const told: Told = MutableRef.make(Option.none<ReceiptFacts>())
    return Effect.map(
      Effect.provideService(effect, Receipt, Option.some(told)),
      (answer) => ({ answer, receipt: MutableRef.get(told) })
    )
  })

/** The decision together with the credits that it leaves. */
export const withRemaining =
  <A, E>(decide: (snapshot: LedgerSnapshot) => Result.Result<LedgerDecision<A>, E>, now: number) =>
  (snapshot: LedgerSnapshot): Result.Result<LedgerDecision<{ readonly value: A; readonly remaining: number }>, E> =>
    Result.map(decide(snapshot), (decision) => {
      const charges = decision.entries.filter(({ kind }) => kind === "charge")
      const spent = charges.reduce((sum, { credits }) => sum + credits, 0)
      return {
        ...decision,
        value: { value: decision.value, remaining: total(spendable(snapshot.grants, now)) + spent }
      }
    })
