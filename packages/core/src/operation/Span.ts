/**
 * The span of a method that every request goes through, made only where somebody receives spans.
 *
 * `Effect.fn("…")` makes a span, an error for its place in the code and a context for both on each call, also where nobody
 * receives them; that is for what is called once in a while.
 *
 *     admit: Effect.fnUntraced(function*(request) { … }, Span.named("Admission.admit"))
 */
import { Effect } from "effect"

export const named = (name: string) => <A, E, R>(method: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber<A, E, R>((fiber) =>
    fiber.cache.tracerEnabled ? Effect.withSpan(method, name, { captureStackTrace: false }) : method
  )
