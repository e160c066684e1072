/** What an organization paid for is told without the ties of retired properties, as in searches and on a person's page. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions } from "../credit/LedgerFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of functions) yield* sql.unsafe(statement)
})
