/** Counts how items of research ended: found, found in part, or why not. */
import { Effect, Metric } from "effect"
import * as Series from "../operation/Series.ts"
import type { ResearchRuns } from "./ResearchRuns.ts"

const ended = Series.make(["outcome"], (attributes) =>
  Metric.counter("freehold_research_ended_total", {
    description: "Items of research that ended: found, partial, or the reason of the failure.",
    incremental: true,
    attributes
  }))

export const counted = (runs: ResearchRuns["Service"]): ResearchRuns["Service"] => {
  for (const outcome of ["found", "partial", "nothing_found"]) ended.begin({ outcome })
  const count = (outcome: string) => (ending: string) => ending === "done" ? ended.update({ outcome }, 1) : Effect.void
  return {
    ...runs,
    deliver: (jobId, found) => Effect.tap(runs.deliver(jobId, found), count(found.partial ? "partial" : "found")),
    fail: (jobId, reason) => Effect.tap(runs.fail(jobId, reason), count(reason))
  }
}
