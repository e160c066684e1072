/**
 * Charges organizations for what an application around the core sells: each action once a subject.
 *
 * A second call about the same subject while the first runs is refused ACTION_IN_PROGRESS; afterwards it is free. So an
 * application charges first and works then: when its work fails, a repeated call costs nothing.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { OrganizationId } from "../access/Organization.ts"
import { invalid, type InvalidInput } from "../operation/InvalidInput.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Consent, MoneyRefusal } from "./Charge.ts"
import type { ActionInProgress, CostConfirmationRequired } from "./CreditRefusals.ts"
import { Ledger } from "./Ledger.ts"
import type { EntryActor } from "./LedgerEntry.ts"
import { type OwnAction, OwnSubjectId } from "./OwnAction.ts"
import { decideOwnAction, type OwnActionBill } from "./OwnActionDecision.ts"

/** Why an own action is not charged; nothing changed. */
export type OwnActionRefusal =
  | InvalidInput
  | MoneyRefusal
  | CostConfirmationRequired
  | ActionInProgress
  | TemporarilyUnavailable

const isSubjectId = Schema.is(OwnSubjectId)

export class OwnActionBilling extends Context.Service<OwnActionBilling, {
  /** Charges one action about one subject, unless it was charged before. Atomic. */
  charge(
    request: Consent & {
      readonly orgId: OrganizationId
      readonly action: OwnAction
      readonly subjectId: string
      readonly actor: EntryActor
      /** Kept with the entry. */
      readonly requestId: string | null
    }
  ): Effect.Effect<OwnActionBill, OwnActionRefusal>
}>()("@freehold/core/credit/OwnActionBilling") {
  static readonly layer = Layer.effect(
    OwnActionBilling,
    Effect.gen(function*() {
      const ledger = yield* Ledger
      return OwnActionBilling.of({
        charge: Effect.fn("OwnActionBilling.charge")(function*({ orgId, ...request }) {
          const { action, subjectId } = request
          if (!isSubjectId(subjectId)) {
            return yield* invalid("subjectId", "Expected 1 to 200 characters without NUL")
          }
          const now = yield* Clock.currentTimeMillis
          return yield* ledger.transact(
            { orgId, subject: { _tag: "Own", action: action.name, subjectId }, exclusive: true, now },
            (snapshot) => decideOwnAction(snapshot, { ...request, now })
          )
        })
      })
    })
  )
}
