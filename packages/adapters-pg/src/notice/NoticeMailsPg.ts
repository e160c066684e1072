/** `NoticeMails` over PostgreSQL: each method is one statement. */
import { type DueMail, NoticeMails } from "@freehold/core/notice/NoticeMails"
import { NoticeKind } from "@freehold/core/notice/Notices"
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { writing } from "../database/Transaction.ts"

const decodeMails = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  id: Schema.String,
  orgId: Schema.NullOr(Schema.String),
  kind: NoticeKind,
  text: Schema.String,
  createdAt: Schema.String,
  attempt: Schema.Int,
  ended: Schema.Array(Schema.String),
  admins: Schema.Array(Schema.String)
})))

export const layer: Layer.Layer<NoticeMails, never, SqlClient.SqlClient> = Layer.effect(
  NoticeMails,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    /** Where the attempt is the latest. */
    const change = ({ attempt, id, orgId }: DueMail, by: Statement.Fragment) =>
      writing(
        orgId === null
          ? sql`UPDATE installation_notice SET ${by} WHERE notice_id = ${id}::uuid AND mail_attempts = ${attempt}`
          : sql`
            UPDATE notice SET ${by}
            WHERE org_id = ${orgId} AND notice_id = ${id}::uuid AND mail_attempts = ${attempt}`
      ).pipe(Effect.asVoid, Effect.catchTag("SqlError", unavailable))

    return NoticeMails.of({
      claim: Effect.fn("NoticeMails.claim")(
        function*({ lease, limit, now }) {
          const rows = yield* writing(sql`
            SELECT notice_id AS id, org_id AS "orgId", kind, text, to_iso(created_at) AS "createdAt", attempt, ended, admins
            FROM notice_mail_claim(
              ${limit}::integer, from_millis(${now + Duration.toMillis(lease)}::bigint), from_millis(${now}::bigint)
            )`)
          return yield* decodeMails(rows)
        },
        Effect.catchTags({ SqlError: unavailable, SchemaError: Effect.die })
      ),
      end: (mail, address, fault) =>
        change(
          mail,
          sql`mail_ended = mail_ended || ${address}::text, mail_fault = coalesce(${fault}::text, mail_fault)`
        ),
      settle: (mail, again) => change(mail, sql`mail_due_at = from_millis(${again}::bigint)`),
      giveUp: (mail, fault) => change(mail, sql`mail_due_at = NULL, mail_fault = ${fault}::text`)
    })
  })
)
