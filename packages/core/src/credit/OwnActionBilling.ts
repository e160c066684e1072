/**
 * Charges organizations for what an application around the core sells: each action once a subject.
 *
 * A second call about the same subject while the first runs is refused ACTION_IN_PROGRESS; afterwards it is free. So an
 * application charges first and works then: when its work fails, a repeated call costs nothing.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import * as Acting from "../access/Acting.ts"
import type { CallerFacts } from "../access/Caller.ts"
import type { EntryActor } from "../access/EntryActor.ts"
import { ofCaller, queryOf } from "../limit/Limits.ts"
import { invalid, type InvalidInput } from "../operation/InvalidInput.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Consent, MoneyRefusal } from "./Charge.ts"
import type { ActionInProgress, CostConfirmationRequired } from "./CreditRefusals.ts"
import { Ledger } from "./Ledger.ts"
import { type OwnAction, OwnSubjectId } from "./OwnAction.ts"
import { decideOwnAction, type OwnActionBill } from "./OwnActionDecision.ts"

/** Why an own action is not charged; nothing changed. */
export type OwnActionRefusal =
  | InvalidInput
  | MoneyRefusal
  | CostConfirmationRequired
  | ActionInProgress
  | TemporarilyUnavailable

/** Whoever was admitted, or the application itself. A member pays as the caller, so that their monthly limit holds. */
export type OwnActionPayer =
  | { readonly caller: CallerFacts }
  | {
    readonly orgId: OrganizationId
    readonly actor: EntryActor & { readonly kind: Exclude<EntryActor["kind"], "member"> }
  }

/** What a payer is to the ledger, at a moment in milliseconds. */
const accountOf = (payer: OwnActionPayer, now: number) => {
  if (!("caller" in payer)) return { orgId: payer.orgId, actor: payer.actor, limits: undefined, usage: {} }
  const { caller } = payer
  const limits = ofCaller(caller, now)
  return {
    orgId: caller.organization.org_id,
    actor: Acting.actor(caller),
    limits,
    usage: limits.spender === null ? {} : { usage: queryOf(limits) }
  }
}

const isSubjectId = Schema.is(OwnSubjectId)

/** Charges for own actions, once for each organization, action and subject. */
export class OwnActionBilling extends Context.Service<OwnActionBilling, {
  /** Charges one action about one subject, unless it was charged before. Atomic. */
  charge(
    request: Consent & OwnActionPayer & {
      readonly action: OwnAction
      readonly subjectId: string
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
        charge: Effect.fn("OwnActionBilling.charge")(function*(request) {
          const { action, maxCredits, requestId, subjectId } = request
          if (!isSubjectId(subjectId)) {
            return yield* invalid("subjectId", "Expected 1 to 200 characters without NUL")
          }
          const now = yield* Clock.currentTimeMillis
          const { actor, limits, orgId, usage } = accountOf(request, now)
          return yield* ledger.transact(
            { orgId, subject: { _tag: "Own", action: action.name, subjectId }, exclusive: true, now, ...usage },
            (snapshot) => decideOwnAction(snapshot, { action, subjectId, maxCredits, actor, requestId, limits, now })
          )
        })
      })
    })
  )
}
