/** Runs, items and jobs of research as they are stored: the rows as they are read, and the columns of a job. */
import { EntryActor } from "@freehold/core/access/EntryActor"
import { Organization } from "@freehold/core/organization/Organization"
import {
  Draft,
  FailureReason,
  ItemState,
  KeptClaim,
  ResearchAction,
  Strategy
} from "@freehold/core/research/ResearchRun"
import { Schema } from "effect"

const Wish = Schema.Struct({
  purpose: Schema.NullOr(Schema.String),
  tone: Schema.NullOr(Schema.String)
})

const Kept = Schema.Union([
  Schema.Struct({ _tag: Schema.Literal("Strategy"), strategy: Strategy }),
  Schema.Struct({ _tag: Schema.Literal("Draft"), draft: Draft, points: Schema.optionalKey(Strategy.fields.points) }),
  Schema.Struct({ _tag: Schema.Literal("Claims"), claims: Schema.Array(KeptClaim) })
])

const RunRow = Schema.Struct({
  runId: Schema.String,
  orgId: Schema.String,
  action: ResearchAction,
  batch: Schema.Boolean,
  wish: Schema.NullOr(Wish),
  actor: EntryActor,
  createdAt: Schema.Int,
  finishedAt: Schema.NullOr(Schema.Int),
  items: Schema.Array(Schema.Struct({
    jobId: Schema.String,
    subjectId: Schema.String,
    propertyId: Schema.NullOr(Schema.String),
    state: ItemState,
    reason: Schema.NullOr(FailureReason),
    chargeEntry: Schema.Int,
    result: Schema.NullOr(Kept)
  }))
})

const JobRow = Schema.Struct({
  jobId: Schema.String,
  runId: Schema.String,
  organization: Organization,
  action: ResearchAction,
  actor: EntryActor,
  subjectId: Schema.String,
  subjectKey: Schema.String,
  property: Schema.NullOr(Schema.Struct({ id: Schema.String, key: Schema.String })),
  opened: Schema.Boolean,
  wish: Schema.NullOr(Wish),
  claim: Schema.Int,
  attempts: Schema.Int,
  overdue: Schema.Boolean
})

const StrategyRow = Schema.Struct({ runId: Schema.String, propertyId: Schema.String, strategy: Strategy })

export const decodeRun = Schema.decodeUnknownEffect(RunRow)
export const decodeJob = Schema.decodeUnknownEffect(JobRow)
export const decodeStrategy = Schema.decodeUnknownEffect(StrategyRow)

/** The property that a row of `research_item i` is about, of a merged one the survivor. */
const survivor = (column: string): string =>
  `SELECT ${column} FROM property p JOIN property s ON s.id = coalesce(p.retired_into, p.id) WHERE p.id = i.property_id`

export const survivorId = `(${survivor("s.id")})`

/** A row of `research_run r` with its items. */
export const runColumns = `
  r.id AS "runId", r.org_id AS "orgId", r.action, r.batch, r.wish, r.actor,
  to_millis(r.created_at)::double precision AS "createdAt", to_millis(r.finished_at)::double precision AS "finishedAt",
  (
    SELECT json_agg(json_build_object('jobId', i.id, 'subjectId', i.subject_id, 'propertyId', (${survivor("s.id")}),
      'state', i.state, 'reason', i.reason, 'chargeEntry', i.charge_entry,
      'result', written_listed(i.result)) ORDER BY i.place)
    FROM research_item i WHERE i.org_id = r.org_id AND i.run_id = r.id
  ) AS items`

/** A row of `research_item i` with its run `r`, as a job. */
export const jobColumns = `
  i.id AS "jobId", i.run_id AS "runId", o.profile AS organization, i.action, r.actor, i.subject_id AS "subjectId",
  coalesce(CASE i.action
    WHEN 'research_property' THEN (SELECT p.key FROM property p WHERE p.id = i.subject_id)
    WHEN 'research_organization' THEN (SELECT f.key FROM firm f WHERE f.id = i.subject_id)
    ELSE (SELECT c.key FROM contact c WHERE c.id = i.subject_id)
  END, i.subject_id::text) AS "subjectKey",
  (${survivor("json_build_object('id', s.id, 'key', s.key)")}) AS property,
  EXISTS (
    SELECT FROM property_access a
    WHERE a.org_id = i.org_id AND a.property_id = i.subject_id AND a.charge_entry = i.charge_entry
  ) AS opened,
  r.wish, i.claim, i.attempts, i.handed_over AS overdue`
