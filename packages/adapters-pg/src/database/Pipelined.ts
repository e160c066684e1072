/**
 * The statements on a pipelined connection: those that nobody waits for any more are ended. The driver lets them run, since it would
 * cancel whatever the connection is at, which may be somebody else's.
 *
 * So each has a fiber of its own, which whoever asks waits for and does not interrupt: what is under way is then the oldest of them.
 *
 * *Gotchas.* A pooler before the server gives connections numbers of its own: there such a statement runs to its time limit.
 */
import * as Fork from "@freehold/core/operation/Fork"
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql"

/** Statements that are pipelined take a few milliseconds: most that nobody waits for have ended by themselves by then. */
export const patience = Duration.millis(250)

/** How each statement of a connection is run. */
export type Run = <A>(statement: Effect.Effect<A, SqlError.SqlError>) => Effect.Effect<A, SqlError.SqlError>

/** For one connection. `end`: ends what it has been at for as long as the patience. */
export const make = (end: Effect.Effect<void>): Run => {
  const statements = new Set<{ isAwaited: boolean }>()
  let isWatched = false

  const endOldest = Effect.suspend(() => {
    const [oldest] = statements
    return oldest?.isAwaited === false ? end : Effect.void
  })
  const watch = Effect.whileLoop({
    while: () => {
      isWatched = [...statements].some(({ isAwaited }) => !isAwaited)
      return isWatched
    },
    body: () => Effect.andThen(Effect.sleep(patience), endOldest),
    step: () => undefined
  })

  return <A>(statement: Effect.Effect<A, SqlError.SqlError>) =>
    Effect.withFiber(({ context }) =>
      Effect.callback<A, SqlError.SqlError>((resume) => {
        const own = { isAwaited: true }
        statements.add(own)
        Fork.telling(context)(statement, (exit) => {
          statements.delete(own)
          resume(exit)
        })
        return Effect.sync(() => {
          own.isAwaited = false
          // Beyond any transaction that whoever asked is in.
          if (!isWatched) Effect.runFork(watch)
        })
      })
    )
}
