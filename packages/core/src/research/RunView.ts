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

/** A line of the list of runs. */
export const listed = (run: Run) => {
  const [first] = run.items
  return first === undefined ? [] : [{
    ...started(run),
    action: run.action,
    started_by: { kind: run.actor.kind, name: run.actor.kind === "operator" ? null : run.actor.name },
    created_at: iso(run.createdAt),
    finished_at: run.finishedAt === null ? null : iso(run.finishedAt),
    credits_returned: returned(run),
    subject_type: subjectTypes[run.action],
    subject_id: first.subjectId,
    property_id: first.propertyId,
    items: run.items.length,
    failed: run.items.filter(({ state }) => state === "failed").length,
    receipt: first.chargeEntry
  }]
}

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
