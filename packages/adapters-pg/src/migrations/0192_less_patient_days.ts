/** Whoever changes the days of history gives way to readers before PostgreSQL breaks one of them off. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as HistoryFunctions from "../retention/HistoryFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of HistoryFunctions.functions) yield* sql.unsafe(statement)
})
