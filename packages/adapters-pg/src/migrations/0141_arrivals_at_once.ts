/** Deliveries that arrived are recorded by a function of their own, which has nothing to judge. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as DeliveryFunctions from "../webhook/DeliveryFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of DeliveryFunctions.functions) yield* sql.unsafe(statement)
})
