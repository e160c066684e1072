/**
 * A database in which permitted requests do their worst: a million properties in 300 counties (the largest holds a tenth),
 * about as many people, 500 of whom have a thousand properties each, 300,000 firms, and half a million changes, the newest
 * of which lie outside one state. Everything is made up by the database itself.
 */
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { searcher } from "./Customers.ts"

export interface Sizes {
  readonly properties: number
  readonly firms: number
  readonly busyPeople: number
}

export const counties = 300

/** The `n`-th person with many properties, counted from 1. */
export const busyPerson = (n: number): string => `20000000-0000-4000-8000-${String(n).padStart(12, "0")}`

/** The `n`-th firm; the first have the most properties. */
export const firmId = (n: number): string => `10000000-0000-4000-8000-${String(n).padStart(12, "0")}`

/** The list that holds a tenth of the properties. */
export const listId = "30000000-0000-4000-8000-000000000001"

const words = (names: string, of: string) => `(string_to_array('${names}', ','))[1 + abs(hashtext(${of})) % 6]`

/** Some firms have far more than others. */
const firmOf = (firms: number, of: string) =>
  `('10000000-0000-4000-8000-' || lpad(
    (1 + floor(${firms} * power((hashtextextended(${of}, 1) & 1048575) / 1048576.0, 3)))::int::text, 12, '0'))::uuid`

const statements = ({ busyPeople, firms, properties }: Sizes): ReadonlyArray<string> => [
  `INSERT INTO firm (id, key, name)
    SELECT ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'firm-' || n,
      ${
    words("Alder,Bramble,Copper,Dovetail,Ember,Falcon", "n::text")
  } || ' ' || substr(md5(n::text), 1, 6) || ' Partners LP'
    FROM generate_series(1, ${firms}) AS n`,
  `INSERT INTO property_firm (property_id, firm_id, role, attribution_type)
    SELECT id, ${firmOf(firms, "key")}, 'owner', 'county_record' FROM property
    UNION ALL
    SELECT id, ${firmOf(firms, "key || 'm'")}, 'property_manager', 'management_research' FROM property
    WHERE abs(hashtext(key)) % 10 < 3`,
  `UPDATE contact SET
    employer_name = ${words("Alder,Bramble,Copper,Dovetail,Ember,Falcon", "key")} || ' ' || substr(md5(key), 1, 4),
    title = ${words("Property Manager,Asset Manager,Owner,Leasing Agent,Chief Engineer,Director", "key || 't'")},
    firm_id = ${firmOf(firms, "key || 'f'")}`,
  `INSERT INTO contact (id, key, full_name, title, role_type, employer_name)
    SELECT ('20000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'busy-' || n, 'Busy Person ' || n, 'Owner',
      'owner_principal', 'Busy ' || n
    FROM generate_series(1, ${busyPeople}) AS n`,
  `INSERT INTO property_contact (property_id, contact_id)
    SELECT (lpad(to_hex(p), 8, '0') || '-0000-4000-8000-' || lpad(to_hex(p), 12, '0'))::uuid,
      ('20000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid
    FROM generate_series(1, ${busyPeople}) AS n CROSS JOIN generate_series(0, 999) AS j
    CROSS JOIN LATERAL (SELECT 1 + (n * 1999 + j * 997) % ${properties} AS p) AS of
    ON CONFLICT DO NOTHING`,
  `INSERT INTO property_change (id, key, kind, property_id, detected_at, source)
    SELECT gen_random_uuid(), 'of-' || key, (ARRAY['ownership_transfer', 'sale', 'manager_change'])[1 + n % 3], id,
      now() - n * interval '100 seconds' - CASE WHEN county_fips LIKE '48%' THEN interval '2 years' ELSE interval '0' END,
      'county_record'
    FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM property WHERE abs(hashtext(key)) % 20 < 9) AS changed`,
  `INSERT INTO property_change (id, key, kind, contact_id, detected_at, source)
    SELECT gen_random_uuid(), 'of-' || key, 'contact_departure', id, now() - n * interval '1000 seconds', 'web'
    FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM contact WHERE abs(hashtext(key)) % 20 = 0) AS changed`,
  `INSERT INTO list (org_id, id, list_name, name_key, list_type, visibility, owner_name)
    VALUES ('${searcher.orgId}', '${listId}', 'Long', 'long', 'properties', 'team', 'Sample Member')`,
  `INSERT INTO list_item (org_id, list_id, item_id)
    SELECT '${searcher.orgId}', '${listId}', id FROM property WHERE abs(hashtext(key)) % 10 = 0`,
  `VACUUM ANALYZE`
]

/** Fills the empty tables; the searcher is made first, by `Customers.apply`. */
export const load = Effect.fn("WorstData.load")(function*(sizes: Sizes) {
  const sql = yield* SqlClient.SqlClient
  yield* SyntheticProperties.load({ count: sizes.properties, counties, contacts: true })
  for (const statement of statements(sizes)) yield* sql.unsafe(statement)
})
