/** While it is recorded what arrived, others are claimed for the same endpoints: places are given back afterwards. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as DeliveryFunctions from "../webhook/DeliveryFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // It answers something now, which no function can be replaced for.
  yield* sql`DROP FUNCTION IF EXISTS delivery_succeed(text[], uuid[], uuid[], integer[], integer[], integer[], text[], text[])`
  for (const statement of DeliveryFunctions.functions) yield* sql.unsafe(statement)
})
