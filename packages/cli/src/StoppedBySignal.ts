/** Work that goes on until it is stopped: being asked to stop is then its success, and the exit code says so. */
import { Effect } from "effect"

/** Sets the code that `Freehold` ends with when nothing but a signal ends the effect. */
export const endsWhenStopped = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    process.exitCode = 0
    return effect
  })
