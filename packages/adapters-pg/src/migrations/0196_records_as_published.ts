/**
 * Records are what their publishers and people say of them: a source that was removed is still named with the records that it
 * brought, since its licence goes with them; who asked not to be mailed is found by the address; and a lot may have more square
 * feet than an integer holds. The column of lots keeps its type, by which every search is indexed.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions } from "../property/PageRowFunctions.ts"

const statements: ReadonlyArray<string> = [
  `ALTER TABLE source ADD COLUMN removed_at timestamptz`,
  `COMMENT ON COLUMN source.removed_at IS 'Since when it stands for the licence of its records alone; null: it is synced.'`,
  `ALTER TABLE property ADD COLUMN lot_sqft_beyond double precision`,
  `COMMENT ON COLUMN property.lot_sqft_beyond IS 'The area of a lot whose lot_sqft is the largest integer, which it is or exceeds'`,
  `CREATE INDEX contact_not_mailed ON contact (lower(email)) WHERE do_not_contact_email`,
  ...functions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
