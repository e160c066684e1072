/**
 * `Sessions` over PostgreSQL: each method is one statement.
 *
 * `authorize` comes with every request of the app, so it is pipelined like the admission of keys, sends the settings of an
 * organization only when they changed, and writes no more than once a minute.
 */
import {
  idleTime,
  linkLifetime,
  maximumSessions,
  type Session,
  sessionLifetime,
  Sessions
} from "@freehold/core/access/Sessions"
import { Organization } from "@freehold/core/organization/Organization"
import { Member } from "@freehold/core/organization/Organizations"
import { DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import * as CountedRequest from "./CountedRequest.ts"

const Stored = Schema.Struct({
  sessionId: Schema.String,
  orgId: Schema.String,
  memberId: Schema.String,
  signedInAt: Schema.Date,
  lastUsedAt: Schema.Date,
  userAgent: Schema.NullOr(Schema.String)
})

const SignedIn = Schema.Struct({
  ...Stored.fields,
  member: Member,
  org_revision: Schema.Int,
  org_profile: Schema.NullOr(Organization)
})

const Invited = Schema.Struct({ member: Member, organization: Organization })

const lifetime = Duration.toMillis(sessionLifetime)
const idle = Duration.toMillis(idleTime)
const linkTime = Duration.toMillis(linkLifetime)

const viewOf = (stored: typeof Stored.Type): Session => {
  const end = Math.min(stored.signedInAt.getTime() + lifetime, stored.lastUsedAt.getTime() + idle)
  return {
    sessionId: stored.sessionId,
    orgId: stored.orgId,
    memberId: stored.memberId,
    signedInAt: stored.signedInAt,
    lastUsedAt: stored.lastUsedAt,
    expiresAt: DateTime.toDateUtc(DateTime.makeUnsafe(end)),
    userAgent: stored.userAgent
  }
}

export const layer: Layer.Layer<Sessions, never, SqlClient.SqlClient | Database.Admission> = Layer.effect(
  Sessions,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const admission = yield* Database.Admission
    const organizations = new CountedRequest.KnownOrganizations()

    const memberOf = (alias: string) =>
      sql.literal(
        `jsonb_build_object('memberId', ${alias}.member_id, 'email', ${alias}.email, 'name', ${alias}.name,
          'role', ${alias}.role, 'seat', ${alias}.seat, 'status', ${alias}.status, 'territory', ${alias}.territory,
          'monthlyCreditLimit', ${alias}.monthly_credit_limit)`
      )
    const columns = sql.literal(
      `s.session_id AS "sessionId", s.org_id AS "orgId", s.member_id AS "memberId", s.signed_in_at AS "signedInAt",
      s.last_used_at AS "lastUsedAt", s.user_agent AS "userAgent"`
    )
    const live = (now: number) =>
      sql`s.signed_in_at > from_millis(${now - lifetime}::bigint) AND s.last_used_at > from_millis(${
        now - idle
      }::bigint)`

    const issueLink = (orgId: string, memberId: string, secretHash: string, now: number) =>
      sql<{ readonly issued: boolean }>`
        INSERT INTO sign_in_link (org_id, member_id, secret_hash, expires_at)
        SELECT org_id, member_id, decode(${secretHash}, 'hex'), from_millis(${now + linkTime}::bigint)
        FROM member WHERE org_id = ${orgId} AND member_id = ${memberId}::uuid AND status = 'active'
        ON CONFLICT (org_id, member_id) DO UPDATE SET
          secret_hash = excluded.secret_hash, expires_at = excluded.expires_at
        RETURNING true AS issued`

    const lookAtLink = SqlSchema.findOneOption({
      Request: Schema.Struct({ secretHash: Schema.String, now: Schema.Number }),
      Result: Invited,
      execute: ({ now, secretHash }) =>
        sql`
          SELECT ${memberOf("m")} AS member, o.profile AS organization
          FROM sign_in_link l JOIN member m USING (org_id, member_id) JOIN organization o USING (org_id)
          WHERE l.secret_hash = decode(${secretHash}, 'hex') AND l.expires_at > from_millis(${now}::bigint)
            AND m.status = 'active'`
    })

    const redeem = SqlSchema.findOneOption({
      Request: Schema.Struct({
        linkHash: Schema.String,
        sessionId: Schema.String,
        secretHash: Schema.String,
        userAgent: Schema.NullOr(Schema.String),
        now: Schema.Number
      }),
      Result: SignedIn,
      execute: ({ linkHash, now, secretHash, sessionId, userAgent }) =>
        sql`
          WITH used AS (
            DELETE FROM sign_in_link l USING member m
            WHERE l.secret_hash = decode(${linkHash}, 'hex') AND l.expires_at > from_millis(${now}::bigint)
              AND m.org_id = l.org_id AND m.member_id = l.member_id AND m.status = 'active'
            RETURNING m.*
          ), over AS (
            DELETE FROM app_session WHERE (org_id, session_id) IN (
              SELECT s.org_id, s.session_id FROM (
                SELECT s.*, row_number() OVER (
                  ORDER BY ${live(now)} DESC, s.last_used_at DESC, s.signed_in_at DESC
                ) AS place
                FROM app_session s JOIN used USING (org_id, member_id)
              ) s WHERE s.place >= ${maximumSessions}::integer OR NOT (${live(now)})
            )
          ), s AS (
            INSERT INTO app_session (org_id, session_id, member_id, secret_hash, signed_in_at, last_used_at, user_agent)
            SELECT org_id, ${sessionId}::uuid, member_id, decode(${secretHash}, 'hex'), from_millis(${now}::bigint),
              from_millis(${now}::bigint), ${userAgent}::text
            FROM used RETURNING *
          )
          SELECT ${columns}, ${memberOf("m")} AS member, o.revision::double precision AS org_revision,
            o.profile AS org_profile
          FROM s JOIN used m USING (org_id, member_id) JOIN organization o USING (org_id)`
    })

    const authorize = SqlSchema.findOneOption({
      Request: Schema.Struct({
        secretHash: Schema.String,
        now: Schema.Number,
        knownOrg: Schema.NullOr(Schema.String),
        knownRevision: Schema.NullOr(Schema.Number)
      }),
      Result: SignedIn,
      execute: ({ knownOrg, knownRevision, now, secretHash }) =>
        admission`
          WITH s AS (
            SELECT s.* FROM app_session s WHERE s.secret_hash = decode(${secretHash}, 'hex') AND ${live(now)}
          ), noted AS (
            UPDATE app_session k SET last_used_at = from_millis(${now}::bigint) FROM s
            WHERE k.org_id = s.org_id AND k.session_id = s.session_id
              AND s.last_used_at <= from_millis(${now - 60_000}::bigint)
            RETURNING k.last_used_at
          )
          SELECT s.session_id AS "sessionId", s.org_id AS "orgId", s.member_id AS "memberId",
            s.signed_in_at AS "signedInAt", coalesce((SELECT last_used_at FROM noted), s.last_used_at) AS "lastUsedAt",
            s.user_agent AS "userAgent", ${memberOf("m")} AS member, o.revision::double precision AS org_revision,
            CASE WHEN (o.org_id, o.revision) IS DISTINCT FROM (${knownOrg}::text, ${knownRevision}::bigint)
              THEN o.profile END AS org_profile
          FROM s JOIN member m USING (org_id, member_id) JOIN organization o USING (org_id)
          WHERE m.status = 'active'`
    })

    const list = SqlSchema.findAll({
      Request: Schema.Struct({ orgId: Schema.String, memberId: Schema.String, now: Schema.Number }),
      Result: Stored,
      execute: ({ memberId, now, orgId }) =>
        sql`
          SELECT ${columns} FROM app_session s
          WHERE s.org_id = ${orgId} AND s.member_id = ${memberId}::uuid AND ${live(now)}
          ORDER BY s.last_used_at DESC, s.signed_in_at DESC, s.session_id DESC`
    })

    const signedIn = Effect.fnUntraced(function*(caller: string, row: typeof SignedIn.Type) {
      return {
        session: viewOf(row),
        member: row.member,
        organization: yield* organizations.organizationOf(caller, row)
      }
    })

    return Sessions.of({
      issueLink: Effect.fn("Sessions.issueLink")(
        function*({ memberId, now, orgId, secretHash }) {
          const [row] = yield* issueLink(orgId, memberId, secretHash, now)
          return row !== undefined
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      lookAtLink: Effect.fn("Sessions.lookAtLink")(
        (secretHash, now) => lookAtLink({ secretHash, now }),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      redeem: Effect.fn("Sessions.redeem")(
        function*(linkHash, session) {
          const row = yield* redeem({ linkHash, ...session })
          return Option.isNone(row) ? Option.none() : Option.some(yield* signedIn(session.secretHash, row.value))
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      authorize: Effect.fn("Sessions.authorize")(
        function*(secretHash, now) {
          const known = organizations.get(secretHash)
          const row = yield* authorize({
            secretHash,
            now,
            knownOrg: known?.organization.org_id ?? null,
            knownRevision: known?.revision ?? null
          })
          return Option.isNone(row) ? Option.none() : Option.some(yield* signedIn(secretHash, row.value))
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      list: Effect.fn("Sessions.list")(
        (orgId, memberId, now) => Effect.map(list({ orgId, memberId, now }), (rows) => rows.map(viewOf)),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      revoke: Effect.fn("Sessions.revoke")(
        function*({ memberId, orgId, sessionId }) {
          const rows = yield* sql`
            DELETE FROM app_session WHERE org_id = ${orgId} AND member_id = ${memberId}::uuid
              AND (${sessionId}::uuid IS NULL OR session_id = ${sessionId}::uuid)
            RETURNING session_id`
          return rows.length
        },
        Effect.catchTag("SqlError", unavailable)
      )
    })
  })
)
