/** `AdministrationLog` over PostgreSQL: each method is one statement. */
import { AdministrationEntry, AdministrationLog, retention } from "@freehold/core/administration/AdministrationLog"
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { columnsOf } from "../database/Columns.ts"
import { writing } from "../database/Transaction.ts"

const columns = (org: string): Readonly<Record<keyof AdministrationEntry, string>> => ({
  id: "l.entry_id",
  orgId: org,
  at: "to_iso(l.at)",
  actor: "l.actor",
  action: "l.action",
  subjectId: "l.subject_id",
  subjectName: "l.subject_name",
  before: "l.before",
  after: "l.after",
  reason: "l.reason"
})

const jsonOrNull = (side: AdministrationEntry["before"]): string | null => side === null ? null : JSON.stringify(side)

export const layer: Layer.Layer<AdministrationLog, never, SqlClient.SqlClient> = Layer.effect(
  AdministrationLog,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const ofOrganizations = sql.literal(columnsOf(columns("l.org_id")))
    const ofNone = sql.literal(columnsOf(columns("NULL::text")))

    const list = SqlSchema.findAll({
      Request: Schema.Struct({ orgId: Schema.String, after: Schema.NullOr(Schema.String), limit: Schema.Int }),
      Result: AdministrationEntry,
      execute: ({ after, limit, orgId }) =>
        sql`
          SELECT ${ofOrganizations} FROM administration_log l
          WHERE l.org_id = ${orgId} AND (${after}::uuid IS NULL OR l.number < (
            SELECT p.number FROM administration_log p WHERE p.org_id = ${orgId} AND p.entry_id = ${after}::uuid
          ))
          ORDER BY l.number DESC LIMIT ${limit}`
    })

    /** Of every organization and of none: the first of each table are among the first of both. */
    const listAll = SqlSchema.findAll({
      Request: Schema.Struct({ after: Schema.NullOr(Schema.String), limit: Schema.Int }),
      Result: AdministrationEntry,
      execute: ({ after, limit }) => {
        const next = sql`
          (${after}::uuid IS NULL OR (l.at, l.entry_id) < (
            SELECT p.at, p.entry_id FROM administration_log p WHERE p.entry_id = ${after}::uuid
            UNION ALL SELECT p.at, p.entry_id FROM operator_log p WHERE p.entry_id = ${after}::uuid
            LIMIT 1
          ))
          ORDER BY l.at DESC, l.entry_id DESC LIMIT ${limit}`
        return sql`
          SELECT * FROM (
            (SELECT ${ofOrganizations} FROM administration_log l WHERE ${next})
            UNION ALL (SELECT ${ofNone} FROM operator_log l WHERE ${next})
          ) l
          ORDER BY l.at DESC, l.id DESC LIMIT ${limit}`
      }
    })

    return AdministrationLog.of({
      record: Effect.fn("AdministrationLog.record")(
        function*({ action, actor, after, before, id, now, orgId, reason = null, subjectId, subjectName }) {
          const oldest = sql`at <= from_millis(${now - Duration.toMillis(retention)}::bigint)`
          const entry = sql`${id}::uuid, from_millis(${now}::bigint), ${JSON.stringify(actor)}::jsonb, ${action},
            ${subjectId}, ${subjectName}, ${jsonOrNull(before)}::jsonb, ${jsonOrNull(after)}::jsonb, ${reason}`
          yield* writing(
            orgId === null
              ? sql`
                WITH over AS (DELETE FROM operator_log WHERE ${oldest})
                INSERT INTO operator_log
                  (entry_id, at, actor, action, subject_id, subject_name, before, after, reason)
                VALUES (${entry})`
              : sql`
                WITH over AS (DELETE FROM administration_log WHERE org_id = ${orgId} AND ${oldest})
                INSERT INTO administration_log
                  (org_id, entry_id, at, actor, action, subject_id, subject_name, before, after, reason)
                VALUES (${orgId}, ${entry})`
          )
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      list: Effect.fn("AdministrationLog.list")(
        ({ orgId, ...page }) => orgId === null ? listAll(page) : list({ orgId, ...page }),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      )
    })
  })
)
