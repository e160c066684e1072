/** The records of property and firms, and what is found by them at national scale. */
import * as Comment from "../../database/Comment.ts"
import { guarded } from "../../property/MergeFunctions.ts"
import { tied } from "../../property/PlaceFunctions.ts"
import type { Subject } from "./Subject.ts"

const tables: Subject["tables"] = [
  `CREATE TABLE county (
    county_fips text PRIMARY KEY CHECK (county_fips ~ '^[0-9]{5}$'),
    name text,
    state text,
    refreshed_at timestamptz
  )`,
  ...Comment.onTable("county", "A county that the service knows.", {
    county_fips: "Five digits; the first two are the state's.",
    refreshed_at: "When an import last brought rows of it."
  }),

  `CREATE TABLE property (
    id uuid PRIMARY KEY,
    key text NOT NULL UNIQUE,
    county_fips text NOT NULL CHECK (county_fips ~ '^[0-9]{5}$'),
    retired_into uuid REFERENCES property,
    address text,
    city text,
    state text,
    zip text,
    county text,
    lat double precision CHECK (lat BETWEEN -90 AND 90),
    lon double precision CHECK (lon BETWEEN -180 AND 180),
    apn text,
    parcel_numbers text[],
    account_number text,
    lot_sqft integer,
    building_sqft integer,
    footprint_area integer,
    footprint_area_source text,
    roof_area_sqft integer,
    landscapable_sqft integer,
    year_built integer,
    effective_year_built integer,
    num_floors double precision,
    total_units integer,
    heating_type text,
    cooling_type text,
    primary_construction_type text,
    exterior_wall_material text,
    foundation_type text,
    roof_cover text,
    roof_shape text,
    quality_grade text,
    has_pool boolean,
    has_sprinklers boolean,
    asset_category text,
    asset_subcategory text,
    common_name text,
    record_owner text,
    owner_name text,
    owner_name_raw text,
    owner_name2 text,
    owner_mailing_address jsonb,
    raw_address text,
    address_source text,
    total_parval double precision,
    parcel_value_type text,
    last_sale_date date,
    last_sale_price double precision,
    zoning text,
    land_use_code text,
    land_use_description text,
    is_cluster boolean,
    cluster_id text,
    cluster_size integer,
    is_cluster_primary boolean,
    source_updated_at timestamptz,
    building_attributes_basis text NOT NULL DEFAULT 'none',
    details jsonb NOT NULL DEFAULT '{}',
    buildings jsonb,
    parcel_attributes jsonb,
    enrichment_status text NOT NULL DEFAULT 'not_started',
    last_enriched_at timestamptz,
    contact_count integer NOT NULL DEFAULT 0 CHECK (contact_count >= 0),
    contacts_with_email integer NOT NULL DEFAULT 0,
    contacts_with_phone integer NOT NULL DEFAULT 0,
    contacts_with_linkedin integer NOT NULL DEFAULT 0,
    contact_role_types text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    search_text_with_name text GENERATED ALWAYS AS (
      lower(coalesce(address, '') || E'\\n' || coalesce(city, '') || E'\\n' || coalesce(record_owner, '') || E'\\n' ||
        coalesce(owner_name, '') || E'\\n' || coalesce(common_name, ''))
    ) STORED,
    withheld_owner jsonb,
    owner_withheld boolean NOT NULL DEFAULT false,
    CHECK ((parcel_attributes IS NULL) = (buildings IS NULL)),
    CHECK (owner_withheld = (withheld_owner IS NOT NULL))
  )`,
  ...Comment.onTable(
    "property",
    "One parcel or site, the unit that is searched, unlocked and qualified. A column that is not explained is the field of its name.",
    {
      key: "The name that the source gave, which an import finds the record again by.",
      retired_into: "The survivor of the merge that retired it; null: it lives.",
      apn: "The assessor's number of the parcel.",
      total_parval: "The assessed value of the parcel; of which kind, parcel_value_type says.",
      cluster_id: "Parcels of one site have one cluster, of which one is the primary.",
      building_attributes_basis: "Where what is said of the buildings came from.",
      details: "The <name>Detail objects that are not null, by name.",
      buildings: "The buildings as they were imported; null: none.",
      parcel_attributes: "With buildings, what the parcel's own record says.",
      enrichment_status: "How far research of it got.",
      contact_count: "How many contacts are attached; this and the other counts are kept by whoever changes the ties.",
      contact_role_types: "The kinds of work of the attached contacts.",
      search_text_with_name: "What free text looks at; a newline between fields, so that no word spans two.",
      withheld_owner: "The owner fields as the source has them, while they are withheld.",
      owner_withheld: "What sets it asks whether it is so; the answer is written (owner_settle)."
    }
  ),

  `CREATE TABLE property_research (
    property_id uuid PRIMARY KEY REFERENCES property,
    beneficial_owner text,
    beneficial_owner_type text,
    management_company text,
    ai_rationale text,
    researched_at timestamptz NOT NULL,
    tier text NOT NULL DEFAULT 'Standard' CHECK (tier IN ('Standard', 'Deep')),
    withheld_beneficial_owner text,
    CHECK (beneficial_owner IS NULL OR withheld_beneficial_owner IS NULL)
  )`,
  ...Comment.onTable("property_research", "What is known about a property beyond the public record.", {
    ai_rationale: "What research says it rests on, in words.",
    withheld_beneficial_owner: "The beneficial owner, while it is withheld."
  }),

  `CREATE TABLE firm (
    id uuid PRIMARY KEY,
    key text NOT NULL UNIQUE,
    name text NOT NULL,
    domain text,
    linkedin_url text,
    twitter_url text,
    facebook_url text,
    crunchbase_url text,
    website_url text,
    phone text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  ...Comment.onTable(
    "firm",
    "A company that owns, manages, operates or rents property. The contract calls it an organization.",
    {
      key: "The name that the source gave, which an import finds the record again by."
    }
  ),

  `CREATE TABLE property_firm (
    property_id uuid NOT NULL REFERENCES property,
    firm_id uuid NOT NULL REFERENCES firm,
    role text NOT NULL CHECK (role IN ('owner', 'property_manager', 'operator', 'tenant')),
    attribution_type text NOT NULL,
    county_fips text,
    PRIMARY KEY (property_id, firm_id, role)
  )`,
  ...Comment.onTable(
    "property_firm",
    "A firm's tie to a property; that of a suppressed owner is in withheld_property_firm.",
    {
      attribution_type:
        "What the tie rests on: the county's record, or research, which counts at revealed properties alone.",
      county_fips: "Where the property is, kept by triggers; null: it is retired."
    }
  )
]

/**
 * Every index of searches leaves retired properties out, as every search does. Those of a place lead with the place, then
 * the default order, and carry the columns that filters, sorts and the breakdown by category use most, so that totals are
 * counted and pages are ordered without reading the table. The text orders fold A to Z alone and compare by code point
 * (`COLLATE "C"`), whatever the collation of the database.
 *
 * *Gotcha*: an index on an expression is read without its table only when it carries the bare columns of the expression
 * too, hence `city`, `lat` and `lon` among the carried ones.
 */
const searches: ReadonlyArray<string> = [
  // Any substring of at least three characters.
  `CREATE INDEX property_search_text ON property USING gin (search_text_with_name gin_trgm_ops)
    WHERE retired_into IS NULL`,

  // A narrow copy of what searches compare: one that no other index narrows is decided from it alone, in the default
  // order. An entry has to fit a third of a page, hence the limits of imported texts (`FieldCheck`), and two copies
  // instead of one: the second is of the texts that a search is ordered by, beside the places that narrow it.
  `CREATE INDEX property_facts ON property (contact_count DESC, id)
    INCLUDE (county_fips, search_text_with_name, lat, lon, asset_category, building_sqft, lot_sqft, roof_area_sqft,
      landscapable_sqft, footprint_area, year_built, effective_year_built, num_floors, total_units, total_parval,
      last_sale_date, updated_at, last_enriched_at, has_pool, has_sprinklers, contacts_with_email, contacts_with_phone,
      enrichment_status)
    WHERE retired_into IS NULL`,
  `CREATE INDEX property_names ON property (county_fips, id)
    INCLUDE (contact_count, lat, lon, zip, state, city, asset_category, common_name, owner_name, record_owner, raw_address)
    WHERE retired_into IS NULL`,

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
  // Without it a city is taken to be small.
  `CREATE STATISTICS property_cities ON lower(city) FROM property`,
  `CREATE INDEX property_at ON property USING gist (point(lon, lat))
    INCLUDE (lat, lon, county_fips, asset_category, contact_count, id)
    WHERE retired_into IS NULL`,

  `CREATE INDEX property_by_record_owner ON property (county_fips, lower(record_owner COLLATE "C"), id)
    WHERE retired_into IS NULL`,
  `CREATE INDEX property_by_owner_name ON property (county_fips, lower(owner_name COLLATE "C"), id)
    WHERE retired_into IS NULL`,
  `CREATE INDEX property_by_raw_address ON property (county_fips, lower(raw_address COLLATE "C"), id)
    WHERE retired_into IS NULL`
]

/** A written address is compared with those of its house number alone, or with those that have none. */
const lookups: ReadonlyArray<string> = [
  `CREATE INDEX property_of_parcel ON property (parcel_form(apn)) WHERE retired_into IS NULL`,
  `CREATE INDEX property_of_number_in_zip ON property (address_number(address), left(zip, 5))
    INCLUDE (address, zip, county_fips, id) WHERE retired_into IS NULL`,
  `CREATE INDEX property_of_number_in_city ON property (address_number(address), lower(city))
    INCLUDE (address, city, county_fips, id) WHERE retired_into IS NULL`
]

export const records: Subject = {
  tables,
  indexes: [
    ...searches,
    ...lookups,
    `CREATE INDEX property_retired ON property (retired_into) WHERE retired_into IS NOT NULL`,
    `CREATE INDEX firm_name ON firm USING gin (lower(name) gin_trgm_ops)`,
    `CREATE INDEX property_firm_of_firm ON property_firm (firm_id, property_id)`,
    `CREATE INDEX property_firm_seen ON property_firm (firm_id, property_id) INCLUDE (county_fips, role, attribution_type)
      WHERE county_fips IS NOT NULL`
  ],
  triggers: [
    // Before the triggers that divert what is withheld, which come later by name.
    ...tied.map((table) => `
      CREATE TRIGGER a_tie_placed BEFORE INSERT OR UPDATE OF property_id ON ${table}
      FOR EACH ROW EXECUTE FUNCTION tie_placed()`),
    `CREATE TRIGGER property_moved AFTER UPDATE OF county_fips, retired_into ON property FOR EACH ROW
      WHEN (OLD.county_fips IS DISTINCT FROM NEW.county_fips OR OLD.retired_into IS DISTINCT FROM NEW.retired_into)
      EXECUTE FUNCTION property_moved()`,
    ...guarded.map((table) => `
      CREATE TRIGGER refuse_retired AFTER INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_retired()`)
  ]
}
