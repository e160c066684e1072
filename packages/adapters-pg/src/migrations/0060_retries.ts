/** How often a delivery is tried is the operator's to set. That it was tried too often is for the audit to find. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE delivery DROP CONSTRAINT delivery_attempts_check`
})
