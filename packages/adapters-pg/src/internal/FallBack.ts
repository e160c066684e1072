/**
 * Reads from a replica where it answers, and from the primary where it does not.
 *
 * A replica that is away is asked again after a pause, by one read that finds out; the first one that finds it away and the
 * first one that finds it back are logged.
 */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Duration, Effect } from "effect"
import type { SqlError } from "effect/sql"

/** How long a replica may take for a read before it counts as away. */
const patience = Duration.seconds(2)

/** How long a replica that is away is left alone. */
const pauseMillis = 10_000

/** One read, on whichever client it is given. */
export type Read<A> = (sql: PgClient.PgClient) => Effect.Effect<A, SqlError.SqlError>

export const make = (
  replica: PgClient.PgClient,
  primary: PgClient.PgClient,
  isAway: (error: SqlError.SqlError) => boolean
) => {
  /** When it was found away; null: it answered last. */
  let awaySince: number | null = null

  const fallBack = <A>(read: Read<A>, reason: string) =>
    Effect.gen(function*() {
      if (awaySince === null) {
        yield* Effect.logWarning(`the replica is away, reading from the primary: ${reason}`)
      }
      awaySince = yield* Clock.currentTimeMillis
      return yield* read(primary)
    })

  const answered = Effect.suspend(() => {
    if (awaySince === null) return Effect.void
    awaySince = null
    return Effect.logInfo("the replica is back")
  })

  return Effect.fnUntraced(function*<A>(read: Read<A>): Effect.fn.Return<A, SqlError.SqlError> {
    if (awaySince !== null) {
      const now = yield* Clock.currentTimeMillis
      // A clock that was set back must not prolong it.
      if (now >= awaySince && now < awaySince + pauseMillis) return yield* read(primary)
      awaySince = now
    }
    return yield* read(replica).pipe(
      Effect.tap(() => answered),
      Effect.timeoutOrElse({
        duration: patience,
        orElse: () => fallBack(read, "it does not answer")
      }),
      Effect.catchTag(
        "SqlError",
        (error) => isAway(error) ? fallBack(read, error.reason.message) : Effect.fail(error)
      )
    )
  })
}
