/** How many requests came, how they ended and how long they took: by route and status, never by what a client chose. */
import * as Series from "@freehold/core/operation/Series"
import { Clock, Context, Effect, Exit, Metric } from "effect"

const requests = Series.make(
  ["method", "route", "status"],
  (attributes) =>
    Metric.counter("freehold_http_requests_total", {
      description: "Answered requests, by the route's pattern; status client_gone: nobody waited for the answer.",
      incremental: true,
      attributes
    })
)

const durations = Series.make(["method", "route"], (attributes) =>
  Metric.histogram("freehold_http_request_seconds", {
    description: "From the first look at a request to its answer, by the route's pattern.",
    boundaries: Series.seconds,
    attributes
  }))

const inFlight = Metric.gauge("freehold_http_in_flight", { description: "Requests that are being answered." })

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

let running = 0

/** Tells how many requests are in flight, whenever somebody asks. */
export const publish = Effect.acquireRelease(
  Effect.map(Effect.context<never>(), (context) =>
    Metric.registerUnsafe(inFlight, context, {
      get: () => ({ value: running }),
      update: () => {},
      modify: () => {}
    })),
  ({ remove }) => Effect.sync(remove)
)

const nanosAMillisecond = 1e6
const nanosASecond = 1e9

export interface Measured<A> {
  readonly answer: A
  readonly millis: number
}

/**
 * Runs a request that fails only when nobody waits for its answer any more, and counts how it ended. `routeOf` is asked at its end: the route's pattern, null where none has the path.
 *
 * It is run for every request, so it is few effects, each cheap.
 */
export const measured = <A extends { readonly status: number }, E, R>(
  method: string,
  routeOf: () => string | null,
  request: Effect.Effect<A, E, R>
): Effect.Effect<Measured<A>, E, R> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.flatMap(Clock.currentTimeNanos, (startedAt) => {
      const clock = Context.get(context, Clock.Clock)
      let millis = 0
      const end = (status: string): void => {
        running--
        const nanos = Number(clock.currentTimeNanosUnsafe() - startedAt)
        const labels = { method: methods.has(method) ? method : "other", route: routeOf() ?? "none" }
        requests.of({ ...labels, status }).updateUnsafe(1, context)
        durations.of(labels).updateUnsafe(nanos / nanosASecond, context)
        millis = Math.round(nanos / nanosAMillisecond)
      }
      running++
      return request.pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => end(Exit.isSuccess(exit) ? String(exit.value.status) : "client_gone"))
        ),
        Effect.map((answer) => ({ answer, millis }))
      )
    })
  )
