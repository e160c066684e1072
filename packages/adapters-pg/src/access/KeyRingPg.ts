/**
 * `KeyRing` over PostgreSQL.
 *
 * Connections of members are credentials too (`ConnectionsPg`) and none of this ring's.
 *
 * `authorize` is one pipelined call of the function of that name. It belongs on the pipeline although it counts: the
 * rows of a hot key and its organization are locked for one statement only, whose commit does not wait for the disk, and
 * nobody else locks them, so what is behind it in the pipeline waits for microseconds.
 */
import { CredentialLimitReached } from "@freehold/core/access/AccessRefusals"
import { KeyDailyLimits } from "@freehold/core/access/KeyDailyLimits"
import {
  type Credential,
  CredentialStatus,
  endedKeysKept,
  endedKeysKeptFor,
  KeyRing,
  maximumActiveKeys,
  SecretInUse
} from "@freehold/core/access/KeyRing"
import { Scope } from "@freehold/core/operation/Scope"
import * as Span from "@freehold/core/operation/Span"
import { parseId } from "@freehold/core/operation/Uuid"
import { runs, windowMillis } from "@freehold/core/rate/RateWindow"
import { Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { transaction } from "../database/Transaction.ts"
import * as AuthorizedKey from "./AuthorizedKey.ts"

const StoredKey = {
  key_id: Schema.String,
  key_org: Schema.String,
  key_name: Schema.String,
  key_label: Schema.String,
  key_scopes: Schema.Array(Scope),
  key_daily_limits: KeyDailyLimits,
  key_created_at: Schema.Date
}

const Listed = Schema.Struct({
  ...StoredKey,
  key_status: CredentialStatus,
  key_revoked_at: Schema.NullOr(Schema.Date),
  key_expires_at: Schema.NullOr(Schema.Date),
  key_previous_until: Schema.NullOr(Schema.Date)
})

const credentialOf = (row: typeof Listed.Type): Credential => ({
  credentialId: row.key_id,
  orgId: row.key_org,
  name: row.key_name,
  label: row.key_label,
  scopes: row.key_scopes,
  status: row.key_status,
  dailyLimits: row.key_daily_limits,
  createdAt: row.key_created_at,
  revokedAt: row.key_revoked_at,
  expiresAt: row.key_expires_at,
  previousUntil: row.key_previous_until
})

/** Keys that work, of those that are no connections. */
const working = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())"

export const layer: Layer.Layer<KeyRing, never, SqlClient.SqlClient | Database.Admission> = Layer.effect(
  KeyRing,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const admission = yield* Database.Admission

    const { authorize } = AuthorizedKey.make(admission)

    const columns = sql.literal(
      `credential_id AS key_id, org_id AS key_org, name AS key_name, label AS key_label, scopes AS key_scopes,
      daily_limits AS key_daily_limits, created_at AS key_created_at, revoked_at AS key_revoked_at,
      expires_at AS key_expires_at,
      CASE WHEN previous_until > clock_timestamp() THEN previous_until END AS key_previous_until,
      CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= clock_timestamp() THEN 'expired' ELSE 'active' END
        AS key_status`
    )
    const create = SqlSchema.findOneOption({
      Request: Schema.Struct({
        credentialId: Schema.String,
        orgId: Schema.String,
        name: Schema.String,
        label: Schema.String,
        secretHash: Schema.String,
        scopes: Schema.Array(Schema.String),
        dailyLimits: Schema.fromJsonString(KeyDailyLimits),
        expiresAt: Schema.optionalKey(Schema.NullOr(Schema.Int))
      }),
      Result: Listed,
      execute: (key) =>
        sql`
          INSERT INTO credential (credential_id, org_id, name, label, secret_hash, scopes, daily_limits, created_at,
            expires_at)
          SELECT ${key.credentialId}::uuid, ${key.orgId}::text, ${key.name}::text, ${key.label}::text,
            decode(${key.secretHash}::text, 'hex'), ${key.scopes}::text[], ${key.dailyLimits}::jsonb, clock_timestamp(),
            from_millis(${key.expiresAt ?? null}::bigint)
          WHERE (SELECT count(*) FROM credential
              WHERE org_id = ${key.orgId} AND ${sql.literal(working)} AND member_id IS NULL)
            < ${maximumActiveKeys}
            AND NOT EXISTS (SELECT FROM credential WHERE previous_hash = decode(${key.secretHash}::text, 'hex'))
          ON CONFLICT (secret_hash) DO NOTHING
          RETURNING ${columns}`
    })
    /** The minute of the keys that it may take the place of: whoever ends keys and makes others has no more requests for it. */
    const inheritMinute = ({ credentialId, orgId }: { readonly credentialId: string; readonly orgId: string }) =>
      sql`
        INSERT INTO credential_window (org_id, credential_id, started_at, count)
        SELECT ${orgId}::text, ${credentialId}::uuid, w.started_at, w.count
        FROM credential c JOIN credential_window w ON w.org_id = c.org_id AND w.credential_id = c.credential_id
        WHERE c.org_id = ${orgId} AND c.member_id IS NULL AND NOT (${sql.literal(working)})
          AND window_runs(w.started_at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
        ORDER BY w.count DESC LIMIT 1`
    /** Ended keys beyond the last ones, with what is kept about them. */
    const forgetEnded = ({ orgId }: { readonly orgId: string }) =>
      sql`
        WITH ended AS (
          SELECT credential_id, least(revoked_at, expires_at) AS at FROM credential
          WHERE org_id = ${orgId}::text AND member_id IS NULL AND NOT (${sql.literal(working)})
          ORDER BY at DESC, credential_id OFFSET ${endedKeysKept}::int
        ), over AS (
          SELECT credential_id FROM ended
          WHERE at <= clock_timestamp() - ${Duration.toMillis(endedKeysKeptFor)}::float8 * interval '1 millisecond'
        ), windows AS (
          DELETE FROM credential_window w USING over o WHERE w.org_id = ${orgId} AND w.credential_id = o.credential_id
        ), answers AS (
          DELETE FROM idempotent_answer a USING over o WHERE a.org_id = ${orgId} AND a.credential_id = o.credential_id
        )
        DELETE FROM credential c USING over o WHERE c.org_id = ${orgId} AND c.credential_id = o.credential_id`
    const withSecret = (secretHash: string) =>
      sql`
        SELECT FROM credential
        WHERE secret_hash = decode(${secretHash}::text, 'hex') OR previous_hash = decode(${secretHash}::text, 'hex')`
    const list = SqlSchema.findAll({
      Request: Schema.String,
      Result: Listed,
      execute: (orgId) =>
        sql`
          SELECT ${columns} FROM credential WHERE org_id = ${orgId} AND member_id IS NULL
          ORDER BY created_at, credential_id`
    })
    /** The key of that id, if it is of that organization; null: of whichever. */
    const named = (credentialId: string, of: string | null) =>
      sql`credential_id = ${credentialId}::uuid AND member_id IS NULL AND (${of}::text IS NULL OR org_id = ${of}::text)`
    const revoke = SqlSchema.findOneOption({
      Request: Schema.Struct({ credentialId: Schema.String, of: Schema.NullOr(Schema.String) }),
      Result: Listed,
      execute: ({ credentialId, of }) =>
        sql`
          UPDATE credential SET revoked_at = coalesce(revoked_at, clock_timestamp())
          WHERE ${named(credentialId, of)}
          RETURNING ${columns}`
    })
    /** Keeps the keys of that key's organization from being counted by others; locked before the key, as `create` does. */
    const holdKeysOf = SqlSchema.findOneOption({
      Request: Schema.Struct({ credentialId: Schema.String, of: Schema.NullOr(Schema.String) }),
      Result: Schema.Struct({ org_id: Schema.String }),
      execute: ({ credentialId, of }) =>
        sql`
          SELECT org_id FROM organization
          WHERE org_id IN (SELECT org_id FROM credential WHERE ${named(credentialId, of)})
          FOR NO KEY UPDATE`
    })
    const update = SqlSchema.findOneOption({
      Request: Schema.Struct({
        credentialId: Schema.String,
        of: Schema.NullOr(Schema.String),
        scopes: Schema.NullOr(Schema.Array(Schema.String)),
        dailyLimits: Schema.NullOr(Schema.fromJsonString(KeyDailyLimits))
      }),
      Result: Listed,
      execute: ({ credentialId, dailyLimits, of, scopes }) =>
        sql`
          UPDATE credential SET
            scopes = coalesce(${scopes}::text[], scopes),
            daily_limits = coalesce(${dailyLimits}::jsonb, daily_limits)
          WHERE ${named(credentialId, of)}
          RETURNING ${columns}`
    })
    /** None: it would work again, and there is no room for it. */
    const expire = SqlSchema.findOneOption({
      Request: Schema.Struct({
        credentialId: Schema.String,
        of: Schema.NullOr(Schema.String),
        at: Schema.NullOr(Schema.Int)
      }),
      Result: Listed,
      execute: ({ at, credentialId, of }) =>
        sql`
          UPDATE credential c SET expires_at = from_millis(${at}::bigint)
          WHERE ${named(credentialId, of)} AND (
            ${sql.literal(working)} OR revoked_at IS NOT NULL OR from_millis(${at}::bigint) <= clock_timestamp()
            OR (SELECT count(*) FROM credential k
                WHERE k.org_id = c.org_id AND ${sql.literal(working)} AND k.member_id IS NULL) < ${maximumActiveKeys}
          )
          RETURNING ${columns}`
    })
    const rotate = SqlSchema.findOneOption({
      Request: Schema.Struct({
        credentialId: Schema.String,
        of: Schema.NullOr(Schema.String),
        secretHash: Schema.String,
        label: Schema.String,
        until: Schema.Int
      }),
      Result: Listed,
      execute: ({ credentialId, label, of, secretHash, until }) =>
        sql`
          UPDATE credential SET previous_hash = secret_hash, previous_until = from_millis(${until}::bigint),
            secret_hash = decode(${secretHash}::text, 'hex'), label = ${label}
          WHERE ${named(credentialId, of)} AND ${sql.literal(working)}
          RETURNING ${columns}`
    })
    const requests = SqlSchema.findAll({
      Request: Schema.Struct({ orgId: Schema.String, now: Schema.Int }),
      Result: Schema.Struct({
        id: Schema.NullOr(Schema.String),
        startedAt: Schema.NullOr(Schema.Int),
        count: Schema.NullOr(Schema.Int),
        today: Schema.Int
      }),
      execute: ({ now, orgId }) =>
        sql`
          SELECT w.credential_id AS id, w.started_at::double precision AS "startedAt", w.count, d.today
          FROM (
            SELECT coalesce((
              SELECT requests FROM organization_day
              WHERE org_id = ${orgId} AND day = (from_millis(${now}::bigint) AT TIME ZONE 'UTC')::date
            ), 0) AS today
          ) d
          LEFT JOIN (credential_window w JOIN credential c USING (credential_id))
            ON c.org_id = ${orgId} AND c.member_id IS NULL`
    })

    return KeyRing.of({
      authorize: (secretHash, now) => authorize(secretHash, now).pipe(Span.named("KeyRing.authorize")),

      create: Effect.fn("KeyRing.create")(
        function*(given) {
          // The organization's row is the lock under which its keys are counted.
          const created = yield* transaction(
            sql,
            Effect.gen(function*() {
              yield* sql`SELECT FROM organization WHERE org_id = ${given.orgId} FOR NO KEY UPDATE`
              yield* forgetEnded(given)
              const made = yield* create(given)
              if (Option.isSome(made)) yield* inheritMinute(given)
              return made
            })
          )
          if (Option.isSome(created)) return credentialOf(created.value)
          if ((yield* withSecret(given.secretHash)).length > 0) return yield* new SecretInUse()
          return yield* new CredentialLimitReached({ org_id: given.orgId, limit: maximumActiveKeys })
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),

      list: Effect.fn("KeyRing.list")(
        function*(orgId) {
          return (yield* list(orgId)).map(credentialOf)
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),

      revoke: Effect.fn("KeyRing.revoke")(
        function*(credentialId, of) {
          const id = parseId(credentialId)
          return Option.isNone(id)
            ? Option.none()
            : Option.map(yield* revoke({ credentialId: id.value, of: of ?? null }), credentialOf)
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),

      update: Effect.fn("KeyRing.update")(
        function*(credentialId, { dailyLimits = null, scopes = null }, of) {
          const id = parseId(credentialId)
          if (Option.isNone(id)) return Option.none()
          const key = { credentialId: id.value, of: of ?? null }
          // Whoever reads a key first may go on to lift its end.
          const changed = yield* transaction(
            sql,
            Effect.andThen(holdKeysOf(key), update({ ...key, dailyLimits, scopes }))
          )
          return Option.map(changed, credentialOf)
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),

      expire: Effect.fn("KeyRing.expire")(
        function*(credentialId, at, of) {
          const id = parseId(credentialId)
          if (Option.isNone(id)) return Option.none()
          const key = { credentialId: id.value, of: of ?? null }
          const { changed, held } = yield* transaction(
            sql,
            Effect.gen(function*() {
              const held = yield* holdKeysOf(key)
              return { held, changed: Option.isNone(held) ? Option.none() : yield* expire({ ...key, at }) }
            })
          )
          if (Option.isNone(held)) return Option.none()
          if (Option.isSome(changed)) return Option.some(credentialOf(changed.value))
          return yield* new CredentialLimitReached({ ...held.value, limit: maximumActiveKeys })
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),

      rotate: Effect.fn("KeyRing.rotate")(
        function*(credentialId, given, of) {
          const id = parseId(credentialId)
          return Option.isNone(id)
            ? Option.none()
            : Option.map(yield* rotate({ credentialId: id.value, of: of ?? null, ...given }), credentialOf)
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),

      requests: Effect.fn("KeyRing.requests")(
        function*(orgId, now) {
          const rows = yield* requests({ orgId, now })
          const windows = rows.flatMap(({ count, id, startedAt }) =>
            id === null || startedAt === null || count === null ? [] : [{ id, startedAt, count }]
          )
          return {
            lastUsedAt: new Map(windows.map(({ id, startedAt }) => [id, startedAt])),
            minutes: new Map(
              windows.filter((window) => runs(window, now)).map(({ count, id, startedAt }) => [
                id,
                { used: count, resetsAt: startedAt + windowMillis }
              ])
            ),
            today: rows[0]?.today ?? 0
          }
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      )
    })
  })
)
