/**
 * What is read beside an answer that stands already: past its time, or when it cannot be read, it is left out.
 *
 * An answer that took its time itself waits the less: all of it is to be there within a second.
 */
import { Clock, Context, Duration, Effect, Option } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

/** An answer waits for what is read beside it no longer than so after it was begun. */
const longest = Duration.millis(800)

/** Until when, in milliseconds of the clock. */
const Until = Context.Reference<number>("@freehold/core/property/OrNothing/Until", {
  defaultValue: () => Number.POSITIVE_INFINITY
})

/** The answer is begun: what is read beside it shares the time that is left. */
export const beginning = <A, E, R>(answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(
    Clock.currentTimeMillis,
    (now) => Effect.provideService(answer, Until, now + Duration.toMillis(longest))
  )

/** What is read, or nothing where it takes too long. */
export const orNothing = Effect.fnUntraced(function*<A>(
  read: Effect.Effect<A, TemporarilyUnavailable>
): Effect.fn.Return<Option.Option<A>> {
  const left = (yield* Until) - (yield* Clock.currentTimeMillis)
  if (left <= 0) return Option.none()
  return yield* read.pipe(
    Effect.timeoutOption(Duration.min(longest, Duration.millis(left))),
    Effect.catchTag("TEMPORARILY_UNAVAILABLE", () => Effect.succeedNone)
  )
})
