/** What is kept sealed with the operator's key, and what is sent to whoever registered an endpoint. */
import * as SealerNode from "@freehold/adapters-pg/webhook/SealerNode"
import * as WebhookEndpointsPg from "@freehold/adapters-pg/webhook/WebhookEndpointsPg"
import { ServiceSettings } from "@freehold/core/operation/ServiceSettings"
import { Duration, Effect, Layer } from "effect"
import { refuseOtherKey } from "../DatabaseGuards.ts"
import { appOrigin } from "../Origin.ts"
import { Settings } from "../Settings.ts"
import { withKeys } from "../WithKeys.ts"

export const sealer = withKeys(SealerNode.layer)
export const onlyWithItsKey = Layer.effectDiscard(refuseOtherKey).pipe(Layer.provide(sealer))

export const endpoints = WebhookEndpointsPg.layer.pipe(Layer.provideMerge(sealer))

/** What the operator set that the domain needs. */
export const serviceSettingsOf = (publicUrl: string) =>
  Layer.effect(
    ServiceSettings,
    Effect.map(Settings, (settings) => ({
      appUrl: appOrigin(settings, publicUrl),
      feedDelayMillis: Duration.toMillis(settings.feedDelay),
      webhookTargets: settings.webhookTargets
    }))
  )
