/** Who has a lock, and who waits for one. */
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"

/** Ends when so many wait for a lock. */
export const waiting = Effect.fnUntraced(function*(count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.repeat(
    sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    { until: (rows) => rows.length >= count }
  )
})

/** Holds what a statement locks until it is told to go, in a transaction that has its locks now. */
export const holding = Effect.fnUntraced(function*<A, E, R>(locking: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const locked = yield* Deferred.make<void>()
  const done = yield* Deferred.make<void>()
  const holder = yield* locking.pipe(
    Effect.andThen(Deferred.succeed(locked, undefined)),
    Effect.andThen(Deferred.await(done)),
    sql.withTransaction,
    Effect.forkChild
  )
  yield* Deferred.await(locked)
  return Effect.andThen(Deferred.succeed(done, undefined), Fiber.join(holder))
})
