/** Migration 177 over records that are there already: here, and in a cell, where the records are another installation's. */
import { assert, it } from "@effect/vitest"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { guardedCell } from "./GuardedCell.ts"

const earlier = Migrations.make(
  Object.fromEntries(Object.entries(Migrations.migrations).filter(([name]) => name < "0177"))
)

/** A database of the version before, with a person and a firm in two counties and a person in one. */
const before = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP SCHEMA public CASCADE`
  yield* sql`CREATE SCHEMA public`
  yield* earlier.run
  yield* sql`INSERT INTO property (id, key, county_fips, lat, lon)
    SELECT gen_random_uuid(), county, county, 30, -97 FROM unnest(ARRAY['48001', '48003']) AS county`
  yield* sql`INSERT INTO contact (id, key, full_name, title)
    SELECT gen_random_uuid(), key, key || ' Sample', 'Asset Manager' FROM unnest(ARRAY['both', 'one']) AS key`
  yield* sql`INSERT INTO firm (id, key, name) VALUES (gen_random_uuid(), 'both', 'Sample Owners')`
  yield* sql`INSERT INTO property_contact (property_id, contact_id)
    SELECT p.id, c.id FROM property p, contact c WHERE c.key = 'both' OR p.key = '48001'`
  yield* sql`INSERT INTO property_firm (property_id, firm_id, role, attribution_type)
    SELECT p.id, f.id, 'owner', 'county_record' FROM property p, firm f`
})

const kept = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return {
    people:
      yield* sql`SELECT c.key, r.counties FROM contact_reach r JOIN contact c ON c.id = r.contact_id ORDER BY c.key`,
    firms: yield* sql`SELECT counties FROM firm_reach`,
    titles: yield* sql`SELECT area, title, count FROM title_tally ORDER BY area`
  }
})

/** What the migration writes of the records, or has written. */
const written = ["contact", "firm", "property_contact", "property_firm", "contact_reach", "firm_reach"]

it.live("counts the titles, and writes the counties of whoever is in several beside the reach", () =>
  Effect.gen(function*() {
    yield* before
    yield* Migrations.run
    const counties = ["48001", "48003"]
    assert.deepStrictEqual(yield* kept, {
      people: [{ key: "both", counties }, { key: "one", counties: null }],
      firms: [{ counties }],
      titles: [{ area: "48", title: "Asset Manager", count: 1 }, { area: "48001", title: "Asset Manager", count: 1 }]
    })
  }).pipe(Effect.provide(TestDatabase.layer)))

it.live("leaves to the importing installation what a cell receives and its guard refuses", () =>
  Effect.gen(function*() {
    yield* before
    yield* guardedCell(written)
    yield* Migrations.run
    assert.deepStrictEqual(yield* kept, {
      people: [{ key: "both", counties: null }, { key: "one", counties: null }],
      firms: [{ counties: null }],
      titles: []
    })
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)))
