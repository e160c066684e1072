/**
 * What is said of a record beyond its own row: a source that was removed is still named with the records that it brought, since
 * its licence goes with them, and who asked not to be mailed is found by the address.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `ALTER TABLE source ADD COLUMN removed_at timestamptz`,
  `COMMENT ON COLUMN source.removed_at IS 'Since when it stands for the licence of its records alone; null: it is synced.'`,
  `CREATE INDEX contact_not_mailed ON contact (lower(email)) WHERE do_not_contact_email`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
