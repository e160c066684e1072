/** Links by which people sign in, made in the database: the command that prints one takes a second. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { createHash, randomBytes } from "node:crypto"

type Keep = (sql: SqlClient.SqlClient, hash: string) => Effect.Effect<unknown, SqlError.SqlError>

const secretKept = async (env: Readonly<Record<string, string>>, keep: Keep): Promise<string> => {
  const secret = randomBytes(32).toString("base64url")
  const hash = createHash("sha256").update(secret).digest("hex")
  await Effect.runPromise(administer(Redacted.make(env["DATABASE_URL"] ?? ""), (sql) => keep(sql, hash)))
  return secret
}

/** The fragment of a link for a member of the demonstration. */
export const memberSecret = (email: string, env: Readonly<Record<string, string>>): Promise<string> =>
  secretKept(env, (sql, hash) =>
    sql`
      INSERT INTO sign_in_link (org_id, member_id, secret_hash, expires_at)
      SELECT org_id, member_id, decode(${hash}, 'hex'), now() + interval '5 minutes'
      FROM member WHERE org_id = 'org_demo' AND email = ${email}
      ON CONFLICT (org_id, member_id) DO UPDATE SET
        secret_hash = excluded.secret_hash, expires_at = excluded.expires_at`)

/** The fragment of a link for somebody of the operator. */
export const operatorSecret = (name: string, env: Readonly<Record<string, string>>): Promise<string> =>
  secretKept(env, (sql, hash) =>
    sql`
      INSERT INTO operator_link (name, secret_hash, expires_at)
      VALUES (${name}, decode(${hash}, 'hex'), now() + interval '5 minutes')
      ON CONFLICT (name) DO UPDATE SET secret_hash = excluded.secret_hash, expires_at = excluded.expires_at`)
