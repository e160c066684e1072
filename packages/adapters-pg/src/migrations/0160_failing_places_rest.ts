/** Places of attempts that failed rest, and endpoints of which a worker does not know that they answer are tried by few. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as DeliveryFunctions from "../webhook/DeliveryFunctions.ts"

const statements: ReadonlyArray<string> = [
  `DROP FUNCTION IF EXISTS delivery_claim(integer, integer, interval, jsonb, uuid)`,
  ...DeliveryFunctions.functions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
