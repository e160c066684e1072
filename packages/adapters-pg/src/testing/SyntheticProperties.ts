/**
 * Made-up properties in any number, for benchmarks and for tests that need a table of realistic size.
 *
 * The rows are made by the database itself, set by set; the same number gives the same rows. Names, people and addresses
 * are invented; only the state codes are real. Counties differ in size: the first holds about a fifth of the rows.
 *
 * *Gotcha*: the tables must be empty. `load` ends with VACUUM and ANALYZE, so it cannot run in a transaction.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { vacuum } from "./Vacuum.ts"

export interface Options {
  readonly count: number
  /** Counties to spread them over, at most 500. */
  readonly counties?: number
  /** Attach zero to four people to each researched property. */
  readonly contacts?: boolean
}

/** The id of the `n`-th property, counted from 1. */
export const propertyId = (n: number): string => {
  const hex = n.toString(16)
  return `${hex.padStart(8, "0")}-0000-4000-8000-${hex.padStart(12, "0")}`
}

const states = ["TX", "CA", "FL", "NY", "IL"]
const stateFips = ["48", "06", "12", "36", "17"]

/** The FIPS code of the `k`-th county, counted from 0. */
export const countyFips = (k: number): string =>
  `${stateFips[k % 5] ?? "48"}${String(1 + 2 * Math.trunc(k / 5)).padStart(3, "0")}`

const text = (values: ReadonlyArray<string>) => `('{${values.map((value) => `"${value}"`).join(",")}}'::text[])`
const pick = (values: ReadonlyArray<string>, seed: number) =>
  `${text(values)}[1 + (abs(hashint8extended(n, ${seed})) % ${values.length})::int]`
/** A number in [0, 1) that depends on the row and the seed alone. */
const random = (seed: number) => `((hashint8extended(n, ${seed}) & 1048575)::float8 / 1048576)`
const integer = (seed: number, low: number, high: number) =>
  `(${low} + floor(${random(seed)} * ${high - low + 1}))::int`
const sometimes = (seed: number, share: number, value: string) =>
  `CASE WHEN ${random(seed)} < ${share} THEN ${value} END`

const categories = [
  "Office",
  "Retail",
  "Industrial",
  "Multifamily",
  "Multifamily",
  "Hospitality",
  "Land",
  "Self Storage"
]
const streets = [
  "Juniper",
  "Larkspur",
  "Meridian",
  "Harbor",
  "Quarry",
  "Foundry",
  "Orchard",
  "Summit",
  "Willow",
  "Canal"
]
const kinds = ["Street", "Avenue", "Road", "Boulevard", "Parkway"]
const cities = [
  "Aldermoor",
  "Briarfield",
  "Cedar Point",
  "Dunhollow",
  "Eastwick",
  "Fairhaven",
  "Glenrock",
  "Hartsville"
]
const owners = ["Alder", "Bramble", "Copper", "Dovetail", "Ember", "Falcon", "Granite", "Heron", "Ivory", "Juno"]
const ownerKinds = ["Holdings LLC", "Partners LP", "Realty Trust", "Properties Inc", "Family Trust"]

const researched = `(${random(40)} < 0.5)`
const contactCount = `(CASE WHEN ${researched} THEN ${integer(41, 0, 4)} ELSE 0 END)`

const properties = (options: Required<Options>) => `
  INSERT INTO property (
    id, key, county_fips, address, city, state, zip, county, lat, lon, apn, parcel_numbers, account_number,
    lot_sqft, building_sqft, footprint_area, footprint_area_source, roof_area_sqft, landscapable_sqft,
    year_built, num_floors, total_units, primary_construction_type, roof_cover, has_pool, has_sprinklers,
    asset_category, common_name, record_owner, owner_name, owner_name_raw, raw_address, total_parval,
    last_sale_date, last_sale_price, enrichment_status, last_enriched_at, contact_count, contacts_with_email,
    contacts_with_phone, contact_role_types, updated_at)
  SELECT
    (lpad(to_hex(n), 8, '0') || '-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
    fips || '-S' || lpad(n::text, 10, '0'),
    fips,
    initcap(lower(street)), town, state, lpad((10000 + k * 40 + ${integer(3, 0, 24)})::text, 5, '0'), 'Sample ' || k,
    round((28 + k % 15 + ${random(4)})::numeric, 6), round((-118 + (k / 15) * 2 + ${random(5)})::numeric, 6),
    lpad(n::text, 10, '0'), ARRAY[lpad(n::text, 10, '0')], 'A' || n,
    ${sometimes(6, 0.9, integer(7, 2000, 400000))}, ${sometimes(8, 0.8, integer(9, 800, 250000))},
    ${sometimes(10, 0.6, integer(11, 700, 90000))}, ${sometimes(10, 0.6, `'measured'`)},
    ${sometimes(12, 0.4, integer(13, 700, 90000))}, ${sometimes(14, 0.3, integer(15, 100, 200000))},
    ${sometimes(16, 0.85, integer(17, 1890, 2024))}, ${sometimes(18, 0.7, integer(19, 1, 30))},
    ${sometimes(20, 0.4, integer(21, 1, 400))}, ${pick(["Steel", "Masonry", "Wood Frame", "Concrete"], 22)},
    ${sometimes(23, 0.3, pick(["Metal", "Shingle", "Membrane"], 24))}, ${sometimes(25, 0.5, `${random(26)} < 0.1`)},
    ${sometimes(27, 0.5, `${random(28)} < 0.4`)},
    ${sometimes(29, 0.95, pick(categories, 30))},
    ${sometimes(31, 0.15, `${pick(streets, 32)} || ' ' || ${pick(["Plaza", "Center", "Tower", "Commons"], 33)}`)},
    ${sometimes(34, 0.97, "owner")}, ${sometimes(34, 0.97, "upper(owner)")}, ${sometimes(34, 0.97, "upper(owner)")},
    upper(street), ${sometimes(35, 0.9, `round(${integer(36, 40, 90000)} * 1000.0)`)},
    ${sometimes(37, 0.7, `date '1990-01-01' + ${integer(38, 0, 12000)}`)},
    ${sometimes(37, 0.7, `${integer(39, 40, 90000)} * 1000.0`)},
    CASE WHEN ${researched} THEN 'complete' ELSE 'not_started' END,
    CASE WHEN ${researched} THEN timestamptz '2025-01-01' + n * interval '1.000001 seconds' END,
    ${options.contacts ? `${contactCount}, ${contactCount}, ${contactCount} / 2` : "0, 0, 0"},
    ${options.contacts ? `CASE WHEN ${contactCount} > 0 THEN '{property_manager}'::text[] ELSE '{}' END` : `'{}'`},
    timestamptz '2025-06-01' + n * interval '1.000001 seconds'
  FROM (
    SELECT
      n, k, state_fips || lpad((1 + 2 * (k / 5))::text, 3, '0') AS fips, state,
      ${integer(50, 1, 9999)} || ' ' || ${pick(streets, 51)} || ' ' || ${pick(kinds, 52)} AS street,
      ${pick(cities, 53)} AS town,
      ${pick(owners, 54)} || ' ' || ${integer(55, 1, 999)} || ' ' || ${pick(ownerKinds, 56)} AS owner
    FROM (
      SELECT n, floor(${options.counties} * power(${
  random(1)
}, 2.5))::int AS k FROM generate_series(1, ${options.count}) AS n
    ) AS numbered
    CROSS JOIN LATERAL (
      SELECT ${text(stateFips)}[1 + k % 5] AS state_fips, ${text(states)}[1 + k % 5] AS state
    ) AS place
  ) AS made`

const counties = `
  INSERT INTO county (county_fips, name, state)
  SELECT county_fips, min(county), min(state) FROM property GROUP BY county_fips`

const research = (count: number) => `
  INSERT INTO property_research (
    property_id, beneficial_owner, beneficial_owner_type, management_company, ai_rationale, researched_at)
  SELECT
    (lpad(to_hex(n), 8, '0') || '-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
    ${pick(owners, 60)} || ' Family', 'private_company', ${sometimes(61, 0.6, `${pick(streets, 62)} || ' Management'`)},
    'Made up for tests.', timestamptz '2025-01-01' + n * interval '1.000001 seconds'
  FROM generate_series(1, ${count}) AS n
  WHERE ${researched}`

/** The `j`-th person of the `n`-th property. */
const personId =
  `(lpad(to_hex(n), 8, '0') || '-' || lpad(to_hex(j), 4, '0') || '-4000-9000-' || lpad(to_hex(n), 12, '0'))::uuid`
const people = (count: number) => `
  FROM generate_series(1, ${count}) AS n CROSS JOIN LATERAL generate_series(1, ${contactCount}) AS j`

const contacts = (count: number) => `
  INSERT INTO contact (id, key, full_name, title, role_type, seniority, employer_name, email, email_validation_status, phone)
  SELECT ${personId}, 'person-' || n || '-' || j, 'Sample Person ' || n || '-' || j, 'Property Manager', 'property_manager',
    'manager', ${pick(streets, 62)} || ' Management', 'person-' || n || '-' || j || '@example.com', 'valid',
    CASE WHEN j <= ${contactCount} / 2 THEN '+1555' || lpad((n % 10000000)::text, 7, '0') END
  ${people(count)}`

const attachments = (count: number) => `
  INSERT INTO property_contact (property_id, contact_id, role, relationship_status)
  SELECT (lpad(to_hex(n), 8, '0') || '-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${personId},
    'property_manager', 'current'
  ${people(count)}`

/** Fills the empty tables. */
export const load = Effect.fn("SyntheticProperties.load")(function*(options: Options) {
  const sql = yield* SqlClient.SqlClient
  const all = { counties: 60, contacts: false, ...options }
  yield* sql.unsafe(properties(all))
  yield* sql.unsafe(counties)
  yield* sql.unsafe(research(all.count))
  if (all.contacts) {
    yield* sql.unsafe(contacts(all.count))
    yield* sql.unsafe(attachments(all.count))
  }
  yield* vacuum("property", "property_research", "county", "contact", "property_contact")
})

/** Researches those that are not yet: each can be unlocked then. */
export const researchAll = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    INSERT INTO property_research (property_id, beneficial_owner, researched_at)
    SELECT id, 'Made up for a benchmark', now() FROM property
    ON CONFLICT DO NOTHING`)
