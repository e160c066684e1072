/** What workers do, beside a server or alone, for as long as they live. */
import * as DatabaseClock from "@freehold/adapters-pg/database/DatabaseClock"
import * as ResearchRunsPg from "@freehold/adapters-pg/research/ResearchRunsPg"
import * as DeliveriesPg from "@freehold/adapters-pg/webhook/DeliveriesPg"
import { Signals } from "@freehold/core/change/Signals"
import { LeadBundles } from "@freehold/core/lead/LeadBundles"
import * as ResearchRunner from "@freehold/core/research/ResearchRunner"
import * as DeliveryWorker from "@freehold/webhook-worker/DeliveryWorker"
import { Sender } from "@freehold/webhook-worker/Sender"
import { Effect, Layer } from "effect"
import * as CrmPusherConfigured from "../CrmPusherConfigured.ts"
import { workerClients } from "../DatabaseClients.ts"
import { publicOrigin } from "../Origin.ts"
import { researcher } from "../Researchers.ts"
import { Settings } from "../Settings.ts"
import * as MatchWorker from "../source/MatchWorker.ts"
import { sourceStore } from "../source/SourceStore.ts"
import * as SourceWorker from "../source/SourceWorker.ts"
import * as StartLine from "../watch/StartLine.ts"
import { watching } from "../watch/Watching.ts"
import { keyed, onlyIfMigrated } from "./Foundation.ts"
import { housekeeping, inBackground } from "./Housekeeping.ts"
import { research } from "./ResearchParts.ts"
import { onlyWithItsKey, sealer, serviceSettingsOf } from "./Sealing.ts"

/** Works on the runs of research, in the background for as long as the layer lives. */
const researchWorker = (publicUrl: string) =>
  Layer.unwrap(
    Effect.map(Settings, ({ researchTimeout, webhookRetryDelays }) =>
      ResearchRunner.layer(
        ResearchRunner.settingsOf({ patience: researchTimeout, retryDelays: webhookRetryDelays })
      ).pipe(Layer.provide([researcher(publicUrl), research])))
  )

/** The delivery worker, in the background for as long as the layer lives. */
const deliveryWorker = (publicUrl: string) =>
  Layer.unwrap(
    Effect.map(
      Settings,
      ({ webhookRetryDelays: retryDelays, webhookTargets, webhookTimeout: timeout }) =>
        DeliveryWorker.layer(DeliveryWorker.settingsOf({ retryDelays, timeout })).pipe(
          Layer.provide([
            DeliveriesPg.layer,
            LeadBundles.layer,
            Signals.layer,
            Sender.layer({ policy: webhookTargets, timeout }),
            CrmPusherConfigured.layer
          ]),
          Layer.provide([sealer, serviceSettingsOf(publicUrl)])
        )
    )
  )

const sourceWorker = SourceWorker.layerConfigured.pipe(Layer.provide(sourceStore))

/** What works in the background for as long as the layer lives: deliveries, research, the sync of sources, and matching. */
export const workers = (publicUrl: string) =>
  inBackground(Layer.mergeAll(deliveryWorker(publicUrl), researchWorker(publicUrl), sourceWorker, MatchWorker.layer))

/** The workers alone. */
export const loneWorkers = StartLine.worker.pipe(
  Layer.provide(Layer.unwrap(
    Effect.map(Settings, (settings) => Layer.merge(workers(publicOrigin(settings)), housekeeping))
  )),
  Layer.provide(watching),
  Layer.provide(DatabaseClock.layer),
  Layer.provide(onlyWithItsKey),
  Layer.provide(onlyIfMigrated),
  Layer.provide(workerClients),
  Layer.provide(ResearchRunsPg.Wakes.layer),
  Layer.provide(keyed)
)
