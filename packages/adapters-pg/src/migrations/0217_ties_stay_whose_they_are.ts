/** What a match tied goes with its property into another one, and is taken back from there (`property_merge`). */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as MergeFunctions from "../property/MergeFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of MergeFunctions.functions) yield* sql.unsafe(statement)
})
