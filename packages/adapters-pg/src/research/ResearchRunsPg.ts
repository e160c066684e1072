/**
 * `ResearchRuns` over PostgreSQL.
 *
 * A launch is one transaction around the ledger's: what refuses the run is looked at first and, for whoever came between,
 * held again by unique indexes. What a delivery found is loaded like an import, in the transaction that ends its item.
 *
 * Locks are taken in one order, so that no two transactions wait for each other: the organization's account, the run,
 * its item, the property. The launches of one organization in this process take turns, so that it has at most one of the
 * process's connections at once for them. All waits are by the database's clock, so that those of the workers do not matter.
 */
import { Ledger } from "@freehold/core/credit/Ledger"
import { look } from "@freehold/core/credit/Look"
import { decideRefund } from "@freehold/core/credit/Refund"
import * as Turns from "@freehold/core/credit/Turns"
import { ImportStore } from "@freehold/core/import/ImportStore"
import { counted } from "@freehold/core/research/ResearchCount"
import { AlreadyResearching, BatchAlreadyRunning } from "@freehold/core/research/ResearchRefusals"
import {
  type FailureReason,
  isActive,
  type ItemState,
  type ResearchAction,
  type Run,
  subjectTypes,
  transition
} from "@freehold/core/research/ResearchRun"
import {
  DeliveryRejected,
  type Ending,
  type Launch,
  MaximumLaunches,
  ResearchRuns
} from "@freehold/core/research/ResearchRuns"
import { Array, Clock, Context, Duration, Effect, Layer, Queue } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { textArray } from "../database/BulkWrite.ts"
import * as Database from "../database/Database.ts"
import { transaction } from "../database/Transaction.ts"
import { commitNow } from "../import/ImportBatches.ts"
import { impedimentOf, type Launches, launchesOf } from "./ImpedimentPg.ts"
import * as ResearchClaimPg from "./ResearchClaimPg.ts"
import * as ResearchReadsPg from "./ResearchReadsPg.ts"
import { decodeJob, jobColumns, survivorId } from "./ResearchRowPg.ts"
import * as ResearchSubjectsPg from "./ResearchSubjectsPg.ts"

const system = { kind: "system", id: null, name: null } as const

const launchName = ({ action, batch, propertyId, subjects }: Launch): string =>
  batch ? "batch" : `${action} ${subjects.map(({ subjectId }) => subjectId).join(" ")} ${propertyId}`

/** A refusal that undoes its transaction, told apart from a failure of the database. */
const rollBack = <E>(refusal: E) => ({ _tag: "RolledBack" as const, refusal })

const millis = (duration: Duration.Duration): number => Duration.toMillis(duration)

/** Wakes the workers of this process when something was launched here. */
export class Wakes
  extends Context.Service<Wakes, Queue.Queue<void>>()("@freehold/adapters-pg/research/ResearchRunsPg/Wakes")
{
  static readonly layer = Layer.effect(Wakes, Queue.sliding<void>(1))
}

type Needed = SqlClient.SqlClient | Database.Pipeline | Database.Reads | Ledger | ImportStore

type NeededWoken = Needed | ResearchSubjectsPg.ResearchSubjects | Wakes

/** For several over different connections of one process, which share the wakes. */
export const layerWoken: Layer.Layer<ResearchRuns, never, NeededWoken> = Layer.effect(
  ResearchRuns,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const pipeline = yield* Database.Pipeline
    const ledger = yield* Ledger
    const store = yield* ImportStore
    const properties = yield* ResearchSubjectsPg.ResearchSubjects
    const wakes = yield* Wakes
    const turns = Turns.make()
    const columns = sql.literal(jobColumns)

    /** Of a subject, the run that delivered the strategy about the property. */
    const deliveredTo = ({ orgId, propertyId }: Launch, subjects: Statement.Fragment) =>
      sql`
        SELECT run_id FROM research_item i
        WHERE org_id = ${orgId} AND action = 'deep_research_contact' AND subject_id ${subjects}
          AND ${sql.literal(survivorId)} IS NOT DISTINCT FROM ${propertyId}::uuid
          AND state IN ('complete', 'partial') AND result ->> '_tag' = 'Strategy'
        ORDER BY finished_at DESC LIMIT 1`

    /** What refuses a run before it is asked what it costs. */
    const refused = Effect.fnUntraced(function*(launch: Launch) {
      const { action, batch, now, orgId, propertyId, subjects } = launch
      const ids = textArray(subjects.map(({ subjectId }) => subjectId))
      const maximum = yield* MaximumLaunches
      const delivered = launch.unlessDelivered === true
        ? deliveredTo(launch, sql`= ANY(${ids}::uuid[])`)
        : sql`NULL::uuid`
      const [facts] = yield* sql<
        Launches & { readonly active: boolean; readonly own: string | null; readonly delivered: string | null }
      >`
        SELECT l.*, a.active, a.own, (${delivered}) AS delivered
        FROM (${launchesOf(sql, { orgId, now, maximum })}) l CROSS JOIN (
          SELECT count(*) > 0 AS active, (array_agg(run_id) FILTER (WHERE org_id = ${orgId}))[1] AS own
          FROM research_item i WHERE state IN ('queued', 'running') AND action = ${action}
            AND subject_id = ANY(${ids}::uuid[]) AND (action = 'research_property' OR org_id = ${orgId})
            AND ${sql.literal(survivorId)} IS NOT DISTINCT FROM ${propertyId}::uuid
        ) a`
      if (facts === undefined) return null
      const impeded = impedimentOf(facts, { batch, maximum })
      return impeded === null && (facts.active || facts.delivered !== null)
        ? new AlreadyResearching({ run_id: facts.active ? facts.own : facts.delivered })
        : impeded
    })

    const recordLaunch = Effect.fnUntraced(function*(launch: Launch, charges: ReadonlyArray<number>) {
      const { action, actor, batch, claimedFor, now, orgId, propertyId, runId, subjects, wish } = launch
      const runs = yield* sql`
        INSERT INTO research_run (org_id, id, action, batch, wish, actor, created_at)
        VALUES (${orgId}, ${runId}::uuid, ${action}, ${batch}, ${wish === null ? null : JSON.stringify(wish)}::jsonb,
          ${JSON.stringify(actor)}::jsonb, from_millis(${now}::bigint))
        ON CONFLICT DO NOTHING RETURNING id`
      // Its organization's batch was recorded since it was looked at.
      if (runs.length === 0) return yield* Effect.fail(rollBack(new BatchAlreadyRunning({ run_id: runId })))
      const items = subjects.map((subject, index) => ({ ...subject, place: index, charge: charges[index] ?? 0 }))
      const recorded = yield* sql`
        INSERT INTO research_item (org_id, run_id, place, id, action, subject_id, property_id, charge_entry, state, claim,
          due_at)
        SELECT ${orgId}, ${runId}::uuid, s.place, s."jobId", ${action}, s."subjectId", ${propertyId}::uuid, s.charge,
          ${claimedFor === null ? "queued" : "running"}, ${claimedFor === null ? 0 : 1}::integer,
          now() + ${claimedFor === null ? 0 : millis(claimedFor)}::double precision * interval '1 millisecond'
        FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
          AS s("jobId" uuid, "subjectId" uuid, place integer, charge integer)
        ${
        launch.unlessDelivered === true ? sql`WHERE NOT EXISTS (${deliveredTo(launch, sql`= s."subjectId"`)})` : sql``
      }
        ORDER BY s."subjectId"
        ON CONFLICT DO NOTHING RETURNING id`
      if (recorded.length < subjects.length) {
        return yield* Effect.fail(rollBack(new AlreadyResearching({ run_id: null })))
      }
      if (action === "research_property" && !(yield* properties.take(subjects))) {
        return yield* Effect.fail(rollBack(new AlreadyResearching({ run_id: null })))
      }
      const run: Run = {
        runId,
        orgId,
        action,
        batch,
        wish,
        actor,
        createdAt: now,
        finishedAt: null,
        items: items.map(({ charge, jobId, subjectId }) => ({
          jobId,
          subjectId,
          propertyId,
          state: claimedFor === null ? "queued" : "running",
          reason: null,
          chargeEntry: charge,
          result: null
        }))
      }
      return run
    })

    /** The item with its run locked; none when there is no such job. */
    const lockItem = Effect.fnUntraced(function*(jobId: string) {
      yield* sql`
        SELECT FROM research_run
        WHERE (org_id, id) = (SELECT org_id, run_id FROM research_item WHERE id = ${jobId}::uuid) FOR UPDATE`
      const [item] = yield* sql<{
        readonly org_id: string
        readonly run_id: string
        readonly place: number
        readonly id: string
        readonly action: ResearchAction
        readonly subject_id: string
        readonly state: ItemState
        readonly charge_entry: number
      }>`
        SELECT org_id, run_id, place, id, action, subject_id, state, charge_entry FROM research_item
        WHERE id = ${jobId}::uuid FOR UPDATE`
      return item
    })

    /** Ends the item, and its run with its last one. */
    const end = Effect.fnUntraced(function*(
      item: {
        readonly org_id: string
        readonly run_id: string
        readonly place: number
        readonly id: string
        readonly action: ResearchAction
        readonly subject_id: string
      },
      state: ItemState,
      outcome: { readonly reason: FailureReason | null; readonly result: string | null }
    ) {
      yield* sql`
        UPDATE research_item SET state = ${state}, reason = ${outcome.reason}, result = ${outcome.result}::jsonb,
          finished_at = now()
        WHERE org_id = ${item.org_id} AND run_id = ${item.run_id}::uuid AND place = ${item.place}`
      yield* sql`
        UPDATE research_run r SET finished_at = now()
        WHERE r.org_id = ${item.org_id} AND r.id = ${item.run_id}::uuid AND NOT EXISTS (
          SELECT FROM research_item i WHERE i.org_id = r.org_id AND i.run_id = r.id AND i.state IN ('queued', 'running')
        )`
      if (subjectTypes[item.action] === "property") {
        yield* properties.end({ subjectId: item.subject_id, jobId: item.id }, state)
      }
    })

    const decodeJobs = (rows: ReadonlyArray<unknown>) => Effect.forEach(rows, (row) => decodeJob(row))

    return counted(ResearchRuns.of({
      ...yield* ResearchReadsPg.make,

      launch: Effect.fn("ResearchRuns.launch")((launch, decide) => {
        const { now, orgId, usage } = launch
        const name = launchName(launch)
        const accepted = Effect.flatMap(
          refused(launch),
          (refusal) => refusal === null ? Effect.void : Effect.fail(rollBack(refusal))
        )
        const decided = Effect.flatMap(
          look(ledger, { orgId, now, usage }, decide),
          (decision) => Effect.mapError(Effect.fromResult(decision), rollBack)
        )
        const launched = Effect.gen(function*() {
          yield* accepted
          const charges = yield* ledger.transact(
            { orgId, subject: { _tag: "Research", launch: name }, exclusive: true, now, usage },
            decide
          ).pipe(Effect.mapError(rollBack))
          return yield* recordLaunch(launch, charges)
        })
        const inTurn = turns.take(
          { orgId, item: name },
          Effect.tapError(
            transaction(sql, launched),
            () => Effect.ignore(properties.giveBack(launch.subjects))
          )
        )
        // Most of what is refused is so before there is a turn, a lock or a transaction, which would be in the way of who is not refused.
        return Effect.andThen(Effect.andThen(accepted, decided), inTurn).pipe(
          Effect.catchTag("SqlError", unavailable),
          Effect.catchTag("RolledBack", ({ refusal }) => Effect.fail(refusal)),
          Effect.tap(() => Queue.offer(wakes, undefined))
        )
      }),

      job: Effect.fn("ResearchRuns.job")(function*(jobId) {
        const rows = yield* pipeline`
          SELECT ${columns}
          FROM research_item i JOIN research_run r ON r.org_id = i.org_id AND r.id = i.run_id
          JOIN organization o ON o.org_id = i.org_id
          WHERE i.id = ${jobId}::uuid`
        return Array.head(yield* decodeJobs(rows))
      }, Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die })),

      claim: Effect.fn("ResearchRuns.claim")(function*(request) {
        const rows = yield* ResearchClaimPg.claimed(sql, request)
        const jobs = yield* decodeJobs(rows)
        yield* properties.show(
          jobs.filter(({ action }) => action === "research_property").map(({ subjectId }) => subjectId),
          "processing"
        )
        return jobs
      }, Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die })),

      handOver: Effect.fn("ResearchRuns.handOver")(function*({ claim, jobId, organization }, patience) {
        yield* sql`
          UPDATE research_item SET handed_over = true,
            due_at = now() + ${millis(patience)}::double precision * interval '1 millisecond'
          WHERE org_id = ${organization.org_id} AND id = ${jobId}::uuid AND claim = ${claim} AND state = 'running'`
      }, Effect.catchTag("SqlError", unavailable)),

      retry: Effect.fn("ResearchRuns.retry")(function*({ claim, jobId, organization }, wait) {
        const waiting = yield* sql<{ readonly subject_id: string; readonly action: ResearchAction }>`
          UPDATE research_item SET state = 'queued', attempts = attempts + 1,
            due_at = now() + ${millis(wait)}::double precision * interval '1 millisecond'
          WHERE org_id = ${organization.org_id} AND id = ${jobId}::uuid AND claim = ${claim} AND state = 'running'
          RETURNING subject_id, action`
        yield* properties.show(
          waiting.filter(({ action }) => action === "research_property").map(({ subject_id }) => subject_id),
          "queued"
        )
      }, Effect.catchTag("SqlError", unavailable)),

      deliver: Effect.fn("ResearchRuns.deliver")(
        function*(jobId, { partial, result, rows }) {
          const delivered = Effect.gen(function*() {
            const item = yield* lockItem(jobId)
            if (item === undefined) return "unknown" satisfies Ending
            const next = transition(item.state, partial ? "DeliverPart" : "Deliver")
            if (next === null) return "ended" satisfies Ending
            const faults = yield* Effect.forEach(
              rows,
              (batch) =>
                Effect.map(
                  store.load(batch),
                  ({ rejected }) => rejected.map((each) => ({ ...each, kind: batch.kind }))
                )
            )
            if (faults.flat().length > 0) return yield* new DeliveryRejected({ faults: faults.flat() })
            yield* end(item, next, { reason: null, result: result === null ? null : JSON.stringify(result) })
            // It is told as recorded, and nobody sends it again: what is loaded otherwise is settled later.
            yield* commitNow(sql)
            return "done" satisfies Ending
          })
          return yield* transaction(sql, delivered)
        },
        Effect.catchTag("SqlError", unavailable)
      ),

      fail: Effect.fn("ResearchRuns.fail")(
        function*(jobId, reason) {
          const now = yield* Clock.currentTimeMillis
          const failed = Effect.gen(function*() {
            yield* sql`
              SELECT FROM credit_account WHERE org_id = (SELECT org_id FROM research_item WHERE id = ${jobId}::uuid)
              FOR NO KEY UPDATE`
            const item = yield* lockItem(jobId)
            if (item === undefined) return "unknown" satisfies Ending
            if (!isActive(item.state)) return "ended" satisfies Ending
            yield* ledger.transact(
              { orgId: item.org_id, subject: { _tag: "Entry", entry: item.charge_entry }, exclusive: false, now },
              (snapshot) =>
                decideRefund(snapshot, { reason: `research: ${reason}`, actor: system, requestId: null, now })
            ).pipe(Effect.catchTag(["INVALID_ARGUMENTS", "ACTION_IN_PROGRESS"], Effect.die))
            yield* end(item, "failed", { reason, result: null })
            return "done" satisfies Ending
          })
          return yield* transaction(sql, failed)
        },
        Effect.catchTag("SqlError", unavailable)
      ),

      awaitWork: (atMost) => Effect.raceFirst(Queue.take(wakes), Effect.sleep(atMost))
    }))
  })
)

export const layer: Layer.Layer<ResearchRuns, never, Needed> = Layer.provide(layerWoken, [
  Wakes.layer,
  ResearchSubjectsPg.layer
])
