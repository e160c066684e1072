/**
 * `Auditor` over PostgreSQL: a statement a law, all in one read-only transaction that sees one snapshot.
 *
 * Nothing is locked: it runs beside servers and workers, and on a standby. Nothing depends on the clock either; the same
 * data gives the same report. The laws are `LedgerLaws` (credits and what they opened), `ResearchLaws`
 * (what was charged for research), `LimitLaws` and `RecordLaws` (everything else that belongs to an
 * organization), and `CountLaws` (what is kept so that searches need not count). They hold on to no constraint or index of the
 * schema, so that they also tell the truth about a database that lost some.
 *
 * *Gotchas*
 *
 * - The snapshot lives as long as the audit, seconds on a million entries; meanwhile VACUUM keeps old versions of rows.
 * - Of the facts about properties, firms and people, which belong to no organization, only what is kept of their numbers is looked at.
 */
import { Auditor, type LawReport } from "@freehold/core/credit/Auditor"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { ofOneState, transaction } from "../database/Transaction.ts"
import { countLaws } from "./CountLaws.ts"
import type { Law } from "./Law.ts"
import { ledgerLaws } from "./LedgerLaws.ts"
import { limitLaws } from "./LimitLaws.ts"
import { recordLaws } from "./RecordLaws.ts"
import { researchLaws } from "./ResearchLaws.ts"

/** Those of what belongs to organizations. */
const laws: ReadonlyArray<Law> = [...ledgerLaws, ...limitLaws, ...recordLaws, ...researchLaws]

/** So many violations of a law are listed; the rest is counted. */
const listed = 100

interface ViolationRow {
  readonly org_id: string | null
  readonly record: string
  readonly fault: string
  readonly found: number
}

/** `orgId` null: of all organizations, and of what belongs to none. */
const inspect = (sql: SqlClient.SqlClient, orgId: string | null) =>
  Effect.fnUntraced(function*({ law, statement, title }: Law) {
    const rows = yield* sql.unsafe<ViolationRow>(
      `SELECT v.org_id, v.record, v.fault, count(*) OVER ()::integer AS found
      FROM (${statement}) AS v (org_id, record, fault)
      WHERE $1::text IS NULL OR v.org_id = $1
      ORDER BY v.org_id, v.record, v.fault LIMIT ${listed}`,
      [orgId]
    ).unprepared
    const report: LawReport = {
      law,
      title,
      count: rows[0]?.found ?? 0,
      violations: rows.map(({ fault, org_id, record }) => ({ orgId: org_id, record, fault }))
    }
    return report
  })

/** The laws that an organization breaks, as the transaction at hand sees it. */
export const brokenBy = Effect.fn("AuditorPg.brokenBy")(function*(orgId: string) {
  const sql = yield* SqlClient.SqlClient
  const reports = yield* Effect.forEach(laws, inspect(sql, orgId))
  return reports.filter(({ count }) => count > 0).map(({ law }) => law)
})

export const layer: Layer.Layer<Auditor, never, SqlClient.SqlClient> = Layer.effect(
  Auditor,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const inspectAll = Effect.gen(function*() {
      yield* ofOneState(sql)
      // Each statement sorts or hashes whole tables once; spilling them to disk takes several times as long.
      yield* sql`SELECT set_config('work_mem', '128MB', true), set_config('jit', 'off', true)`
      return yield* Effect.forEach([...laws, ...countLaws], inspect(sql, null))
    })

    return Auditor.of({
      audit: transaction(sql, inspectAll).pipe(
        Effect.catchTag("SqlError", unavailable),
        Effect.withSpan("Auditor.audit")
      )
    })
  })
)
