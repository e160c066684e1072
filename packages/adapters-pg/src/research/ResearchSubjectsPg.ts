/**
 * What research does to the properties themselves: it shows how far it got, and one research of a property runs at a time.
 *
 * Both are written where records are: in the transaction of the run, or, in a cell, at the importing installation. What a
 * cell takes there is committed before its own transaction is, so it is given back when that fails.
 */
import type { ItemState } from "@freehold/core/research/ResearchRun"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { textArray } from "../database/BulkWrite.ts"
import { transaction } from "../database/Transaction.ts"

/** A property, and the item of a run that is about it. */
export interface Taken {
  readonly subjectId: string
  readonly jobId: string
}

export class ResearchSubjects extends Context.Service<ResearchSubjects, {
  /** Shows that they wait for research; answers whether none of them is researched elsewhere. */
  readonly take: (subjects: ReadonlyArray<Taken>) => Effect.Effect<boolean, SqlError.SqlError>
  /** Undoes `take` where the run was not recorded. */
  readonly giveBack: (subjects: ReadonlyArray<Taken>) => Effect.Effect<void, SqlError.SqlError>
  readonly show: (
    propertyIds: ReadonlyArray<string>,
    state: "queued" | "processing"
  ) => Effect.Effect<void, SqlError.SqlError>
  readonly end: (subject: Taken, state: ItemState) => Effect.Effect<void, SqlError.SqlError>
}>()("@freehold/adapters-pg/research/ResearchSubjectsPg/ResearchSubjects") {}

const idsOf = (subjects: ReadonlyArray<Taken>) => textArray(subjects.map(({ subjectId }) => subjectId))

/** Who holds a property for an import is not waited for: it may hold one of the others next. */
const showOn = (sql: SqlClient.SqlClient) => (ids: ReadonlyArray<string>, state: string) =>
  ids.length === 0 ? Effect.void : Effect.asVoid(sql`
    UPDATE property SET enrichment_status = ${state} WHERE id IN (
      SELECT id FROM property WHERE id = ANY(${textArray(ids)}::uuid[]) AND enrichment_status <> ${state}
      FOR NO KEY UPDATE SKIP LOCKED
    )`)

const endOn = (sql: SqlClient.SqlClient) => (subjectId: string, state: ItemState) =>
  Effect.asVoid(sql`UPDATE property SET enrichment_status = ${state} WHERE id = ${subjectId}::uuid`)

/** Where records are written in this database. */
export const layer: Layer.Layer<ResearchSubjects, never, SqlClient.SqlClient> = Layer.effect(
  ResearchSubjects,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const show = showOn(sql)
    return ResearchSubjects.of({
      take: Effect.fnUntraced(function*(subjects) {
        const others = yield* sql`
          SELECT FROM property_researching WHERE property_id = ANY(${idsOf(subjects)}::uuid[]) LIMIT 1`
        yield* show(subjects.map(({ subjectId }) => subjectId), "queued")
        return others.length === 0
      }),
      // The transaction that took them is undone.
      giveBack: () => Effect.void,
      show,
      end: ({ subjectId }, state) => endOn(sql)(subjectId, state)
    })
  })
)

/** Where they are written at an importing installation, whose client is given. */
export const layerAt = (importer: SqlClient.SqlClient): Layer.Layer<ResearchSubjects, never, SqlClient.SqlClient> =>
  Layer.effect(
    ResearchSubjects,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const show = showOn(importer)

      /** A cell's own that is left over is taken again: the cell itself has no other research of the property. */
      const take = Effect.fnUntraced(function*(subjects: ReadonlyArray<Taken>) {
        const [cell] = yield* sql<{ readonly name: string }>`SELECT coalesce(cell_name(), '') AS name`
        const taken = yield* importer`
          INSERT INTO property_researching AS r (property_id, cell, job_id)
          SELECT w."subjectId", ${cell?.name ?? ""}, w."jobId"
          FROM jsonb_to_recordset(${JSON.stringify(subjects)}::jsonb) AS w("subjectId" uuid, "jobId" uuid)
          WHERE NOT EXISTS (
            SELECT FROM research_item i
            WHERE i.subject_id = w."subjectId" AND i.action = 'research_property' AND i.state IN ('queued', 'running')
          )
          ORDER BY w."subjectId"
          ON CONFLICT (property_id) DO UPDATE SET job_id = excluded.job_id, since = now() WHERE r.cell = excluded.cell
          RETURNING r.property_id`
        const retired = yield* importer`
          SELECT FROM property WHERE id = ANY(${idsOf(subjects)}::uuid[]) AND retired_into IS NOT NULL LIMIT 1`
        if (taken.length < subjects.length || retired.length > 0) return yield* Effect.fail("NotTaken" as const)
        yield* show(subjects.map(({ subjectId }) => subjectId), "queued")
        return true
      })

      const release = (subjects: ReadonlyArray<Taken>) =>
        importer`
          DELETE FROM property_researching
          WHERE property_id = ANY(${idsOf(subjects)}::uuid[])
            AND job_id = ANY(${textArray(subjects.map(({ jobId }) => jobId))}::uuid[])
          RETURNING property_id`

      return ResearchSubjects.of({
        take: (subjects) =>
          transaction(importer, take(subjects)).pipe(
            Effect.catchIf((error) => error === "NotTaken", () => Effect.succeed(false))
          ),
        giveBack: (subjects) =>
          transaction(
            importer,
            Effect.gen(function*() {
              const given = yield* release(subjects)
              if (given.length === 0) return
              yield* importer`
                UPDATE property p SET enrichment_status =
                  CASE WHEN EXISTS (SELECT FROM property_research r WHERE r.property_id = p.id)
                    THEN 'complete' ELSE 'not_started' END
                WHERE p.id = ANY(${idsOf(subjects)}::uuid[]) AND p.enrichment_status = 'queued'`
            })
          ),
        show,
        end: (subject, state) =>
          transaction(importer, Effect.andThen(release([subject]), endOn(importer)(subject.subjectId, state)))
      })
    })
  )
