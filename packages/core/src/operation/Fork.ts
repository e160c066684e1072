/**
 * Work in a fiber of its own that does not keep what it came to.
 *
 * A fiber that waited is old for the collector of garbage, and what hangs on something old is kept and copied, needed or not,
 * until everything is collected: the rows of a search and the text of its answer, of each one.
 */
import { type Context, Effect, Exit, type Fiber } from "effect"

/** `told`: hears how it ended, once it has; before this returns, if it does not wait for anything. */
export const telling =
  <R>(context: Context.Context<R>) =>
  <A, E>(effect: Effect.Effect<A, E, R>, told: (exit: Exit.Exit<A, E>) => void): Fiber.Fiber<void, E> => {
    let answer: Exit.Exit<A, E> | null = null
    const fiber = Effect.runForkWith(context)(Effect.map(effect, (value) => {
      answer = Exit.succeed(value)
    }))
    fiber.addObserver((exit) => {
      const ended = Exit.isFailure(exit) ? Exit.failCause(exit.cause) : answer
      answer = null
      if (ended !== null) told(ended)
    })
    return fiber
  }
