/**
 * The connection pools over one PostgreSQL, and which of its failures mean that it is away.
 *
 * | client      | in `pg_stat_activity` | what runs there                                                     |
 * | ----------- | --------------------- | ------------------------------------------------------------------- |
 * | `Admission` | `freehold admission`  | finding a caller and counting its request, pipelined; nothing else  |
 * | `Pipeline`  | `freehold points`     | reads of single records, pipelined                                  |
 * | `SqlClient` | `freehold ledger`     | the ledger, and every write: transactions                           |
 * | `Reads`     | `freehold reads`      | searches, lists, feeds and batches: whatever can keep a core busy   |
 * | `Replica`   | `freehold replica`    | searches, and other reads that a standby may answer (`Replicas`)    |
 *
 * Each has connections that nothing else can occupy (`layerServing`). What works in the background, and commands, have
 * fewer, under one name of their own (`layer`). A client's statements have a time limit, which the server keeps; where a
 * call stops waiting, its statement is cancelled there; a pipelined one when it is its turn (`Pipelined`). docs/decisions/0010.
 *
 * *Gotchas*
 *
 * - On `Admission` and `Pipeline` everything queues behind the slowest statement of its connection. A statement that can wait for a
 *   lock, or that reads an unknown number of rows, does not belong there.
 * - Statements within a transaction go one by one, also when they are run concurrently: a hot unit of work is best one
 *   statement or one function call.
 * - What must be in one transaction must be on one client: the ledger and all that can be written under an
 *   Idempotency-Key.
 * - Building the layer connects to nothing; the first statement does.
 */
import { PgClient } from "@effect/sql-pg"
import { Config, Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import * as EmbeddedPostgres from "../embedded/EmbeddedPostgres.ts"
import * as MeasuredClient from "./MeasuredClient.ts"
import * as Pools from "./Pools.ts"
import * as ReplicaHosts from "./ReplicaHosts.ts"
import * as Replicas from "./Replicas.ts"
import * as Standby from "./Standby.ts"

/** Pipelined statements that find a caller and count its request. */
export class Admission extends Context.Service<Admission, MeasuredClient.MeasuredClient["Service"]>()(
  "@freehold/adapters-pg/database/Database/Admission"
) {}

/** Pipelined statements, for those that are short and never wait for a lock. */
export class Pipeline extends Context.Service<Pipeline, MeasuredClient.MeasuredClient["Service"]>()(
  "@freehold/adapters-pg/database/Database/Pipeline"
) {}

/** Reads that may take their time. */
export class Reads extends Context.Service<Reads, MeasuredClient.MeasuredClient["Service"]>()(
  "@freehold/adapters-pg/database/Database/Reads"
) {}

/** Reads that a standby may answer once it has seen everything that was committed before; from the primary otherwise. */
export class Replica extends Context.Service<Replica, Replicas.Replicas>()(
  "@freehold/adapters-pg/database/Database/Replica"
) {}

export type Clients = PgClient.PgClient | SqlClient.SqlClient | Admission | Pipeline | Reads | Replica

const client = (url: Redacted.Redacted, pool: Pools.Pool, manner: Pools.Manner) =>
  MeasuredClient.layer(Pools.configOf(url, pool, manner), Pools.purposeOf(pool))

/** Pipelined, beside the client that ends what nobody waits for there. */
const pipelinedClient = (url: Redacted.Redacted, pool: Pools.Pool, manner: Pools.Manner) =>
  MeasuredClient.pipelined(Pools.configOf(url, pool, manner), Pools.purposeOf(pool))

/** The client of a pool under a name of ours. */
const named = <Name>(
  name: Context.Key<Name, MeasuredClient.MeasuredClient["Service"]>,
  of: Layer.Layer<MeasuredClient.MeasuredClient, SqlError.SqlError>
) => Layer.effect(name, MeasuredClient.MeasuredClient).pipe(Layer.provide(of))

/** No replica: everything is read from the primary. */
const primaryAlone = Layer.effect(
  Replica,
  Effect.map(PgClient.PgClient, (primary) => Replica.of(Replicas.primaryAlone(primary)))
)

/** Where nobody listens, that is known at once. */
const patienceToConnect = Duration.seconds(1)

/** A standby that may be read from: its connections for reads, and one for questions that nothing keeps waiting. */
export const standbyAt = Effect.fnUntraced(function*(
  { name, url }: ReplicaHosts.ReplicaHost,
  maxLag: Duration.Duration,
  manner: Pools.Manner = Pools.directly
) {
  const { replica } = Pools.serving(manner.sizes)
  const configOf = (pool: Pools.Pool) => ({
    ...Pools.configOf(url, pool, manner),
    connectTimeout: patienceToConnect
  })
  return Standby.make({
    name,
    reads: yield* MeasuredClient.make(configOf(replica), `${Pools.purposeOf(replica)} ${name}`),
    watch: yield* PgClient.make(configOf({ ...replica, connections: 1, pipelined: true })),
    maxLag,
    faultOf,
    reasonOf: (error) => failureOf(error).message.replace(/\s+/g, " ").slice(0, 300)
  })
}, Effect.provide(Reactivity.layer))

const replicasAt = (
  [first, ...others]: ReplicaHosts.Hosts,
  { maxLag, patience }: Replicas.Bounds,
  manner: Pools.Manner
) =>
  Layer.effect(
    Replica,
    Effect.gen(function*() {
      return Replica.of(
        yield* Replicas.make({
          standbys: [
            yield* standbyAt(first, maxLag, manner),
            ...yield* Effect.forEach(others, (host) => standbyAt(host, maxLag, manner))
          ],
          primary: yield* PgClient.PgClient,
          marks: yield* Pipeline,
          patience
        })
      )
    })
  )

export interface Options {
  readonly url: Redacted.Redacted
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string | undefined
  /** Most connections for transactions; there are half as many more for reads, and two for what is pipelined. */
  readonly maxConnections?: number | undefined
  /** The time limit of a statement; without it an hour. */
  readonly statementLimit?: Duration.Duration | undefined
  /** When a transaction that its process left standing ends; without it after a minute. */
  readonly idleLimit?: Duration.Duration | undefined
  readonly manner?: Pools.Manner | undefined
}

/** For commands, for what works in the background, and for tests. Nothing is read from a replica. */
export const layer = (options: Options): Layer.Layer<Clients, SqlError.SqlError> => {
  const { manner = Pools.directly, url } = options
  const common = {
    applicationName: options.applicationName ?? "freehold",
    statementLimit: options.statementLimit ?? Duration.hours(1),
    idleLimit: options.idleLimit,
    parallel: true
  }
  const connections = options.maxConnections ?? manner.sizes.command
  const exclusive = client(url, { ...common, connections, pipelined: false }, manner)
  const reading = client(
    url,
    { ...common, connections: Pools.besides.reading(connections), pipelined: false, purpose: "reads" },
    manner
  )
  const pipelined = pipelinedClient(
    url,
    { ...common, connections: Pools.besides.pipelined, pipelined: true, purpose: "points" },
    manner
  ).pipe(Layer.provide(exclusive))
  return Layer.mergeAll(
    exclusive,
    named(Admission, pipelined),
    named(Pipeline, pipelined),
    named(Reads, reading),
    primaryAlone.pipe(Layer.provide(reading))
  )
}

export interface ServingOptions {
  readonly url: Redacted.Redacted
  /** Standbys of it; none: everything is read from the primary. */
  readonly replicas?: Option.Option<ReplicaHosts.Hosts>
  readonly replicaBounds?: Replicas.Bounds
  readonly manner?: Pools.Manner | undefined
}

/** The pools of a process that answers requests, each with connections of its own. */
export const layerServing = (
  { manner = Pools.directly, replicaBounds = Replicas.defaultBounds, replicas = Option.none(), url }: ServingOptions
): Layer.Layer<Clients, SqlError.SqlError> => {
  const { admission, ledger, points, reads } = Pools.serving(manner.sizes)
  const writing = client(url, ledger, manner)
  const reading = client(url, reads, manner)
  const pipelined = (pool: Pools.Pool) => pipelinedClient(url, pool, manner).pipe(Layer.provide(writing))
  const pipeline = named(Pipeline, pipelined(points))
  const replica = Option.match(replicas, {
    onNone: () => primaryAlone,
    onSome: (hosts) => replicasAt(hosts, replicaBounds, manner)
  })
  return Layer.mergeAll(
    writing,
    named(Admission, pipelined(admission)),
    pipeline,
    named(Reads, reading),
    replica.pipe(Layer.provide([reading, pipeline]))
  )
}

/** A `postgres://` or `postgresql://` URL; the fault is reported without the value, which holds a password. */
const PostgresUrl = Schema.String.check(
  Schema.makeFilter((value) =>
    URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol) || "expected a postgres:// URL"
  )
)

const postgresUrl = (name: string) => Config.option(Config.schema(Schema.Redacted(PostgresUrl), name))

const ReplicaUrl = Schema.String.check(
  Schema.makeFilter((value) => Option.isSome(ReplicaHosts.parse(value)) || `expected ${ReplicaHosts.expected}`)
)

const replicaHosts = Config.option(Config.schema(Schema.Redacted(ReplicaUrl), "DATABASE_REPLICA_URL")).pipe(
  Config.map(Option.flatMap((given) => ReplicaHosts.parse(Redacted.value(given))))
)

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
  const replicas = yield* replicaHosts
  if (Option.isSome(url)) return layerServing({ url: url.value, replicas })
  const embedded = yield* EmbeddedPostgres.start({ dataDirectory: yield* dataDirectory })
  return layerServing({ url: embedded.url, replicas, manner: Pools.toEmbedded(Pools.directly) })
}))

const isServerFailure = Schema.is(Schema.Struct({ code: Schema.optionalKey(Schema.String), message: Schema.String }))

/** What a failure is, in the words of the server or of the network on the way to it; `code` is null where neither gave one. */
export const failureOf = (
  { reason }: SqlError.SqlError
): { readonly code: string | null; readonly message: string } => {
  if (!isServerFailure(reason.cause)) return { code: null, message: reason.message }
  const { code = null, message } = reason.cause
  return { code, message: [message, code ?? ""].find((words) => words !== "") ?? reason.message }
}

/**
 * Server conditions under which nothing is wrong with the statement: connection exceptions (08), wrong or expired
 * credentials (28), missing database (3D), somebody else was quicker (40, 55P03), out of resources or connections (53), a
 * database that takes no connections (55000), shutdown, crash, start-up and dropped sessions (57P, 25P03), a statement that
 * took too long or was cancelled (57014), a primary that became a standby (25006).
 */
const away = /^(08|28|3D|40|53|55000|55P03|57P|57014|25006|25P03)/

/** Whether the database is away or overloaded, so that the same request may succeed later. */
export const isUnavailable = (error: SqlError.SqlError): boolean =>
  error.reason._tag === "ConnectionError" || away.test(failureOf(error).code ?? "")

/** Whether somebody else was quicker: that is the course of things, and passes by itself. */
export const isPassing = (error: SqlError.SqlError): boolean => /^(40|55P03)/.test(failureOf(error).code ?? "")

/** A statement that took too long, or wrote more temporary files than it may. */
const excessive = /^(57014|53400)$/

/**
 * What a failure on a standby is due to. What took too long or too much there would take as much on the primary; what was in
 * the way of the log is not in the way there.
 */
const faultOf = (error: SqlError.SqlError): Standby.Fault => {
  const code = failureOf(error).code ?? ""
  if (!isUnavailable(error) || excessive.test(code)) return "statement"
  return code.startsWith("40") ? "replay" : "server"
}
