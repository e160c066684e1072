/** Changes of maps that wait are added to the counts so many at a time, so that upkeep can add what whoever wrote last left. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions } from "../map/MapFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // Only the triggers call it, which are made anew.
  yield* sql`DROP FUNCTION IF EXISTS map_cell_fold()`
  for (const statement of functions) yield* sql.unsafe(statement)
})
