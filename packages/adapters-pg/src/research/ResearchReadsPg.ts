/** The reads of `ResearchRuns` over PostgreSQL. Each is one statement. */
import type { PropertyRef } from "@freehold/core/property/PropertyRef"
import { type Candidate, MaximumLaunches, type ResearchRuns } from "@freehold/core/research/ResearchRuns"
import { Array, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { textArray } from "../database/BulkWrite.ts"
import * as Database from "../database/Database.ts"
import { storable } from "../database/StorableText.ts"
import { impedimentOf, type Launches, launchesOf } from "./ImpedimentPg.ts"
import { decodeRun, decodeStrategy, runColumns, survivorId } from "./ResearchRowPg.ts"

type Reads = Pick<
  ResearchRuns["Service"],
  "candidates" | "read" | "impediment" | "list" | "underWay" | "takenUp" | "strategy"
>

type CandidateRow = Omit<Candidate, "ref">

export const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const pipeline = yield* Database.Pipeline
  const reads = yield* Database.Reads
  const runShown = sql.literal(runColumns)
  const place = sql.literal(survivorId)

  const made: Reads = {
    candidates: Effect.fn("ResearchRuns.candidates")(function*(orgId, refs) {
      const idOf = (ref: PropertyRef) => ref._tag === "Id" ? [ref.id] : []
      const keyOf = (ref: PropertyRef) => ref._tag === "Key" ? [storable(ref.key)] : []
      const rows = yield* reads<CandidateRow>`
        SELECT p.id, p.key, p.address, p.county_fips AS "countyFips", p.retired_into AS "retiredInto",
          EXISTS (SELECT FROM property_research r WHERE r.property_id = p.id) AS researched, a.source AS access,
          EXISTS (
            SELECT FROM research_item i
            WHERE i.subject_id = p.id AND i.action = 'research_property' AND i.state IN ('queued', 'running')
          ) AS researching,
          (
            SELECT i.run_id FROM research_item i
            WHERE i.subject_id = p.id AND i.action = 'research_property' AND i.state IN ('queued', 'running')
              AND i.org_id = ${orgId}
          ) AS "runId"
        FROM property p LEFT JOIN property_access a ON a.org_id = ${orgId} AND a.property_id = p.id
        WHERE p.id = ANY(${textArray(refs.flatMap(idOf))}::uuid[]) OR p.key = ANY(${textArray(refs.flatMap(keyOf))})`
      const byName = new Map(
        rows.flatMap((row) => [[`Id ${row.id}`, row] as const, [`Key ${row.key}`, row] as const])
      )
      return refs.flatMap((ref) => {
        const row = byName.get(ref._tag === "Id" ? `Id ${ref.id}` : `Key ${ref.key}`)
        return row === undefined ? [] : [{ ...row, ref }]
      })
    }, Effect.catchTag("SqlError", unavailable)),

    read: Effect.fn("ResearchRuns.read")(function*(orgId, runId) {
      const rows = yield* reads`
        SELECT ${runShown} FROM research_run r WHERE r.org_id = ${orgId} AND r.id = ${runId}::uuid`
      const [row] = rows
      return row === undefined ? Option.none() : Option.some(yield* decodeRun(row))
    }, Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die })),

    impediment: Effect.fn("ResearchRuns.impediment")(function*(orgId, { batch, now }) {
      const maximum = yield* MaximumLaunches
      const [launches] = yield* reads<Launches>`${launchesOf(sql, { orgId, now, maximum })}`
      return Option.fromNullishOr(launches === undefined ? null : impedimentOf(launches, { batch, maximum }))
    }, Effect.catchTag("SqlError", unavailable)),

    list: Effect.fn("ResearchRuns.list")(function*(orgId, { aboutId, action, actorId, before, limit }) {
      // Of a merged property the survivor.
      const about = aboutId === null ? sql`` : sql`
        AND r.id IN (
          WITH about AS (
            SELECT ${aboutId}::uuid AS id UNION ALL SELECT p.id FROM property p WHERE p.retired_into = ${aboutId}::uuid
          )
          SELECT i.run_id FROM research_item i
          WHERE i.org_id = ${orgId} AND i.subject_id IN (SELECT id FROM about)
          UNION
          SELECT i.run_id FROM research_item i
          WHERE i.org_id = ${orgId} AND i.property_id IN (SELECT id FROM about)
        )`
      const rows = yield* reads`
        SELECT ${runShown} FROM research_run r
        WHERE r.org_id = ${orgId} ${action === null ? sql`` : sql`AND r.action = ${action}`}
          ${actorId === null ? sql`` : sql`AND r.actor ->> 'id' = ${actorId}`}
          ${before === null ? sql`` : sql`AND r.id < ${before}::uuid`} ${about}
        ORDER BY r.id DESC LIMIT ${limit}`
      return yield* Effect.forEach(rows, (row) => decodeRun(row))
    }, Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die })),

    underWay: Effect.fn("ResearchRuns.underWay")(function*(orgId, { action, propertyIds, subjectId }) {
      const about = textArray(propertyIds.length === 0 ? [subjectId] : propertyIds)
      const rows = yield* reads<{ readonly runId: string }>`
        SELECT i.run_id AS "runId" FROM research_item i
        WHERE i.org_id = ${orgId} AND i.action = ${action} AND i.subject_id = ${subjectId}::uuid
          AND coalesce(${place}, i.subject_id) = ANY(${about}::uuid[]) AND i.state IN ('queued', 'running')
        ORDER BY array_position(${about}::uuid[], coalesce(${place}, i.subject_id)) LIMIT 1`
      return Option.map(Array.head(rows), ({ runId }) => runId)
    }, Effect.catchTag("SqlError", unavailable)),

    takenUp: Effect.fn("ResearchRuns.takenUp")(function*(orgId, propertyIds) {
      const ids = textArray(propertyIds)
      const rows = yield* reads<{ readonly id: string }>`
        SELECT property_id AS id FROM (
          SELECT property_id, at FROM property_access
          WHERE org_id = ${orgId} AND property_id = ANY(${ids}::uuid[]) AND source = 'paid'
          UNION ALL
          SELECT property_id, status_changed_at FROM lead
          WHERE org_id = ${orgId} AND property_id = ANY(${ids}::uuid[]) AND status NOT IN ('lost', 'disqualified')
        ) taken ORDER BY at DESC, id LIMIT 1`
      return Option.map(Array.head(rows), ({ id }) => id)
    }, Effect.catchTag("SqlError", unavailable)),

    strategy: Effect.fn("ResearchRuns.strategy")(function*(orgId, contactId, propertyIds) {
      const [row] = yield* pipeline`
        SELECT f."runId", f."propertyId", l.listed -> 'strategy' AS strategy FROM (
          SELECT i.run_id AS "runId", s.id AS "propertyId", i.result
          FROM research_item i
          JOIN property p ON p.id = i.property_id JOIN property s ON s.id = coalesce(p.retired_into, p.id)
          WHERE i.org_id = ${orgId} AND i.subject_id = ${contactId}::uuid AND i.action = 'deep_research_contact'
            AND i.state IN ('complete', 'partial') AND i.result ->> '_tag' = 'Strategy'
            AND s.id = ANY(${textArray(propertyIds)}::uuid[])
          ORDER BY i.finished_at DESC LIMIT 1
        ) f CROSS JOIN LATERAL (SELECT written_listed(f.result) AS listed) l WHERE l.listed IS NOT NULL`
      return row === undefined ? Option.none() : Option.some(yield* decodeStrategy(row))
    }, Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die }))
  }
  return made
})
