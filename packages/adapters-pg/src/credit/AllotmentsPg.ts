/** `Allotments` over PostgreSQL: those with a monthly grant have an index of their own. Who moves to another cell is granted there. */
import { Allotments } from "@freehold/core/credit/Allotments"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"

export const layer: Layer.Layer<Allotments, never, SqlClient.SqlClient> = Layer.effect(
  Allotments,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Allotments.of({
      due: Effect.fn("Allotments.due")(
        function*({ after, limit, ref }) {
          const rows = yield* sql<{ readonly org_id: string }>`
            SELECT o.org_id FROM organization o
            WHERE o.profile @> '{"monthly_grant": true}' AND o.status = 'active'
              AND (o.profile ->> 'monthly_credit_allotment')::bigint > 0
              AND o.org_id COLLATE "C" > ${after ?? ""}
              AND NOT EXISTS (SELECT FROM organization_move m WHERE m.org_id = o.org_id AND m.moved_at IS NULL)
              AND NOT EXISTS (SELECT FROM credit_grant g WHERE g.org_id = o.org_id AND g.ref = ${ref})
            ORDER BY o.org_id COLLATE "C" LIMIT ${limit}`
          return rows.map(({ org_id }) => org_id)
        },
        Effect.catchTag("SqlError", unavailable)
      )
    }))
)
