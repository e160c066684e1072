/** An endpoint may be a CRM that leads are pushed to. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE webhook_endpoint ADD COLUMN crm jsonb`
  yield* sql.unsafe(
    "COMMENT ON COLUMN webhook_endpoint.crm IS "
      + "'How leads are pushed, where it is a CRM, whose credentials are its one secret; null: a webhook.'"
  )
})
