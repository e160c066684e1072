/**
 * `Sessions` over PostgreSQL: each method is one statement, but `enter`, which recognizes the person before.
 *
 * `authorize` comes with every request of the app, so it is pipelined like the admission of keys, sends the settings of an
 * organization only when they changed, and writes no more than once a minute.
 */
import {
  idleTime,
  type KnownPerson,
  linkLifetime,
  maximumSessions,
  type NewSession,
  type Session,
  sessionLifetime,
  Sessions,
  type SignedInMember
} from "@freehold/core/access/Sessions"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Organization } from "@freehold/core/organization/Organization"
import { Member } from "@freehold/core/organization/Organizations"
import { DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema, type Statement } from "effect/sql"
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

const Authorized = Schema.Struct({ ...SignedIn.fields, isMoving: Schema.Boolean })

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

    /**
     * Opens a session for the member that `used` finds, which also tells since when the person is signed in, and what the
     * session keeps of the one before or of the authorization server.
     */
    const opening = (used: Statement.Fragment, { now, secretHash, sessionId }: Omit<NewSession, "userAgent">) =>
      SqlSchema.findOneOption({
        Request: Schema.Void,
        Result: SignedIn,
        execute: () =>
          sql`
            WITH ${used}, over AS (
              DELETE FROM app_session WHERE (org_id, session_id) IN (
                SELECT s.org_id, s.session_id FROM (
                  SELECT s.*, row_number() OVER (
                    ORDER BY ${live(now)} DESC, s.last_used_at DESC, s.signed_in_at DESC
                  ) AS place
                  FROM app_session s JOIN used USING (org_id, member_id)
                ) s WHERE s.place >= ${maximumSessions}::integer OR NOT (${live(now)})
              )
            ), s AS (
              INSERT INTO app_session (
                org_id, session_id, member_id, secret_hash, signed_in_at, last_used_at, user_agent, issuer, subject,
                sign_out_hint
              )
              SELECT org_id, ${sessionId}::uuid, member_id, decode(${secretHash}, 'hex'), since,
                from_millis(${now}::bigint), agent, by_issuer, by_subject, hint
              FROM used RETURNING *
            )
            SELECT ${columns}, ${memberOf("m")} AS member, o.revision::double precision AS org_revision,
              o.profile AS org_profile
            FROM s JOIN used m USING (org_id, member_id) JOIN organization o USING (org_id)`
      })()

    const redeem = (linkHash: string, session: NewSession) =>
      opening(
        sql`
          used AS (
            DELETE FROM sign_in_link l USING member m
            WHERE l.secret_hash = decode(${linkHash}, 'hex') AND l.expires_at > from_millis(${session.now}::bigint)
              AND m.org_id = l.org_id AND m.member_id = l.member_id AND m.status = 'active'
            RETURNING m.*, from_millis(${session.now}::bigint) AS since, ${session.userAgent}::text AS agent,
              NULL::text AS by_issuer, NULL::text AS by_subject, NULL::bytea AS hint
          )`,
        session
      )

    const enter = ({ issuer, orgId, signOutHint, subject }: KnownPerson, session: NewSession) =>
      opening(
        sql`
          used AS (
            SELECT m.*, from_millis(${session.now}::bigint) AS since, ${session.userAgent}::text AS agent,
              CASE WHEN ${orgId}::text IS NULL THEN m.issuer END AS by_issuer,
              CASE WHEN ${orgId}::text IS NULL THEN m.subject END AS by_subject, ${signOutHint}::bytea AS hint
            FROM member m JOIN organization o USING (org_id)
            WHERE m.issuer = ${issuer} AND m.subject = ${subject} AND m.status = 'active'
              AND (${orgId}::text IS NULL OR m.org_id = ${orgId}::text)
            ORDER BY o.profile ->> 'status' = 'active' DESC, m.created_at, m.org_id LIMIT 1
          )`,
        session
      )

    const change = (
      from: { readonly orgId: string; readonly sessionId: string },
      to: string,
      session: Omit<NewSession, "userAgent">
    ) =>
      opening(
        sql`
          used AS (
            DELETE FROM app_session k USING member m JOIN organization o USING (org_id)
            WHERE k.org_id = ${from.orgId} AND k.session_id = ${from.sessionId}::uuid AND m.org_id = ${to}
              AND m.org_id <> k.org_id AND m.issuer = k.issuer AND m.subject = k.subject AND m.status = 'active'
              AND o.profile ->> 'status' = 'active'
            RETURNING m.*, k.signed_in_at AS since, k.user_agent AS agent, k.issuer AS by_issuer,
              k.subject AS by_subject, k.sign_out_hint AS hint
          )`,
        session
      )

    const memberships = SqlSchema.findAll({
      Request: Schema.Struct({ orgId: Schema.String, sessionId: Schema.String }),
      Result: Schema.Struct({ organization: Organization }),
      execute: ({ orgId, sessionId }) =>
        sql`
          SELECT o.profile AS organization
          FROM app_session s
          JOIN member m ON m.status = 'active' AND (
            (m.org_id = s.org_id AND m.member_id = s.member_id AND s.issuer IS NULL)
            OR (m.issuer = s.issuer AND m.subject = s.subject)
          )
          JOIN organization o ON o.org_id = m.org_id
          WHERE s.org_id = ${orgId} AND s.session_id = ${sessionId}::uuid
          ORDER BY o.profile ->> 'name' COLLATE "C", o.org_id`
    })

    const authorize = SqlSchema.findOneOption({
      Request: Schema.Struct({
        secretHash: Schema.String,
        now: Schema.Number,
        knownOrg: Schema.NullOr(Schema.String),
        knownRevision: Schema.NullOr(Schema.Number)
      }),
      Result: Authorized,
      execute: ({ knownOrg, knownRevision, now, secretHash }) =>
        admission`
          WITH s AS (
            SELECT s.* FROM app_session s WHERE s.secret_hash = decode(${secretHash}, 'hex') AND ${live(now)}
          ), noted AS (
            UPDATE app_session k SET last_used_at = from_millis(${now}::bigint) FROM s
            WHERE k.org_id = s.org_id AND k.session_id = s.session_id
              AND s.last_used_at <= from_millis(${now - 60_000}::bigint)
              AND EXISTS (
                SELECT FROM member m WHERE m.org_id = s.org_id AND m.member_id = s.member_id AND m.status = 'active'
              )
            RETURNING k.last_used_at
          )
          SELECT s.session_id AS "sessionId", s.org_id AS "orgId", s.member_id AS "memberId",
            s.signed_in_at AS "signedInAt", coalesce((SELECT last_used_at FROM noted), s.last_used_at) AS "lastUsedAt",
            s.user_agent AS "userAgent", ${memberOf("m")} AS member, o.revision::double precision AS org_revision,
            CASE WHEN (o.org_id, o.revision) IS DISTINCT FROM (${knownOrg}::text, ${knownRevision}::bigint)
              THEN o.profile END AS org_profile,
            EXISTS (SELECT FROM organization_move v WHERE v.org_id = s.org_id AND v.moved_at IS NULL) AS "isMoving"
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

    const opened = <E>(
      caller: string,
      opening: Effect.Effect<Option.Option<typeof SignedIn.Type>, E>
    ): Effect.Effect<Option.Option<SignedInMember>, E> =>
      Effect.flatMap(
        opening,
        Option.match({
          onNone: () => Effect.succeed(Option.none()),
          onSome: (row) => Effect.map(signedIn(caller, row), Option.some)
        })
      )

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
        (linkHash, session) => opened(session.secretHash, redeem(linkHash, session)),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      enter: Effect.fn("Sessions.enter")(
        function*(person, session) {
          yield* sql`SELECT recognize_person(${person.issuer}, ${person.subject}, ${person.email})`
          return yield* opened(session.secretHash, enter(person, session))
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      memberships: Effect.fn("Sessions.memberships")(
        (orgId, sessionId) =>
          Effect.map(memberships({ orgId, sessionId }), (rows) => rows.map(({ organization }) => organization)),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      change: Effect.fn("Sessions.change")(
        (from, to, session) => opened(session.secretHash, change(from, to, session)),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      signOutHint: Effect.fn("Sessions.signOutHint")(
        function*(orgId, sessionId) {
          const [row] = yield* sql<{ readonly hint: Uint8Array | null }>`
            SELECT sign_out_hint AS hint FROM app_session WHERE org_id = ${orgId} AND session_id = ${sessionId}::uuid`
          return Option.fromNullishOr(row?.hint)
        },
        Effect.catchTag("SqlError", unavailable)
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
          if (Option.isNone(row)) return Option.none()
          // It may be in the other cell already: what is still here is not shown.
          if (row.value.isMoving) return yield* new TemporarilyUnavailable({ retryAfterSeconds: 1 })
          return Option.some(yield* signedIn(secretHash, row.value))
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
        function*({ keptSessionId = null, memberId, orgId, sessionId }) {
          const rows = yield* sql`
            DELETE FROM app_session WHERE org_id = ${orgId} AND member_id = ${memberId}::uuid
              AND (${sessionId}::uuid IS NULL OR session_id = ${sessionId}::uuid)
              AND session_id IS DISTINCT FROM ${keptSessionId}::uuid
            RETURNING session_id`
          return rows.length
        },
        Effect.catchTag("SqlError", unavailable)
      )
    })
  })
)
