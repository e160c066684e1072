/** The rows of a page of a search are read by a function, which a connection plans once. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions } from "../property/PageRowFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of functions) yield* sql.unsafe(statement)
})
