/** A link by which a member of the demonstration signs in, made in the database: the command that prints one takes a second. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"

/** The fragment of the link. */
export const memberSecret = async (email: string, env: Readonly<Record<string, string>>): Promise<string> => {
  const secret = randomBytes(32).toString("base64url")
  const hash = createHash("sha256").update(secret).digest("hex")
  await Effect.runPromise(
    administer(
      Redacted.make(env["DATABASE_URL"] ?? ""),
      (sql) =>
        sql`
          INSERT INTO sign_in_link (org_id, member_id, secret_hash, expires_at)
          SELECT org_id, member_id, decode(${hash}, 'hex'), now() + interval '5 minutes'
          FROM member WHERE org_id = 'org_demo' AND email = ${email}
          ON CONFLICT (org_id, member_id) DO UPDATE SET
            secret_hash = excluded.secret_hash, expires_at = excluded.expires_at`
    )
  )
  return secret
}
