/**
 * What commands use: ports over PostgreSQL, and the domain's services on the ports.
 *
 * Commands load this module when they run and not before, since it loads much.
 */
import * as AdministrationLogPg from "@freehold/adapters-pg/administration/AdministrationLogPg"
import * as OperatorLogPg from "@freehold/adapters-pg/administration/OperatorLogPg"
import * as AllotmentsPg from "@freehold/adapters-pg/credit/AllotmentsPg"
import * as AuditorPg from "@freehold/adapters-pg/credit/AuditorPg"
import * as OrganizationsPg from "@freehold/adapters-pg/organization/OrganizationsPg"
import * as KeyProofPg from "@freehold/adapters-pg/webhook/KeyProofPg"
import { LeadMover } from "@freehold/core/pipeline/LeadMover"
import { EndpointDesk } from "@freehold/core/webhook/EndpointDesk"
import { Effect, Layer } from "effect"
import { importer, target } from "./CellClients.ts"
import { keyed, onlyIfMigrated, plain, timed } from "./composition/Foundation.ts"
import { migrating } from "./composition/Migrating.ts"
import { endpoints, onlyWithItsKey, sealer, serviceSettingsOf } from "./composition/Sealing.ts"
import { commandClients } from "./DatabaseClients.ts"
import { faultOf } from "./DatabaseFault.ts"
import { refuseCell, refuseLoneCell } from "./DatabaseGuards.ts"
import { publicOrigin } from "./Origin.ts"
import { records } from "./Records.ts"
import { Settings } from "./Settings.ts"
import { sourceStore } from "./source/SourceStore.ts"

/** What the commands of an operator use; the database must be migrated. */
export const administration = LeadMover.layer.pipe(
  Layer.provideMerge(records),
  Layer.provideMerge(onlyIfMigrated),
  Layer.provideMerge(timed)
)

/** What makes cells, and looks after them; the database must be migrated. */
export const publishing = Layer.provideMerge(onlyIfMigrated, plain)

/** The same in a cell, with the importing installation. */
export const receiving = Layer.provideMerge(importer, publishing)

/** The same with the cell that an organization moves to, and the key of both. */
export const moving = Layer.mergeAll(target, importer, sealer).pipe(
  Layer.provideMerge(onlyIfMigrated),
  Layer.provideMerge(commandClients),
  Layer.provideMerge(keyed)
)

/** What says of records that they are one, or not to be listed; the database must be migrated. */
export const recording = Layer.provideMerge(Layer.effectDiscard(refuseLoneCell), administration)

/** What looks for broken laws; the database must be migrated. */
export const auditing = AuditorPg.layer.pipe(Layer.provideMerge(onlyIfMigrated), Layer.provideMerge(plain))

/** What looks for faults of any kind; the database may be in any state. */
export const diagnosis = Layer.mergeAll(AllotmentsPg.layer, AuditorPg.layer, OrganizationsPg.layer).pipe(
  Layer.provideMerge(plain)
)

/** What makes organizations; migrates the database first. */
export const provisioning = records.pipe(Layer.provideMerge(migrating), Layer.provideMerge(timed))

const onlyWhereRecordsAreMade = Layer.effectDiscard(refuseCell)

/** What loads records; migrates the database first. */
export const importing = records.pipe(
  Layer.provideMerge(onlyWhereRecordsAreMade),
  Layer.provideMerge(migrating),
  Layer.provideMerge(timed)
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

/** Over a database that `prepare` found or made right; a cell is said what its sources are, and syncs none. */
const sourcesOver = <E, R>(prepare: Layer.Layer<never, E, R>) =>
  Layer.merge(sourceStore, records).pipe(
    Layer.provideMerge(onlyWithItsKey),
    Layer.provideMerge(onlyWhereRecordsAreMade),
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
