/** The tasks of a property as a bundle has the first of them: those still open before the others, each newest first. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX task_open_first ON task (org_id, property_id, (status <> 'open'), created_at DESC, id)`
})
