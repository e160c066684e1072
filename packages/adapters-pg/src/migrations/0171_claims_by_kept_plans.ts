/** Claims go by plans that are kept, and look up once for each endpoint what is the same for its deliveries. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as DeliveryFunctions from "../webhook/DeliveryFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of DeliveryFunctions.functions) yield* sql.unsafe(statement)
})
