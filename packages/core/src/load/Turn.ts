/**
 * Whose turn it is of the one thread of a process, asked again after work has waited for something: what many wait for may come to all
 * of them at once, and would be gone on with at once.
 */
import { Context, Effect } from "effect"

/** How the host of a process shares its thread: goes on when it is the organization's turn. */
export const Next = Context.Reference<(orgId: string) => Effect.Effect<void>>("@freehold/core/load/Turn/Next", {
  defaultValue: () => () => Effect.void
})

/** The turn of the organization for which the work in this context is done; null: it is not of any, or too short to be shared out. */
export const Own = Context.Reference<Effect.Effect<void> | null>("@freehold/core/load/Turn/Own", {
  defaultValue: () => null
})

/** The value, when it is the turn of whose work it is. */
export const after = <A>(value: A): Effect.Effect<A> =>
  Effect.withFiber((fiber) => {
    const own = fiber.getRef(Own)
    return own === null ? Effect.succeed(value) : Effect.as(own, value)
  })
