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

/** What is counted of one method of one route: the series are looked up once. */
class Counts {
  readonly #labels: { readonly method: string; readonly route: string }
  readonly #byStatus = new Map<number | null, ReturnType<typeof requests.of>>()
  readonly #durations: ReturnType<typeof durations.of>

  constructor(method: string, route: string) {
    this.#labels = { method, route }
    this.#durations = durations.of(this.#labels)
  }

  add(status: number | null, nanos: number, context: Context.Context<never>): void {
    this.#of(status).updateUnsafe(1, context)
    this.#durations.updateUnsafe(nanos / nanosASecond, context)
  }

  #of(status: number | null): ReturnType<typeof requests.of> {
    const known = this.#byStatus.get(status)
    if (known !== undefined) return known
    const made = requests.of({ ...this.#labels, status: status === null ? "client_gone" : String(status) })
    this.#byStatus.set(status, made)
    return made
  }
}

/** By route and method: as many as there are routes. */
const counts = new Map<string, Map<string, Counts>>()

const countsOf = (method: string, route: string): Counts => {
  const ofRoute = counts.get(route) ?? new Map<string, Counts>()
  counts.set(route, ofRoute)
  const known = methods.has(method) ? method : "other"
  const made = ofRoute.get(known) ?? new Counts(known, route)
  ofRoute.set(known, made)
  return made
}

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
  const startedAt = clock.monotonicTimeNanosUnsafe()
  let millis: number | null = null
  running++
  return {
    millis: () => millis,
    end: (status, route) => {
      running--
      const nanos = Number(clock.monotonicTimeNanosUnsafe() - startedAt)
      countsOf(method, route ?? "none").add(status, nanos, context)
      millis = Math.round(nanos / nanosAMillisecond)
    }
  }
}
