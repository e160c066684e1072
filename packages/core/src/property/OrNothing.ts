/** What is read beside an answer that stands already: past its time, or when it cannot be read, it is left out. */
import { Duration, Effect, type Option } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

/** An answer waits for it no longer. */
const longestLook = Duration.seconds(1)

/** What is read, or nothing where it takes too long. */
export const orNothing = <A>(read: Effect.Effect<A, TemporarilyUnavailable>): Effect.Effect<Option.Option<A>> =>
  read.pipe(
    Effect.timeoutOption(longestLook),
    Effect.catchTag("TEMPORARILY_UNAVAILABLE", () => Effect.succeedNone)
  )
