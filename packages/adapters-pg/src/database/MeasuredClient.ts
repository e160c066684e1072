/**
 * A client of PostgreSQL whose pool tells how many of its connections are in use, and how many statements and transactions
 * wait for one: the driver keeps that to itself.
 *
 * *Gotchas.* Of a pipelined pool the statements under way are counted, since they share its connections. Who listens keeps
 * a connection beside the pool, and is not counted.
 */
import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, Predicate, Redacted, type Scope } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { type PoolCounts, publish } from "./PoolGauges.ts"

type Rows = ReadonlyArray<PgConnection.Row>

const rowsOf = ({ rows }: PgConnection.Result): Rows => rows

/** A connection of the driver as the client of `effect/sql` takes it. */
const adapted = (connection: PgConnection.PgConnection): SqlConnection.Connection => {
  const run = (text: string, parameters: ReadonlyArray<unknown>, prepare: boolean) =>
    Effect.map(connection.query(text, parameters, prepare), rowsOf)
  return {
    execute: (text, parameters, transform) => {
      const rows = run(text, parameters, true)
      return transform === undefined ? rows : Effect.map(rows, transform)
    },
    executeUnprepared: (text, parameters, transform) => {
      const rows = run(text, parameters, false)
      return transform === undefined ? rows : Effect.map(rows, transform)
    },
    executeRaw: (text, parameters) => connection.query(text, parameters),
    executeValues: (text, parameters) => connection.queryValues(text, parameters),
    executeValuesUnprepared: (text, parameters) => connection.queryValues(text, parameters, false),
    // No client of ours renames columns, so rows need no transformation.
    executeStream: (text, parameters) => connection.stream(text, parameters)
  }
}

/** Counts who waits for a connection and who has one, whichever way it is borrowed. */
const counting = (pool: PgPool.PgPool, counts: PoolCounts) => {
  const known = new WeakMap<PgConnection.PgConnection, SqlConnection.Connection>()
  const connectionOf = (connection: PgConnection.PgConnection): SqlConnection.Connection => {
    const made = known.get(connection) ?? adapted(connection)
    known.set(connection, made)
    return made
  }

  const borrower: SqlConnection.Borrower = (use) =>
    Effect.suspend(() => {
      let has = false
      counts.waiting++
      return Effect.ensuring(
        pool.use((connection) => {
          has = true
          counts.waiting--
          counts.inUse++
          return use(connectionOf(connection))
        }),
        Effect.sync(() => {
          if (has) counts.inUse--
          else counts.waiting--
        })
      )
    })

  const lease = (acquire: Effect.Effect<PgConnection.PgConnection, SqlError.SqlError, Scope.Scope>) =>
    Effect.acquireRelease(
      Effect.suspend(() => {
        counts.waiting++
        return Effect.ensuring(acquire, Effect.sync(() => counts.waiting--))
      }).pipe(Effect.tap(() => Effect.sync(() => counts.inUse++))),
      () => Effect.sync(() => counts.inUse--),
      { interruptible: true }
    ).pipe(Effect.map(connectionOf))

  return { borrower, acquirer: lease(pool.get), transactionAcquirer: lease(pool.reserve) }
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

/** `name`: what the pool is for, as its metrics have it. */
export const make = Effect.fnUntraced(function*(config: PgClient.PgPoolConfig, name: string) {
  // Compiles, and listens on connections of its own; what it would run goes through the counted pool instead.
  const plain = yield* PgClient.make(config)
  const counts: PoolCounts = { inUse: 0, waiting: 0 }
  yield* publish(name, counts, config.maxConnections ?? 1)
  const address = config.url === undefined ? null : new URL(Redacted.value(config.url))
  const client = yield* SqlClient.make({
    ...counting(yield* PgPool.make(config), counts),
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
  const { json, listen, notify } = plain
  return Object.assign(client, { [PgClient.TypeId]: PgClient.TypeId, config, json, listen, notify })
})

export const layer = (config: PgClient.PgPoolConfig, name: string) => PgClient.layerFrom(make(config, name))
