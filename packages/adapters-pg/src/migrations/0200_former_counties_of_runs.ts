/** How many rows of a run of a source are of former counties, which whoever syncs it is told. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `ALTER TABLE source_run ADD COLUMN former_counties jsonb NOT NULL DEFAULT '{}'`,
  `COMMENT ON COLUMN source_run.former_counties IS 'How many of the rows are of each county whose code is a former one'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
