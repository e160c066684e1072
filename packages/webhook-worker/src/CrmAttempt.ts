/** One attempt of a delivery to a CRM: a lead is pushed, a test looks whether one could be. */
import { LeadBundle } from "@freehold/core/lead/LeadOperations"
import { leadOf } from "@freehold/core/webhook/CrmLead"
import { CrmPusher, type PushOutcome } from "@freehold/core/webhook/CrmPusher"
import type { CrmSettings } from "@freehold/core/webhook/CrmSettings"
import type { ClaimedDelivery } from "@freehold/core/webhook/Deliveries"
import { Duration, Effect, Schema } from "effect"
import type * as AttemptMetrics from "./AttemptMetrics.ts"

const readBundle = Schema.decodeEffect(Schema.fromJsonString(LeadBundle))

/** What `AttemptMetrics` calls how it ended. */
const nameOf = (outcome: PushOutcome): string =>
  outcome._tag === "Failed" ? outcome.status === null ? "unanswered" : "rejected" : outcome._tag.toLowerCase()

export const make = (count: Effect.Success<typeof AttemptMetrics.make>["count"]) =>
  Effect.map(CrmPusher, (pusher) => {
    const outcomeOf = Effect.fnUntraced(function*(claimed: ClaimedDelivery, settings: CrmSettings, data: string) {
      const { endpointId, secrets: [credentials], test, url } = claimed
      if (credentials === undefined) return yield* Effect.die(`endpoint ${endpointId} has no credentials`)
      const target = { endpointId, url, settings, credentials }
      if (test) return yield* pusher.check(target)
      return yield* pusher.push(target, leadOf(yield* Effect.orDie(readBundle(data))))
    })
    return Effect.fnUntraced(function*(claimed: ClaimedDelivery, settings: CrmSettings, data: string) {
      const [took, outcome] = yield* Effect.timed(outcomeOf(claimed, settings, data))
      const durationMillis = Math.round(Duration.toMillis(took))
      yield* count(claimed.endpointId, nameOf(outcome), durationMillis)
      return { outcome, durationMillis }
    })
  })
