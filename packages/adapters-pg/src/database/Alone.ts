/**
 * Work that one process does at a time, over all processes. Whoever does it holds an advisory lock in a transaction of its
 * own, so that it is free in the moment in which the process or its connection is gone.
 */
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Deferred, Duration, Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { unavailable } from "./Availability.ts"
import { transaction } from "./Transaction.ts"

/** How often whoever works makes sure that the lock is still theirs. */
const heartbeat = Duration.seconds(10)

/** Runs the effect while nobody else does work of this name; none: somebody does. */
export const alone = (sql: SqlClient.SqlClient, work: string) =>
<A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<Option.Option<A>, E | TemporarilyUnavailable, R> =>
  Effect.gen(function*() {
    const turn = yield* Deferred.make<boolean>()
    const hold = transaction(
      sql,
      Effect.gen(function*() {
        yield* sql`SET LOCAL idle_in_transaction_session_timeout = 0`
        const [lock] = yield* sql<{ readonly got: boolean }>`
          SELECT pg_try_advisory_xact_lock(hashtext(${`freehold ${work}`})) AS got`
        yield* Deferred.succeed(turn, lock?.got === true)
        if (lock?.got !== true) return Option.none<A>()
        while (true) {
          yield* Effect.sleep(heartbeat)
          yield* sql`SELECT 1`
        }
      })
    ).pipe(Effect.catchTag("SqlError", unavailable))
    const mine = Effect.flatMap(Deferred.await(turn), (got) => got ? Effect.asSome(effect) : Effect.never)
    return yield* Effect.raceFirst(mine, hold)
  })
