/** `Notices` over PostgreSQL: each method is one statement. */
import { mailLife } from "@freehold/core/notice/NoticeMails"
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
  createdAt: "to_iso(n.created_at)",
  mail: `CASE
    WHEN n.mail_due_at IS NOT NULL AND n.created_at > now() - interval '${
    Duration.toSeconds(mailLife)
  } seconds' THEN 'waiting'
    WHEN n.mail_fault IS NOT NULL THEN 'given_up'
    WHEN n.mail_ended <> '{}' THEN 'sent'
    ELSE 'none'
  END`
}

export const layer: Layer.Layer<Notices, never, SqlClient.SqlClient> = Layer.effect(
  Notices,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf(fields))

    /** Those of an organization; of all of them and of the installation, where none is named. */
    const told = (orgId: string | null) =>
      orgId === null
        ? sql`(
          SELECT org_id, notice_id, kind, text, created_at, mail_due_at, mail_ended, mail_fault FROM notice
          UNION ALL
          SELECT NULL, notice_id, kind, text, created_at, mail_due_at, mail_ended, mail_fault FROM installation_notice
        ) n`
        : sql`(SELECT * FROM notice WHERE org_id = ${orgId}) n`

    return Notices.of({
      record: Effect.fn("Notices.record")(
        function*({ cause, id, kind, now, orgId, text }) {
          const [row] = yield* writing(sql<{ readonly fresh: boolean }>`
            WITH over AS (
              DELETE FROM notice WHERE org_id = ${orgId}
                AND created_at <= from_millis(${now - Duration.toMillis(retention)}::bigint)
            )
            SELECT notice_record(${orgId}, ${id}::uuid, ${kind}, ${cause}, ${text}, from_millis(${now}::bigint)) AS fresh`)
          return row?.fresh === true
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      list: Effect.fn("Notices.list")(
        function*({ kinds, limit, offset, orgId }) {
          const where = kinds === undefined ? sql`true` : sql`n.kind = ANY(${kinds}::text[])`
          const rows = yield* sql<Paged<Notice>>`
            SELECT counted.total, page.*
            FROM (SELECT count(*)::integer AS total FROM ${told(orgId)} WHERE ${where}) counted
            LEFT JOIN LATERAL (
              SELECT ${columns} FROM ${told(orgId)} WHERE ${where}
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
