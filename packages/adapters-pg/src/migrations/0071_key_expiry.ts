/** Keys that expire, and keys that are known by two secrets while the one takes the place of the other. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions as keyFunctions } from "../access/KeyFunctions.ts"

const statements: ReadonlyArray<string> = [
  `ALTER TABLE credential
    ADD COLUMN expires_at timestamptz,
    ADD COLUMN previous_hash bytea,
    ADD COLUMN previous_until timestamptz`,
  `COMMENT ON COLUMN credential.expires_at IS 'From then on it works no more; null: it does not expire'`,
  `COMMENT ON COLUMN credential.previous_hash IS 'Of the secret before the last rotation'`,
  `COMMENT ON COLUMN credential.previous_until IS 'Until then the secret before the last rotation works as well'`,
  `CREATE INDEX credential_previous ON credential (previous_hash) WHERE previous_hash IS NOT NULL`,
  ...keyFunctions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
