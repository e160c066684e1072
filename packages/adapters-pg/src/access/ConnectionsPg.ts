/**
 * `Connections` over PostgreSQL: `authorize` is one pipelined call of `authorize_person`, as `KeyRing.authorize` is one
 * of `authorize`, and for the same reasons.
 */
import {
  type Connection,
  type ConnectionOutcome,
  type ConnectionRequest,
  Connections
} from "@freehold/core/access/Connections"
import { Organization } from "@freehold/core/organization/Organization"
import { Member } from "@freehold/core/organization/Organizations"
import { type Cause, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError, SqlSchema } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import * as CountedRequest from "./CountedRequest.ts"

const Authorized = Schema.Union([
  Schema.Struct({ outcome: Schema.Literals(["not_a_member", "revoked"]) }),
  Schema.Struct({ outcome: Schema.Literal("disabled"), org_profile: Organization }),
  Schema.Struct({ outcome: Schema.Literal("crowded"), minute_limit: Schema.Int, minute_started_at: Schema.Int }),
  Schema.Struct({
    outcome: Schema.Literal("connected"),
    person: Member,
    connection_id: Schema.String,
    first_seen: Schema.Date,
    ...CountedRequest.fields
  })
])

const Stored = Schema.Struct({
  connectionId: Schema.String,
  orgId: Schema.String,
  memberId: Schema.String,
  clientId: Schema.String,
  firstSeen: Schema.Date,
  revokedAt: Schema.NullOr(Schema.Date)
})

/** Whoever asks the same has the same organization, until memberships change. */
const callerOf = ({ clientId, issuer, orgId, subject }: ConnectionRequest): string =>
  JSON.stringify([issuer, subject, clientId, orgId])

const [teamMinute, enterpriseMinute, teamDay, enterpriseDay] = CountedRequest.allowances

export const layer: Layer.Layer<Connections, never, SqlClient.SqlClient | Database.Admission> = Layer.effect(
  Connections,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const admission = yield* Database.Admission
    const organizations = new CountedRequest.KnownOrganizations()

    const authorize = (request: ConnectionRequest, known: CountedRequest.Remembered | undefined) =>
      SqlSchema.findOne({
        Request: Schema.Void,
        Result: Authorized,
        execute: () =>
          admission`
            SELECT * FROM authorize_person(
              ${request.issuer}::text, ${request.subject}::text, ${request.email}::text, ${request.clientId}::text,
              ${request.orgId}::text, ${request.connectionId}::uuid, ${request.now}::bigint,
              ${known?.organization.org_id ?? null}::text, ${known?.revision ?? null}::bigint,
              ${teamMinute}::bigint, ${enterpriseMinute}::bigint, ${teamDay}::bigint, ${enterpriseDay}::bigint
            )`
      })()

    const columns = sql.literal(
      `credential_id AS "connectionId", org_id AS "orgId", member_id AS "memberId", client_id AS "clientId",
      created_at AS "firstSeen", revoked_at AS "revokedAt"`
    )
    const list = SqlSchema.findAll({
      Request: Schema.String,
      Result: Stored,
      execute: (orgId) =>
        sql`
          SELECT ${columns} FROM credential WHERE org_id = ${orgId} AND member_id IS NOT NULL
          ORDER BY created_at, credential_id`
    })
    const setRevoked = SqlSchema.findAll({
      Request: Schema.Struct({
        orgId: Schema.String,
        memberId: Schema.String,
        clientId: Schema.NullOr(Schema.String),
        revoked: Schema.Boolean
      }),
      Result: Stored,
      execute: ({ clientId, memberId, orgId, revoked }) =>
        sql`
          WITH changed AS (
            UPDATE credential SET revoked_at = CASE WHEN ${revoked}::boolean THEN clock_timestamp() END
            WHERE org_id = ${orgId} AND member_id = ${memberId}::uuid
              AND (${clientId}::text IS NULL OR client_id = ${clientId}::text)
              AND (revoked_at IS NULL) = ${revoked}::boolean
            RETURNING *
          )
          SELECT ${columns} FROM changed ORDER BY created_at, credential_id`
    })

    return Connections.of({
      authorize: Effect.fn("Connections.authorize")(
        function*(
          request
        ): Effect.fn.Return<ConnectionOutcome, SqlError.SqlError | Schema.SchemaError | Cause.NoSuchElementError> {
          const caller = callerOf(request)
          const row = yield* authorize(request, organizations.get(caller))
          switch (row.outcome) {
            case "not_a_member":
              return { _tag: "NotAMember" }
            case "revoked":
              return { _tag: "Revoked" }
            case "disabled":
              return { _tag: "Disabled", organization: row.org_profile }
            case "crowded":
              return { _tag: "Crowded", minute: CountedRequest.exhausted(row) }
            case "connected": {
              const organization = yield* organizations.organizationOf(caller, row)
              const connection: Connection = {
                connectionId: row.connection_id,
                orgId: organization.org_id,
                memberId: row.person.memberId,
                clientId: request.clientId,
                firstSeen: row.first_seen,
                revokedAt: null
              }
              return {
                _tag: "Connected",
                connection,
                member: row.person,
                organization,
                ...CountedRequest.counters(row, request.now)
              }
            }
          }
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag(["SchemaError", "NoSuchElementError"], Effect.die)
      ),
      list: Effect.fn("Connections.list")(
        (orgId) => list(orgId),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      setRevoked: Effect.fn("Connections.setRevoked")(
        (change) => setRevoked(change),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      )
    })
  })
)
