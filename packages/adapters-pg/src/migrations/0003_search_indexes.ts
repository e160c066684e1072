/**
 * What the search stands on at national scale.
 *
 * Every index leaves retired properties out, as every search does. Those of a place lead with the place, then the
 * default order, and carry the columns that filters, sorts and the breakdown by category use most, so that totals are
 * counted and pages are ordered without reading the table. The text orders fold A to Z alone and compare by code point
 * (`COLLATE "C"`), whatever the collation of the database.
 *
 * *Gotcha*: an index on an expression is read without its table only when it carries the bare columns of the expression
 * too, hence `city`, `lat` and `lon` among the carried ones.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  // Any substring of at least three characters. A search without names looks at `search_text` again.
  `CREATE INDEX property_search_text ON property USING gin (search_text_with_name gin_trgm_ops)
    WHERE retired_into IS NULL`,
  // Words of two characters and words that nearly every row has: walk the order and stop when the page is full.
  `CREATE INDEX property_ordered ON property (contact_count DESC, id) INCLUDE (county_fips) WHERE retired_into IS NULL`,

  `CREATE INDEX property_of_county ON property (county_fips, contact_count DESC, id)
    INCLUDE (asset_category, building_sqft, lot_sqft, year_built, total_units, num_floors, total_parval, last_sale_date)
    WHERE retired_into IS NULL`,
  // For the totals of whole counties: equal entries are stored once, so it is some twenty times smaller.
  `CREATE INDEX property_in_county ON property (county_fips, asset_category) WHERE retired_into IS NULL`,
  `CREATE INDEX property_of_zip ON property (zip, contact_count DESC, id)
    INCLUDE (county_fips, asset_category, building_sqft, lot_sqft, year_built, total_units, num_floors, total_parval)
    WHERE retired_into IS NULL`,
  `CREATE INDEX property_of_city ON property (lower(city), state, contact_count DESC, id)
    INCLUDE (city, county_fips, asset_category, building_sqft, lot_sqft, year_built, total_units)
    WHERE retired_into IS NULL`,
  `CREATE INDEX property_at ON property USING gist (point(lon, lat))
    INCLUDE (lat, lon, county_fips, asset_category, contact_count, id)
    WHERE retired_into IS NULL`,

  `CREATE INDEX property_by_record_owner ON property (county_fips, lower(record_owner COLLATE "C"), id)
    WHERE retired_into IS NULL`,
  `CREATE INDEX property_by_owner_name ON property (county_fips, lower(owner_name COLLATE "C"), id)
    WHERE retired_into IS NULL`,
  `CREATE INDEX property_by_raw_address ON property (county_fips, lower(raw_address COLLATE "C"), id)
    WHERE retired_into IS NULL`,

  `CREATE INDEX property_change_withdrawn ON property_change (withdraws) WHERE withdraws IS NOT NULL`,

  // Metres between two places on the mean sphere, by the haversine formula.
  `CREATE FUNCTION great_circle_meters(lat1 float8, lon1 float8, lat2 float8, lon2 float8) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN 2 * 6371008.8 * asin(sqrt(least(1.0,
      sin(radians(lat2 - lat1) / 2) ^ 2
        + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lon2 - lon1) / 2) ^ 2)))`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
