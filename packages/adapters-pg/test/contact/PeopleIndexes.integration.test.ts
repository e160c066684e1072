/** Finding people, firms and what was written down of a property in tables of realistic size. */
import { assert, layer as withLayer } from "@effect/vitest"
import * as ContactSearchPg from "@freehold/adapters-pg/contact/ContactSearchPg"
import * as FirmsPg from "@freehold/adapters-pg/firm/FirmsPg"
import * as PropertyLookupPg from "@freehold/adapters-pg/property/PropertyLookupPg"
import * as PropertySearchPg from "@freehold/adapters-pg/property/PropertySearchPg"
import { workOf } from "@freehold/adapters-pg/testing/StatementWork"
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { vacuum } from "@freehold/adapters-pg/testing/Vacuum"
import { type ContactBrowse, ContactSearch } from "@freehold/core/contact/ContactSearch"
import { type FirmBrowse, Firms } from "@freehold/core/firm/Firms"
import { PropertyLookup } from "@freehold/core/property/PropertyLookup"
import { PropertySearch } from "@freehold/core/property/PropertySearch"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const layer = Layer.mergeAll(ContactSearchPg.layer, FirmsPg.layer, PropertyLookupPg.layer, PropertySearchPg.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const firmIds = Array.from({ length: 50 }, (_, n) => `10000000-0000-4000-8000-${String(n + 7).padStart(12, "0")}`)
const [firmId = ""] = firmIds
const nowhere = { nationwide: false, stateFips: [], countyFips: [] }
const viewer = {
  orgId: "sample-org",
  visible: { nationwide: false, stateFips: [], countyFips: [SyntheticProperties.countyFips(3)] },
  covered: nowhere
}

const everyone: ContactBrowse = {
  viewer,
  roleType: null,
  titleText: null,
  employerText: null,
  countyFips: null,
  revealed: null,
  firmId: null,
  market: null,
  changed: null,
  sort: "employerName",
  after: null,
  offset: 0,
  limit: 25
}
const every: FirmBrowse = {
  viewer,
  role: null,
  countyFips: null,
  text: null,
  anyAccents: false,
  minProperties: 0,
  sort: "name",
  after: null,
  offset: 0,
  limit: 25
}

/** Of the tables that are large here; the others have no rows. */
const large = new Set(["contact", "firm", "property", "property_contact", "property_firm"])
const readWhole = (run: Effect.Effect<unknown, unknown>) =>
  Effect.map(workOf(run), ({ readWhole }) => readWhole.filter((table) => large.has(table)))

withLayer(layer, { excludeTestServices: true, timeout: "2 minutes" })("People and firms: indexes", (it) => {
  it.effect("a search that narrows reads no table from end to end", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const people = yield* ContactSearch
      const firms = yield* Firms
      const lookup = yield* PropertyLookup
      const properties = yield* PropertySearch
      yield* SyntheticProperties.load({ count: 20_000, counties: 60, contacts: true })
      yield* sql`
        INSERT INTO firm (id, key, name)
        SELECT ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'firm-' || n, 'Firm ' || md5(n::text)
        FROM generate_series(1, 5000) AS n`
      yield* sql`
        INSERT INTO property_firm (property_id, firm_id, role, attribution_type)
        SELECT id, ('10000000-0000-4000-8000-' || lpad((1 + abs(hashtext(key)) % 5000)::text, 12, '0'))::uuid, 'owner',
          'county_record'
        FROM property`
      yield* sql`
        UPDATE contact SET full_name = md5(key), title = md5(full_name), employer_name = md5(email),
          firm_id = ('10000000-0000-4000-8000-' || lpad((1 + abs(hashtext(key)) % 5000)::text, 12, '0'))::uuid`
      // As of real names, one in so many has letters beyond ASCII.
      yield* sql`UPDATE contact SET full_name = 'é' || full_name WHERE hashtext(key) % 50 = 0`
      yield* sql`UPDATE contact SET title = 'é' || title, employer_name = 'é' || employer_name WHERE hashtext(key) % 50 = 1`
      yield* sql`UPDATE property SET record_owner = 'é' || coalesce(record_owner, '') WHERE hashtext(key) % 50 = 0`
      yield* sql`UPDATE firm SET name = 'é' || name WHERE hashtext(key) % 50 = 0`
      yield* vacuum()

      const searches: Readonly<Record<string, Effect.Effect<unknown, unknown>>> = {
        "find a name or employer": people.find({ viewer, text: "a1b2c", anyAccents: false, limit: 10, tooMany: 1000 }),
        "find a name without accents": people.find({
          viewer,
          text: "a1b2c",
          anyAccents: true,
          limit: 10,
          tooMany: 1000
        }),
        "part of a title": people.browse({ ...everyone, titleText: "a1b2c" }),
        "part of a title without accents": people.browse({ ...everyone, titleText: "a1b2c", anyAccents: true }),
        "part of an employer without accents": people.browse({ ...everyone, employerText: "a1b2c", anyAccents: true }),
        "words of a property without accents": properties.byText({
          viewer: { ...viewer, visible: { nationwide: true, stateFips: [], countyFips: [] } },
          words: ["müsterhof", "larkspur"],
          spellings: [],
          anyAccents: true,
          withNames: true,
          sort: { column: "rawAddress", direction: "asc" },
          after: null,
          limit: 25,
          full: false
        }),
        "part of an employer": people.browse({ ...everyone, employerText: "a1b2c" }),
        "a firm's people": people.browse({ ...everyone, firmId }),
        "a firm's people in a market": people.browse({ ...everyone, firmId, market: "48001", sort: "marketRank" }),
        "part of a firm's name": firms.browse({ ...every, text: "a1b2c" }),
        "part of a firm's name without accents": firms.browse({ ...every, text: "a1b2c", anyAccents: true }),
        "one firm": firms.read(firmId, viewer),
        "which of many firms are seen": firms.seen(firmIds, viewer),
        "a firm's properties": firms.ties(firmId, viewer, { after: null, limit: 201 }),
        "an address": lookup.candidates(
          [{ probe: { number: "123", word: "larkspur" }, city: null, zip: null, parcel: null }],
          viewer.visible,
          25
        ),
        "parcel numbers": lookup.candidates(
          [1, 2, 3].map((n) => ({ probe: null, city: null, zip: null, parcel: String(n).padStart(10, "0") })),
          viewer.visible,
          25
        )
      }
      for (const [name, run] of Object.entries(searches)) {
        assert.deepStrictEqual(yield* readWhole(run), [], name)
      }
      const seesAll = { ...viewer, visible: { nationwide: true, stateFips: [], countyFips: [] } }
      const beyondAscii = (anyAccents: boolean): Readonly<Record<string, Effect.Effect<unknown, unknown>>> => ({
        "a name": people.find({ viewer: seesAll, text: "жжж", anyAccents, limit: 10, tooMany: 1000 }),
        "an employer": people.browse({ ...everyone, viewer: seesAll, employerText: "жжж", anyAccents }),
        "a property's text": properties.byText({
          viewer: seesAll,
          words: ["жжж"],
          spellings: [],
          anyAccents,
          withNames: true,
          sort: { column: "contactCount", direction: "desc" },
          after: null,
          limit: 25,
          full: false
        })
      })
      for (const anyAccents of [false, true]) {
        for (const [name, run] of Object.entries(beyondAscii(anyAccents))) {
          const { passedOver, rows } = yield* workOf(run)
          // One in fifty is beyond ASCII; an index that knows no such letter hands on all of them.
          assert.isBelow(rows + passedOver, 4000, `${name} beyond ASCII${anyAccents ? ", without accents" : ""}`)
        }
      }
      const unindexed = sql`SELECT count(*) FROM contact WHERE location = 'Aldermoor, TX'`
      assert.deepStrictEqual(
        (yield* workOf(unindexed)).readWhole,
        ["contact"],
        "reading a whole table would be noticed"
      )
    }))
})
