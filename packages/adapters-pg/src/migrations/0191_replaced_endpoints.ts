/** What waits for an endpoint that was replaced goes to the one that took its place. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as DeliveryClaimFunction from "../webhook/DeliveryClaimFunction.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of DeliveryClaimFunction.functions) yield* sql.unsafe(statement)
})
