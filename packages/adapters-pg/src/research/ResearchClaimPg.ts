/**
 * Claims of research, in turns of the organizations: each one's items that are due come after the claims that it holds, so
 * that whoever orders hundreds at once fills the places that nobody else wants, and no others.
 *
 * A claim looks at a bounded number of rows of an index, and locks those that it takes.
 */
import type { ResearchRuns } from "@freehold/core/research/ResearchRuns"
import { Duration } from "effect"
import type { SqlClient } from "effect/sql"
import { jobColumns } from "./ResearchRowPg.ts"

/**
 * So many are looked at of what is due for longest, and as many of what came due last. It is more than an organization can
 * launch in an hour, and whoever comes is seen behind however many of another one.
 */
const reach = 500

/** The statement that claims, and answers rows for `decodeJob`. */
export const claimed = (
  sql: SqlClient.SqlClient,
  { lease, limit }: Parameters<ResearchRuns["Service"]["claim"]>[0]
) => {
  const leased = sql`now() + ${Duration.toMillis(lease)}::double precision * interval '1 millisecond'`
  const dueFrom = (end: "ASC" | "DESC", most: number) =>
    sql`
      SELECT org_id, run_id, place, due_at FROM research_item WHERE state IN ('queued', 'running') AND due_at <= now()
        AND org_id <> ALL(ARRAY(SELECT m.org_id FROM organization_move m WHERE m.moved_at IS NULL))
      ORDER BY due_at ${sql.literal(end)} LIMIT ${most}`
  return sql`
    WITH held AS MATERIALIZED (
      SELECT org_id, count(*) AS claims FROM (
        SELECT org_id, state, handed_over FROM research_item
        WHERE state IN ('queued', 'running') AND due_at > now() AND due_at <= ${leased}
        ORDER BY due_at DESC LIMIT ${reach}
      ) AS later WHERE state = 'running' AND NOT handed_over GROUP BY org_id
    ), waiting AS MATERIALIZED (
      (${dueFrom("ASC", Math.max(limit, reach))}) UNION (${dueFrom("DESC", reach)})
    ), due AS MATERIALIZED (
      SELECT t.org_id, t.run_id, t.place FROM (
        SELECT w.*, coalesce(h.claims, 0) + row_number() OVER (PARTITION BY w.org_id ORDER BY w.due_at) AS turn
        FROM waiting w LEFT JOIN held h ON h.org_id = w.org_id
        ORDER BY turn, w.due_at
      ) AS t CROSS JOIN LATERAL (
        SELECT FROM research_item i WHERE i.org_id = t.org_id AND i.run_id = t.run_id AND i.place = t.place
          AND i.state IN ('queued', 'running') AND i.due_at <= now()
        FOR UPDATE SKIP LOCKED
      ) AS locked
      LIMIT ${limit}
    ), claimed AS (
      UPDATE research_item i SET state = 'running', claim = i.claim + 1, due_at = ${leased}
      FROM due WHERE i.org_id = due.org_id AND i.run_id = due.run_id AND i.place = due.place RETURNING i.*
    )
    SELECT ${sql.literal(jobColumns)}
    FROM claimed i JOIN research_run r ON r.org_id = i.org_id AND r.id = i.run_id
    JOIN organization o ON o.org_id = i.org_id`
}
