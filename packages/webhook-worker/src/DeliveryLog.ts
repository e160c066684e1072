/** What is logged of a delivery: a warning when it ends without a 2xx, with the cause and the receiver's host; and trouble of ours. */
import * as LogPace from "@freehold/core/operation/LogPace"
import type { AttemptOutcome, ClaimedDelivery } from "@freehold/core/webhook/Deliveries"
import { type Cause, Effect, LogLevel } from "effect"

const ends = ({ attempt }: ClaimedDelivery, { _tag }: AttemptOutcome, attempts: number): boolean =>
  _tag === "Gone" || _tag === "Blocked" || _tag === "Cancelled" || _tag === "Failed" && attempt >= attempts

const pace = LogPace.make()
const paceOfTrouble = LogPace.make()

/** Which delivery it is, for logs and traces; of the URL the host alone, since the rest may hold a secret. */
export const factsOf = (claimed: ClaimedDelivery): Readonly<Record<string, unknown>> => ({
  delivery: claimed.deliveryId,
  event_id: claimed.eventId,
  event_type: claimed.eventType,
  org_id: claimed.organization.org_id,
  endpoint: claimed.endpointId,
  host: URL.parse(claimed.url)?.host ?? "",
  attempt: claimed.attempt
})

/** How an attempt ended, for logs and traces. */
export const endingOf = (outcome: AttemptOutcome): Readonly<Record<string, unknown>> => ({
  outcome: outcome._tag.toLowerCase(),
  ..."status" in outcome ? { status: outcome.status } : {},
  ..."reason" in outcome ? { cause: outcome.reason } : {}
})

/** Trouble of ours; a database that is away is that of everything that is held. */
export const tellTrouble = (
  { deliveryId }: Pick<ClaimedDelivery, "deliveryId">,
  cause: Cause.Cause<unknown>
): Effect.Effect<void> => paceOfTrouble(Effect.logError(`webhook delivery ${deliveryId} is postponed`, cause))

/** `attempts`: after so many that failed the delivery ends. */
export const tell = (claimed: ClaimedDelivery, outcome: AttemptOutcome, attempts: number): Effect.Effect<void> => {
  const annotated = (line: Effect.Effect<void>) =>
    Effect.annotateLogs(line, { ...factsOf(claimed), ...endingOf(outcome) })
  return ends(claimed, outcome, attempts)
    ? pace(annotated(Effect.logWarning("webhook delivery ended without success")))
    // Nobody wants to know of most, at a level that is rarely on.
    : Effect.flatMap(
      LogLevel.isEnabled("Debug"),
      (isTold) => isTold ? annotated(Effect.logDebug("webhook delivery attempted")) : Effect.void
    )
}
