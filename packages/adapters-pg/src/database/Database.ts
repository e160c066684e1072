/**
 * The connection pools over one PostgreSQL, and which of its failures mean that it is away.
 *
 * | client      | in `pg_stat_activity` | what runs there                                                     |
 * | ----------- | --------------------- | ------------------------------------------------------------------- |
 * | `Admission` | `freehold admission`  | finding a caller and counting its request, pipelined; nothing else  |
 * | `Pipeline`  | `freehold points`     | reads of single records, pipelined                                  |
 * | `SqlClient` | `freehold ledger`     | the ledger, and every write: transactions                           |
 * | `Reads`     | `freehold reads`      | searches, lists, feeds and batches: whatever can keep a core busy   |
 * | `Replica`   | `freehold replica`    | reads that may lag and tell nothing that is ever withheld           |
 *
 * Each has connections that nothing else can occupy (`layerServing`). What works in the background, and commands, have
 * fewer, under one name of their own (`layer`). A client's statements have a time limit, which the server keeps; where a
 * call stops waiting, its statement is cancelled there. docs/decisions/0009.
 *
 * *Gotchas*
 *
 * - On `Admission` and `Pipeline` everything queues behind the slowest statement of its connection, and interrupting a
 *   statement does not cancel it. A statement that can wait for a lock, or that reads an unknown number of rows, does not
 *   belong there.
 * - Statements within a transaction go one by one, also when they are run concurrently: a hot unit of work is best one
 *   statement or one function call.
 * - What must be in one transaction must be on one client: the ledger and all that can be written under an
 *   Idempotency-Key.
 * - Building the layer connects to nothing; the first statement does.
 */
import { PgClient } from "@effect/sql-pg"
import { Config, Context, Duration, Effect, Layer, Option, type Redacted, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as EmbeddedPostgres from "../embedded/EmbeddedPostgres.ts"
import * as FallBack from "./FallBack.ts"
import * as MeasuredClient from "./MeasuredClient.ts"

/** Pipelined statements that find a caller and count its request. */
export class Admission
  extends Context.Service<Admission, PgClient.PgClient>()("@freehold/adapters-pg/database/Database/Admission")
{}

/** Pipelined statements, for those that are short and never wait for a lock. */
export class Pipeline
  extends Context.Service<Pipeline, PgClient.PgClient>()("@freehold/adapters-pg/database/Database/Pipeline")
{}

/** Reads that may take their time. */
export class Reads
  extends Context.Service<Reads, PgClient.PgClient>()("@freehold/adapters-pg/database/Database/Reads")
{}

/**
 * Reads that may lag behind the primary: those that tell nothing which a suppression withholds, and nothing that a caller
 * can have written just now. Until a read can wait for what was written, everything else is read from the primary.
 */
export class Replica extends Context.Service<Replica, {
  /** Reads from the replica, or from the primary where there is none or it is away. */
  read<A>(use: FallBack.Read<A>): Effect.Effect<A, SqlError.SqlError>
}>()("@freehold/adapters-pg/database/Database/Replica") {}

export type Clients = PgClient.PgClient | SqlClient.SqlClient | Admission | Pipeline | Reads | Replica

interface Pool {
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string
  readonly connections: number
  /** Whether the statements of many fibers go down the same connection. */
  readonly pipelined: boolean
  /** The time limit of a statement; the server ends it, whatever became of the process that asked. */
  readonly statementLimit: Duration.Duration
  /** Whether one statement may keep several processors busy. */
  readonly parallel?: boolean
  /** What a statement may sort or hash in memory, where it is more than the server's own setting. */
  readonly workMemory?: string
  /** What it is for, where several pools have one name. */
  readonly purpose?: string
}

/**
 * The pools of a process that answers requests. `Workload.bounds` of core is the other half: an operation has at most two
 * statements under way, so that the reads of all places fit, and one organization's are a third.
 */
export const servingPools = {
  admission: {
    applicationName: "freehold admission",
    connections: 2,
    pipelined: true,
    statementLimit: Duration.seconds(2)
  },
  points: { applicationName: "freehold points", connections: 2, pipelined: true, statementLimit: Duration.seconds(10) },
  // Commits that wait for the disk together are written together.
  ledger: {
    applicationName: "freehold ledger",
    connections: 16,
    pipelined: false,
    statementLimit: Duration.seconds(10)
  },
  // A search that matches a whole county sorts it in memory.
  reads: {
    applicationName: "freehold reads",
    connections: 12,
    pipelined: false,
    statementLimit: Duration.seconds(10),
    workMemory: "16MB"
  },
  replica: {
    applicationName: "freehold replica",
    connections: 6,
    pipelined: false,
    statementLimit: Duration.seconds(10)
  }
} as const satisfies Readonly<Record<string, Pool>>

/** A transaction that its process left standing is rolled back by the server after this time. */
const idleInTransaction = Duration.minutes(1)

const milliseconds = (duration: Duration.Duration): string => String(Duration.toMillis(duration))

const config = (url: Redacted.Redacted, pool: Pool): PgClient.PgPoolConfig => ({
  url,
  applicationName: pool.applicationName,
  maxConnections: pool.connections,
  multiplex: pool.pipelined,
  multiplexConcurrency: 128,
  connectTimeout: "5 seconds",
  // Finds a peer that vanished without a word.
  keepAlive: "30 seconds",
  startupParameters: {
    timezone: "UTC",
    // Compiling a plan costs more than any of our statements runs.
    jit: "off",
    // A statement of one organization keeps one processor busy, and not all of them.
    ...pool.parallel === true ? {} : { max_parallel_workers_per_gather: "0" },
    ...pool.workMemory === undefined ? {} : { work_mem: pool.workMemory },
    statement_timeout: milliseconds(pool.statementLimit),
    idle_in_transaction_session_timeout: milliseconds(idleInTransaction)
  }
})

/** As the metrics of a pool have it: `freehold reads` is `reads`. */
const purposeOf = ({ applicationName, purpose }: Pool): string =>
  [applicationName.replace(/^freehold /, ""), ...purpose === undefined ? [] : [purpose]].join(" ")

const client = (url: Redacted.Redacted, pool: Pool) => MeasuredClient.layer(config(url, pool), purposeOf(pool))

/** The client of a pool under a name of ours. */
const named = <Name>(
  name: Context.Key<Name, PgClient.PgClient>,
  of: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError.SqlError>
) => Layer.effect(name, PgClient.PgClient).pipe(Layer.provide(of))

/** No replica: everything is read from the primary. */
const primaryAlone = Layer.effect(
  Replica,
  Effect.map(PgClient.PgClient, (primary) => Replica.of({ read: (use) => use(primary) }))
)

const replicaAt = (url: Redacted.Redacted) =>
  Layer.unwrap(Effect.map(PgClient.PgClient, (primary) =>
    Layer.effect(
      Replica,
      Effect.map(PgClient.PgClient, (replica) => Replica.of({ read: FallBack.make(replica, primary, isAway) }))
    ).pipe(
      Layer.provide(
        MeasuredClient.layer({ ...config(url, servingPools.replica), connectTimeout: "1 second" }, "replica")
      )
    )))

export interface Options {
  readonly url: Redacted.Redacted
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string | undefined
  /** Most connections for transactions; there are half as many more for reads, and two for what is pipelined. */
  readonly maxConnections?: number | undefined
  /** The time limit of a statement; without it an hour. */
  readonly statementLimit?: Duration.Duration | undefined
}

/** For commands, for what works in the background, and for tests. Nothing is read from a replica. */
export const layer = (options: Options): Layer.Layer<Clients, SqlError.SqlError> => {
  const common = {
    applicationName: options.applicationName ?? "freehold",
    statementLimit: options.statementLimit ?? Duration.hours(1),
    parallel: true
  }
  const connections = options.maxConnections ?? 8
  const exclusive = client(options.url, { ...common, connections, pipelined: false })
  const reading = client(options.url, {
    ...common,
    connections: Math.ceil(connections / 2),
    pipelined: false,
    purpose: "reads"
  })
  const pipelined = client(options.url, { ...common, connections: 2, pipelined: true, purpose: "points" })
  return Layer.mergeAll(
    exclusive,
    named(Admission, pipelined),
    named(Pipeline, pipelined),
    named(Reads, reading),
    primaryAlone.pipe(Layer.provide(reading))
  )
}

/** The pools of a process that answers requests, each with connections of its own. */
export const layerServing = (
  { replicaUrl, url }: { readonly url: Redacted.Redacted; readonly replicaUrl?: Redacted.Redacted | undefined }
): Layer.Layer<Clients, SqlError.SqlError> => {
  const { admission, ledger, points, reads } = servingPools
  const reading = client(url, reads)
  return Layer.mergeAll(
    client(url, ledger),
    named(Admission, client(url, admission)),
    named(Pipeline, client(url, points)),
    named(Reads, reading),
    (replicaUrl === undefined ? primaryAlone : replicaAt(replicaUrl)).pipe(Layer.provide(reading))
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
  if (Option.isSome(url)) return layerServing({ url: url.value, replicaUrl })
  const embedded = yield* EmbeddedPostgres.start({ dataDirectory: yield* dataDirectory })
  return layerServing({ url: embedded.url, replicaUrl })
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

/** Whether a replica should be left alone; what took too long there would take as long on the primary. */
const isAway = (error: SqlError.SqlError): boolean => isUnavailable(error) && failureOf(error).code !== "57014"
