/**
 * What writes: a transaction, or one statement that is a transaction by itself. The deadline of a request does not end
 * it while it is being written, so that what was done is answered.
 *
 * A transaction says so when the connection was lost in it.
 *
 * *Gotchas.* `withTransaction` of the SQL client rolls back on the lost connection too, and makes a defect of everything
 * when that fails: a caller would be told of a fault of ours, where the database is only away.
 */
import * as Deadline from "@freehold/core/load/Deadline"
import { Cause, Effect } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { isUnavailable } from "./Database.ts"

/** Runs what only reads in a transaction, which the deadline of a request ends. */
export const reading = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.catchCause(sql.withTransaction(effect), (cause) => {
    for (const reason of cause.reasons) {
      if (Cause.isDieReason(reason) && SqlError.isSqlError(reason.defect) && isUnavailable(reason.defect)) {
        return Effect.fail(reason.defect)
      }
    }
    return Effect.failCause(cause)
  })

/** Runs the effect in a transaction; within one that is under way, in a savepoint. */
export const transaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> => reading(sql, Effect.tap(effect, () => Deadline.lift))

/** The first statement of a transaction that reads, all of it, one state of the database. */
export const ofOneState = (sql: SqlClient.SqlClient) => sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`

/** Runs one statement that writes. */
export const writing = <A, E, R>(statement: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.andThen(Deadline.lift, statement)
