/** What there is to know of the rows of an import beside their counts, which whoever uploaded them is told. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `ALTER TABLE import_run ADD COLUMN note text`,
  `COMMENT ON COLUMN import_run.note IS 'What there is to know of its rows beside their counts; null: nothing'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
