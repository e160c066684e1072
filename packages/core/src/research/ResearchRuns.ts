/**
 * The runs of research: their launch with its charges, the work on their items, and how each ended.
 *
 * Any number of workers may run. A claim is a lease with a fencing token. An item ends once: delivered, or failed and
 * given back by a refund of its charge in the same transaction; whoever comes later changes nothing. So after a crash at
 * any point each charge is either that of a delivery or given back, or its item comes due again.
 */
import { Context, type Duration, type Effect, type Option, type Result, Schema } from "effect"
import type { EntryActor } from "../access/EntryActor.ts"
import type { FoundProperty } from "../coverage/Standings.ts"
import type { ActionInProgress } from "../credit/CreditRefusals.ts"
import type { LedgerDecision, LedgerSnapshot } from "../credit/Ledger.ts"
import type { ImportBatch } from "../import/ImportRow.ts"
import type { UsageQuery } from "../limit/Usage.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { PropertyRef } from "../property/PropertyRef.ts"
import type { LaunchRateLimited } from "../rate/LaunchRateLimited.ts"
import type { AlreadyResearching, BatchAlreadyRunning } from "./ResearchRefusals.ts"
import type {
  DraftWish,
  FailureReason,
  ResearchAction,
  ResearchJob,
  Result as Kept,
  Run,
  Strategy
} from "./ResearchRun.ts"

/** Most runs of one organization within `launchWindow`. The specification names the limit and no number. */
export const MaximumLaunches = Context.Reference<number>("@freehold/core/research/ResearchRuns/MaximumLaunches", {
  defaultValue: () => 300
})

/** Milliseconds. */
export const launchWindow = 3_600_000

export interface Launch {
  readonly runId: string
  readonly orgId: OrganizationId
  readonly action: ResearchAction
  /** At most one batch of an organization is active. */
  readonly batch: boolean
  /** At least one; of a property's research also being researched for another organization is refused. */
  readonly subjects: ReadonlyArray<{ readonly subjectId: string; readonly jobId: string }>
  /** What deep research or a draft about a person is about; null: nothing else than the subjects. */
  readonly propertyId: string | null
  /** Of deep research: what was delivered already refuses it like what is going on. */
  readonly unlessDelivered?: boolean
  readonly wish: DraftWish | null
  readonly actor: EntryActor
  /** The caller works on it at once: nobody else gets it for so long. null: it is queued. */
  readonly claimedFor: Duration.Duration | null
  /** Milliseconds. */
  readonly now: number
  readonly usage: UsageQuery
}

/** What the work on an item found: records, checked like those of an import, and what is kept with the run. */
export interface Delivered {
  readonly partial: boolean
  readonly rows: ReadonlyArray<ImportBatch>
  readonly result: Kept | null
}

/** Rows that refer to what does not exist; nothing of the delivery took effect. */
export class DeliveryRejected extends Schema.TaggedError<DeliveryRejected>()("DeliveryRejected", {
  faults: Schema.Array(
    Schema.Struct({
      kind: Schema.String,
      index: Schema.Int,
      field: Schema.NullOr(Schema.String),
      reason: Schema.String
    })
  )
}) {
  override get message() {
    return this.faults.map(({ field, index, kind, reason }) => `${kind}[${index}].${field ?? ""} ${reason}`).join("; ")
  }
}

/** `unknown`: there is no such job. `ended`: it had ended before, and nothing changed. */
export type Ending = "done" | "ended" | "unknown"

/** What deep research found out, and about which property. */
export interface FoundStrategy {
  readonly runId: string
  /** Of a merged one the survivor. */
  readonly propertyId: string
  readonly strategy: Strategy
}

/** A property that somebody wants researched. */
export interface Candidate extends FoundProperty {
  readonly ref: PropertyRef
  readonly researching: boolean
  /** The organization's own run that researches it; null: none, or another organization's. */
  readonly runId: string | null
}

/** Which of the organization's runs are asked for. */
export interface RunsWanted {
  readonly action: ResearchAction | null
  /** What they are about: a property, a person or a firm; of a merged property the survivor. null: anything. */
  readonly aboutId: string | null
  /** Who launched them, by id; null: anybody. */
  readonly actorId: string | null
  /** Those that were launched before this one; null: from the newest. */
  readonly before: string | null
  readonly limit: number
}

/** Port: orders of research with their parts, each charged once and delivered or given back once. */
export class ResearchRuns extends Context.Service<ResearchRuns, {
  /** The properties that are named; what does not exist is left out. One round trip. */
  candidates(
    orgId: OrganizationId,
    refs: ReadonlyArray<PropertyRef>
  ): Effect.Effect<ReadonlyArray<Candidate>, TemporarilyUnavailable>

  /**
   * Charges and records a run, all or nothing. `decide` answers the charges in the order of the subjects. Refusals of the
   * run come before those of money. ACTION_IN_PROGRESS: the same launch is being recorded.
   */
  launch<E>(
    launch: Launch,
    decide: (snapshot: LedgerSnapshot) => Result.Result<LedgerDecision<ReadonlyArray<number>>, E>
  ): Effect.Effect<
    Run,
    E | ActionInProgress | AlreadyResearching | BatchAlreadyRunning | LaunchRateLimited | TemporarilyUnavailable
  >

  read(orgId: OrganizationId, runId: string): Effect.Effect<Option.Option<Run>, TemporarilyUnavailable>

  /** What refuses a launch of the organization at this moment, whatever it would be about. */
  impediment(
    orgId: OrganizationId,
    launch: Pick<Launch, "batch" | "now">
  ): Effect.Effect<Option.Option<BatchAlreadyRunning | LaunchRateLimited>, TemporarilyUnavailable>

  /** The newest first. */
  list(orgId: OrganizationId, wanted: RunsWanted): Effect.Effect<ReadonlyArray<Run>, TemporarilyUnavailable>

  /** The run of the organization that does the same at this moment, about the first of the properties that one is about; none: about none. */
  underWay(
    orgId: OrganizationId,
    doing: {
      readonly action: ResearchAction
      readonly subjectId: string
      readonly propertyIds: ReadonlyArray<string>
    }
  ): Effect.Effect<Option.Option<string>, TemporarilyUnavailable>

  /** Of the properties, the one that the organization paid for or moved in its pipeline last; closed leads left out. */
  takenUp(
    orgId: OrganizationId,
    propertyIds: ReadonlyArray<string>
  ): Effect.Effect<Option.Option<string>, TemporarilyUnavailable>

  /** The organization's last deep research on the contact about one of the properties that was delivered. */
  strategy(
    orgId: OrganizationId,
    contactId: string,
    propertyIds: ReadonlyArray<string>
  ): Effect.Effect<Option.Option<FoundStrategy>, TemporarilyUnavailable>

  /** A job by its id, whatever became of it. */
  job(jobId: string): Effect.Effect<Option.Option<ResearchJob>, TemporarilyUnavailable>

  /**
   * Claims up to `limit` items that are due, in turns of their organizations: the next one is of the organization that holds
   * the fewest claims, and of these the longest due. What was handed over is held by nobody.
   */
  claim(request: {
    readonly limit: number
    readonly lease: Duration.Duration
  }): Effect.Effect<ReadonlyArray<ResearchJob>, TemporarilyUnavailable>

  /** Somebody else works on it and answers within `patience`; ignored when the claim is no longer held. */
  handOver(
    job: Pick<ResearchJob, "organization" | "jobId" | "claim">,
    patience: Duration.Duration
  ): Effect.Effect<void, TemporarilyUnavailable>

  /** Due again after `wait`, one attempt used; ignored when the claim is no longer held. */
  retry(
    job: Pick<ResearchJob, "organization" | "jobId" | "claim">,
    wait: Duration.Duration
  ): Effect.Effect<void, TemporarilyUnavailable>

  /** Records what was found, and ends the item. Atomic. */
  deliver(jobId: string, delivered: Delivered): Effect.Effect<Ending, DeliveryRejected | TemporarilyUnavailable>

  /** Gives the item's charge back and ends the item. Atomic. */
  fail(jobId: string, reason: FailureReason): Effect.Effect<Ending, TemporarilyUnavailable>

  /** Waits until there may be work: a launch in this process, or `atMost`. */
  awaitWork(atMost: Duration.Duration): Effect.Effect<void>
}>()("@freehold/core/research/ResearchRuns") {}
