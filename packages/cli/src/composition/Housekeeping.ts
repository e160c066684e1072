/** What every server does in the background, whether it has workers or not. */
import * as AbandonedLoadsPg from "@freehold/adapters-pg/import/AbandonedLoadsPg"
import * as ResearchRunsPg from "@freehold/adapters-pg/research/ResearchRunsPg"
import * as MonthlyGranter from "@freehold/core/credit/MonthlyGranter"
import * as NoticeMailer from "@freehold/core/notice/NoticeMailer"
import * as Sweeper from "@freehold/core/retention/Sweeper"
import { Duration, Effect, Layer, Option } from "effect"
import { workerClients } from "../DatabaseClients.ts"
import { publicOrigin } from "../Origin.ts"
import { records } from "../Records.ts"
import * as Resealing from "../Resealing.ts"
import * as ResearchCallback from "../ResearchCallback.ts"
import { Settings } from "../Settings.ts"
import { mailer } from "./Mailing.ts"
import { sealer } from "./Sealing.ts"

/**
 * The layer over adapters and connections of its own, beside those that answer requests. Settings, and what wakes the
 * workers, are the same.
 */
export const inBackground = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  Layer.fresh(layer.pipe(Layer.provide(records))).pipe(Layer.provide(workerClients))

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
 * what is too old, mails what somebody has to be told, seals anew what an earlier key sealed, and ends what an import left.
 */
export const housekeeping = inBackground(
  Layer.mergeAll(
    MonthlyGranter.layer,
    noticeMailer,
    Layer.unwrap(Effect.map(Settings, ({ kept }) => Sweeper.layer(kept))),
    Resealing.layer.pipe(Layer.provide(sealer)),
    AbandonedLoadsPg.layer
  )
)
