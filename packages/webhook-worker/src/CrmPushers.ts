/**
 * The `CrmPusher` of each kind of CRM.
 *
 * One that asked to wait is left alone until then, for all that waits for it: each attempt would cost it another request.
 */
import type { TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import { CrmPusher, type CrmTarget, type PushOutcome } from "@freehold/core/webhook/CrmPusher"
import { Clock, type Duration, Effect, Layer } from "effect"
import { CrmCall } from "./CrmCall.ts"
import * as HubSpot from "./HubSpot.ts"
import * as Salesforce from "./Salesforce.ts"

export interface CrmPusherOptions {
  readonly policy: TargetPolicy
  /** The deadline of a push, of all that is asked for it together. */
  readonly timeout: Duration.Input
}

const late: PushOutcome = { _tag: "Failed", status: null, reason: "timeout: the CRM takes too long" }

export const layer = ({ policy, timeout }: CrmPusherOptions): Layer.Layer<CrmPusher> =>
  Layer.effect(
    CrmPusher,
    Effect.gen(function*() {
      const call = yield* CrmCall
      const hubSpot = HubSpot.make(call)
      const salesforce = Salesforce.make(call)
      /** By endpoint: how it is to be answered until then. */
      const waiting = new Map<string, Extract<PushOutcome, { readonly _tag: "Postponed" }>>()

      const within = Effect.fnUntraced(function*({ endpointId }: CrmTarget, pushing: Effect.Effect<PushOutcome>) {
        const asked = waiting.get(endpointId)
        if (asked !== undefined && asked.until > (yield* Clock.currentTimeMillis)) return asked
        waiting.delete(endpointId)
        const outcome = yield* Effect.timeoutOrElse(pushing, { duration: timeout, orElse: () => Effect.succeed(late) })
        if (outcome._tag === "Postponed") waiting.set(endpointId, outcome)
        return outcome
      })

      return CrmPusher.of({
        push: Effect.fn("CrmPusher.push")((target, lead) => {
          const { settings } = target
          return within(
            target,
            settings.kind === "hubspot"
              ? hubSpot.push(target, settings, lead)
              : salesforce.push(target, settings, lead)
          )
        }),
        check: Effect.fn("CrmPusher.check")((target) => {
          const { settings } = target
          return within(
            target,
            settings.kind === "hubspot" ? hubSpot.check(target, settings) : salesforce.check(target, settings)
          )
        })
      })
    })
  ).pipe(Layer.provide(CrmCall.layer(policy)))
