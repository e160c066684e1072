/** The database of this installation: where it is, the connections of each kind of process, and its failures in words. */
import * as Database from "@freehold/adapters-pg/database/Database"
import { connectionsOf, type PoolSizes } from "@freehold/adapters-pg/database/Pools"
import * as EmbeddedPostgres from "@freehold/adapters-pg/embedded/EmbeddedPostgres"
import { Context, Duration, Effect, Layer, Option, type Redacted, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { ProcessCount } from "./ProcessCount.ts"
import { Settings } from "./Settings.ts"

/** The database answers with a fault, or not at all. */
export class DatabaseFault extends Schema.TaggedError<DatabaseFault>()("DatabaseFault", {
  away: Schema.Boolean,
  detail: Schema.String
}) {
  override get message() {
    return this.away ? `the database cannot be reached: ${this.detail}` : `the database failed: ${this.detail}`
  }
}

const ServerFailure = Schema.Struct({ code: Schema.optionalKey(Schema.String), message: Schema.String })
const isServerFailure = Schema.is(ServerFailure)

/** A failure of the database in words for the operator. */
export const faultOf = (error: SqlError.SqlError): DatabaseFault => {
  const { cause, message } = error.reason
  const told = isServerFailure(cause) ? [cause.message, cause.code ?? ""].find((words) => words !== "") : undefined
  return new DatabaseFault({ away: Database.isUnavailable(error), detail: (told ?? message).replace(/\s+/g, " ") })
}

/** The embedded database takes as many, for processes and commands that join later. */
const leastConnections = 100

/** What servers of so many processes need, with commands beside them. */
const connectionsFor = (processes: number, sizes: PoolSizes): number => {
  const { command, server, worker } = connectionsOf(sizes)
  return processes * server + 2 * worker + 2 * command
}

/** Where the database is. */
export class Address extends Context.Service<Address, {
  readonly url: Redacted.Redacted
}>()("@freehold/cli/Composition/Address") {
  /** Runs the embedded one, where no other is set, for as long as the layer lives. */
  static readonly layer = Layer.effect(
    Address,
    Effect.gen(function*() {
      const { dataDirectory, databaseManner: { sizes }, databaseUrl } = yield* Settings
      const url = Option.isSome(databaseUrl)
        ? databaseUrl.value
        : (yield* EmbeddedPostgres.start({
          dataDirectory,
          maxConnections: Math.max(leastConnections, connectionsFor(yield* ProcessCount, sizes))
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
  { databaseManner: manner, databaseReplicaUrl: replicas, replicaBounds }
) => Database.layerServing({ url, replicas, replicaBounds, manner }))

/** The connections of what works in the background; requests have others. */
export const workerClients = clientsOf((url, { databaseManner: manner }) =>
  Database.layer({
    url,
    applicationName: "freehold worker",
    maxConnections: manner.sizes.worker,
    statementLimit: Duration.minutes(1),
    manner
  })
)
