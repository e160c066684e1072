/** Counts the connections that were closed, or not accepted, because of a bound of `ServerBounds`. */
import * as Series from "@freehold/core/operation/Series"
import { Context, Metric } from "effect"

const bounds = ["connections", "connections_per_address", "waiting_requests", "answer_timeout", "held_bytes"] as const

export type Bound = typeof bounds[number]

const cut = Series.make(["bound"], (attributes) =>
  Metric.counter("freehold_http_connections_cut_total", {
    description: "Connections that were closed or refused because of a bound on what clients may hold.",
    incremental: true,
    attributes
  }))

/** Where no effect runs. */
export const count = (bound: Bound): void => cut.of({ bound }).updateUnsafe(1, Context.empty())

/** Tells of every bound from now on. */
export const begin = (): void => {
  for (const bound of bounds) cut.begin({ bound })
}
