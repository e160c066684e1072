/**
 * A suppressed property that another one was merged into showed the beneficial owner that came with the other's research. Merges settle
 * that now; what was merged before is settled here.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions } from "../property/MergeFunctions.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of functions) yield* sql.unsafe(statement)
  yield* sql`
    WITH shown AS (
      UPDATE property_research r SET withheld_beneficial_owner = r.withheld_beneficial_owner
      FROM suppressed_property s WHERE s.property_id = r.property_id AND r.beneficial_owner IS NOT NULL
      RETURNING r.property_id
    )
    SELECT bundles_forget(ARRAY(SELECT property_id FROM shown))`
})
