/** What was found out about a subject is found again by it: a run's items by what they are about. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX research_item_subject ON research_item (org_id, subject_id, finished_at DESC)`
  yield* sql`CREATE INDEX research_item_about ON research_item (org_id, property_id) WHERE property_id IS NOT NULL`
})
