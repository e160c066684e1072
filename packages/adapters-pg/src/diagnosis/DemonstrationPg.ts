/**
 * Marks the organization whose data is made up, so that a demonstration is never mixed with a customer's database.
 */
import type { OrganizationId } from "@freehold/core/organization/Organization"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"

/** What the database holds besides the demonstration of that id. */
export interface Standing {
  /** The organization of that id is there and marked. */
  readonly marked: boolean
  /** There is an organization that is not marked. */
  readonly others: boolean
}

export const standing = Effect.fn("DemonstrationPg.standing")(
  function*(orgId: OrganizationId) {
    const sql = yield* SqlClient.SqlClient
    const [found] = yield* sql<Standing>`
      SELECT coalesce(bool_or(demonstration AND org_id = ${orgId}), false) AS marked,
        coalesce(bool_or(NOT demonstration), false) AS others
      FROM organization`
    return found ?? { marked: false, others: false }
  },
  Effect.catchTag("SqlError", unavailable)
)

export const mark = Effect.fn("DemonstrationPg.mark")(
  function*(orgId: OrganizationId) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE organization SET demonstration = true WHERE org_id = ${orgId}`
  },
  Effect.catchTag("SqlError", unavailable)
)

/** The run of the first draft that was written for the organization; none when there is none. */
export const draft = Effect.fn("DemonstrationPg.draft")(
  function*(orgId: OrganizationId) {
    const sql = yield* SqlClient.SqlClient
    const [found] = yield* sql<{ readonly runId: string }>`
      SELECT r.id AS "runId" FROM research_run r JOIN research_item i ON i.org_id = r.org_id AND i.run_id = r.id
      WHERE r.org_id = ${orgId} AND r.action = 'draft_email' AND i.state = 'complete'
      ORDER BY r.created_at LIMIT 1`
    return Option.map(Option.fromUndefinedOr(found), ({ runId }) => runId)
  },
  Effect.catchTag("SqlError", unavailable)
)
