/** `OperatorSessions` over PostgreSQL: each method is one statement. */
import {
  maximumOperatorSessions,
  operatorIdleTime,
  type OperatorSession,
  operatorSessionLifetime,
  OperatorSessions,
  viewLifetime
} from "@freehold/core/access/OperatorSessions"
import { linkLifetime, type NewSession } from "@freehold/core/access/Sessions"
import { Organization } from "@freehold/core/organization/Organization"
import { Member } from "@freehold/core/organization/Organizations"
import { DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { writing } from "../database/Transaction.ts"

const Stored = Schema.Struct({
  sessionId: Schema.String,
  name: Schema.String,
  signedInAt: Schema.Date,
  lastUsedAt: Schema.Date,
  userAgent: Schema.NullOr(Schema.String)
})

const View = Schema.Struct({
  sessionId: Schema.String,
  name: Schema.String,
  expiresAt: Schema.Date,
  member: Member,
  organization: Organization
})

const lifetime = Duration.toMillis(operatorSessionLifetime)
const idle = Duration.toMillis(operatorIdleTime)
const linkTime = Duration.toMillis(linkLifetime)
const viewTime = Duration.toMillis(viewLifetime)

const shown = (stored: typeof Stored.Type): OperatorSession => {
  const end = Math.min(stored.signedInAt.getTime() + lifetime, stored.lastUsedAt.getTime() + idle)
  return { ...stored, expiresAt: DateTime.toDateUtc(DateTime.makeUnsafe(end)) }
}

export const layer: Layer.Layer<OperatorSessions, never, SqlClient.SqlClient> = Layer.effect(
  OperatorSessions,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const columns = sql.literal(
      `s.session_id AS "sessionId", s.name, s.signed_in_at AS "signedInAt", s.last_used_at AS "lastUsedAt",
      s.user_agent AS "userAgent"`
    )
    const live = (now: number) =>
      sql`s.signed_in_at > from_millis(${now - lifetime}::bigint) AND s.last_used_at > from_millis(${
        now - idle
      }::bigint)`

    const lookAtLink = SqlSchema.findOneOption({
      Request: Schema.Struct({ secretHash: Schema.String, now: Schema.Number }),
      Result: Schema.Struct({ name: Schema.String }),
      execute: ({ now, secretHash }) =>
        sql`
          SELECT name FROM operator_link
          WHERE secret_hash = decode(${secretHash}, 'hex') AND expires_at > from_millis(${now}::bigint)`
    })

    const redeem = (linkHash: string, { now, secretHash, sessionId, userAgent }: NewSession) =>
      SqlSchema.findOneOption({
        Request: Schema.Void,
        Result: Stored,
        execute: () =>
          sql`
            WITH used AS (
              DELETE FROM operator_link
              WHERE secret_hash = decode(${linkHash}, 'hex') AND expires_at > from_millis(${now}::bigint)
              RETURNING name
            ), over AS (
              DELETE FROM operator_session WHERE EXISTS (SELECT FROM used) AND session_id IN (
                SELECT s.session_id FROM (
                  SELECT s.*, row_number() OVER (
                    ORDER BY ${live(now)} DESC, s.last_used_at DESC, s.signed_in_at DESC
                  ) AS place
                  FROM operator_session s
                ) s WHERE s.place >= ${maximumOperatorSessions}::integer OR NOT (${live(now)})
              )
            ), s AS (
              INSERT INTO operator_session (session_id, name, secret_hash, signed_in_at, last_used_at, user_agent)
              SELECT ${sessionId}::uuid, name, decode(${secretHash}, 'hex'), from_millis(${now}::bigint),
                from_millis(${now}::bigint), ${userAgent}
              FROM used RETURNING *
            )
            SELECT ${columns} FROM s`
      })()

    const authorize = SqlSchema.findOneOption({
      Request: Schema.Struct({ secretHash: Schema.String, now: Schema.Number }),
      Result: Stored,
      execute: ({ now, secretHash }) =>
        sql`
          WITH s AS (
            SELECT s.* FROM operator_session s WHERE s.secret_hash = decode(${secretHash}, 'hex') AND ${live(now)}
          ), noted AS (
            UPDATE operator_session k SET last_used_at = from_millis(${now}::bigint) FROM s
            WHERE k.session_id = s.session_id AND s.last_used_at <= from_millis(${now - 60_000}::bigint)
            RETURNING k.last_used_at
          )
          SELECT s.session_id AS "sessionId", s.name, s.signed_in_at AS "signedInAt",
            coalesce((SELECT last_used_at FROM noted), s.last_used_at) AS "lastUsedAt", s.user_agent AS "userAgent"
          FROM s`
    })

    const list = SqlSchema.findAll({
      Request: Schema.Number,
      Result: Stored,
      execute: (now) =>
        sql`
          SELECT ${columns} FROM operator_session s WHERE ${live(now)}
          ORDER BY s.last_used_at DESC, s.signed_in_at DESC, s.session_id DESC`
    })

    const view = SqlSchema.findOneOption({
      Request: Schema.Struct({ secretHash: Schema.String, now: Schema.Number }),
      Result: View,
      execute: ({ now, secretHash }) =>
        sql`
          SELECT s.session_id AS "sessionId", s.name, v.expires_at AS "expiresAt",
            jsonb_build_object('memberId', m.member_id, 'email', m.email, 'name', m.name, 'role', m.role, 'seat', m.seat,
              'status', m.status, 'territory', m.territory, 'monthlyCreditLimit', m.monthly_credit_limit) AS member,
            o.profile AS organization
          FROM operator_view v JOIN operator_session s USING (session_id)
          JOIN member m USING (org_id, member_id) JOIN organization o USING (org_id)
          WHERE v.secret_hash = decode(${secretHash}, 'hex') AND v.expires_at > from_millis(${now}::bigint)
            AND ${live(now)} AND m.status = 'active'`
    })

    return OperatorSessions.of({
      issueLink: Effect.fn("OperatorSessions.issueLink")(
        function*({ name, now, secretHash }) {
          yield* writing(sql`
            WITH over AS (
              DELETE FROM operator_link WHERE expires_at <= from_millis(${now}::bigint) AND name <> ${name}
            )
            INSERT INTO operator_link (name, secret_hash, expires_at)
            VALUES (${name}, decode(${secretHash}, 'hex'), from_millis(${now + linkTime}::bigint))
            ON CONFLICT (name) DO UPDATE SET secret_hash = excluded.secret_hash, expires_at = excluded.expires_at`)
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      lookAtLink: Effect.fn("OperatorSessions.lookAtLink")(
        (secretHash, now) => Effect.map(lookAtLink({ secretHash, now }), Option.map(({ name }) => name)),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      redeem: Effect.fn("OperatorSessions.redeem")(
        (linkHash, session) => Effect.map(writing(redeem(linkHash, session)), Option.map(shown)),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      authorize: Effect.fn("OperatorSessions.authorize")(
        (secretHash, now) => Effect.map(authorize({ secretHash, now }), Option.map(shown)),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      list: Effect.fn("OperatorSessions.list")(
        (now) => Effect.map(list(now), (rows) => rows.map(shown)),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      revoke: Effect.fn("OperatorSessions.revoke")(
        function*(sessionId) {
          const rows = yield* writing(sql`
            WITH links AS (DELETE FROM operator_link WHERE ${sessionId}::uuid IS NULL)
            DELETE FROM operator_session WHERE ${sessionId}::uuid IS NULL OR session_id = ${sessionId}::uuid
            RETURNING session_id`)
          return rows.length
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      openView: Effect.fn("OperatorSessions.openView")(
        function*({ memberId, now, orgId, secretHash, sessionId }) {
          const rows = yield* writing(sql`
            WITH before AS (
              DELETE FROM operator_view WHERE session_id = ${sessionId}::uuid AND org_id <> ${orgId}
            )
            INSERT INTO operator_view (session_id, secret_hash, org_id, member_id, expires_at)
            SELECT s.session_id, decode(${secretHash}, 'hex'), m.org_id, m.member_id, from_millis(${
            now + viewTime
          }::bigint)
            FROM operator_session s, member m
            WHERE s.session_id = ${sessionId}::uuid AND ${live(now)}
              AND m.org_id = ${orgId} AND m.member_id = ${memberId}::uuid AND m.status = 'active'
            ON CONFLICT (org_id, session_id) DO UPDATE SET secret_hash = excluded.secret_hash,
              member_id = excluded.member_id, expires_at = excluded.expires_at
            RETURNING session_id`)
          return rows.length > 0
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      view: Effect.fn("OperatorSessions.view")(
        (secretHash, now) => view({ secretHash, now }),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      endView: Effect.fn("OperatorSessions.endView")(
        function*(secretHash) {
          yield* writing(sql`DELETE FROM operator_view WHERE secret_hash = decode(${secretHash}, 'hex')`)
        },
        Effect.catchTag("SqlError", unavailable)
      )
    })
  })
)
