/**
 * Where the properties of each county lie, beside what is told of all that are found: a search by a wide area looks at each, and an entry of
 * `property_of_county` has three times as much, which is taken apart for every one of them.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // By the county alone, so that its entries stand in the order of the table: whether all may see a row is looked up for the pages of it.
  yield* sql`CREATE INDEX property_places ON property (county_fips) INCLUDE (lat, lon, contact_count, asset_category, id)
    WHERE retired_into IS NULL`
})
