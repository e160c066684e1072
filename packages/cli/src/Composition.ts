/**
 * The one place where adapters meet hosts: every port over PostgreSQL, the domain's services on the ports.
 *
 * Commands load this module when they run and not before, since it loads everything.
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as EntrancePg from "@freehold/adapters-pg/access/EntrancePg"
import * as AdministrationLogPg from "@freehold/adapters-pg/administration/AdministrationLogPg"
import * as OperatorLogPg from "@freehold/adapters-pg/administration/OperatorLogPg"
import * as AllotmentsPg from "@freehold/adapters-pg/credit/AllotmentsPg"
import * as AuditorPg from "@freehold/adapters-pg/credit/AuditorPg"
import * as DatabaseClock from "@freehold/adapters-pg/database/DatabaseClock"
import * as IdempotencyPg from "@freehold/adapters-pg/operation/IdempotencyPg"
import * as OrganizationsPg from "@freehold/adapters-pg/organization/OrganizationsPg"
import * as AddressLimiterPg from "@freehold/adapters-pg/rate/AddressLimiterPg"
import * as ResearchRunsPg from "@freehold/adapters-pg/research/ResearchRunsPg"
import * as SourcesPg from "@freehold/adapters-pg/source/SourcesPg"
import * as DeliveriesPg from "@freehold/adapters-pg/webhook/DeliveriesPg"
import * as KeyProofPg from "@freehold/adapters-pg/webhook/KeyProofPg"
import * as SealerNode from "@freehold/adapters-pg/webhook/SealerNode"
import * as WebhookEndpointsPg from "@freehold/adapters-pg/webhook/WebhookEndpointsPg"
import { Admission } from "@freehold/core/access/Admission"
import { AppSignIn } from "@freehold/core/access/AppSignIn"
import * as IssuerWatch from "@freehold/core/access/IssuerWatch"
import { OperatorSignIn } from "@freehold/core/access/OperatorSignIn"
import { AppCatalogue } from "@freehold/core/catalogue/AppCatalogue"
import { Catalogue } from "@freehold/core/catalogue/Catalogue"
import { OperatorCatalogue } from "@freehold/core/catalogue/OperatorCatalogue"
import { Signals } from "@freehold/core/change/Signals"
import * as MonthlyGranter from "@freehold/core/credit/MonthlyGranter"
import { LeadBundles } from "@freehold/core/lead/LeadBundles"
import * as Workload from "@freehold/core/load/Workload"
import { Mailer } from "@freehold/core/notice/Mailer"
import * as NoticeMailer from "@freehold/core/notice/NoticeMailer"
import { CursorSeal } from "@freehold/core/operation/CursorSeal"
import { ServiceSettings } from "@freehold/core/operation/ServiceSettings"
import { LeadMover } from "@freehold/core/pipeline/LeadMover"
import * as ResearchRunner from "@freehold/core/research/ResearchRunner"
import * as TemplateDrafter from "@freehold/core/research/TemplateDrafter"
import * as Sweeper from "@freehold/core/retention/Sweeper"
import { EndpointDesk } from "@freehold/core/webhook/EndpointDesk"
import * as DeliveryWorker from "@freehold/webhook-worker/DeliveryWorker"
import { Sender } from "@freehold/webhook-worker/Sender"
import { Duration, Effect, Layer, Option } from "effect"
import { availableParallelism } from "node:os"
import { importer, target } from "./CellClients.ts"
import { CommandRefused } from "./CommandRefused.ts"
import * as CrmPusherConfigured from "./CrmPusherConfigured.ts"
import {
  Address,
  commandClients,
  operatorClients,
  servingClients,
  watchClients,
  workerClients
} from "./DatabaseClients.ts"
import { faultOf } from "./DatabaseFault.ts"
import {
  migrate,
  refuseCell,
  refuseLoneCell,
  refuseOtherKey,
  refuseUnmigrated,
  tellImporter
} from "./DatabaseGuards.ts"
import type { EndpointSettings } from "./drafter/OpenAiCompatible.ts"
import { derive, EncryptionKey } from "./EncryptionKey.ts"
import * as UploadedFiles from "./import/UploadedFiles.ts"
import * as Observability from "./Observability.ts"
import * as OperatorInstallation from "./OperatorInstallation.ts"
import { appOrigin, publicOrigin } from "./Origin.ts"
import { ProcessCount } from "./ProcessCount.ts"
import { records } from "./Records.ts"
import * as Resealing from "./Resealing.ts"
import * as ResearchCallback from "./ResearchCallback.ts"
import { researcher } from "./Researchers.ts"
import { Settings } from "./Settings.ts"
import { identityProvider, signIn } from "./signin/SignInLayers.ts"
import * as MatchWorker from "./source/MatchWorker.ts"
import * as SourceWorker from "./source/SourceWorker.ts"
import * as StartLine from "./watch/StartLine.ts"
import * as WatchServer from "./watch/WatchServer.ts"
import { withKeys } from "./WithKeys.ts"

// Of node:crypto: WebCrypto sends every hash to a thread, which costs a request more than the hash.
const { layerCipher, layerDigest, layerMac, layerSecureRandom } = NodeCrypto
const randomness = Layer.mergeAll(layerCipher, layerMac, layerDigest, layerSecureRandom)

const surroundings = Layer.merge(Observability.layer, randomness).pipe(Layer.provideMerge(Settings.layer))

/** A database for a command. */
const plain = commandClients.pipe(Layer.provideMerge(Address.layer), Layer.provideMerge(surroundings))

/** The operator's key, which is asked for first: a setting that is missing is told before anything runs. */
const keyed = Address.layer.pipe(Layer.provideMerge(EncryptionKey.layer), Layer.provideMerge(surroundings))

/** The migrations that bring the schema up to date, to be run. */
export const migration = { run: Effect.tap(migrate, tellImporter), layer: plain }

const migrating = Layer.effectDiscard(
  Effect.tap(migrate, (applied) => applied.length === 0 ? Effect.void : tellImporter)
)
const onlyIfMigrated = Layer.effectDiscard(refuseUnmigrated)

const sealer = withKeys(SealerNode.layer)
const onlyWithItsKey = Layer.effectDiscard(refuseOtherKey).pipe(Layer.provide(sealer))

/** Loaded where a language model is set: what speaks with one takes its time to load. */
const languageModel = (settings: EndpointSettings, timeout: Duration.Duration) =>
  Layer.unwrap(Effect.promise(async () => {
    const [drafter, model] = await Promise.all([
      import("./drafter/LanguageModelDrafter.ts"),
      import("./drafter/OpenAiCompatible.ts")
    ])
    return drafter.layer(timeout).pipe(Layer.provide(model.layer(settings)))
  }))

/** Who writes drafts: a language model where one is set, templates otherwise. */
const drafter = Layer.unwrap(
  Effect.map(Settings, ({ drafter: endpoint, drafterTimeout }) =>
    Option.match(endpoint, {
      onNone: () => TemplateDrafter.layer,
      onSome: (settings) => languageModel(settings, drafterTimeout)
    }))
)

/** What research runs on. */
const research = Layer.merge(ResearchRunsPg.layerWoken, drafter)

const noMail = new CommandRefused({ reason: "no mail is set up: set FREEHOLD_SMTP_URL and FREEHOLD_MAIL_FROM" })

const mailPoll = Duration.seconds(10)

const cursorSeal = withKeys(CursorSeal.layer, (key) => derive(key, "cursor"))

const endpoints = WebhookEndpointsPg.layer.pipe(Layer.provideMerge(sealer))

/** What the operator set that the domain needs. */
const serviceSettingsOf = (publicUrl: string) =>
  Layer.effect(
    ServiceSettings,
    Effect.map(Settings, (settings) => ({
      appUrl: appOrigin(settings, publicUrl),
      feedDelayMillis: Duration.toMillis(settings.feedDelay),
      webhookTargets: settings.webhookTargets
    }))
  )

/**
 * The layer over adapters and connections of its own, beside those that answer requests. Settings, and what wakes the
 * workers, are the same.
 */
const inBackground = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  Layer.fresh(layer.pipe(Layer.provide(records))).pipe(Layer.provide(workerClients))

/** What the operator's people ask for, over connections of its own. */
export const operatorArea = Layer.fresh(
  OperatorCatalogue.layer.pipe(
    Layer.provide(Layer.mergeAll(OperatorInstallation.layer, UploadedFiles.layer, AuditorPg.layer, endpoints)),
    Layer.provide(records)
  )
).pipe(Layer.provide(operatorClients))

/** What one organization and all of them may keep busy of this process, which has its part of the processors. */
const places = Layer.merge(
  Layer.effect(Workload.Chosen, Effect.map(Settings, ({ places }) => Option.getOrElse(places, () => ({})))),
  Layer.effect(Workload.Processors, Effect.map(ProcessCount, (processes) => availableParallelism() / processes))
)

/** What answers calls. */
export const services = (publicUrl: string) =>
  Layer.mergeAll(
    Catalogue.layer,
    AppCatalogue.layer,
    Admission.layer,
    AppSignIn.layer,
    OperatorSignIn.layer,
    IdempotencyPg.layer
  ).pipe(
    Layer.provide([places, EntrancePg.layer]),
    Layer.provideMerge(AddressLimiterPg.layer),
    Layer.provide([
      endpoints,
      research,
      serviceSettingsOf(publicUrl),
      Layer.merge(signIn(publicUrl), identityProvider(publicUrl)).pipe(Layer.provide(IssuerWatch.layer))
    ]),
    Layer.provideMerge(cursorSeal)
  )

/** What tells those who watch how things stand: on a port of its own where one is set, and as the server's readiness. */
export const watching = WatchServer.layer.pipe(Layer.provide(watchClients))

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

/** Loaded where mail is set up. */
const mailer = Layer.unwrap(Effect.gen(function*() {
  const { mail } = yield* Settings
  if (Option.isNone(mail)) return Layer.effect(Mailer, Effect.fail(noMail))
  const { deadline, layer } = yield* Effect.promise(() => import("./mail/SmtpMailer.ts"))
  return layer({ ...mail.value, deadline })
}))

/** What sends mail, for a command; mail has to be set up. */
export const mail = mailer.pipe(Layer.provideMerge(surroundings))

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

const sourceStore = SourcesPg.layer.pipe(Layer.provide(sealer))
const sourceWorker = SourceWorker.layerConfigured.pipe(Layer.provide(sourceStore))

/** What works in the background for as long as the layer lives: deliveries, research, the sync of sources, and matching. */
export const workers = (publicUrl: string) =>
  inBackground(Layer.mergeAll(deliveryWorker(publicUrl), researchWorker(publicUrl), sourceWorker, MatchWorker.layer))

/** What the commands of an operator use; the database must be migrated. */
export const administration = LeadMover.layer.pipe(
  Layer.provideMerge(records),
  Layer.provideMerge(onlyIfMigrated),
  Layer.provideMerge(plain)
)

/** What makes cells, and looks after them; the database must be migrated. */
export const publishing = Layer.provideMerge(onlyIfMigrated, plain)

/** The same in a cell, with the importing installation. */
export const receiving = Layer.provideMerge(importer, publishing)

/** The same with the cell that an organization moves to. */
export const moving = Layer.provideMerge(target, receiving)

/** What says of records that they are one, or not to be listed; the database must be migrated. */
export const recording = Layer.provideMerge(Layer.effectDiscard(refuseLoneCell), administration)

/** What looks for broken laws; the database must be migrated. */
export const auditing = AuditorPg.layer.pipe(Layer.provideMerge(onlyIfMigrated), Layer.provideMerge(plain))

/** What looks for faults of any kind; the database may be in any state. */
export const diagnosis = Layer.mergeAll(AllotmentsPg.layer, AuditorPg.layer, OrganizationsPg.layer).pipe(
  Layer.provideMerge(plain)
)

/** What makes organizations; migrates the database first. */
export const provisioning = records.pipe(Layer.provideMerge(migrating), Layer.provideMerge(plain))

const onlyWhereRecordsAreMade = Layer.effectDiscard(refuseCell)

/** What loads records; migrates the database first. */
export const importing = records.pipe(
  Layer.provideMerge(onlyWhereRecordsAreMade),
  Layer.provideMerge(migrating),
  Layer.provideMerge(plain)
)

/** What tells what an import would do; the database must be migrated. */
export const examiningImports = Layer.provideMerge(onlyWhereRecordsAreMade, administration)

/** The addresses of webhooks and what was sent there; the database must be migrated. */
export const webhooks = EndpointDesk.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(endpoints, AdministrationLogPg.layer, OperatorLogPg.layer, OrganizationsPg.layer)
  ),
  Layer.provideMerge(Layer.unwrap(Effect.map(Settings, (settings) => serviceSettingsOf(publicOrigin(settings))))),
  Layer.provideMerge(onlyWithItsKey),
  Layer.provideMerge(onlyIfMigrated),
  Layer.provideMerge(commandClients),
  Layer.provideMerge(keyed)
)

/** Over a database that `prepare` found or made right. */
const sourcesOver = <E, R>(prepare: Layer.Layer<never, E, R>) =>
  Layer.merge(sourceStore, records).pipe(
    Layer.provideMerge(onlyWithItsKey),
    Layer.provideMerge(prepare),
    Layer.provideMerge(commandClients),
    Layer.provideMerge(keyed)
  )

/** The sources of the installation; the database must be migrated. */
export const sources = sourcesOver(onlyIfMigrated)

/** The same for whoever adds one; migrates the database first. */
export const sourcesMigrated = sourcesOver(migrating)

/** What replaces a key that is lost; the database must be migrated. */
export const keyReplacement = {
  run: Effect.mapError(KeyProofPg.replace, faultOf),
  layer: sealer.pipe(
    Layer.provideMerge(onlyIfMigrated),
    Layer.provideMerge(commandClients),
    Layer.provideMerge(keyed)
  )
}

/** What answers requests, over a database that `prepare` found or made right. */
const serving = <E, R>(prepare: Layer.Layer<never, E, R>) =>
  records.pipe(
    Layer.provideMerge(onlyWithItsKey),
    Layer.provideMerge(DatabaseClock.layer),
    Layer.provideMerge(prepare),
    Layer.provideMerge(servingClients),
    Layer.provideMerge(ResearchRunsPg.Wakes.layer),
    Layer.provideMerge(keyed)
  )

/** What a server stands on; migrates the database first. */
export const hosting = serving(migrating)

/** What the parent of several processes has for as long as they run: the embedded database, where no other is set. */
export const owning = keyed

/** What the parent makes right before the first of its processes, on connections that are gone with it. */
export const preparing = records.pipe(
  Layer.provideMerge(onlyWithItsKey),
  Layer.provideMerge(migrating),
  Layer.provideMerge(commandClients)
)

/** What stands beside others: a process of several, a local assistant. The database must be migrated. */
export const attached = serving(onlyIfMigrated)

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
