/** A person who calls for the first time by two processes at once is let in by both. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as ConnectionFunctions from "../access/ConnectionFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of ConnectionFunctions.functions) yield* sql.unsafe(statement)
})
