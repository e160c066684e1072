/**
 * The statements on a pipelined connection: those that nobody waits for any more are ended. The driver lets them run, since it would
 * cancel whatever the connection is at, which may be somebody else's.
 *
 * So each has a fiber of its own, which whoever asks waits for and does not interrupt: what is under way is then the oldest of them.
 *
 * *Gotchas.* A pooler before the server gives connections numbers of its own: there such a statement runs to its time limit.
 */
import * as Fork from "@freehold/core/operation/Fork"
import { Context, Duration, Effect } from "effect"
import type { SqlError } from "effect/sql"

/** Statements that are pipelined take a few milliseconds: most that nobody waits for have ended by themselves by then. */
export const patience = Duration.millis(250)

/** How each statement of a connection is run, by its text. */
export type Run = <A>(
  text: string,
  statement: Effect.Effect<A, SqlError.SqlError>
) => Effect.Effect<A, SqlError.SqlError>

/** The process of the server at the other end of a connection. */
export interface Backend {
  /** When the statement of this text began that it has been at for as long as the patience; null: it is at none. */
  readonly begun: (text: string) => Effect.Effect<string | null, SqlError.SqlError>
  /** Ends what began then, if it is still at it. */
  readonly end: (begun: string) => Effect.Effect<unknown, SqlError.SqlError>
}

/** For one connection. */
export const make = (backend: Backend): Run => {
  const statements = new Set<{ readonly text: string; isAwaited: boolean }>()
  let isWatched = false

  /**
   * What the server is at may be somebody's who waits: the next one, when the oldest has ended while we asked; or one that the oldest
   * is behind, since the driver asks again for what was prepared and does not fit any more.
   */
  const endOldest = Effect.gen(function*() {
    const [oldest] = statements
    if (oldest?.isAwaited !== false) return
    const begun = yield* backend.begun(oldest.text)
    // That it has ended may have arrived together with the answer.
    yield* Effect.yieldNow
    if (begun !== null && statements.has(oldest)) yield* backend.end(begun)
  })
  const watch = Effect.whileLoop({
    while: () => {
      isWatched = [...statements].some(({ isAwaited }) => !isAwaited)
      return isWatched
    },
    body: () => Effect.andThen(Effect.sleep(patience), Effect.ignore(endOldest)),
    step: () => undefined
  })

  return <A>(text: string, statement: Effect.Effect<A, SqlError.SqlError>) =>
    Effect.callback<A, SqlError.SqlError>((resume) => {
      const own = { text, isAwaited: true }
      let told: typeof resume | null = resume
      statements.add(own)
      // What nobody waits for, which a server that is away may hold up for long, keeps nothing of the request that asked.
      Fork.telling(Context.empty())(statement, (exit) => {
        statements.delete(own)
        told?.(exit)
      })
      return Effect.sync(() => {
        own.isAwaited = false
        told = null
        // Beyond any transaction that whoever asked is in.
        if (!isWatched) Effect.runFork(watch)
      })
    })
}
