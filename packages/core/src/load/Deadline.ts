/**
 * The time within which a request is answered: past it, it ends with TEMPORARILY_UNAVAILABLE, and what it was doing is
 * interrupted, down to the statement in the database.
 *
 * What is charged is to be answered. So whoever writes something lifts the deadline right before: from there on the
 * request ends by itself, as its statements have limits of their own. Only if even that takes longer than `grace` does
 * it end all the same; its outcome is unknown then, and the same call again tells it.
 */
import { Context, Duration, Effect, Option } from "effect"
import { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import * as TimeLimit from "../operation/TimeLimit.ts"
import * as Trouble from "../operation/Trouble.ts"

/** How long a request may go on that had begun to write when its time was over. */
export const grace = Duration.seconds(10)

/** When to ask again for what took too long. */
const retryAfterSeconds = 2

const tooLong = Effect.andThen(
  Trouble.tell("it took longer than its time"),
  Effect.suspend(() => Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds })))
)

interface State {
  phase: "running" | "lifted" | "over"
}

const Running = Context.Reference<Option.Option<State>>("@freehold/core/load/Deadline/Running", {
  defaultValue: () => Option.none()
})

/**
 * Right before something is written for the request with that context, by whoever does it: its deadline, if there is one,
 * no longer ends it. False: it is being interrupted, so nothing must be written for it.
 */
export const liftOf = (context: Context.Context<never>): boolean =>
  Option.match(Context.get(context, Running), {
    onNone: () => true,
    onSome: (state) => {
      if (state.phase === "over") return false
      state.phase = "lifted"
      return true
    }
  })

/** Right before something is written: the deadline of the request under way, if there is one, no longer ends it. */
export const lift: Effect.Effect<void> = Effect.contextWith((context: Context.Context<never>) =>
  liftOf(context) ? Effect.void : Effect.never
)

/** Runs what does not lift the deadline of the request under way: what is done for several at once, or is not what one is charged for. */
export const outside = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, Running, Option.none())

/** Runs the effect under a deadline. */
export const within = <A, E, R>(
  time: Duration.Duration,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | TemporarilyUnavailable, R> =>
  Effect.suspend(() => {
    const state: State = { phase: "running" }
    let hasGrace = true
    return TimeLimit.within(Effect.provideService(effect, Running, Option.some(state)), {
      millis: Duration.toMillis(time),
      late: () => {
        if (state.phase === "lifted" && hasGrace) {
          hasGrace = false
          return Duration.toMillis(grace)
        }
        state.phase = "over"
        return tooLong
      }
    })
  })
