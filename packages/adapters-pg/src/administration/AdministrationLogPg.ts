/** `AdministrationLog` over PostgreSQL: each method is one statement. */
import { AdministrationEntry, AdministrationLog, retention } from "@freehold/core/administration/AdministrationLog"
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { columnsOf } from "../database/Columns.ts"
import { writing } from "../database/Transaction.ts"
import { jsonOf } from "./SideJson.ts"

const fields: Readonly<Record<keyof AdministrationEntry, string>> = {
  id: "l.entry_id",
  at: "to_iso(l.at)",
  actor: "l.actor",
  action: "l.action",
  subjectId: "l.subject_id",
  subjectName: "l.subject_name",
  before: "l.before",
  after: "l.after"
}

export const layer: Layer.Layer<AdministrationLog, never, SqlClient.SqlClient> = Layer.effect(
  AdministrationLog,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf(fields))

    const list = SqlSchema.findAll({
      Request: Schema.Struct({ orgId: Schema.String, after: Schema.NullOr(Schema.String), limit: Schema.Int }),
      Result: AdministrationEntry,
      execute: ({ after, limit, orgId }) =>
        sql`
          SELECT ${columns} FROM administration_log l
          WHERE l.org_id = ${orgId} AND (${after}::uuid IS NULL OR l.number < (
            SELECT p.number FROM administration_log p WHERE p.org_id = ${orgId} AND p.entry_id = ${after}::uuid
          ))
          ORDER BY l.number DESC LIMIT ${limit}`
    })

    return AdministrationLog.of({
      record: Effect.fn("AdministrationLog.record")(
        function*({ action, actor, after, before, id, now, orgId, subjectId, subjectName }) {
          yield* writing(sql`
            WITH over AS (
              DELETE FROM administration_log
              WHERE org_id = ${orgId} AND at <= from_millis(${now - Duration.toMillis(retention)}::bigint)
            )
            INSERT INTO administration_log (org_id, entry_id, at, actor, action, subject_id, subject_name, before, after)
            VALUES (${orgId}, ${id}::uuid, from_millis(${now}::bigint), ${JSON.stringify(actor)}::jsonb, ${action},
              ${subjectId}, ${subjectName}, ${jsonOf(before)}::jsonb, ${jsonOf(after)}::jsonb)`)
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      countSince: Effect.fn("AdministrationLog.countSince")(function*({ atMost, orgId, since }) {
        const [found] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count FROM (
            SELECT FROM administration_log
            WHERE org_id = ${orgId} AND at > from_millis(${since}::bigint) AND actor ->> 'kind' <> 'operator'
            LIMIT ${atMost}
          ) AS young`
        return found?.count ?? 0
      }, Effect.catchTag("SqlError", unavailable)),
      list: Effect.fn("AdministrationLog.list")(
        (request) => list(request),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      )
    })
  })
)
