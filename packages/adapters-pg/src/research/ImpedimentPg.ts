/** What refuses a launch of an organization, whatever it is about: its batch that is running, and too many runs within an hour. */
import { LaunchRateLimited } from "@freehold/core/rate/LaunchRateLimited"
import { BatchAlreadyRunning } from "@freehold/core/research/ResearchRefusals"
import { type Launch, launchWindow } from "@freehold/core/research/ResearchRuns"
import type { SqlClient } from "effect/sql"

/** What the organization launched and is not over. */
export interface Launches {
  /** The run of its batch; null: none is running. */
  readonly running: string | null
  /** How many runs count at this moment, at most as many as are allowed. */
  readonly recent: number
  /** Milliseconds until the first of them counts no more. */
  readonly free_in: number | null
}

/** The one row of `Launches`, as a statement or as a part of one. */
export const launchesOf = (
  sql: SqlClient.SqlClient,
  { maximum, now, orgId }: Pick<Launch, "now" | "orgId"> & { readonly maximum: number }
) =>
  sql<Launches>`
    SELECT (SELECT id FROM research_run WHERE org_id = ${orgId} AND batch AND finished_at IS NULL) AS running,
      count(*)::integer AS recent,
      (to_millis(min(created_at)) + ${launchWindow}::bigint - ${now}::bigint)::double precision AS free_in
    FROM (
      SELECT created_at FROM research_run
      WHERE org_id = ${orgId} AND created_at > from_millis(${now}::bigint - ${launchWindow}::bigint)
        AND created_at <= from_millis(${now}::bigint + ${launchWindow}::bigint)
      ORDER BY created_at DESC LIMIT ${maximum}
    ) recent`

/** What they refuse the launch with; null: nothing. */
export const impedimentOf = (
  { free_in: freeIn, recent, running }: Launches,
  { batch, maximum }: Pick<Launch, "batch"> & { readonly maximum: number }
): BatchAlreadyRunning | LaunchRateLimited | null => {
  if (batch && running !== null) return new BatchAlreadyRunning({ run_id: running })
  if (recent < maximum) return null
  const retryAfterSeconds = Math.max(1, Math.ceil((freeIn ?? launchWindow) / 1000))
  return new LaunchRateLimited({ kind: "research", retryAfterSeconds })
}
