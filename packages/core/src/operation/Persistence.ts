/**
 * For the loops of workers: an effect that fails because something is briefly unavailable is tried until it succeeds.
 *
 * The pauses double from 100 ms to 5 s. The first failure is logged, and the success after it; `worker` is who says so.
 */
import { Cause, Duration, Effect, Exit } from "effect"
import type { TemporarilyUnavailable } from "./TemporarilyUnavailable.ts"

const firstPause = Duration.millis(100)
const longestPause = Duration.seconds(5)

/** `what` completes the sentences "cannot …" and "can … again". A defect is tried again, too; an interruption ends it. */
export const make = (worker: string) =>
  Effect.fnUntraced(
    function*<A, R>(what: string, effect: Effect.Effect<A, TemporarilyUnavailable, R>) {
      let pause = firstPause
      let troubled = false
      while (true) {
        const exit = yield* Effect.exit(effect)
        if (Exit.isSuccess(exit)) {
          if (troubled) yield* Effect.logInfo(`${worker}: can ${what} again`)
          return exit.value
        }
        if (Cause.hasInterrupts(exit.cause)) return yield* Effect.interrupt
        if (!troubled) yield* Effect.logWarning(`${worker}: cannot ${what}, trying on`, exit.cause)
        troubled = true
        yield* Effect.sleep(pause)
        pause = Duration.min(Duration.times(pause, 2), longestPause)
      }
    }
  )
