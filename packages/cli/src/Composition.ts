/**
 * The one place where adapters meet hosts: every port over PostgreSQL, the domain's services on the ports.
 *
 * Commands load this module when they run and not before, since it loads everything.
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as AllotmentsPg from "@freehold/adapters-pg/credit/AllotmentsPg"
import * as AuditorPg from "@freehold/adapters-pg/credit/AuditorPg"
import * as Database from "@freehold/adapters-pg/database/Database"
import * as EmbeddedPostgres from "@freehold/adapters-pg/embedded/EmbeddedPostgres"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import * as IdempotencyPg from "@freehold/adapters-pg/operation/IdempotencyPg"
import * as OrganizationsPg from "@freehold/adapters-pg/organization/OrganizationsPg"
import * as ResearchRunsPg from "@freehold/adapters-pg/research/ResearchRunsPg"
import * as DeliveriesPg from "@freehold/adapters-pg/webhook/DeliveriesPg"
import * as KeyProofPg from "@freehold/adapters-pg/webhook/KeyProofPg"
import * as SealerNode from "@freehold/adapters-pg/webhook/SealerNode"
import * as WebhookEndpointsPg from "@freehold/adapters-pg/webhook/WebhookEndpointsPg"
import { Admission } from "@freehold/core/access/Admission"
import { AppSignIn } from "@freehold/core/access/AppSignIn"
import * as SignIn from "@freehold/core/access/SignIn"
import { AppCatalogue } from "@freehold/core/catalogue/AppCatalogue"
import { Catalogue } from "@freehold/core/catalogue/Catalogue"
import { Signals } from "@freehold/core/change/Signals"
import * as MonthlyGranter from "@freehold/core/credit/MonthlyGranter"
import { LeadBundles } from "@freehold/core/lead/LeadBundles"
import { Processors } from "@freehold/core/load/Workload"
import { CursorSeal } from "@freehold/core/operation/CursorSeal"
import { ServiceSettings } from "@freehold/core/operation/ServiceSettings"
import { LeadMover } from "@freehold/core/pipeline/LeadMover"
import { AddressLimiter } from "@freehold/core/rate/AddressLimiter"
import * as ImportedResearcher from "@freehold/core/research/ImportedResearcher"
import * as ResearchRunner from "@freehold/core/research/ResearchRunner"
import * as TemplateDrafter from "@freehold/core/research/TemplateDrafter"
import { EndpointDesk } from "@freehold/core/webhook/EndpointDesk"
import { resourceOf } from "@freehold/mcp-host/ProtectedResource"
import * as DeliveryWorker from "@freehold/webhook-worker/DeliveryWorker"
import * as RemoteResearcher from "@freehold/webhook-worker/RemoteResearcher"
import { Sender } from "@freehold/webhook-worker/Sender"
import { Context, Duration, Effect, Layer, Option, type Redacted } from "effect"
import type { SqlError } from "effect/sql"
import { availableParallelism } from "node:os"
import { CommandRefused } from "./CommandRefused.ts"
import { DatabaseFault, faultOf } from "./DatabaseFault.ts"
import type { EndpointSettings } from "./drafter/OpenAiCompatible.ts"
import { derive, EncryptionKey, placeOf } from "./EncryptionKey.ts"
import * as Observability from "./Observability.ts"
import { appOrigin, publicOrigin } from "./Origin.ts"
import { records } from "./Records.ts"
import * as ResearchCallback from "./ResearchCallback.ts"
import { Settings } from "./Settings.ts"
import * as StartLine from "./watch/StartLine.ts"
import * as WatchServer from "./watch/WatchServer.ts"

/** Where the database is. */
class Address extends Context.Service<Address, {
  readonly url: Redacted.Redacted
  readonly replicaUrl: Redacted.Redacted | undefined
}>()("@freehold/cli/Composition/Address") {
  /** Runs the embedded one, where no other is set, for as long as the layer lives. */
  static readonly layer = Layer.effect(
    Address,
    Effect.gen(function*() {
      const { dataDirectory, databaseReplicaUrl, databaseUrl } = yield* Settings
      const url = Option.isSome(databaseUrl)
        ? databaseUrl.value
        : (yield* EmbeddedPostgres.start({ dataDirectory })).url
      return { url, replicaUrl: Option.getOrUndefined(databaseReplicaUrl) }
    })
  )
}

const clientsOf = (make: (address: Address["Service"]) => Layer.Layer<Database.Clients, SqlError.SqlError>) =>
  Layer.unwrap(Effect.map(Address, make)).pipe(
    Layer.catchTag(
      "SqlError",
      (error) => Layer.effectContext<Database.Clients, DatabaseFault, never>(Effect.fail(faultOf(error)))
    )
  )

/** The connections of a command. */
const commandClients = clientsOf(({ url }) => Database.layer({ url, applicationName: "freehold command" }))

/** The connections that answer requests. */
const servingClients = clientsOf(Database.layerServing)

/** The connections of what works in the background; requests have others. */
const workerClients = clientsOf(({ url }) =>
  Database.layer({ url, applicationName: "freehold worker", statementLimit: Duration.minutes(1) })
)

// Of node:crypto: WebCrypto sends every hash to a thread, which costs a request more than the hash.
const randomness = Layer.mergeAll(NodeCrypto.layerMac, NodeCrypto.layerDigest, NodeCrypto.layerSecureRandom)

const surroundings = Layer.merge(Observability.layer, randomness).pipe(Layer.provideMerge(Settings.layer))

/** A database for a command. */
const plain = commandClients.pipe(Layer.provideMerge(Address.layer), Layer.provideMerge(surroundings))

/** The operator's key, which is asked for first: a setting that is missing is told before anything runs. */
const keyed = Address.layer.pipe(Layer.provideMerge(EncryptionKey.layer), Layer.provideMerge(surroundings))

const migrate = Migrations.run.pipe(
  Effect.catchTag("SqlError", (error) => Effect.fail(faultOf(error))),
  Effect.catchTag("MigrationError", ({ message }) => Effect.fail(new DatabaseFault({ away: false, detail: message })))
)

const refuseUnmigrated = Effect.gen(function*() {
  const standing = yield* Effect.catchTag(Migrations.standing, "SqlError", (error) => Effect.fail(faultOf(error)))
  if (standing === "older") {
    return yield* new CommandRefused({
      reason: "the schema of the database is not that of this version; bring it up to date with: freehold migrate"
    })
  }
})

const refuseOtherKey = KeyProofPg.prove.pipe(
  Effect.catchTags({
    SqlError: (error) => Effect.fail(faultOf(error)),
    KeyIsAnother: ({ message }) =>
      Effect.flatMap(placeOf, (place) =>
        Effect.fail(
          new CommandRefused({
            reason:
              `the encryption key in ${place} is wrong: ${message}. Put back the one that was kept with the backup; `
              + "if it is lost, see: freehold webhook replace-key --help"
          })
        ))
  })
)

/** The migrations that bring the schema up to date, to be run. */
export const migration = { run: migrate, layer: plain }

const migrating = Layer.effectDiscard(migrate)

const onlyIfMigrated = Layer.effectDiscard(refuseUnmigrated)

const sealer = Layer.unwrap(Effect.map(EncryptionKey, SealerNode.layer))

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

const cursorSeal = Layer.unwrap(Effect.map(EncryptionKey, (key) => CursorSeal.layer(derive(key, "cursor"))))

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

/** People sign in where an authorization server is named. */
const signIn = (publicUrl: string) =>
  Layer.unwrap(
    Effect.map(Settings, ({ oauthIssuer }) =>
      Option.match(oauthIssuer, {
        onNone: () => Layer.empty,
        onSome: (issuer) =>
          SignIn.layer.pipe(Layer.provide(Layer.unwrap(Effect.map(
            // Loaded where people sign in.
            Effect.promise(() => import("@freehold/mcp-host/JwtTokens")),
            (tokens) => tokens.layer({ issuer, audience: resourceOf(publicUrl) })
          ))))
      }))
  )

/** People sign in to the app by the authorization server where the app is registered with it. */
const identityProvider = (publicUrl: string) =>
  Layer.unwrap(
    Effect.map(Settings, ({ console, oauthIssuer, signInClient }) =>
      Option.match(Option.all({ issuer: oauthIssuer, client: signInClient }), {
        onNone: () =>
          Layer.empty,
        onSome: ({ client, issuer }) =>
          console
            ? Layer.unwrap(Effect.map(
              // Loaded where people sign in.
              Effect.promise(() => import("./signin/OpenIdProvider.ts")),
              (provider) => provider.layer({ issuer, publicUrl, clientId: client.id, clientSecret: client.secret })
            )).pipe(
              Layer.provide(
                Layer.unwrap(Effect.map(EncryptionKey, (key) => SealerNode.layer(derive(key, "sign-in"))))
              )
            )
            : Layer.empty
      }))
  )

/**
 * The layer over adapters and connections of its own, beside those that answer requests. Settings, and what wakes the
 * workers, are the same.
 */
const inBackground = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  Layer.fresh(layer.pipe(Layer.provide(records))).pipe(Layer.provide(workerClients))

/** What answers calls. */
export const services = (publicUrl: string) =>
  Layer.mergeAll(Catalogue.layer, AppCatalogue.layer, Admission.layer, AppSignIn.layer, IdempotencyPg.layer).pipe(
    Layer.provideMerge(AddressLimiter.layer),
    Layer.provide([
      endpoints,
      cursorSeal,
      research,
      serviceSettingsOf(publicUrl),
      signIn(publicUrl),
      identityProvider(publicUrl)
    ]),
    Layer.provide(Layer.succeed(Processors, availableParallelism()))
  )

/** One connection, so that whoever watches neither waits for anything nor keeps anything waiting. */
const watchClients = clientsOf(({ url }) =>
  Database.layer({ url, applicationName: "freehold watch", maxConnections: 1, statementLimit: Duration.seconds(5) })
)

/** What tells those who watch how things stand: on a port of its own where one is set, and as the server's readiness. */
export const watching = WatchServer.layer.pipe(Layer.provide(watchClients))

/** Works on the runs of research, in the background for as long as the layer lives. */
const researchWorker = (publicUrl: string) =>
  Layer.unwrap(
    Effect.map(
      Settings,
      ({ researcher, researchTimeout, webhookRetryDelays, webhookTargets, webhookTimeout: timeout }) =>
        ResearchRunner.layer(
          ResearchRunner.settingsOf({ patience: researchTimeout, retryDelays: webhookRetryDelays })
        ).pipe(
          Layer.provide(Option.match(researcher, {
            onNone: () => ImportedResearcher.layer,
            onSome: (settings) =>
              RemoteResearcher.layer({ ...settings, callbackUrl: `${publicUrl}${ResearchCallback.path}` }).pipe(
                Layer.provide(Sender.layer({ policy: webhookTargets, timeout }))
              )
          })),
          Layer.provide(research)
        )
    )
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
            Sender.layer({ policy: webhookTargets, timeout })
          ]),
          Layer.provide([sealer, serviceSettingsOf(publicUrl)])
        )
    )
  )

/** Grants monthly allotments, in the background for as long as the layer lives; every server does, a worker or not. */
export const granter = inBackground(MonthlyGranter.layer)

/** What works in the background for as long as the layer lives: deliveries and research. */
export const workers = (publicUrl: string) =>
  inBackground(Layer.merge(deliveryWorker(publicUrl), researchWorker(publicUrl)))

/** What the commands of an operator use; the database must be migrated. */
export const administration = LeadMover.layer.pipe(
  Layer.provideMerge(records),
  Layer.provideMerge(onlyIfMigrated),
  Layer.provideMerge(plain)
)

/** What looks for broken laws; the database must be migrated. */
export const auditing = AuditorPg.layer.pipe(Layer.provideMerge(onlyIfMigrated), Layer.provideMerge(plain))

/** What looks for faults of any kind; the database may be in any state. */
export const diagnosis = Layer.mergeAll(AllotmentsPg.layer, AuditorPg.layer, OrganizationsPg.layer).pipe(
  Layer.provideMerge(plain)
)

/** What makes organizations and loads records; migrates the database first. */
export const provisioning = records.pipe(Layer.provideMerge(migrating), Layer.provideMerge(plain))

/** The addresses of webhooks and what was sent there; the database must be migrated. */
export const webhooks = EndpointDesk.layer.pipe(
  Layer.provideMerge(Layer.merge(endpoints, OrganizationsPg.layer)),
  Layer.provide(Layer.unwrap(Effect.map(Settings, (settings) => serviceSettingsOf(publicOrigin(settings))))),
  Layer.provideMerge(onlyWithItsKey),
  Layer.provideMerge(onlyIfMigrated),
  Layer.provideMerge(commandClients),
  Layer.provideMerge(keyed)
)

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
    Layer.provideMerge(prepare),
    Layer.provideMerge(servingClients),
    Layer.provideMerge(ResearchRunsPg.Wakes.layer),
    Layer.provideMerge(keyed)
  )

/** What a server stands on; migrates the database first. */
export const hosting = serving(migrating)

/** What a local assistant stands on, beside servers; the database must be migrated. */
export const attached = serving(onlyIfMigrated)

/** The workers alone. */
export const loneWorkers = StartLine.worker.pipe(
  Layer.provide(Layer.unwrap(
    Effect.map(Settings, (settings) => Layer.merge(workers(publicOrigin(settings)), granter))
  )),
  Layer.provide(watching),
  Layer.provide(onlyWithItsKey),
  Layer.provide(onlyIfMigrated),
  Layer.provide(workerClients),
  Layer.provide(ResearchRunsPg.Wakes.layer),
  Layer.provide(keyed)
)
