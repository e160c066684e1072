/** How often which value stands in what searches compare in lower case: without these the planner takes every choice for one in two hundred. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const columns = [
  "asset_subcategory",
  "common_name",
  "cooling_type",
  "enrichment_status",
  "heating_type",
  "owner_name",
  "primary_construction_type",
  "roof_cover",
  "roof_shape"
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const column of columns) {
    yield* sql.unsafe(`CREATE STATISTICS property_${column} ON lower(${column}) FROM property`)
  }
})
