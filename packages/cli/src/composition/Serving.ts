/** What answers calls, and the database that it stands on: all that a server or an assistant needs at its start. */
import * as EntrancePg from "@freehold/adapters-pg/access/EntrancePg"
import * as DatabaseClock from "@freehold/adapters-pg/database/DatabaseClock"
import * as IdempotencyPg from "@freehold/adapters-pg/operation/IdempotencyPg"
import * as AddressLimiterPg from "@freehold/adapters-pg/rate/AddressLimiterPg"
import * as ResearchRunsPg from "@freehold/adapters-pg/research/ResearchRunsPg"
import { Admission } from "@freehold/core/access/Admission"
import * as IssuerWatch from "@freehold/core/access/IssuerWatch"
import { Catalogue } from "@freehold/core/catalogue/Catalogue"
import * as Turn from "@freehold/core/load/Turn"
import * as Workload from "@freehold/core/load/Workload"
import { CursorSeal } from "@freehold/core/operation/CursorSeal"
import * as ProcessUsage from "@freehold/http-host/ProcessUsage"
import * as Turns from "@freehold/http-host/Turns"
import { Effect, Layer, Option } from "effect"
import { availableParallelism } from "node:os"
import { commandClients, servingClients } from "../DatabaseClients.ts"
import { derive } from "../EncryptionKey.ts"
import { ProcessCount } from "../ProcessCount.ts"
import { records } from "../Records.ts"
import { Settings } from "../Settings.ts"
import { identityProvider, signIn } from "../signin/SignInLayers.ts"
import { withKeys } from "../WithKeys.ts"
import { keyed, onlyIfMigrated } from "./Foundation.ts"
import { migrating } from "./Migrating.ts"
import { research } from "./ResearchParts.ts"
import { endpoints, onlyWithItsKey, serviceSettingsOf } from "./Sealing.ts"

const cursorSeal = withKeys(CursorSeal.layer, (key) => derive(key, "cursor"))

/** What one organization and all of them may keep busy of this process, which has its part of the processors. */
const places = Layer.mergeAll(
  Layer.effect(Workload.Chosen, Effect.map(Settings, ({ places }) => Option.getOrElse(places, () => ({})))),
  Layer.succeed(Workload.Noted, ProcessUsage.ofProcess),
  Layer.succeed(Turn.Next, Turns.next),
  Layer.effect(Workload.Processors, Effect.map(ProcessCount, (processes) => availableParallelism() / processes))
)

/** What answers calls of organizations, and with `others` those of people in the app. */
export const answering = <A, E, R>(publicUrl: string, others: Layer.Layer<A, E, R>) =>
  Layer.mergeAll(Catalogue.layer, Admission.layer, IdempotencyPg.layer, others).pipe(
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
