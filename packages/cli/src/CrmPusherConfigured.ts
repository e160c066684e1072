/** What asks CRMs, under the operator's settings of webhooks. */
import * as CrmPushers from "@freehold/webhook-worker/CrmPushers"
import { Effect, Layer } from "effect"
import { Settings } from "./Settings.ts"

export const layer = Layer.unwrap(
  Effect.map(
    Settings,
    ({ webhookTargets, webhookTimeout: timeout }) => CrmPushers.layer({ policy: webhookTargets, timeout })
  )
)
