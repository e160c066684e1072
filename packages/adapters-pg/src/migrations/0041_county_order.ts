/**
 * Searches of a county, or of the counties that an area lies in, are decided from one index in county order that holds
 * all that they compare but for texts, so that a county is some hundred neighbouring pages of narrow entries.
 *
 * - `property_of_county` takes the facts from `property_facts`, which keeps what a search by text reads in the default
 *   order: its text.
 * - `county_extent` says how far the properties of a county lie apart, so that a wide area is a list of counties. Triggers
 *   keep it; it never shrinks, so it may be too large, and never too small.
 * - A word of two letters is found by the trigrams that begin with it (`PropertySearchPg`), which tell of ASCII alone:
 *   `property_beyond_ascii` are the texts that have more.
 * - A search by text that is sorted by a number walks the index of that number where many match, and stops when its page
 *   is full.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How many more bytes than characters a text has. */
const beyondAscii = "octet_length(search_text_with_name) - char_length(search_text_with_name)"

/** By what a search by text is sorted most. */
const walked = ["total_parval", "building_sqft", "lot_sqft", "last_sale_date"]

const statements: ReadonlyArray<string> = [
  `DROP INDEX property_of_county`,
  `CREATE INDEX property_of_county ON property (county_fips, contact_count DESC, id)
    INCLUDE (asset_category, lat, lon, building_sqft, lot_sqft, roof_area_sqft, landscapable_sqft, footprint_area,
      year_built, effective_year_built, num_floors, total_units, total_parval, last_sale_date, updated_at, last_enriched_at,
      has_pool, has_sprinklers, contacts_with_email, contacts_with_phone, enrichment_status)
    WHERE retired_into IS NULL`,
  `DROP INDEX property_facts`,
  `CREATE INDEX property_facts ON property (contact_count DESC, id) INCLUDE (county_fips, search_text_with_name)
    WHERE retired_into IS NULL`,

  // --- where counties lie ---
  `CREATE TABLE county_extent (
    county_fips text PRIMARY KEY,
    south double precision NOT NULL,
    north double precision NOT NULL,
    west double precision NOT NULL,
    east double precision NOT NULL
  )`,
  `COMMENT ON TABLE county_extent IS 'A box around all properties of a county, or more'`,
  `CREATE VIEW county_extent_counted AS
    SELECT county_fips, min(lat) AS south, max(lat) AS north, min(lon) AS west, max(lon) AS east FROM property
    WHERE lat IS NOT NULL AND lon IS NOT NULL GROUP BY county_fips`,
  `COMMENT ON VIEW county_extent_counted IS 'The smallest boxes that county_extent may hold'`,
  `INSERT INTO county_extent TABLE county_extent_counted`,
  `CREATE FUNCTION county_extend(fips text, new_south float8, new_north float8, new_west float8, new_east float8)
  RETURNS void LANGUAGE sql AS $$
    INSERT INTO county_extent AS e SELECT fips, new_south, new_north, new_west, new_east
    /* Nobody waits for a box that is large enough. */
    WHERE NOT EXISTS (
      SELECT FROM county_extent k WHERE k.county_fips = fips
        AND k.south <= new_south AND k.north >= new_north AND k.west <= new_west AND k.east >= new_east
    )
    ON CONFLICT (county_fips) DO UPDATE SET south = least(e.south, new_south), north = greatest(e.north, new_north),
      west = least(e.west, new_west), east = greatest(e.east, new_east)
  $$`,
  `COMMENT ON FUNCTION county_extend(text, float8, float8, float8, float8) IS 'Lets the box of a county hold another one'`,
  `CREATE FUNCTION county_extend_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM county_extend(county_fips, south, north, west, east) FROM (
      SELECT county_fips, min(lat) AS south, max(lat) AS north, min(lon) AS west, max(lon) AS east FROM inserted
      WHERE lat IS NOT NULL AND lon IS NOT NULL GROUP BY county_fips ORDER BY county_fips
    ) AS new;
    RETURN NULL;
  END $$`,
  `COMMENT ON FUNCTION county_extend_inserted() IS 'Keeps county_extent'`,
  `CREATE TRIGGER county_extend_inserted AFTER INSERT ON property REFERENCING NEW TABLE AS inserted
    FOR EACH STATEMENT EXECUTE FUNCTION county_extend_inserted()`,
  `CREATE FUNCTION county_extend_moved() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM county_extend(NEW.county_fips, NEW.lat, NEW.lat, NEW.lon, NEW.lon);
    RETURN NULL;
  END $$`,
  `COMMENT ON FUNCTION county_extend_moved() IS 'Keeps county_extent'`,
  `CREATE TRIGGER county_extend_moved AFTER UPDATE OF county_fips, lat, lon ON property FOR EACH ROW
    WHEN (NEW.lat IS NOT NULL AND NEW.lon IS NOT NULL AND (NEW.county_fips, NEW.lat, NEW.lon)
      IS DISTINCT FROM (OLD.county_fips, OLD.lat, OLD.lon))
    EXECUTE FUNCTION county_extend_moved()`,

  // --- after an import ---
  // Until a page is known to be seen by all, an index over it is not read without the table; a fifth of the country is too late.
  ...["property", "property_contact", "property_firm", "contact", "contact_reach", "firm_reach"].map((table) =>
    `ALTER TABLE ${table} SET (autovacuum_vacuum_insert_threshold = 10000, autovacuum_vacuum_insert_scale_factor = 0.01)`
  ),

  // --- searches by text ---
  `CREATE INDEX property_beyond_ascii ON property (id) WHERE retired_into IS NULL AND ${beyondAscii} > 0`,
  // Without it half of all texts are taken to be such.
  `CREATE STATISTICS property_beyond_ascii ON (${beyondAscii}) FROM property`,
  ...walked.map((column) =>
    `CREATE INDEX property_by_${column} ON property (${column} DESC NULLS LAST) WHERE retired_into IS NULL`
  )
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
