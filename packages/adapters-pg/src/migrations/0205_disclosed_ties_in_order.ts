/** The ties that are told of only where the property is opened, in the order in which research is kept: joined to all of it they are merged. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX property_firm_disclosable ON property_firm (property_id) INCLUDE (firm_id, county_fips, role)
    WHERE county_fips IS NOT NULL AND attribution_type IN ('beneficial_research', 'management_research')`
})
