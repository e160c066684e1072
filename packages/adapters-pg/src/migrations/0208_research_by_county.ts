/**
 * When a property was researched stands in the narrow indexes in county order too, beside its place and beside its names: so a search that asks what is researched
 * is counted from the narrowest, and put in order by a text without the table.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `DROP INDEX property_places`,
  `CREATE INDEX property_places ON property (county_fips)
    INCLUDE (lat, lon, contact_count, asset_category, id, last_enriched_at) WHERE retired_into IS NULL`,
  `DROP INDEX property_names`,
  `CREATE INDEX property_names ON property (county_fips, id)
    INCLUDE (contact_count, lat, lon, last_enriched_at, zip, state, city, asset_category, common_name, owner_name, record_owner,
      raw_address)
    WHERE retired_into IS NULL`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
