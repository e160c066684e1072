/**
 * `Organizations` over PostgreSQL: each method is one statement.
 *
 * *Gotchas.* Within `atomically`, `find` keeps every other `atomically` about the same organization waiting until the
 * transaction ends, so that what is merged onto the stored organization is never lost.
 */
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Organization, type OrganizationId } from "@freehold/core/organization/Organization"
import { Member, Organizations } from "@freehold/core/organization/Organizations"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { transaction } from "../database/Transaction.ts"

const Holding = Context.Reference<boolean>("@freehold/adapters-pg/organization/OrganizationsPg/Holding", {
  defaultValue: () => false
})

const Profile = Schema.Struct({ profile: Organization })

/** A failure of the effect itself, told apart from one of the transaction around it. */
class Rejected<E> {
  readonly _tag = "Rejected"
  readonly reason: E
  constructor(reason: E) {
    this.reason = reason
  }
}

const outcomeOf = (row: { readonly inserted: boolean } | undefined) =>
  row === undefined ? "unchanged" : row.inserted ? "created" : "changed"

export const layer: Layer.Layer<Organizations, never, SqlClient.SqlClient> = Layer.effect(
  Organizations,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const find = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Profile,
      execute: (orgId) => sql`SELECT profile FROM organization WHERE org_id = ${orgId}`
    })
    const hold = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Profile,
      execute: (orgId) => sql`SELECT profile FROM organization_hold(${orgId}::text) AS held (profile)`
    })
    const list = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Profile,
      execute: () => sql`SELECT profile FROM organization ORDER BY org_id COLLATE "C"`
    })
    const search = SqlSchema.findAll({
      Request: Schema.Struct({
        text: Schema.NullOr(Schema.String),
        status: Schema.NullOr(Schema.String),
        after: Schema.NullOr(Schema.String),
        limit: Schema.Int
      }),
      Result: Profile,
      execute: ({ after, limit, status, text }) =>
        sql`
          SELECT profile FROM organization
          WHERE (${text}::text IS NULL OR position(lower(${text}::text) IN lower(org_id)) > 0
              OR position(lower(${text}::text) IN lower(profile ->> 'name')) > 0)
            AND (${status}::text IS NULL OR status = ${status}::text)
            AND (${after}::text IS NULL OR org_id COLLATE "C" > ${after}::text)
          ORDER BY org_id COLLATE "C" LIMIT ${limit}`
    })
    const setStatus = SqlSchema.findOneOption({
      Request: Schema.Struct({ orgId: Schema.String, status: Schema.String }),
      Result: Profile,
      execute: ({ orgId, status }) =>
        sql`
          UPDATE organization SET
            profile = jsonb_set(profile, '{status}', to_jsonb(${status}::text)),
            revision = revision + CASE WHEN status = ${status} THEN 0 ELSE 1 END
          WHERE org_id = ${orgId}
          RETURNING profile`
    })
    const members = SqlSchema.findAll({
      Request: Schema.String,
      Result: Member,
      execute: (orgId) =>
        sql`
          SELECT member_id AS "memberId", email, name, role, seat, status, territory,
            monthly_credit_limit AS "monthlyCreditLimit"
          FROM member WHERE org_id = ${orgId} ORDER BY created_at, member_id`
    })

    const save = Effect.fnUntraced(function*(organization: Organization) {
      // The account begins with the organization. Its revision begins where that of no earlier one of its name has been, in any
      // cell: what a host remembers of a deleted one is not taken for it.
      const [row] = yield* sql<{ readonly inserted: boolean }>`
        WITH saved AS (
          INSERT INTO organization AS o (org_id, profile, revision)
          VALUES (${organization.org_id}, ${JSON.stringify(organization)}::jsonb, to_millis(clock_timestamp()))
          ON CONFLICT (org_id) DO UPDATE SET profile = excluded.profile, revision = o.revision + 1
          WHERE o.profile IS DISTINCT FROM excluded.profile
          RETURNING o.org_id, o.xmax = 0 AS inserted
        ), account AS (
          INSERT INTO credit_account (org_id) SELECT org_id FROM saved WHERE inserted ON CONFLICT DO NOTHING
        )
        SELECT inserted FROM saved`
      return outcomeOf(row)
    })

    const saveMember = Effect.fnUntraced(function*(orgId: OrganizationId, member: Member) {
      const territory = member.territory === null ? null : JSON.stringify(member.territory)
      // A sign-in at the moment of the removal may come after it: what it left ends when the member is added again.
      const [row] = yield* sql<{ readonly inserted: boolean }>`
        WITH saved AS (
          INSERT INTO member AS m
            (org_id, member_id, email, name, role, seat, status, territory, monthly_credit_limit, created_at)
          VALUES (${orgId}, ${member.memberId}::uuid, ${member.email}, ${member.name}, ${member.role}, ${member.seat},
            ${member.status}, ${territory}::jsonb, ${member.monthlyCreditLimit}, clock_timestamp())
          ON CONFLICT (org_id, lower(email)) DO UPDATE SET
            email = excluded.email, name = excluded.name, role = excluded.role, seat = excluded.seat,
            status = excluded.status, territory = excluded.territory,
            issuer = CASE excluded.status WHEN 'active' THEN m.issuer END,
            subject = CASE excluded.status WHEN 'active' THEN m.subject END,
            monthly_credit_limit = excluded.monthly_credit_limit
          WHERE (m.email, m.name, m.role, m.seat, m.status, m.territory, m.monthly_credit_limit) IS DISTINCT FROM
            (excluded.email, excluded.name, excluded.role, excluded.seat, excluded.status, excluded.territory,
              excluded.monthly_credit_limit)
          RETURNING m.xmax = 0 AS inserted
        ), removed AS (
          SELECT org_id, member_id FROM member
          WHERE org_id = ${orgId} AND lower(email) = lower(${member.email}::text)
            AND 'removed' IN (status, ${member.status}::text)
        ), sessions AS (
          DELETE FROM app_session s USING removed r WHERE s.org_id = r.org_id AND s.member_id = r.member_id
        ), links AS (
          DELETE FROM sign_in_link l USING removed r WHERE l.org_id = r.org_id AND l.member_id = r.member_id
        )
        SELECT inserted FROM saved`
      return outcomeOf(row)
    })

    return Organizations.of({
      find: Effect.fn("Organizations.find")(
        function*(orgId) {
          const row = yield* (yield* Holding) ? hold(orgId) : find(orgId)
          return Option.map(row, ({ profile }) => profile)
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      list: list().pipe(
        Effect.map((rows) => rows.map(({ profile }) => profile)),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die),
        Effect.withSpan("Organizations.list")
      ),
      search: Effect.fn("Organizations.search")(
        (request) => Effect.map(search(request), (rows) => rows.map(({ profile }) => profile)),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      movedTo: Effect.fn("Organizations.movedTo")(function*(orgId) {
        const [move] = yield* sql<{ readonly cell: string }>`
          SELECT m.to_cell AS cell FROM organization_move m
          WHERE m.org_id = ${orgId} AND m.moved_at IS NOT NULL
            AND NOT EXISTS (SELECT FROM organization o WHERE o.org_id = m.org_id)`
        return move?.cell ?? null
      }, Effect.catchTag("SqlError", unavailable)),
      save: Effect.fn("Organizations.save")(save, Effect.catchTag("SqlError", unavailable)),
      setStatus: Effect.fn("Organizations.setStatus")(
        function*(orgId, status) {
          return Option.map(yield* setStatus({ orgId, status }), ({ profile }) => profile)
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      members: Effect.fn("Organizations.members")(
        (orgId) => members(orgId),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      saveMember: Effect.fn("Organizations.saveMember")(saveMember, Effect.catchTag("SqlError", unavailable)),
      atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.provideService(effect, Holding, true).pipe(
          Effect.mapError((reason) => new Rejected(reason)),
          (marked) => transaction(sql, marked),
          Effect.catch((error): Effect.Effect<never, E | TemporarilyUnavailable> =>
            error._tag === "Rejected" ? Effect.fail(error.reason) : unavailable(error)
          )
        )
    })
  })
)
