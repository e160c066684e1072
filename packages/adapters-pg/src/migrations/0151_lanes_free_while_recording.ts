/** While it is recorded what arrived, others are claimed for the same endpoints. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as DeliveryFunctions from "../webhook/DeliveryFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of DeliveryFunctions.functions) yield* sql.unsafe(statement)
})
