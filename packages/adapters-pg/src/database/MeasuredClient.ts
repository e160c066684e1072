/**
 * A client of PostgreSQL whose pool tells how many of its connections are in use, and how many statements and transactions
 * wait for one: the driver keeps that to itself.
 *
 * *Gotchas.* Of a pipelined pool the statements under way are counted, since they share its connections. Who listens keeps
 * a connection beside the pool, and is not counted.
 */
import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import * as Turn from "@freehold/core/load/Turn"
import { Context, Duration, Effect, Layer, Predicate, Redacted, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import * as Pipelined from "./Pipelined.ts"
import { type PoolCounts, publish } from "./PoolGauges.ts"

type Rows = ReadonlyArray<PgConnection.Row>

/** What is done with the rows is work of whoever asked for them. */
const inTurn = ({ rows }: PgConnection.Result): Effect.Effect<Rows> => Turn.after(rows)

/** A connection of the driver as the client of `effect/sql` takes it; `one`: how each of its statements is run. */
const adapted = (connection: PgConnection.PgConnection, one: Pipelined.Run): SqlConnection.Connection => {
  const run = (text: string, parameters: ReadonlyArray<unknown>, prepare: boolean) =>
    Effect.flatMap(one(text, connection.query(text, parameters, prepare)), inTurn)
  return {
    execute: (text, parameters, transform) => {
      const rows = run(text, parameters, true)
      return transform === undefined ? rows : Effect.map(rows, transform)
    },
    executeUnprepared: (text, parameters, transform) => {
      const rows = run(text, parameters, false)
      return transform === undefined ? rows : Effect.map(rows, transform)
    },
    executeRaw: (text, parameters) => one(text, connection.query(text, parameters)),
    executeValues: (text, parameters) => one(text, connection.queryValues(text, parameters)),
    executeValuesUnprepared: (text, parameters) => one(text, connection.queryValues(text, parameters, false)),
    // No client of ours renames columns, so rows need no transformation.
    executeStream: (text, parameters) => connection.stream(text, parameters)
  }
}

/** The driver cancels what was interrupted. */
const alone: Pipelined.Run = (_text, statement) => statement

/**
 * Counts who waits for a connection and who has one, whichever way it is borrowed. `backendOf`: of a pipelined pool, the process of
 * the server with this number.
 */
const counting = (
  pool: PgPool.PgPool,
  counts: PoolCounts,
  backendOf: ((processId: number) => Pipelined.Backend) | undefined
) => {
  const known = new WeakMap<PgConnection.PgConnection, SqlConnection.Connection>()
  const shared = (connection: PgConnection.PgConnection): SqlConnection.Connection => {
    const made = known.get(connection) ??
      adapted(connection, backendOf === undefined ? alone : Pipelined.make(backendOf(connection.processId)))
    known.set(connection, made)
    return made
  }
  const reserved = (connection: PgConnection.PgConnection) => adapted(connection, alone)

  const borrower: SqlConnection.Borrower = (use) =>
    Effect.suspend(() => {
      let has = false
      counts.waiting++
      return Effect.onExitPrimitive(
        pool.use((connection) => {
          has = true
          counts.waiting--
          counts.inUse++
          return use(shared(connection))
        }),
        () => {
          if (has) counts.inUse--
          else counts.waiting--
          return undefined
        }
      )
    })

  const lease = (
    acquire: Effect.Effect<PgConnection.PgConnection, SqlError.SqlError, Scope.Scope>,
    connectionOf: typeof shared
  ) =>
    Effect.acquireRelease(
      Effect.suspend(() => {
        counts.waiting++
        return Effect.ensuring(acquire, Effect.sync(() => counts.waiting--))
      }).pipe(Effect.tap(() => Effect.sync(() => counts.inUse++))),
      () => Effect.sync(() => counts.inUse--),
      { interruptible: true }
    ).pipe(Effect.map(connectionOf))

  return { borrower, acquirer: lease(pool.get, shared), transactionAcquirer: lease(pool.reserve, reserved) }
}

/** PostgreSQL answers COMMIT with ROLLBACK where a statement of the transaction had failed. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(
    connection.executeRaw("COMMIT", []),
    (result) =>
      Predicate.hasProperty(result, "command") && result.command === "ROLLBACK"
        ? Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({
              cause: new Error("the transaction was rolled back"),
              message: "COMMIT rolled back a transaction in which a statement had failed",
              operation: "commit"
            })
          })
        )
        : Effect.void
  )

/** A statement whose text is always the same, by what it is given for `$1`, `$2` and so on. */
export type Prepared<Row> = (parameters: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>

export class MeasuredClient extends Context.Service<
  MeasuredClient,
  PgClient.PgClient & {
    /**
     * For what every request asks, outside of transactions: its text is not put together anew, and where nobody receives spans or
     * looks at statements, it goes to its connection as it is.
     */
    readonly prepared: <Row extends object>(text: string) => Prepared<Row>
  }
>()("@freehold/adapters-pg/database/MeasuredClient") {}

/** A process of the server, asked on a connection that it is not at the other end of. */
const backendBy = ({ applicationName }: PgClient.PgPoolConfig, beside: PgClient.PgClient) => (processId: number) => {
  // Of a long text the server knows the beginning.
  const begun = (text: string) =>
    Effect.map(
      beside<{ readonly begun: string }>`
        SELECT query_start::text AS begun FROM pg_stat_activity
        WHERE pid = ${processId} AND usename = current_user AND application_name = ${applicationName} AND state = 'active'
          AND query_start < clock_timestamp() - make_interval(secs => ${Duration.toSeconds(Pipelined.patience)})
          AND starts_with(${text}, query)`,
      ([found]) => found?.begun ?? null
    )
  const end = (begun: string) =>
    beside`
      SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE pid = ${processId} AND state = 'active' AND query_start::text = ${begun}`
  return { begun, end } satisfies Pipelined.Backend
}

/** `name`: what the pool is for, as its metrics have it. `beside`: of a pipelined pool, the client that ends statements there. */
export const make = Effect.fnUntraced(function*(
  config: PgClient.PgPoolConfig,
  name: string,
  beside?: PgClient.PgClient
) {
  // Compiles, and listens on connections of its own; what it would run goes through the counted pool instead.
  const plain = yield* PgClient.make(config)
  const counts: PoolCounts = { inUse: 0, waiting: 0 }
  yield* publish(name, counts, config.maxConnections ?? 1)
  const address = config.url === undefined ? null : new URL(Redacted.value(config.url))
  const { acquirer, borrower, transactionAcquirer } = counting(
    yield* PgPool.make(config),
    counts,
    beside === undefined ? undefined : backendBy(config, beside)
  )
  const client = yield* SqlClient.make({
    acquirer,
    borrower,
    transactionAcquirer,
    driver: "pg",
    compiler: PgClient.makeCompiler(),
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (savepoint) => `RELEASE SAVEPOINT ${savepoint}`,
    spanAttributes: [["db.system.name", "postgresql"], ["server.address", address?.hostname ?? ""], [
      "freehold.pool",
      name
    ]]
  })
  const prepared = <Row extends object>(text: string): Prepared<Row> => (parameters) =>
    Effect.withFiber((fiber) =>
      fiber.cache.tracerEnabled || fiber.getRef(Statement.CurrentTransformer) !== undefined
        ? client.unsafe<Row>(text, parameters)
        : borrower((connection) => connection.execute(text, parameters, undefined))
    )
  const { json, listen, notify } = plain
  return MeasuredClient.of(
    Object.assign(client, { [PgClient.TypeId]: PgClient.TypeId, config, json, listen, notify, prepared })
  )
})

export const layer = (config: PgClient.PgPoolConfig, name: string) =>
  Layer.effectContext(Effect.map(make(config, name), (client) =>
    Context.make(MeasuredClient, client).pipe(
      Context.add(PgClient.PgClient, client),
      Context.add(SqlClient.SqlClient, client)
    ))).pipe(Layer.provide(Reactivity.layer))

/** A pipelined one, whose statements the other client ends when nobody waits for them. */
export const pipelined = (config: PgClient.PgPoolConfig, name: string) =>
  Layer.effect(
    MeasuredClient,
    Effect.flatMap(PgClient.PgClient, (beside) => make(config, name, beside))
  ).pipe(Layer.provide(Reactivity.layer))
