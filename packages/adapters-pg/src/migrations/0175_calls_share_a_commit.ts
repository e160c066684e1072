/** Calls of one organization that wait together are written by one statement. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions } from "../credit/LedgerFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of functions) yield* sql.unsafe(statement)
})
