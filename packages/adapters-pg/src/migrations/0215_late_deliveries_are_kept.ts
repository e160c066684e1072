/** What ended in deliveries is kept for its time from its end, however long it waited (`retention/HistoryFunctions.ts`). */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as HistoryFunctions from "../retention/HistoryFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of HistoryFunctions.functions) yield* sql.unsafe(statement)
})
