/** How many requests came, how they ended and how long they took: by route and status, never by what a client chose. */
import * as Series from "@freehold/core/operation/Series"
import { Effect, Metric } from "effect"

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

export interface Ended {
  readonly method: string
  /** null: no route has this path. */
  readonly route: string | null
  readonly status: number | "client_gone"
  readonly millis: number
}

export const ended = ({ method: given, millis, route: matched, status }: Ended): Effect.Effect<void> => {
  const method = methods.has(given) ? given : "other"
  const route = matched ?? "none"
  return Effect.andThen(
    requests.update({ method, route, status: String(status) }, 1),
    durations.update({ method, route }, millis / 1000)
  )
}

let running = 0

/** Counts the request as one in flight until it ends. */
export const whileInFlight = <A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    running++
    return Effect.ensuring(
      Effect.andThen(Metric.update(inFlight, running), request),
      Effect.suspend(() => Metric.update(inFlight, --running))
    )
  })
