/** How many requests came, how they ended and how long they took: by route and status, never by what a client chose. */
import * as Series from "@freehold/core/operation/Series"
import { Clock, Context, Effect, Metric } from "effect"

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

/** Of one request, from its first look on. */
export interface Measure {
  /** How many milliseconds it took; null: it has not ended. */
  readonly millis: () => number | null
  /** It ended with an answer of this status; null: nobody waited for its answer any more. */
  readonly end: (status: number | null, route: string | null) => void
}

/** Begins to measure a request, which then has to be ended once. `route`: the route's pattern, null where none has the path. */
export const begin = (method: string, context: Context.Context<never>): Measure => {
  const clock = Context.get(context, Clock.Clock)
  const startedAt = clock.currentTimeNanosUnsafe()
  let millis: number | null = null
  running++
  return {
    millis: () => millis,
    end: (status, route) => {
      running--
      const nanos = Number(clock.currentTimeNanosUnsafe() - startedAt)
      const labels = { method: methods.has(method) ? method : "other", route: route ?? "none" }
      requests.of({ ...labels, status: status === null ? "client_gone" : String(status) }).updateUnsafe(1, context)
      durations.of(labels).updateUnsafe(nanos / nanosASecond, context)
      millis = Math.round(nanos / nanosAMillisecond)
    }
  }
}
