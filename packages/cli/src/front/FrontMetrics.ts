/** How many requests a front handed on, how they ended and how long they took: by cell, never by what a client chose. */
import * as Series from "@freehold/core/operation/Series"
import { Context, Metric } from "effect"

/** Why the front answered of its own: nobody's key, a cell that is away, one that did not begin to answer in time. */
export type Refused = "unknown" | "away" | "late"

const requests = Series.make(["cell", "status"], (attributes) =>
  Metric.counter("freehold_front_requests_total", {
    description:
      "Answered requests, by the cell that they belong to; status client_gone: nobody waited for the answer.",
    incremental: true,
    attributes
  }))

const durations = Series.make(["cell"], (attributes) =>
  Metric.histogram("freehold_front_request_seconds", {
    description: "From a request's head to the end of its answer, by the cell that it belongs to.",
    boundaries: Series.seconds,
    attributes
  }))

const refusals = Series.make(["cell", "reason"], (attributes) =>
  Metric.counter("freehold_front_refusals_total", {
    description: "Requests that the front refused of its own, by cell.",
    incremental: true,
    attributes
  }))

const context = Context.empty()

/** Tells of these cells from the start. */
export const begin = (cells: Iterable<string>): void => {
  for (const cell of cells) {
    for (const reason of ["away", "late"]) refusals.begin({ cell, reason })
  }
  refusals.begin({ cell: "none", reason: "unknown" })
}

/** A request ended; `cell` null: it was nobody's. */
export const ended = (cell: string | null, status: number | null, seconds: number): void => {
  const labels = { cell: cell ?? "none" }
  requests.of({ ...labels, status: status === null ? "client_gone" : String(status) }).updateUnsafe(1, context)
  durations.of(labels).updateUnsafe(seconds, context)
}

/** A request was refused. */
export const refused = (cell: string | null, reason: Refused): void =>
  refusals.of({ cell: cell ?? "none", reason }).updateUnsafe(1, context)
