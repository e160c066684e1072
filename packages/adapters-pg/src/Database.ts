/**
 * The connection pools over one PostgreSQL, and which of its failures mean that it is away.
 *
 * Three clients come from one layer. `SqlClient` (and `PgClient`) gives every statement a connection of its own: it is
 * the default, for transactions, locks, long reads, streams and listening. `Pipeline` sends the statements of many
 * fibers down the same connection without waiting for answers, which doubles the throughput of point reads. `Replica`
 * is for reads that may lag; it is `DATABASE_REPLICA_URL` where there is one, the primary otherwise.
 *
 * *Gotchas*
 *
 * - On `Pipeline` everything queues behind the slowest statement of its connection, and interrupting a statement does
 *   not cancel it. A statement that can wait for a lock or run long does not belong there.
 * - Statements within a transaction go one by one, also when they are run concurrently: a hot unit of work is best one
 *   statement or one function call.
 * - Building the layer connects to nothing; the first statement does.
 */
import { PgClient } from "@effect/sql-pg"
import { Config, Context, Effect, Layer, Option, type Redacted, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as EmbeddedPostgres from "./EmbeddedPostgres.ts"

/** Pipelined statements, for those that are short and never wait for a lock. */
export class Pipeline
  extends Context.Service<Pipeline, PgClient.PgClient>()("@freehold/adapters-pg/Database/Pipeline")
{}

/** Reads that may lag behind the primary. */
export class Replica extends Context.Service<Replica, PgClient.PgClient>()("@freehold/adapters-pg/Database/Replica") {}

export type Clients = PgClient.PgClient | SqlClient.SqlClient | Pipeline | Replica

export interface Options {
  readonly url: Redacted.Redacted
  readonly replicaUrl?: Redacted.Redacted | undefined
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string | undefined
  /** Most connections of the exclusive pool; `Pipeline` has two more, a replica as many again. */
  readonly maxConnections?: number | undefined
}

const pool = (url: Redacted.Redacted, options: Options): PgClient.PgPoolConfig => ({
  url,
  applicationName: options.applicationName ?? "freehold",
  // Commits that wait for the disk together are written together.
  maxConnections: options.maxConnections ?? 20,
  connectTimeout: "5 seconds",
  // Finds a peer that vanished without a word; a query time limit is the caller's.
  keepAlive: "30 seconds",
  // Compiling a plan costs more than any of our statements runs.
  startupParameters: { timezone: "UTC", jit: "off" }
})

export const layer = (options: Options): Layer.Layer<Clients, SqlError.SqlError> => {
  const pipeline = PgClient.layer({
    ...pool(options.url, options),
    maxConnections: 2,
    multiplex: true,
    multiplexConcurrency: 128
  })
  const exclusive = PgClient.layer(pool(options.url, options))
  const replica = options.replicaUrl === undefined
    ? Layer.effect(Replica, PgClient.PgClient).pipe(Layer.provide(exclusive))
    : Layer.effect(Replica, PgClient.PgClient).pipe(
      Layer.provide(PgClient.layer(pool(options.replicaUrl, options)))
    )
  return Layer.mergeAll(
    exclusive,
    Layer.effect(Pipeline, PgClient.PgClient).pipe(Layer.provide(pipeline)),
    replica
  )
}

/** A `postgres://` or `postgresql://` URL; the fault is reported without the value, which holds a password. */
const PostgresUrl = Schema.String.check(
  Schema.makeFilter((value) =>
    URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol) || "expected a postgres:// URL"
  )
)

const postgresUrl = (name: string) => Config.option(Config.schema(Schema.Redacted(PostgresUrl), name))

/** Where the embedded database and other local state live. */
export const dataDirectory: Config.Config<string> = Config.NonEmptyString("FREEHOLD_DATA_DIR").pipe(
  Config.withDefault(".freehold")
)

/**
 * `DATABASE_URL`, or else the embedded server in the data directory, which then runs for as long as the layer lives.
 */
export const layerConfig: Layer.Layer<
  Clients,
  Config.ConfigError | EmbeddedPostgres.EmbeddedPostgresFailed | SqlError.SqlError
> = Layer.unwrap(Effect.gen(function*() {
  const url = yield* postgresUrl("DATABASE_URL")
  const replicaUrl = Option.getOrUndefined(yield* postgresUrl("DATABASE_REPLICA_URL"))
  if (Option.isSome(url)) return layer({ url: url.value, replicaUrl })
  const embedded = yield* EmbeddedPostgres.start({ dataDirectory: yield* dataDirectory })
  return layer({ url: embedded.url, replicaUrl })
}))

const ServerFailure = Schema.Struct({ code: Schema.String })
const isServerFailure = Schema.is(ServerFailure)

/**
 * Server conditions under which nothing is wrong with the statement: connection exceptions (08), wrong or expired
 * credentials (28), missing database (3D), somebody else was quicker (40, 55P03), out of resources or connections (53),
 * shutdown, crash, start-up and dropped sessions (57P), a primary that became a standby (25006).
 */
const away = /^(08|28|3D|40|53|55P03|57P|25006)/

/** Whether the database is away, so that the same request may succeed later. */
export const isUnavailable = (error: SqlError.SqlError): boolean =>
  error.reason._tag === "ConnectionError" || isServerFailure(error.reason.cause) && away.test(error.reason.cause.code)
