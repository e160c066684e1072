/** How a run stands, in the words of the tools. */
import { DateTime } from "effect"
import { type ItemState, priceOf, type Run, statusOf, subjectTypes } from "./ResearchRun.ts"

const iso = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

const states = ({ items }: Run): ReadonlyArray<ItemState> => items.map(({ state }) => state)

const charged = ({ action, items }: Run): number => items.length * priceOf(action)

export const returned = ({ action, items }: Run): number =>
  items.filter(({ state }) => state === "failed").length * priceOf(action)

/** What whoever starts a run is told. */
export const started = (run: Run) => ({
  run_id: run.runId,
  status: statusOf(states(run)),
  credits_charged: charged(run)
})

/** What whoever follows a run is told. */
export const followed = (run: Run) => {
  const count = (state: ItemState) => states(run).filter((each) => each === state).length
  return {
    ...started(run),
    action: run.action,
    created_at: iso(run.createdAt),
    finished_at: run.finishedAt === null ? null : iso(run.finishedAt),
    counts: {
      total: run.items.length,
      queued: count("queued"),
      running: count("running"),
      complete: count("complete"),
      partial: count("partial"),
      failed: count("failed")
    },
    credits_returned: returned(run),
    items: run.items.map(({ propertyId, reason, state, subjectId }) => ({
      subject_type: subjectTypes[run.action],
      subject_id: subjectId,
      property_id: propertyId,
      status: state,
      reason
    }))
  }
}
