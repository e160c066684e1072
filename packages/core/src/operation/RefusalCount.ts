/** Counts what is refused, by its code and by the door at which it was asked for. */
import { type Effect, Metric } from "effect"
import * as Series from "./Series.ts"

const refusals = Series.make(["door", "code"], (attributes) =>
  Metric.counter("freehold_refusals_total", {
    description: "Refused calls, by code; door: rest or mcp.",
    incremental: true,
    attributes
  }))

export const count = (door: "rest" | "mcp", code: string): Effect.Effect<void> => refusals.update({ door, code }, 1)
