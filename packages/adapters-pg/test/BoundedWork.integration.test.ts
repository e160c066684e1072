/** The worst of the permitted requests in tables of realistic size: what they read stays in bounds. */
import { assert, layer as withLayer } from "@effect/vitest"
import * as ChangesPg from "@freehold/adapters-pg/change/ChangesPg"
import * as ContactSearchPg from "@freehold/adapters-pg/contact/ContactSearchPg"
import * as StandingsPg from "@freehold/adapters-pg/coverage/StandingsPg"
import * as FirmsPg from "@freehold/adapters-pg/firm/FirmsPg"
import * as MapPointsPg from "@freehold/adapters-pg/map/MapPointsPg"
import * as PropertyLookupPg from "@freehold/adapters-pg/property/PropertyLookupPg"
import * as PropertySearchPg from "@freehold/adapters-pg/property/PropertySearchPg"
import { workOf } from "@freehold/adapters-pg/testing/StatementWork"
import { countyFips, load } from "@freehold/adapters-pg/testing/SyntheticProperties"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { vacuum } from "@freehold/adapters-pg/testing/Vacuum"
import { Changes } from "@freehold/core/change/Changes"
import { SignalKind } from "@freehold/core/change/SignalKind"
import { type ContactBrowse, ContactSearch } from "@freehold/core/contact/ContactSearch"
import { Standings } from "@freehold/core/coverage/Standings"
import { type FirmBrowse, Firms } from "@freehold/core/firm/Firms"
import { MapPoints } from "@freehold/core/map/MapPoints"
import type { Box, Ring } from "@freehold/core/property/Geography"
import { PropertyLookup } from "@freehold/core/property/PropertyLookup"
import {
  type Condition,
  type LocationSearch,
  PropertySearch,
  type TextSearch
} from "@freehold/core/property/PropertySearch"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const layer = Layer.mergeAll(
  ChangesPg.layer,
  ContactSearchPg.layer,
  FirmsPg.layer,
  MapPointsPg.layer,
  PropertyLookupPg.layer,
  PropertySearchPg.layer,
  StandingsPg.layer
).pipe(Layer.provideMerge(TestDatabase.layer))

const properties = 20_000
const busyPeople = 50
const nowhere = { nationwide: false, stateFips: [], countyFips: [] }
const wide = { nationwide: false, stateFips: ["48", "06", "12", "36", "17"], countyFips: [] }
const small = { ...nowhere, countyFips: [countyFips(55)] }
const viewer = { orgId: "sample-org", visible: wide, covered: nowhere }
const busy = (n: number): string => `20000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const fifty = {
  _tag: "Counties" as const,
  countyFips: Array.from({ length: 50 }, (_, county) => countyFips(county))
}
const zips = Array.from({ length: 200 }, (_, n) => String(10_000 + Math.trunc(n / 25) * 40 + n % 25))
/** Of so many points as an input may have, each a little further. */
const overlapping = Array.from({ length: 250 }, (_, n): ReadonlyArray<Ring> => [
  [[-118 + n / 1000, 28], [-78, 28 + n / 1000], [-78, 43], [-118 + n / 1000, 28]]
])

/** Firms, people with hundreds of properties, changes that lie outside of one small county. */
const fill = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* load({ count: properties, counties: 60, contacts: true })
  yield* sql`UPDATE property SET address = 'Sample Lot ' || key WHERE right(key, 1) = '7'`
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
    INSERT INTO contact (id, key, full_name)
    SELECT ('20000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'busy-' || n, 'Busy Person ' || n
    FROM generate_series(1, ${busyPeople}::int) AS n`
  yield* sql`
    INSERT INTO property_contact (property_id, contact_id)
    SELECT p.id, c.id FROM contact c JOIN property p ON abs(hashtext(p.key || c.key)) % 40 = 0 WHERE starts_with(c.key, 'busy-')`
  yield* sql`
    INSERT INTO property_change (id, key, kind, property_id, detected_at, source)
    SELECT gen_random_uuid(), 'change-' || key, 'sale', id,
      timestamptz '2026-01-01' - CASE WHEN county_fips = ${countyFips(55)} THEN interval '1 year' ELSE interval '0' END,
      'county_record'
    FROM property`
  yield* vacuum()
})

withLayer(layer, { excludeTestServices: true, timeout: "2 minutes" })("Bounded work", (it) => {
  it.effect("the worst permitted requests read a bounded part of the tables", () =>
    Effect.gen(function*() {
      yield* fill
      const lookup = yield* PropertyLookup
      const search = yield* PropertySearch
      const changes = yield* Changes
      const standings = yield* Standings
      const people = yield* ContactSearch
      const firms = yield* Firms
      const map = yield* MapPoints

      const resolve = (number: string, word: string, zip: string | null) =>
        lookup.candidates(
          Array.from({ length: 100 }, () => ({ probe: { number, word }, city: null, zip, parcel: null })),
          wide,
          25
        )
      const text = (words: ReadonlyArray<string>, asked: Partial<TextSearch> = {}) =>
        search.byText({
          viewer,
          words,
          spellings: [],
          withNames: true,
          sort: { column: "contactCount", direction: "desc" },
          after: null,
          limit: 50,
          full: false,
          ...asked
        })
      const locate = (asked: Partial<LocationSearch>) =>
        search.byLocation({
          after: null,
          viewer,
          conditions: [],
          sort: { column: "recordOwner", direction: "asc" },
          offset: 5000,
          limit: 200,
          full: true,
          ...asked
        })
      const middle = "80000000-0000-4000-8000-000000000000"
      const browse = (asked: Partial<ContactBrowse>) =>
        people.browse({
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
          limit: 25,
          ...asked
        })

      const browseFirms = (asked: Partial<FirmBrowse>) =>
        firms.browse({
          viewer,
          role: null,
          countyFips: null,
          text: null,
          anyAccents: false,
          minProperties: 0,
          sort: "name",
          after: null,
          offset: 0,
          limit: 25,
          ...asked
        })

      const drawn = (box: Box | null, ...conditions: ReadonlyArray<Condition>) =>
        map.find({ viewer, box, conditions, most: 4000, across: 24 })
      const ofCentury: Condition = { _tag: "Range", field: "yearBuilt", min: 1900, max: 2000, orUnknown: true }
      const widest = { north: 33, south: 28, west: -118, east: -113 }

      /** In blocks that are looked at, somewhat more than these statements need. */
      const bounds: ReadonlyArray<readonly [name: string, run: Effect.Effect<unknown, unknown>, most: number]> = [
        ["100 addresses without a number", resolve("", "holdings", null), 100],
        ["100 addresses without a number in a zip", resolve("", "holdings", "10001"), 500],
        ["100 addresses of one number", resolve("12", "nowhere", null), 500],
        ["a rare word of two letters", text(["zq"]), 1200],
        ["punctuation", text(["%%"]), 1200],
        ["common words that never meet", text(["avenue", "road"]), 1200],
        ["a rare word, sorted", text(["zq"], { sort: { column: "buildingSqft", direction: "desc" } }), 1200],
        ["a rare word without names", text(["zq"], { withNames: false }), 1200],
        [
          "changes of a small county, all else newer",
          changes.list({
            orgId: "sample-org",
            visible: small,
            subject: null,
            kinds: SignalKind.literals,
            since: 0,
            after: null,
            limit: 50
          }),
          1000
        ],
        [
          "access to people with hundreds of properties",
          standings.read({
            orgId: "sample-org",
            properties: [],
            contacts: Array.from({ length: busyPeople }, (_, n) => busy(n + 1))
          }),
          1000
        ],
        ["250 areas that overlap", locate({ conditions: [{ _tag: "Within", polygons: overlapping }] }), 1100],
        [
          "a wide box, by owner",
          locate({ conditions: [{ _tag: "Box", north: 43, south: 28, west: -118, east: -110 }] }),
          2200
        ],
        ["50 counties, by owner", locate({ conditions: [fifty] }), 2200],
        [
          "200 zips, by address",
          locate({
            conditions: [{ _tag: "Zips", zipCodes: zips }],
            sort: { column: "rawAddress", direction: "asc" }
          }),
          2200
        ],
        [
          "50 counties, changed ever",
          locate({
            conditions: [fifty, { _tag: "Changed", kinds: SignalKind.literals, since: 0 }],
            sort: { column: "contactCount", direction: "desc" }
          }),
          2000
        ],
        ["everyone in 50 counties", browse({ countyFips: fifty.countyFips }), 1150],
        ["everyone", browse({}), 1150],
        ["everyone by a letter of the title", browse({ titleText: "m" }), 1150],
        ["everyone after half of them, by employer", browse({ after: { value: "m", id: middle } }), 1150],
        ["everyone after half of them, by title", browse({ sort: "title", after: { value: "m", id: middle } }), 1150],
        [
          "everyone after half of them, by properties",
          browse({ sort: "propertyCount", after: { value: 1, id: middle } }),
          1150
        ],
        ["everyone who is revealed", browse({ revealed: true }), 1150],
        // Ten for each place that is shown, one for many that are counted.
        ["a map of some streets", drawn({ north: 28.3, south: 28.2, west: -117.3, east: -117.2 }), 600],
        ["a map as wide as may be", drawn(widest), 1000],
        ["a map as wide as may be, by a filter", drawn(widest, ofCentury), 1000],
        ["a map of 50 counties", drawn(null, fifty), 1000],
        ["a map of 50 counties, by a filter", drawn(null, fifty, ofCentury), 1000],
        ["every firm", browseFirms({}), 700],
        ["every firm after half of them", browseFirms({ after: { value: "m", id: middle } }), 700],
        [
          "every firm after half of them, by properties",
          browseFirms({ sort: "propertyCount", after: { value: 1, id: middle } }),
          700
        ],
        ["every firm in 50 counties", browseFirms({ countyFips: fifty.countyFips, text: "er" }), 700]
      ]
      for (const [name, run, most] of bounds) {
        assert.isAtMost((yield* workOf(run)).blocks, most, name)
      }

      // Both statements of a map are planned for the counties of a wide area, which are looked for before them.
      const everywhere: Condition = {
        _tag: "Within",
        polygons: [[[[-119, 27], [-77, 27], [-77, 43], [-119, 43], [-119, 27]]]]
      }
      const ofTwo = drawn(null, everywhere, { _tag: "PipelineStatuses", statuses: ["none"] })
      const { readWhole } = yield* workOf(ofTwo)
      assert.lengthOf(readWhole.filter((table) => table === "county_extent"), 1)

      // An area within a county is taken for few: its cells are counted and put together once, not each with all others.
      const ofOne: Condition = { _tag: "Counties", countyFips: [countyFips(0)] }
      const area: Condition = {
        _tag: "Within",
        polygons: [[[[-118, 28], [-117, 28], [-117, 29], [-118, 29], [-118, 28]]]]
      }
      const found = map.find({ viewer, box: null, conditions: [ofOne, area], most: 100, across: 24 })
      assert.isAtMost((yield* workOf(found)).rows, 10 * properties)

      // Nor are those of a large one, where the planner takes what the filters leave of it for few.
      const owned: Condition = { _tag: "Contains", field: "ownerName", text: "holdings", orUnknown: false }
      const filtered = locate({
        conditions: [everywhere, owned, ofCentury, { _tag: "HasContact", which: "email", value: true }]
      })
      assert.isAtMost((yield* workOf(filtered)).rows, 10 * properties)
    }))
})
