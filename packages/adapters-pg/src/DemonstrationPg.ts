/**
 * Marks the organization whose data is made up, so that a demonstration is never mixed with a customer's database.
 */
import type { OrganizationId } from "@freehold/core/access/Organization"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "./internal/Availability.ts"

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
