/**
 * Who is erased is erased from what imports of the app showed and rejected, too. Of those who were erased before nobody knows the
 * name any more: where there are such people, all that was kept so of imports of people goes.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as NameFunctions from "../suppression/NameFunctions.ts"
import * as PersonFunctions from "../suppression/PersonFunctions.ts"

const statements: ReadonlyArray<string> = [
  ...NameFunctions.functions,
  ...PersonFunctions.functions,
  `UPDATE import_run SET shown = '[]' WHERE kind = 'contacts' AND EXISTS (SELECT FROM erased_person)`,
  `UPDATE import_reject SET lines = '' WHERE EXISTS (SELECT FROM erased_person)
    AND run_id IN (SELECT run_id FROM import_run WHERE kind = 'contacts')`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
