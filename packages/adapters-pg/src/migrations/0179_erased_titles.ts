/** The counts of titles tell none of a person who was erased. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions } from "../suppression/PersonFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of functions) yield* sql.unsafe(statement)
})
