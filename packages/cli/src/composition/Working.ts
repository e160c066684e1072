/** What is done in the background, by a server or by workers alone, for as long as they live. */
import * as DatabaseClock from "@freehold/adapters-pg/database/DatabaseClock"
import * as ResearchRunsPg from "@freehold/adapters-pg/research/ResearchRunsPg"
import * as DeliveriesPg from "@freehold/adapters-pg/webhook/DeliveriesPg"
import { Signals } from "@freehold/core/change/Signals"
import * as MonthlyGranter from "@freehold/core/credit/MonthlyGranter"
import { LeadBundles } from "@freehold/core/lead/LeadBundles"
import * as NoticeMailer from "@freehold/core/notice/NoticeMailer"
import * as ResearchRunner from "@freehold/core/research/ResearchRunner"
import * as Sweeper from "@freehold/core/retention/Sweeper"
import * as DeliveryWorker from "@freehold/webhook-worker/DeliveryWorker"
import { Sender } from "@freehold/webhook-worker/Sender"
import { Duration, Effect, Layer, Option } from "effect"
import * as CrmPusherConfigured from "../CrmPusherConfigured.ts"
import { workerClients } from "../DatabaseClients.ts"
import { publicOrigin } from "../Origin.ts"
import { records } from "../Records.ts"
import * as Resealing from "../Resealing.ts"
import * as ResearchCallback from "../ResearchCallback.ts"
import { researcher } from "../Researchers.ts"
import { Settings } from "../Settings.ts"
import * as MatchWorker from "../source/MatchWorker.ts"
import { sourceStore } from "../source/SourceStore.ts"
import * as SourceWorker from "../source/SourceWorker.ts"
import * as StartLine from "../watch/StartLine.ts"
import { watching } from "../watch/Watching.ts"
import { keyed, onlyIfMigrated } from "./Foundation.ts"
import { mailer } from "./Mailing.ts"
import { research } from "./ResearchParts.ts"
import { onlyWithItsKey, sealer, serviceSettingsOf } from "./Sealing.ts"

/**
 * The layer over adapters and connections of its own, beside those that answer requests. Settings, and what wakes the
 * workers, are the same.
 */
const inBackground = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  Layer.fresh(layer.pipe(Layer.provide(records))).pipe(Layer.provide(workerClients))

/** Works on the runs of research, in the background for as long as the layer lives. */
const researchWorker = (publicUrl: string) =>
  Layer.unwrap(
    Effect.map(Settings, ({ researchTimeout, webhookRetryDelays }) =>
      ResearchRunner.layer(
        ResearchRunner.settingsOf({ patience: researchTimeout, retryDelays: webhookRetryDelays })
      ).pipe(Layer.provide([researcher(publicUrl), research])))
  )

/** Takes the answers of a researcher that was given jobs; nothing when there is none. */
export const researchAnswers = Layer.unwrap(
  Effect.map(Settings, ({ researcher }) =>
    Option.match(researcher, {
      onNone: () => Layer.empty,
      // What an answer brings is loaded like an import, and may wait for one.
      onSome: ({ secret }) =>
        ResearchCallback.layer(secret).pipe(Layer.provide(inBackground(ResearchRunsPg.layerWoken)))
    }))
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

const mailPoll = Duration.seconds(10)

/** Sends notices as mails, where that is set up. */
const noticeMailer = Layer.unwrap(Effect.map(Settings, (settings) => {
  const { mail, operatorMail: operator } = settings
  return Option.isNone(mail)
    ? Layer.empty
    : NoticeMailer.layer({ operator, origin: publicOrigin(settings), poll: mailPoll }).pipe(
      Layer.provide(Layer.orDie(mailer))
    )
}))

/**
 * What every server and worker does in the background for as long as the layer lives: grants monthly allotments, removes
 * what is too old, mails what somebody has to be told, and seals anew what an earlier key sealed.
 */
export const housekeeping = inBackground(
  Layer.mergeAll(
    MonthlyGranter.layer,
    noticeMailer,
    Layer.unwrap(Effect.map(Settings, ({ kept }) => Sweeper.layer(kept))),
    Resealing.layer.pipe(Layer.provide(sealer))
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
