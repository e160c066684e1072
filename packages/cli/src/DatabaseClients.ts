/** The database of this installation: where it is, and the connections of each kind of process. */
import * as Database from "@freehold/adapters-pg/database/Database"
import { connectionsOf, operatorConnections, type PoolSizes, toEmbedded } from "@freehold/adapters-pg/database/Pools"
import * as EmbeddedPostgres from "@freehold/adapters-pg/embedded/EmbeddedPostgres"
import { Context, Duration, Effect, Layer, Option, type Redacted } from "effect"
import type { SqlError } from "effect/sql"
import { type DatabaseFault, faultOf } from "./DatabaseFault.ts"
import * as DataDirectory from "./DataDirectory.ts"
import { ProcessCount } from "./ProcessCount.ts"
import { Settings } from "./Settings.ts"

/** The embedded database takes as many, for processes and commands that join later. */
const leastConnections = 100

/** What a server of so many processes needs, with a worker and commands beside it. */
const connectionsFor = (processes: number, sizes: PoolSizes): number => {
  const { command, operator, server, worker } = connectionsOf(sizes)
  return processes * (server + worker + operator) + worker + 2 * command
}

/** Where the database is. */
export class Address extends Context.Service<Address, {
  readonly url: Redacted.Redacted
}>()("@freehold/cli/DatabaseClients/Address") {
  /** Runs the embedded one, where no other is set, for as long as the layer lives. */
  static readonly layer = Layer.effect(
    Address,
    Effect.gen(function*() {
      const { databaseManner: { sizes }, databaseUrl, postgresTuning } = yield* Settings
      const url = Option.isSome(databaseUrl)
        ? databaseUrl.value
        : (yield* EmbeddedPostgres.start({
          dataDirectory: yield* DataDirectory.readyForDatabase,
          maxConnections: Math.max(leastConnections, connectionsFor(yield* ProcessCount, sizes)),
          tuning: Option.getOrUndefined(postgresTuning)
        })).url
      return { url }
    })
  )
}

const clientsOf = (
  make: (url: Redacted.Redacted, settings: Settings["Service"]) => Layer.Layer<Database.Clients, SqlError.SqlError>
) =>
  Layer.unwrap(Effect.gen(function*() {
    return make((yield* Address).url, yield* Settings)
  })).pipe(
    Layer.catchTag(
      "SqlError",
      (error) => Layer.effectContext<Database.Clients, DatabaseFault, never>(Effect.fail(faultOf(error)))
    )
  )

/** The connections of a command. */
export const commandClients = clientsOf((url, { databaseManner: manner }) =>
  Database.layer({ url, applicationName: "freehold command", manner })
)

/** The connections that answer requests. */
export const servingClients = clientsOf((
  url,
  { databaseManner, databaseReplicaUrl: replicas, databaseUrl, replicaBounds }
) => {
  const manner = Option.isNone(databaseUrl) ? toEmbedded(databaseManner) : databaseManner
  return Database.layerServing({ url, replicas, replicaBounds, manner })
})

/** The connections of what works in the background; requests have others. */
export const workerClients = clientsOf((url, { databaseManner: manner }) =>
  Database.layer({
    url,
    applicationName: "freehold worker",
    maxConnections: manner.sizes.worker,
    statementLimit: Duration.minutes(1),
    // What a worker that stands still had locked, others deliver before its leases are over.
    idleLimit: Duration.seconds(10),
    manner
  })
)

/** The connections of the operator's area: what takes long there keeps nobody else waiting. */
export const operatorClients = clientsOf((url, { databaseManner: manner }) =>
  Database.layer({
    url,
    applicationName: "freehold operator",
    maxConnections: operatorConnections,
    statementLimit: Duration.minutes(10),
    manner
  })
)

/** One connection for readiness and one for what is counted, so that neither waits for anything nor keeps anything waiting. */
export const watchClients = clientsOf((url, { databaseManner: manner }) =>
  Database.layer({
    url,
    applicationName: "freehold watch",
    maxConnections: 1,
    statementLimit: Duration.seconds(5),
    manner
  })
)
