/**
 * What a search by location compares beside numbers, a choice of kinds, materials or roofs, stands in the index in county order too, so that it is decided
 * without the table: four texts, since an entry has to fit a third of a page. And what searches rely on is said of the column that tells whether there is
 * research.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `DROP INDEX property_of_county`,
  `CREATE INDEX property_of_county ON property (county_fips, contact_count DESC, id)
    INCLUDE (asset_category, lat, lon, building_sqft, lot_sqft, roof_area_sqft, landscapable_sqft, footprint_area,
      year_built, effective_year_built, num_floors, total_units, total_parval, last_sale_date, updated_at, last_enriched_at,
      has_pool, has_sprinklers, contacts_with_email, contacts_with_phone, enrichment_status,
      asset_subcategory, primary_construction_type, roof_cover, roof_shape)
    WHERE retired_into IS NULL`,
  `COMMENT ON COLUMN property.last_enriched_at IS
    'When it was researched, as its research says; null: there is none, by which searches know it.'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
