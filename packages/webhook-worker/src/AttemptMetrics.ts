/**
 * How attempts end: all of them by outcome, and by endpoint those of the endpoints that failed last.
 *
 * An endpoint has a series of its own from its first failure on, and the `most` that failed last keep theirs: so whose
 * trouble it is can be seen, and ten thousand endpoints that are well are no ten thousand series.
 */
import * as Series from "@freehold/core/operation/Series"
import { Effect, Metric } from "effect"

/** Endpoints with a series of their own. */
export const most = 50

const attempts = Series.make(["outcome"], (attributes) =>
  Metric.counter("freehold_webhook_attempts_total", {
    description:
      "Attempts to deliver: delivered, gone, rejected (another status), blocked, or the phase in which no answer came; to a CRM also postponed (it asked to wait) and unanswered.",
    incremental: true,
    attributes
  }))

const durations = Metric.histogram("freehold_webhook_attempt_seconds", {
  description: "How long attempts to deliver a webhook took.",
  boundaries: Series.seconds
})

const ofEndpoint = (endpoint: string, outcome: "delivered" | "failed") =>
  Metric.counter("freehold_webhook_endpoint_attempts_total", {
    description: `Attempts of the ${most} endpoints that failed last, each since its first failure.`,
    incremental: true,
    attributes: { endpoint, outcome }
  })

const seriesOf = (endpoint: string) => ({
  delivered: ofEndpoint(endpoint, "delivered"),
  failed: ofEndpoint(endpoint, "failed")
})

/** Counts attempts, with the attributes that are in force where it is made. */
export const make = Effect.map(Effect.context<never>(), (context) => {
  for (const outcome of ["delivered", "rejected", "timeout"]) attempts.begin({ outcome })
  /** Who failed last stands at the end. */
  const troubled = new Map<string, ReturnType<typeof seriesOf>>()

  const makeRoom = Effect.suspend(() => {
    const [oldest] = troubled
    if (troubled.size < most || oldest === undefined) return Effect.void
    const [endpoint, { delivered, failed }] = oldest
    troubled.delete(endpoint)
    return Effect.andThen(Metric.remove(delivered), Metric.remove(failed))
  })

  const countFailure = (endpoint: string) =>
    Effect.gen(function*() {
      const known = troubled.get(endpoint)
      if (known === undefined) yield* makeRoom
      const series = known ?? seriesOf(endpoint)
      troubled.delete(endpoint)
      troubled.set(endpoint, series)
      yield* Metric.update(series.failed, 1)
    })

  return {
    count: (endpoint: string, outcome: string, durationMillis: number): Effect.Effect<void> =>
      Effect.suspend(() => {
        attempts.of({ outcome }).updateUnsafe(1, context)
        durations.updateUnsafe(durationMillis / 1000, context)
        if (outcome === "delivered") troubled.get(endpoint)?.delivered.updateUnsafe(1, context)
        // Who asks to wait has not failed.
        return outcome === "delivered" || outcome === "postponed" ? Effect.void : countFailure(endpoint)
      })
  }
})
