/**
 * What keeps the work of any permitted request in bounds at national scale.
 *
 * - `property_facts` is a narrow copy of what searches compare: a search that no other index narrows is decided from it
 *   alone, in the default order, instead of from the table. `property_names` is one of the texts that a search is ordered
 *   by, beside the places that it is narrowed by, and `contact_facts` one of people. An entry has to fit a third of a page,
 *   hence the limits of imported texts (`FieldCheck`), and two copies instead of one.
 * - `address_number`: a written address is compared with those of its house number alone, or with those that have none.
 * - `county_fips` of ties and changes: where the property is, null when it is retired. So who is seen in an area, and
 *   what changed there, is told without the properties. Triggers keep it, whoever writes.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const tied = ["property_contact", "withheld_property_contact", "property_firm", "withheld_property_firm"]

/** What was imported before there were limits: said before anything is changed, since no index would take it. */
const tooLong = (table: string, columns: ReadonlyArray<readonly [name: string, bytes: number]>): string =>
  `DO $$
  DECLARE long text;
  BEGIN
    SELECT key INTO long FROM ${table}
    WHERE ${columns.map(([name, bytes]) => `octet_length(${name}) > ${bytes}`).join(" OR ")} LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION 'the ${table} with the key "%" has a text that is too long: ${
    columns.map(([name, bytes]) => `${name} of at most ${bytes} bytes`).join(", ")
  }', long USING HINT = 'Shorten it, and migrate again.';
    END IF;
  END $$`

const statements: ReadonlyArray<string> = [
  tooLong("property", [
    ["address", 500],
    ["city", 200],
    ["common_name", 500],
    ["record_owner", 500],
    ["owner_name", 500],
    ["raw_address", 500]
  ]),
  tooLong("contact", [["full_name", 500], ["employer_name", 500], ["title", 500], ["role_type", 500]]),

  // --- searches ---
  `ALTER TABLE property DROP COLUMN search_text`,
  `DROP INDEX property_ordered`,
  `CREATE INDEX property_facts ON property (contact_count DESC, id)
    INCLUDE (county_fips, search_text_with_name, lat, lon, asset_category, building_sqft, lot_sqft, roof_area_sqft,
      landscapable_sqft, footprint_area, year_built, effective_year_built, num_floors, total_units, total_parval,
      last_sale_date, updated_at, last_enriched_at, has_pool, has_sprinklers, contacts_with_email, contacts_with_phone,
      enrichment_status)
    WHERE retired_into IS NULL`,
  `CREATE INDEX property_names ON property (county_fips, id)
    INCLUDE (contact_count, lat, lon, zip, state, city, asset_category, common_name, owner_name, record_owner, raw_address)
    WHERE retired_into IS NULL`,
  `CREATE INDEX contact_facts ON contact (id)
    INCLUDE (full_name, employer_name, title, role_type, seniority, firm_id)`,

  /* Without it a city is taken to be small. */
  `CREATE STATISTICS property_cities ON lower(city) FROM property`,

  // --- written addresses ---
  /* As core's AddressMatch.houseNumber; empty: it has none. */
  `CREATE FUNCTION address_number(address text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    CASE WHEN address IS NOT NULL THEN coalesce(
      substring(lower(address COLLATE "C") from '^[ !"$-/:-@[-\`{-~]*([0-9][0-9a-z]*)'), '') END`,
  `CREATE INDEX property_of_number_in_zip ON property (address_number(address), left(zip, 5))
    INCLUDE (address, zip, county_fips, id) WHERE retired_into IS NULL`,
  `CREATE INDEX property_of_number_in_city ON property (address_number(address), lower(city))
    INCLUDE (address, city, county_fips, id) WHERE retired_into IS NULL`,

  // --- counties of ties ---
  ...tied.map((table) => `ALTER TABLE ${table} ADD COLUMN county_fips text`),
  ...tied.map((table) => `
    UPDATE ${table} t SET county_fips = p.county_fips FROM property p WHERE p.id = t.property_id AND p.retired_into IS NULL`),
  /* The lock waits for a move (`property_moved`), and holds up a later one; only what is read after it is the new place. */
  `CREATE FUNCTION tie_placed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM property WHERE id = NEW.property_id FOR KEY SHARE;
    SELECT p.county_fips INTO NEW.county_fips FROM property p
    WHERE p.id = NEW.property_id AND p.retired_into IS NULL;
    RETURN NEW;
  END $$`,
  /* Before the triggers that divert what is withheld, which come later by name. */
  ...tied.map((table) => `
    CREATE TRIGGER a_tie_placed BEFORE INSERT OR UPDATE OF property_id ON ${table}
    FOR EACH ROW EXECUTE FUNCTION tie_placed()`),
  `CREATE INDEX property_contact_seen ON property_contact (contact_id, county_fips) INCLUDE (property_id)
    WHERE county_fips IS NOT NULL`,
  `CREATE INDEX property_firm_seen ON property_firm (firm_id, property_id) INCLUDE (county_fips, role, attribution_type)
    WHERE county_fips IS NOT NULL`,

  // --- counties of changes ---
  `ALTER TABLE property_change ADD COLUMN county_fips text`,
  `UPDATE property_change c SET county_fips = p.county_fips FROM property own, property p
    WHERE own.id = c.property_id AND p.id = coalesce(own.retired_into, own.id)`,
  `CREATE FUNCTION change_placed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    SELECT p.county_fips INTO NEW.county_fips FROM property own JOIN property p ON p.id = coalesce(own.retired_into, own.id)
    WHERE own.id = NEW.property_id;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER change_placed BEFORE INSERT OR UPDATE OF property_id ON property_change
    FOR EACH ROW WHEN (NEW.property_id IS NOT NULL) EXECUTE FUNCTION change_placed()`,
  `CREATE INDEX property_change_of_county ON property_change (county_fips, detected_at DESC, id DESC) INCLUDE (kind, property_id)
    WHERE county_fips IS NOT NULL`,
  `CREATE INDEX property_change_of_people ON property_change (detected_at DESC, id DESC) INCLUDE (kind, contact_id)
    WHERE property_id IS NULL AND contact_id IS NOT NULL`,

  // --- a property that moves to another county, or retires ---
  /* The lock waits for those who are tying something to it, so that their ties are among those that move. */
  `CREATE FUNCTION property_moved() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM property WHERE id = NEW.id FOR UPDATE;
    ${
    tied.map((table) => `
    UPDATE ${table} t SET county_fips = CASE WHEN NEW.retired_into IS NULL THEN NEW.county_fips END
    WHERE t.property_id = NEW.id;`).join("")
  }
    UPDATE property_change c SET county_fips = p.county_fips
    FROM property own JOIN property p ON p.id = coalesce(own.retired_into, own.id)
    WHERE c.property_id = own.id AND (own.id = NEW.id OR own.retired_into = NEW.id);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER property_moved AFTER UPDATE OF county_fips, retired_into ON property FOR EACH ROW
    WHEN (OLD.county_fips IS DISTINCT FROM NEW.county_fips OR OLD.retired_into IS DISTINCT FROM NEW.retired_into)
    EXECUTE FUNCTION property_moved()`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
