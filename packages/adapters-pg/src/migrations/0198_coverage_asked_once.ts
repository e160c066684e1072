/** A county that an organization asks for twice at the same moment is recorded once. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as RequestFunctions from "../request/RequestFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of RequestFunctions.functions) yield* sql.unsafe(statement)
})
