/** A link by which somebody of the operator signs in, made in the database: the command that prints one takes a second. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"

/** The fragment of the link. */
export const operatorSecret = async (name: string, env: Readonly<Record<string, string>>): Promise<string> => {
  const secret = randomBytes(32).toString("base64url")
  const hash = createHash("sha256").update(secret).digest("hex")
  await Effect.runPromise(
    administer(
      Redacted.make(env["DATABASE_URL"] ?? ""),
      (sql) =>
        sql`
          INSERT INTO operator_link (name, secret_hash, expires_at)
          VALUES (${name}, decode(${hash}, 'hex'), now() + interval '5 minutes')
          ON CONFLICT (name) DO UPDATE SET secret_hash = excluded.secret_hash, expires_at = excluded.expires_at`
    )
  )
  return secret
}
