/**
 * What a delivery carries, and whether it may be sent at all: decided anew at each attempt, before anything was sent.
 *
 * `data` is built at the first attempt and stored before it is sent, or kept with the outcome where it follows from the event; the
 * envelope and the signature are made at each. Where limits or credits do not let an attempt start, `Postponed` and
 * `Cancelled` are the answers for it.
 */
import { Signals } from "@freehold/core/change/Signals"
import type { AttemptVerdict } from "@freehold/core/credit/DeliveryDecision"
import type { Ledger } from "@freehold/core/credit/Ledger"
import { LeadBundles } from "@freehold/core/lead/LeadBundles"
import { namesMore } from "@freehold/core/lead/OutdatedBundle"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { type AttemptOutcome, type ClaimedDelivery, Deliveries } from "@freehold/core/webhook/Deliveries"
import * as DeliveryMeter from "@freehold/core/webhook/DeliveryMeter"
import { Clock, Effect, Option } from "effect"

/** What to send, or how it ended before anything was sent; none when somebody else has the delivery. */
export type Prepared =
  | {
    readonly _tag: "Ready"
    readonly data: string
    /** It follows from the event, and is kept with the outcome; absent: it is stored. */
    readonly derived?: true
  }
  | { readonly _tag: "Ended"; readonly outcome: AttemptOutcome }
  | { readonly _tag: "Lost" }

export type Ready = Extract<Prepared, { readonly _tag: "Ready" }>

const nothingToSend = (reason: string): Prepared => ({
  _tag: "Ended",
  outcome: { _tag: "Cancelled", state: "failed", reason }
})

/** How an attempt ends that the organization's limits or credits do not let start. */
const notNow = (verdict: Exclude<AttemptVerdict, { readonly _tag: "Admitted" }>): AttemptOutcome =>
  verdict._tag === "Refused"
    ? { _tag: "Cancelled", state: "refused_no_credit", reason: verdict.reason }
    : {
      _tag: "Postponed",
      until: verdict.until,
      state: verdict.limited ? "postponed_daily_limit" : "retry_wait",
      reason: verdict.reason
    }

export const make = Effect.gen(function*() {
  const deliveries = yield* Deliveries
  const bundles = yield* LeadBundles
  const signals = yield* Signals

  const store = Effect.fnUntraced(
    function*(
      { claim, data: outdated, deliveryId, organization }: ClaimedDelivery,
      data: object
    ): Effect.fn.Return<Prepared, TemporarilyUnavailable> {
      const stored = yield* deliveries.storeData(
        { orgId: organization.org_id, deliveryId, claim },
        JSON.stringify(data),
        outdated ?? undefined
      )
      return Option.match(stored, {
        onNone: () => ({ _tag: "Lost" }),
        onSome: (text) => ({ _tag: "Ready", data: text })
      })
    }
  )

  /**
   * Whether a change may be told is asked at each attempt; what is told of it is built once, unless a name is withheld. What
   * holds no evidence follows from the event alone: it is the same however often it is built, and need not be stored first.
   */
  const buildSignal = Effect.fnUntraced(
    function*(claimed: ClaimedDelivery): Effect.fn.Return<Prepared, TemporarilyUnavailable> {
      const built = yield* signals.build(claimed)
      if (Option.isNone(built)) return nothingToSend("the change is gone")
      if (built.value._tag === "Withheld") return nothingToSend(built.value.reason)
      const { data } = built.value
      const evidence = "evidence" in data ? data.evidence : undefined
      if (claimed.data !== null && evidence?.owner_withheld !== true) return { _tag: "Ready", data: claimed.data }
      return evidence === undefined
        ? { _tag: "Ready", data: JSON.stringify(data), derived: true }
        : yield* store(claimed, data)
    }
  )

  /** Built once, and anew when it names somebody whom it would not name now. */
  const buildLead = Effect.fnUntraced(
    function*(claimed: ClaimedDelivery): Effect.fn.Return<Prepared, TemporarilyUnavailable> {
      const { data, eventType, organization, partial, propertyId } = claimed
      if (eventType !== "lead.qualified" || propertyId === null) {
        return nothingToSend(`nothing is sent for ${eventType}`)
      }
      const now = yield* Clock.currentTimeMillis
      const bundle = yield* bundles.build({ organization, propertyId, partial, now })
      if (Option.isNone(bundle)) return nothingToSend("the property is gone")
      return data === null || namesMore(data, bundle.value)
        ? yield* store(claimed, bundle.value)
        : { _tag: "Ready", data }
    }
  )

  const build = (claimed: ClaimedDelivery): Effect.Effect<Prepared, TemporarilyUnavailable> => {
    const { data, eventType, test } = claimed
    if (test && data !== null) return Effect.succeed({ _tag: "Ready", data })
    return eventType.startsWith("signal.") ? buildSignal(claimed) : buildLead(claimed)
  }

  return Effect.fnUntraced(
    function*(claimed: ClaimedDelivery): Effect.fn.Return<Prepared, TemporarilyUnavailable, Ledger> {
      if (claimed.crm !== null && !claimed.organization.features.full_crm_export) {
        return nothingToSend("plan_not_eligible")
      }
      const built = yield* build(claimed)
      if (built._tag !== "Ready" || !DeliveryMeter.isMetered(claimed)) return built
      const verdict = yield* DeliveryMeter.admit(claimed, built.data, yield* Clock.currentTimeMillis)
      return verdict._tag === "Admitted" ? built : { _tag: "Ended", outcome: notNow(verdict) }
    }
  )
})
