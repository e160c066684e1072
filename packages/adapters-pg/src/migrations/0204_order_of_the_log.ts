/** Whoever forgets what deliveries held locks lines of the log in the order in which they are sent again. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as ChangeFunctions from "../change/ChangeFunctions.ts"
import * as PersonFunctions from "../suppression/PersonFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of [...PersonFunctions.functions, ...ChangeFunctions.functions]) yield* sql.unsafe(statement)
})
