/** How a run stands, in the words of the tools. */
import { DateTime, Duration } from "effect"
import {
  type ItemState,
  type KeptClaim,
  priceOf,
  type Result,
  type Run,
  type RunItem,
  statusOf,
  subjectTypes
} from "./ResearchRun.ts"
import type { RunSight } from "./RunSight.ts"

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

/** What is told of a run that answers instead of a new one. */
export const existingOf = ({ createdAt, finishedAt }: Run, now: number) => ({
  finished_at: finishedAt === null ? null : iso(finishedAt),
  age_days: Math.floor(Math.max(0, now - (finishedAt ?? createdAt)) / Duration.toMillis(Duration.days(1)))
})

/** So many subjects of a batch are named in a list, and of a run so many words that it rests on. */
const subjectsNamed = 5
const evidenceNamed = 5

/** Of the claims of a run, those that a list tells. */
export const namedOf = (claims: ReadonlyArray<KeptClaim>): ReadonlyArray<KeptClaim> => claims.slice(0, evidenceNamed)

/**
 * Characters of the evidence on a page of a run's status, so that a tool's answer with it and the items of the largest batch is not cut:
 * those whom it tells of count as revealed.
 */
const mostEvidence = 24_000

/** The items that are told in one page with what was found for them: the first in any case, which has at most `mostClaims`. */
export const pageOf = (
  items: ReadonlyArray<RunItem>,
  claimsOf: (item: RunItem) => ReadonlyArray<KeptClaim>
): ReadonlyArray<RunItem> => {
  let left = mostEvidence
  const end = items.findIndex((item, at) =>
    (left -= claimsOf(item).reduce((sum, claim) => sum + JSON.stringify(evidenceOf(claim)).length, 0)) < 0 && at > 0
  )
  return end === -1 ? items : items.slice(0, end)
}

/** Where the words of a claim stand. */
export const evidenceOf = ({ about, address, id, quote, readAt, values }: KeptClaim) => ({
  subject_type: about,
  subject_id: id,
  values,
  quote,
  source_url: address,
  read_at: readAt
})

/** What was written: a strategy or a draft, in a line. */
const writtenOf = (result: Result | null) => {
  switch (result?._tag) {
    case "Strategy":
      return { kind: "strategy" as const, summary: result.strategy.summary }
    case "Draft":
      return { kind: "draft" as const, summary: result.draft.subject }
    default:
      return null
  }
}

/** A run in a list. `result`: what was written, and `claims`: what of it is told of what was found, where it may be told. */
export const listed = (run: Run, result: Result | null, claims: ReadonlyArray<KeptClaim>) => ({
  ...started(run),
  action: run.action,
  subject_type: subjectTypes[run.action],
  subject_ids: run.items.slice(0, subjectsNamed).map(({ subjectId }) => subjectId),
  subjects: run.items.length,
  property_id: run.items[0]?.propertyId ?? null,
  created_at: iso(run.createdAt),
  finished_at: run.finishedAt === null ? null : iso(run.finishedAt),
  credits_returned: returned(run),
  failed: run.items.filter(({ state }) => state === "failed").length,
  started_by: { kind: run.actor.kind, name: run.actor.kind === "operator" ? null : run.actor.name },
  receipt: run.items[0]?.chargeEntry ?? null,
  result: writtenOf(result),
  evidence: claims.map(evidenceOf)
})

/** What whoever follows a run is told. `items`: those that are on the page; `nameOf`: what a property is called that they see. */
export const followed = (
  run: Run,
  { claims, items, nameOf }: {
    readonly claims: ReadonlyArray<KeptClaim>
    readonly items: ReadonlyArray<RunItem>
    readonly nameOf: RunSight["nameOf"]
  }
) => {
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
    items: items.map(({ chargeEntry, propertyId, reason, state, subjectId }) => ({
      subject_type: subjectTypes[run.action],
      subject_id: subjectId,
      ...nameOf(subjectId),
      property_id: propertyId,
      status: state,
      reason,
      receipt: chargeEntry
    })),
    evidence: claims.map(evidenceOf)
  }
}
