/**
 * A paid piece of research: a run of one or more items, each about one subject, each charged by itself.
 *
 * What may happen to an item, and what it becomes:
 *
 * | from     | Claim   | HandOver | Retry  | Deliver  | DeliverPart | Fail   |
 * | -------- | ------- | -------- | ------ | -------- | ----------- | ------ |
 * | queued   | running | -        | -      | complete | partial     | failed |
 * | running  | running | running  | queued | complete | partial     | failed |
 * | complete | -       | -        | -      | -        | -           | -      |
 * | partial  | -       | -        | -      | -        | -           | -      |
 * | failed   | -       | -        | -      | -        | -           | -      |
 *
 * A running item is claimed again when the lease of its worker is over. An item that waits to be tried again may still
 * be delivered: whoever researches may have had it the first time. The last three are final: what was delivered is paid
 * for, and what failed is given back, once.
 */
import { Schema } from "effect"
import type { EntryActor } from "../access/EntryActor.ts"
import { prices } from "../credit/Price.ts"
import type { Organization } from "../organization/Organization.ts"

export const ResearchAction = Schema.Literals([
  "research_property",
  "research_contact",
  "research_organization",
  "find_email",
  "deep_research_contact",
  "draft_email"
])
export type ResearchAction = typeof ResearchAction.Type

export type SubjectType = "property" | "contact" | "organization"

/** What each action is about. */
export const subjectTypes: Readonly<Record<ResearchAction, SubjectType>> = {
  research_property: "property",
  research_contact: "contact",
  research_organization: "organization",
  find_email: "contact",
  deep_research_contact: "contact",
  draft_email: "contact"
}

export const priceOf = (action: ResearchAction): number => prices[action]

export const ItemState = Schema.Literals(["queued", "running", "complete", "partial", "failed"])
export type ItemState = typeof ItemState.Type

export type ItemEvent = "Claim" | "HandOver" | "Retry" | "Deliver" | "DeliverPart" | "Fail"

const moves: Readonly<Record<ItemState, Readonly<Partial<Record<ItemEvent, ItemState>>>>> = {
  queued: { Claim: "running", Deliver: "complete", DeliverPart: "partial", Fail: "failed" },
  running: {
    Claim: "running",
    HandOver: "running",
    Retry: "queued",
    Deliver: "complete",
    DeliverPart: "partial",
    Fail: "failed"
  },
  complete: {},
  partial: {},
  failed: {}
}

/** What the item becomes; null: that cannot happen to it any more, and changes nothing. */
export const transition = (state: ItemState, event: ItemEvent): ItemState | null => moves[state][event] ?? null

/** Whether something may still happen to the item. */
export const isActive = (state: ItemState): boolean => state === "queued" || state === "running"

/**
 * The state of a run: queued until its first item is claimed, running until its last one has ended; then complete or
 * failed when all its items are, partial otherwise.
 */
export const statusOf = (states: ReadonlyArray<ItemState>): ItemState => {
  const [first, ...others] = new Set(states)
  if (states.some(isActive)) return others.length === 0 && first === "queued" ? "queued" : "running"
  return first === undefined || others.length > 0 ? "partial" : first
}

/** Why an item failed. */
export const FailureReason = Schema.Literals([
  "nothing_found",
  "refused",
  "unreachable",
  "timed_out",
  "fault"
])
export type FailureReason = typeof FailureReason.Type

/** What deep research says about approaching a person. */
export const Strategy = Schema.Struct({
  summary: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2000)),
  approach: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2000)),
  points: Schema.Array(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(500))).check(
    Schema.isMaxLength(10)
  )
})
export type Strategy = typeof Strategy.Type

/** An outreach email: plain text. */
export const Draft = Schema.Struct({
  subject: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200)),
  body: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(5000))
})
export type Draft = typeof Draft.Type

/** Where the words stand by which something about a person or a firm was found out. */
export const KeptClaim = Schema.Struct({
  about: Schema.Literals(["contact", "organization"]),
  id: Schema.String,
  /** What the words say, each as it stands in them. */
  values: Schema.Array(Schema.String),
  address: Schema.String,
  /** ISO-8601. */
  readAt: Schema.String,
  quote: Schema.String
})
export type KeptClaim = typeof KeptClaim.Type

/** What is kept of a delivery beside the records that it changed. */
export type Result =
  | { readonly _tag: "Strategy"; readonly strategy: Strategy }
  | {
    readonly _tag: "Draft"
    readonly draft: Draft
    /** The points of the strategy that it was written on; undefined: an earlier version wrote it. */
    readonly points?: Strategy["points"]
  }
  | { readonly _tag: "Claims"; readonly claims: ReadonlyArray<KeptClaim> }

/** What a draft is to be like. */
export interface DraftWish {
  readonly purpose: string | null
  readonly tone: string | null
}

export interface RunItem {
  /** What a researcher is asked and answers under. */
  readonly jobId: string
  readonly subjectId: string
  /**
   * The property that deep research or a draft about a person is about, of a merged one the survivor: only who sees it is
   * told what was found. null: none.
   */
  readonly propertyId: string | null
  readonly state: ItemState
  readonly reason: FailureReason | null
  readonly chargeEntry: number
  readonly result: Result | null
}

export interface Run {
  readonly runId: string
  readonly orgId: string
  readonly action: ResearchAction
  readonly batch: boolean
  readonly wish: DraftWish | null
  /** Who started it. */
  readonly actor: EntryActor
  /** Milliseconds. */
  readonly createdAt: number
  readonly finishedAt: number | null
  /** In the order in which they were asked for; at least one. */
  readonly items: ReadonlyArray<RunItem>
}

/** One claimed item, with what is needed to work on it. */
export interface ResearchJob {
  readonly jobId: string
  readonly runId: string
  /** As it is now. */
  readonly organization: Organization
  readonly action: ResearchAction
  /** Who started the run. */
  readonly actor: EntryActor
  readonly subjectId: string
  /** The key under which the subject is imported. */
  readonly subjectKey: string
  /** What the property is that deep research or a draft about a person is about. */
  readonly property: { readonly id: string; readonly key: string } | null
  /** The charge of this job is what opened the property to the organization; it was not unlocked before. */
  readonly opened: boolean
  readonly wish: DraftWish | null
  /** Fencing token of this claim. */
  readonly claim: number
  /** Attempts to hand the job over whose outcome was recorded before. */
  readonly attempts: number
  /** It was handed over, and the answer did not come in time. */
  readonly overdue: boolean
}
