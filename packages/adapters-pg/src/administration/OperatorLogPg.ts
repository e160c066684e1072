/** `OperatorLog` over PostgreSQL: each method is one statement. */
import { OperatorEntry, OperatorLog } from "@freehold/core/administration/OperatorLog"
import { Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { columnsOf } from "../database/Columns.ts"
import { writing } from "../database/Transaction.ts"
import { jsonOf } from "./SideJson.ts"

const fields: Readonly<Record<keyof OperatorEntry, string>> = {
  id: "l.entry_id",
  at: "to_iso(l.at)",
  actor: "l.actor",
  action: "l.action",
  orgId: "l.about_org",
  subject: "l.subject",
  before: "l.before",
  after: "l.after",
  reason: "l.reason"
}

export const layer: Layer.Layer<OperatorLog, never, SqlClient.SqlClient> = Layer.effect(
  OperatorLog,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf(fields))

    const list = SqlSchema.findAll({
      Request: Schema.Struct({
        after: Schema.NullOr(Schema.String),
        limit: Schema.Int,
        orgId: Schema.optionalKey(Schema.String)
      }),
      Result: OperatorEntry,
      execute: ({ after, limit, orgId = null }) =>
        sql`
          SELECT ${columns} FROM operator_log l
          WHERE (${orgId}::text IS NULL OR l.about_org = ${orgId}::text) AND (${after}::uuid IS NULL OR l.number < (
            SELECT p.number FROM operator_log p WHERE p.entry_id = ${after}::uuid
          ))
          ORDER BY l.number DESC LIMIT ${limit}`
    })

    return OperatorLog.of({
      record: Effect.fn("OperatorLog.record")(
        function*({ action, actor, after, before, id, now, orgId, reason, subject }) {
          yield* writing(sql`
            INSERT INTO operator_log (entry_id, at, actor, action, about_org, subject, before, after, reason)
            VALUES (${id}::uuid, from_millis(${now}::bigint), ${actor}, ${action}, ${orgId}, ${subject},
              ${jsonOf(before)}::jsonb, ${jsonOf(after)}::jsonb, ${reason})`)
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      list: Effect.fn("OperatorLog.list")(
        (request) => list(request),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      )
    })
  })
)
