/** Organizations with a monthly grant are found without reading the others, as often as a worker looks. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE INDEX organization_monthly_grant ON organization (org_id COLLATE "C")
    WHERE profile @> '{"monthly_grant": true}'`
  yield* sql`
    COMMENT ON INDEX organization_monthly_grant IS 'Organizations that are granted their allotment each month'`
})
