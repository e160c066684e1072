/** `Notices` over PostgreSQL: each method is one statement. */
import { type Notice, Notices, retention } from "@freehold/core/notice/Notices"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { columnsOf } from "../database/Columns.ts"
import { type Paged, pageOf } from "../database/Page.ts"
import { writing } from "../database/Transaction.ts"

const fields: Readonly<Record<keyof Notice, string>> = {
  id: "n.notice_id",
  orgId: "n.org_id",
  kind: "n.kind",
  text: "n.text",
  createdAt: "to_iso(n.created_at)"
}

export const layer: Layer.Layer<Notices, never, SqlClient.SqlClient> = Layer.effect(
  Notices,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf(fields))

    return Notices.of({
      record: Effect.fn("Notices.record")(
        function*({ cause, id, kind, now, orgId, text }) {
          const rows = yield* writing(sql`
            WITH over AS (
              DELETE FROM notice WHERE org_id = ${orgId}
                AND created_at <= from_millis(${now - Duration.toMillis(retention)}::bigint)
            )
            INSERT INTO notice (org_id, notice_id, kind, cause, day, text, created_at)
            SELECT ${orgId}, ${id}::uuid, ${kind}, ${cause}, (at AT TIME ZONE 'UTC')::date, ${text}, at
            FROM from_millis(${now}::bigint) AS moment (at)
            ON CONFLICT (org_id, kind, cause, day) DO NOTHING
            RETURNING notice_id`)
          return rows.length > 0
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      list: Effect.fn("Notices.list")(
        function*({ limit, offset, orgId }) {
          const where = sql`(${orgId}::text IS NULL OR n.org_id = ${orgId}::text)`
          const rows = yield* sql<Paged<Notice>>`
            SELECT counted.total, page.*
            FROM (SELECT count(*)::integer AS total FROM notice n WHERE ${where}) counted
            LEFT JOIN LATERAL (
              SELECT ${columns} FROM notice n WHERE ${where}
              ORDER BY n.created_at DESC, n.notice_id DESC LIMIT ${limit} OFFSET ${offset}
            ) page ON true
            ORDER BY page."createdAt" DESC, page.id DESC`
          const { rows: notices, total } = pageOf(rows)
          return { notices, total }
        },
        Effect.catchTag("SqlError", unavailable)
      )
    })
  })
)
