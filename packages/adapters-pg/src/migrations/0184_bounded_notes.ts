/** An organization has so many notes and tasks at most. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as NoteFunctions from "../note/NoteFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of NoteFunctions.functions) yield* sql.unsafe(statement)
})
