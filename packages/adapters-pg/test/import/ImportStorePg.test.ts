/** `ImportStore` over a real PostgreSQL. All rows are made up. */
import { assert, describe, it } from "@effect/vitest"
import * as ImportStorePg from "@freehold/adapters-pg/import/ImportStorePg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { type ImportBatch, parsers } from "@freehold/core/import/ImportRow"
import { ImportStore } from "@freehold/core/import/ImportStore"
import type { Parsed } from "@freehold/core/import/RowReading"
import { propertyFields } from "@freehold/core/property/PropertyField"
import { DateTime, Deferred, Effect, Exit, Fiber, Layer, Result, Schedule, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import * as ContactCounts from "../../src/contact/ContactCounts.ts"
import { takeTurn } from "../../src/import/ImportBatches.ts"

const idOf = (kind: string, key: string) => {
  const hex = createHash("sha256").update(`${kind}/${key}`).digest("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-")
}
const context = { latestYear: 2027, idOf }

const parsed = <R>(results: ReadonlyArray<Parsed<R>>): ReadonlyArray<R> => results.map(Result.getOrThrow)

const load = Effect.fnUntraced(function*(batch: ImportBatch) {
  const store = yield* ImportStore
  const { inserted, rejected, unchanged, updated } = yield* store.load(batch)
  return {
    counts: [inserted, updated, unchanged],
    rejected: rejected.map(({ field, index, reason }) => [index, field, reason])
  }
})

const properties = (...rows: ReadonlyArray<object>) =>
  load({
    kind: "properties",
    rows: parsed(rows.map((row) => parsers.properties({ countyFips: "36061", ...row }, context)))
  })
const firms = (...rows: ReadonlyArray<object>) =>
  load({ kind: "firms", rows: parsed(rows.map((row) => parsers.firms(row, context))) })
const contacts = (...rows: ReadonlyArray<object>) =>
  load({ kind: "contacts", rows: parsed(rows.map((row) => parsers.contacts(row, context))) })
const research = (...rows: ReadonlyArray<object>) =>
  load({ kind: "research", rows: parsed(rows.map((row) => parsers.research(row, context))) })
const changes = (...rows: ReadonlyArray<object>) =>
  load({ kind: "changes", rows: parsed(rows.map((row) => parsers.changes(row, context))) })

const property = Effect.fnUntraced(function*(key: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Record<string, unknown>>`SELECT * FROM property WHERE key = ${key}`
  return row ?? {}
})

const countyName = Effect.fnUntraced(function*(fips: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly name: string | null }>`SELECT name FROM county WHERE county_fips = ${fips}`
  return row?.name
})

const onFreshDatabase = <A, E>(effect: Effect.Effect<A, E, ImportStore | SqlClient.SqlClient>) =>
  effect.pipe(Effect.provide(ImportStorePg.layer.pipe(Layer.provideMerge(TestDatabase.layer))))

/** Runs an effect in a transaction that ends when the load, which begins after it, waits for it; answers the load's outcome. */
const whileWaitedFor = Effect.fnUntraced(function*<A, E, R, B, F, S>(
  effect: Effect.Effect<A, E, R>,
  load: Effect.Effect<B, F, S>
) {
  const sql = yield* SqlClient.SqlClient
  const done = yield* Deferred.make<void>()
  const loading = yield* Effect.forkDetach(Effect.andThen(Deferred.await(done), load))
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* effect
    yield* Deferred.succeed(done, undefined)
    yield* Effect.repeat(
      sql`SELECT FROM pg_locks WHERE NOT granted AND pid IN (
        SELECT pid FROM pg_stat_activity WHERE datname = current_database())`,
      { until: (found) => found.length > 0, schedule: Schedule.spaced("10 millis") }
    )
  }))
  return yield* Fiber.join(loading)
})

describe("properties", () => {
  it.live("have the name of their county by its code, unless a row gives another one or none", () =>
    onFreshDatabase(Effect.gen(function*() {
      yield* properties(
        { key: "a" },
        { key: "b", countyFips: "36047", county: "Brooklyn" },
        { key: "c", countyFips: "48113", county: null },
        { key: "d", countyFips: "48999" },
        { key: "e", countyFips: "24510" },
        { key: "f", countyFips: "09110" }
      )
      const named = yield* Effect.forEach(["a", "b", "c", "d", "e", "f"], (key) =>
        Effect.gen(function*() {
          const { county, county_fips } = yield* property(key)
          return [county, yield* countyName(String(county_fips))]
        }))
      assert.deepStrictEqual(named, [
        ["New York", "New York"],
        ["Brooklyn", "Brooklyn"],
        [null, "Dallas"],
        [null, null],
        ["Baltimore City", "Baltimore City"],
        ["Capitol", "Capitol"]
      ])
      // What is stored is changed by what a row says alone.
      assert.deepStrictEqual((yield* properties({ key: "a" }, { key: "c", countyFips: "48113" })).counts, [0, 0, 2])
    })))

  it.live("have the name of another county where their code changes, unless a row gave the one that they have", () =>
    onFreshDatabase(Effect.gen(function*() {
      const at = (...codes: ReadonlyArray<string>) =>
        properties(...["a", "b", "c", "d"].map((key, index) => ({ key, countyFips: codes[index] })))
      yield* properties({ key: "b", countyFips: "36061", county: "Manhattan" })
      yield* at("09001", "36061", "48999", "36061")
      assert.deepStrictEqual((yield* at("09120", "36047", "48113", "48999")).counts, [0, 4, 0])
      const named = yield* Effect.forEach(
        ["a", "b", "c", "d"],
        (key) => Effect.map(property(key), ({ county }) => county)
      )
      assert.deepStrictEqual(named, ["Greater Bridgeport", "Manhattan", "Dallas", null])
      yield* properties({ key: "a", countyFips: "36061", county: "Gotham" })
      assert.deepInclude(yield* property("a"), { county: "Gotham" })
    })))

  it.live("may have every text as long as is accepted, which every index has room for", () =>
    onFreshDatabase(Effect.gen(function*() {
      // Of digits in no order, so that nothing is stored shorter.
      const digits = Array.from({ length: 12 }, (_, n) => createHash("sha256").update(String(n)).digest("base64")).join(
        ""
      )
      const longest = (field: string) =>
        [500, 200].map((length) => ({ [field]: digits.slice(0, length) }))
          .find((given) => Result.isSuccess(parsers.properties({ key: "a", countyFips: "36061", ...given }, context)))
      const texts = Struct.keys(propertyFields).filter((field) => propertyFields[field] === "text")
      const row = Object.assign({ key: "a" }, ...texts.map(longest))
      assert.isAbove(Object.keys(row).length, 20)
      assert.deepStrictEqual(yield* properties(row), { counts: [1, 0, 0], rejected: [] })
    })))

  it.live("are inserted, changed where they differ, and left alone where they do not", () =>
    onFreshDatabase(Effect.gen(function*() {
      const rows = [
        { key: "a", address: "1 Sample Street", lat: 40.5, parcelNumbers: ["1\"", "\\2"], lastSaleDate: "2020-01-02" },
        { key: "b", ownerMailingAddress: { city: "Sampleton" }, totalParval: 12, isCluster: true }
      ]
      assert.deepStrictEqual((yield* properties(...rows)).counts, [2, 0, 0])
      const before = yield* property("a")
      assert.deepStrictEqual((yield* properties(...rows)).counts, [0, 0, 2])
      assert.deepStrictEqual(yield* property("a"), before)
      assert.deepStrictEqual((yield* properties({ key: "a", lat: null, city: "Sampleton" })).counts, [0, 1, 0])
      assert.deepInclude(yield* property("a"), {
        id: idOf("properties", "a"),
        address: "1 Sample Street",
        raw_address: "1 Sample Street",
        city: "Sampleton",
        lat: null,
        parcel_numbers: ["1\"", "\\2"],
        last_sale_date: "2020-01-02"
      })
      assert.deepInclude(yield* property("b"), {
        owner_mailing_address: { line1: null, city: "Sampleton", state: null, zip: null }
      })
    })))

  it.live("with one key in one batch count and end as if they came one after the other", () =>
    onFreshDatabase(Effect.gen(function*() {
      const { counts } = yield* properties(
        { key: "a", city: "First", zip: "10001" },
        { key: "b", city: "Other" },
        { key: "a", city: "Second" },
        { key: "a", city: "Second" }
      )
      assert.deepStrictEqual(counts, [2, 1, 1])
      assert.deepInclude(yield* property("a"), { city: "Second", zip: "10001" })
    })))

  it.live("that are older than the stored ones by their source change nothing, in any order and batch", () =>
    onFreshDatabase(Effect.gen(function*() {
      const year = (n: number) => ({ key: "a", city: `City ${n}`, sourceUpdatedAt: `${n}-12-31` })
      assert.deepStrictEqual((yield* properties(year(2016), year(2014), year(2017), year(2015))).counts, [1, 1, 2])
      assert.deepStrictEqual((yield* properties(year(2016))).counts, [0, 0, 1])
      assert.deepInclude(yield* property("a"), { city: "City 2017" })
      assert.deepStrictEqual((yield* properties({ key: "a", city: "Undated" })).counts, [0, 1, 0])
    })))

  it.live("keep an id, and refuse one that is another's", () =>
    onFreshDatabase(Effect.gen(function*() {
      const id = "11111111-2222-4333-8444-555555555555"
      yield* properties({ key: "a", id })
      assert.deepStrictEqual((yield* properties({ key: "a", city: "x" })).counts, [0, 1, 0])
      const { counts, rejected } = yield* properties(
        { key: "b", id },
        { key: "a", id: idOf("properties", "a") },
        { key: "c", id: idOf("properties", "d") },
        { key: "d" }
      )
      assert.deepStrictEqual(counts, [1, 0, 0])
      assert.deepStrictEqual(rejected, [
        [0, "id", "is already that of the key a"],
        [1, "id", `differs from the id ${id} that this key has`],
        [3, "id", "is already that of the key c"]
      ])
    })))

  it.live("sum the areas of buildings where the row gives none of its own", () =>
    onFreshDatabase(Effect.gen(function*() {
      const areas = Effect.map(property("a"), (row) => [row?.["building_sqft"], row?.["footprint_area"]])
      const one = { sqft: 100, footprintSqft: 50 }
      const other = { sqft: 30, footprintSqft: 20 }
      yield* properties({ key: "a", buildings: [one, other] })
      assert.deepStrictEqual(yield* areas, [130, 70])
      // They follow their buildings; where one is not known the sum is not.
      yield* properties({ key: "a", buildings: [one] })
      assert.deepStrictEqual(yield* areas, [100, 50])
      yield* properties({ key: "a", buildings: [one, { sqft: 30 }] })
      assert.deepStrictEqual(yield* areas, [130, null])
      assert.deepStrictEqual((yield* properties({ key: "a", buildings: [one, { sqft: 30 }] })).counts, [0, 0, 1])
      // What the source gives of its own stands, until it is cleared.
      yield* properties({ key: "a", buildingSqft: 999 })
      yield* properties({ key: "a", buildings: [one, other] })
      assert.deepStrictEqual(yield* areas, [999, 70])
      yield* properties({ key: "a", buildingSqft: null })
      assert.deepStrictEqual(yield* areas, [130, 70])
      yield* properties({ key: "a", buildings: null })
      assert.deepStrictEqual(yield* areas, [null, null])
      yield* properties({ key: "a", buildingSqft: 5, buildings: [] })
      assert.deepStrictEqual(yield* areas, [5, null])
    })))

  it.live("derive values and details from buildings and keep the parcel's own beside them", () =>
    onFreshDatabase(Effect.gen(function*() {
      yield* properties({ key: "a", yearBuilt: 1900, heatingType: "Oil" })
      assert.deepInclude(yield* property("a"), {
        year_built: 1900,
        building_attributes_basis: "assessor_parcel",
        buildings: null
      })
      yield* properties({ key: "a", buildings: [{ sqft: 100, yearBuilt: 1950 }, { sqft: 300, yearBuilt: 1980 }] })
      const built = yield* property("a")
      assert.deepInclude(built, { year_built: 1980, heating_type: "Oil", building_attributes_basis: "mixed" })
      assert.deepInclude(built["details"], {
        yearBuiltDetail: {
          basis: "primary_building",
          oldest: 1950,
          newest: 1980,
          primaryBuildingBasis: "largest_building_sqft",
          buildings: 2,
          buildingsTotal: 2
        }
      })
      // The parcel's year changes behind its buildings and stands again when they are gone.
      assert.deepStrictEqual((yield* properties({ key: "a", yearBuilt: 1901 })).counts, [0, 1, 0])
      assert.deepInclude(yield* property("a"), { year_built: 1980 })
      yield* properties({ key: "a", buildings: null })
      assert.deepInclude(yield* property("a"), { year_built: 1901, parcel_attributes: null })
    })))

  it.live("retire into the last survivor, and never into themselves", () =>
    onFreshDatabase(Effect.gen(function*() {
      const { counts, rejected } = yield* properties(
        { key: "a" },
        { key: "b" },
        { key: "c" },
        { key: "a", retiredInto: "b" },
        { key: "b", retiredInto: "c" },
        { key: "c", retiredInto: "a" },
        { key: "b", retiredInto: "nowhere" }
      )
      assert.deepStrictEqual(counts, [3, 2, 0])
      assert.deepStrictEqual(rejected, [
        [5, "retiredInto", "leads back to the record itself"],
        [6, "retiredInto", "no property has the key nowhere"]
      ])
      const survivor = idOf("properties", "c")
      assert.strictEqual((yield* property("a"))["retired_into"], survivor)
      assert.strictEqual((yield* property("b"))["retired_into"], survivor)
      // A row that says nothing of it leaves it retired; null lists it again.
      yield* properties({ key: "b", address: "1 Sample Street" })
      assert.strictEqual((yield* property("b"))["retired_into"], survivor)
      yield* properties({ key: "b", retiredInto: null })
      assert.isNull((yield* property("b"))["retired_into"])
    })))

  it.live("that are researched by a cell do not retire, however late it began", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* properties({ key: "a", city: "Before" }, { key: "b" })
      const id = idOf("properties", "a")
      yield* contacts({ key: "ada", fullName: "Ada Sample", properties: [{ propertyKey: "a" }] })
      const researching = sql`
        INSERT INTO property_researching (property_id, cell, job_id) VALUES (${id}::uuid, 'c1', gen_random_uuid())`
      const retiring = properties({ key: "a", city: "After", retiredInto: "b" })
      const refused = {
        counts: [0, 0, 0],
        rejected: [[0, "retiredInto", "research of the record is running; retire it when that has ended"]]
      }
      const stays = Effect.gen(function*() {
        assert.deepInclude(yield* property("a"), { retired_into: null, city: "Before" })
        assert.deepStrictEqual(yield* sql`SELECT property_id::text AS id FROM property_contact`, [{ id }])
      })
      // The load does not see it yet when it looks, and meets it when it moves what is kept about the record.
      assert.deepStrictEqual(yield* whileWaitedFor(researching, retiring), refused)
      yield* stays
      assert.deepStrictEqual(yield* retiring, refused)
      yield* stays
      yield* sql`DELETE FROM property_researching`
      assert.deepStrictEqual((yield* retiring).counts, [0, 1, 0])
      assert.deepStrictEqual(yield* sql`SELECT property_id::text AS id FROM property_contact`, [{
        id: idOf("properties", "b")
      }])
    })))

  it.live("make their county known by its first name", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* properties({ key: "a" }, { key: "b", county: "New York" }, {
        key: "c",
        countyFips: "53033",
        county: "King"
      })
      assert.deepStrictEqual(yield* sql`SELECT county_fips, name, state FROM county ORDER BY county_fips`, [
        { county_fips: "36061", name: "New York", state: "NY" },
        { county_fips: "53033", name: "King", state: "WA" }
      ])
    })))

  it.live("give their county another name once none of them has the one it has", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const name = Effect.map(sql`SELECT name FROM county WHERE county_fips = '36061'`, ([row]) => row?.["name"])
      const imported = (...rows: ReadonlyArray<object>) =>
        Effect.andThen(properties(...rows), ImportStore.use((store) => store.settle("properties", rows.length)))
      yield* imported({ key: "a", county: "New Yrok" }, { key: "b", county: "New Yrok" })
      yield* imported({ key: "a", county: "New York" }, { key: "c", county: "NEW YORK" })
      assert.strictEqual(yield* name, "New Yrok")
      yield* imported({ key: "b", county: "New York" })
      assert.strictEqual(yield* name, "New York")
      // Another spelling changes nothing.
      yield* imported({ key: "d", county: "NEW YORK" })
      assert.strictEqual(yield* name, "New York")
    })))
})

describe("firms", () => {
  it.live("replace the properties that they list, and refuse unknown ones", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* properties({ key: "p" }, { key: "q" })
      const owner = { propertyKey: "p", role: "owner", attributionType: "county_record" }
      assert.deepStrictEqual(
        yield* firms(
          {
            key: "f",
            name: "Sample Holdings",
            domain: "Example.COM",
            socials: { linkedin: "https://example.com/f" },
            properties: [owner]
          },
          { key: "g", properties: [] },
          { key: "h", name: "H", properties: [{ ...owner, propertyKey: "x" }, { ...owner, propertyKey: "y" }] }
        ),
        {
          counts: [1, 0, 0],
          rejected: [
            [2, "properties[0].propertyKey", "no property has the key x"],
            [2, "properties[1].propertyKey", "no property has the key y"],
            [1, "name", "is required in a new record"]
          ]
        }
      )
      assert.deepStrictEqual((yield* firms({ key: "f", properties: [owner] })).counts, [0, 0, 1])
      assert.deepStrictEqual((yield* firms({ key: "f", domain: "example.com" })).counts, [0, 0, 1])
      assert.deepStrictEqual(
        (yield* firms({ key: "f", properties: [{ propertyKey: "q", role: "tenant" }] })).counts,
        [0, 1, 0]
      )
      assert.deepStrictEqual(yield* sql`SELECT property_id::text, role, attribution_type FROM property_firm`, [
        { property_id: idOf("properties", "q"), role: "tenant", attribution_type: "customer_supplied" }
      ])
    })))
})

describe("contacts", () => {
  it.live("keep the counts of every property that they join, leave or change at", () =>
    onFreshDatabase(Effect.gen(function*() {
      yield* properties({ key: "p" }, { key: "q" })
      yield* firms({ key: "f", name: "Sample Management" })
      const at = (...keys: ReadonlyArray<string>) => keys.map((propertyKey) => ({ propertyKey }))
      const { counts, rejected } = yield* contacts(
        {
          key: "a",
          fullName: "A Sample",
          email: "a@example.com",
          roleType: "executive",
          firmKey: "f",
          properties: at("p", "q")
        },
        { key: "b", fullName: "B Sample", phone: "+1 555 0100", roleType: "other", properties: at("p") },
        { key: "c", fullName: "C Sample", roleType: "other", properties: at("p") },
        { key: "d", fullName: "D Sample", firmKey: "unknown" }
      )
      assert.deepStrictEqual(counts, [3, 0, 0])
      assert.deepStrictEqual(rejected, [[3, "firmKey", "no firm has the key unknown"]])
      const countsOf = Effect.fnUntraced(function*(key: string) {
        const row = yield* property(key)
        return [
          row["contact_count"],
          row["contacts_with_email"],
          row["contacts_with_phone"],
          row["contacts_with_linkedin"],
          row["contact_role_types"]
        ]
      })
      assert.deepStrictEqual(yield* countsOf("p"), [3, 1, 1, 0, ["other", "executive"]])
      assert.deepStrictEqual(yield* countsOf("q"), [1, 1, 0, 0, ["executive"]])
      const moved = yield* contacts({ key: "a", email: null, properties: at("q") }, {
        key: "b",
        linkedinUrl: "https://example.com/b"
      })
      assert.deepStrictEqual(moved.counts, [0, 2, 0])
      assert.deepStrictEqual(yield* countsOf("p"), [2, 0, 1, 1, ["other"]])
      assert.deepStrictEqual(yield* countsOf("q"), [1, 0, 0, 0, ["executive"]])
      assert.deepStrictEqual((yield* contacts({ key: "a", firmKey: null, properties: null })).counts, [0, 1, 0])
      assert.deepStrictEqual(yield* countsOf("q"), [0, 0, 0, 0, []])
    })))

  it.live("are at the survivor where their row names a property that was retired", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* properties({ key: "p", countyFips: "48113" }, { key: "q" }, { key: "q", retiredInto: "p" }, { key: "r" })
      const at = ["q", "r"].map((propertyKey) => ({ propertyKey }))
      assert.deepStrictEqual((yield* contacts({ key: "a", fullName: "Ada Sample", properties: at })).counts, [1, 0, 0])
      const ties = yield* sql`
        SELECT p.key, t.county_fips FROM property_contact t JOIN property p ON p.id = t.property_id ORDER BY p.key`
      assert.deepStrictEqual(ties, [{ key: "p", county_fips: "48113" }, { key: "r", county_fips: "36061" }])
      assert.strictEqual((yield* property("p"))["contact_count"], 1)
    })))
})

describe("research", () => {
  it.live("makes a property complete, also that which took a retired one's place", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* properties({ key: "p" }, { key: "q" }, { key: "q", retiredInto: "p" })
      const first = yield* research(
        { propertyKey: "p", beneficialOwner: "Sample Family", researchedAt: "2026-01-01T00:00:00Z" },
        { propertyKey: "q", managementCompany: "Sample Management" },
        { propertyKey: "x" }
      )
      assert.deepStrictEqual(first, { counts: [1, 1, 0], rejected: [[2, "propertyKey", "no property has the key x"]] })
      assert.deepInclude(yield* property("p"), {
        enrichment_status: "complete",
        last_enriched_at: DateTime.toDate(DateTime.makeUnsafe("2026-01-01T00:00:00.000Z"))
      })
      const [row] = yield* sql<Record<string, unknown>>`SELECT * FROM property_research`
      assert.deepInclude(row, {
        beneficial_owner: "Sample Family",
        management_company: "Sample Management",
        tier: "Standard"
      })
    })))
})

describe("changes", () => {
  it.live("name what they are about, and can be withdrawn within their batch", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* properties({ key: "p" })
      const sale = {
        kind: "sale",
        propertyKey: "p",
        detectedAt: "2026-01-01",
        source: "county_record",
        after: { price: 5 }
      }
      const rows = [
        { key: "s", ...sale },
        { key: "w", kind: "withdrawn", withdraws: "s" },
        { key: "t", ...sale, propertyKey: "x" },
        { key: "v", kind: "withdrawn", withdraws: "t" }
      ]
      const first = yield* changes(...rows)
      assert.deepStrictEqual(first, {
        counts: [2, 0, 0],
        rejected: [[2, "propertyKey", "no property has the key x"], [3, "withdraws", "no earlier change has the key t"]]
      })
      assert.deepStrictEqual((yield* changes(...rows)).counts, [0, 0, 2])
      const [row] = yield* sql<Record<string, unknown>>`SELECT after, withdraws FROM property_change WHERE key = 's'`
      assert.deepStrictEqual(row, { after: { price: 5 }, withdraws: null })
    })))

  it.live("move whole to another subject that a later row gives them; what was told of the former one is taken back", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* properties({ key: "p" }, { key: "q", countyFips: "48113" }, { key: "r", countyFips: "48113" })
      yield* contacts({ key: "ada", fullName: "Ada Sample" })
      const proof = { detectedAt: "2026-01-01", source: "county_record", after: { value: "A LLC" } }
      const transfer = (propertyKey: string) => ({ key: "c", kind: "ownership_transfer", propertyKey, ...proof })
      const departure = { key: "c", kind: "contact_departure", contactKey: "ada", ...proof }
      const recorded = sql<Record<string, unknown>>`
        SELECT c.key = 'c' AS current, c.id::text AS id, c.after ->> 'value' AS owner, coalesce(p.key, o.key) AS "of",
          c.county_fips AS county, EXISTS (SELECT FROM property_change w WHERE w.withdraws = c.id) AS withdrawn
        FROM property_change c LEFT JOIN property p ON p.id = c.property_id LEFT JOIN contact o ON o.id = c.contact_id
        WHERE c.kind <> 'withdrawn' ORDER BY c.ctid`
      const moved = Effect.fnUntraced(function*(row: object) {
        const { counts } = yield* changes(row)
        const now = (yield* recorded).find(({ current }) => current)
        return [...counts, now?.["of"], now?.["county"], now?.["withdrawn"]]
      })
      assert.deepStrictEqual(yield* moved(transfer("p")), [1, 0, 0, "p", "36061", false])
      assert.deepStrictEqual(yield* moved(transfer("q")), [0, 1, 0, "q", "48113", false])
      // Within its county, too.
      assert.deepStrictEqual(yield* moved(transfer("r")), [0, 1, 0, "r", "48113", false])
      assert.deepStrictEqual(yield* moved(transfer("r")), [0, 0, 1, "r", "48113", false])
      assert.deepStrictEqual(yield* moved(departure), [0, 1, 0, "ada", null, false])
      assert.deepStrictEqual(yield* moved(transfer("p")), [0, 1, 0, "p", "36061", false])
      const before = (yield* recorded).filter(({ current }) => !current)
      assert.sameDeepMembers(
        before.map(({ county, of, owner, withdrawn }) => [of, county, owner, withdrawn]),
        [["p", "36061"], ["q", "48113"], ["r", "48113"], ["ada", null]].map((
          [of, county]
        ) => [of, county, "A LLC", true])
      )
      assert.include(before.map(({ id }) => id), idOf("changes", "c"))

      // What was taken back already is nobody's news.
      yield* changes({ key: "w", kind: "withdrawn", withdraws: "c" })
      assert.deepStrictEqual(yield* moved(transfer("q")), [0, 1, 0, "q", "48113", true])
      assert.lengthOf(yield* recorded, 5)
    })))

  it.live("keep the id that they were told by: a row that moves one gives another, or none", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* properties({ key: "p" }, { key: "q" })
      const [told, next] = [1, 2].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
      const sale = (id: string | undefined, propertyKey: string) =>
        changes({ key: "c", id, kind: "sale", propertyKey, detectedAt: "2026-01-01", source: "county_record" })
      yield* sale(told, "p")
      const reason = "is that of the change that this row corrects; expected another one, or none"
      assert.deepStrictEqual(yield* sale(told, "q"), {
        counts: [0, 0, 0],
        rejected: [[0, "id", reason]]
      })
      assert.lengthOf(yield* sql`SELECT FROM property_change`, 1)
      assert.deepStrictEqual(yield* sale(next, "q"), { counts: [0, 1, 0], rejected: [] })
      assert.deepStrictEqual(yield* sale(next, "q"), { counts: [0, 0, 1], rejected: [] })
      assert.deepStrictEqual(yield* sale(undefined, "p"), { counts: [0, 1, 0], rejected: [] })
    })))

  it.live("stay where a merge took their property, and are no news there", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* properties({ key: "p" }, { key: "q" })
      const sale = { key: "c", kind: "sale", propertyKey: "p", detectedAt: "2026-01-01", source: "county_record" }
      yield* changes(sale)
      yield* properties({ key: "p", retiredInto: "q" })
      assert.deepStrictEqual((yield* changes(sale)).counts, [0, 0, 1])
      assert.deepStrictEqual((yield* changes({ ...sale, propertyKey: "q" })).counts, [0, 0, 1])
      assert.lengthOf(yield* sql`SELECT FROM property_change`, 1)
    })))
})

describe("who was erased for good", () => {
  it.live("is known again by the key, the email or the profile's address", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const store = yield* ImportStore
      yield* sql`
        INSERT INTO erased_person (mark) SELECT unnest(person_marks('ada', 'Ada@sample.example', 'https://linkedin.example/ada'))`
      const nobody = { key: null, email: null, linkedinUrl: null }
      const people = [
        nobody,
        { ...nobody, key: "ada" },
        { key: "bo\0", email: "bo@sample.example", linkedinUrl: null },
        { ...nobody, key: "x", email: "ada@SAMPLE.example" },
        { ...nobody, key: "y", linkedinUrl: "https://linkedin.example/Ada" }
      ]
      assert.deepStrictEqual(yield* store.erased(people), new Set([1, 3, 4]))
    })))
})

describe("atomically", () => {
  it.live("takes back every load when the effect fails, with its own failure", () =>
    onFreshDatabase(Effect.gen(function*() {
      const store = yield* ImportStore
      const failed = yield* Effect.exit(
        store.atomically(Effect.andThen(properties({ key: "a" }), Effect.fail("enough")))
      )
      assert.deepStrictEqual(failed, Exit.fail("enough"))
      assert.deepStrictEqual(yield* property("a"), {})
      yield* store.atomically(properties({ key: "a" }))
      assert.strictEqual((yield* property("a"))["key"], "a")
    })))

  it.live("waits for rows that are slow to come, while whoever leaves a transaction standing is soon put out of it", () =>
    onFreshDatabase(Effect.gen(function*() {
      const store = yield* ImportStore
      const sql = yield* SqlClient.SqlClient
      const limit = sql`SELECT current_setting('idle_in_transaction_session_timeout') AS value`
      assert.deepStrictEqual(yield* limit, [{ value: "1min" }])
      assert.deepStrictEqual(yield* store.atomically(limit), [{ value: "1h" }])
      assert.deepStrictEqual(yield* limit, [{ value: "1min" }])
    })))

  it.live("and single loads take turns, so that imports at the same time lose nothing", () =>
    onFreshDatabase(Effect.gen(function*() {
      const keys = Array.from({ length: 50 }, (_, n) => ({ key: `k${n}`, city: "Sampleton" }))
      const outcomes = yield* Effect.forEach(
        [keys, keys.toReversed(), keys],
        (rows) => properties(...rows),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(outcomes.map(({ counts }) => counts.join()).sort(), ["0,0,50", "0,0,50", "50,0,0"])
    })))
})

describe("loads beside each other", () => {
  it.live("that meet at one record come to what one after the other would", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const year = (n: number) => ({ key: "a", city: `City ${n}`, sourceUpdatedAt: `${n}-12-31` })
      yield* properties(year(2014))
      // It reads the record of 2014, and waits to change it.
      const older = yield* whileWaitedFor(
        sql`UPDATE property SET city = 'City 2017', source_updated_at = '2017-12-31T00:00:00Z' WHERE key = 'a'`,
        properties(year(2016))
      )
      assert.deepStrictEqual(older.counts, [0, 0, 1])
      assert.deepInclude(yield* property("a"), { city: "City 2017" })
    })))

  it.live("count all whom they bring to the properties where they meet", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* properties({ key: "p" }, { key: "q" })
      const at = (...keys: ReadonlyArray<string>) => keys.map((propertyKey) => ({ propertyKey }))
      const earlier = Effect.gen(function*() {
        const [ada, place] = [idOf("contacts", "ada"), idOf("properties", "p")]
        yield* sql`INSERT INTO contact (id, key, full_name) VALUES (${ada}::uuid, 'ada', 'Ada Sample')`
        yield* sql`INSERT INTO property_contact (property_id, contact_id) VALUES (${place}::uuid, ${ada}::uuid)`
        yield* ContactCounts.refresh([place])
      })
      const { counts } = yield* whileWaitedFor(
        earlier,
        contacts({ key: "bela", fullName: "Bela Sample", properties: at("p", "q") })
      )
      assert.deepStrictEqual(counts, [1, 0, 0])
      assert.strictEqual((yield* property("p"))["contact_count"], 2)
      assert.strictEqual((yield* property("q"))["contact_count"], 1)
    })))

  it.live("of many people at the same properties lose none of them", () =>
    onFreshDatabase(Effect.gen(function*() {
      const keys = Array.from({ length: 20 }, (_, n) => `p${n}`)
      yield* properties(...keys.map((key) => ({ key })))
      const person = (load: number, n: number) => ({
        key: `person ${load} ${n}`,
        fullName: "A Sample",
        // Each load comes to the properties in another order.
        properties: keys.map((_, index) => ({ propertyKey: keys[(index * 7 + load + n) % keys.length] }))
      })
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, load) => load),
        (load) => contacts(person(load, 1), person(load, 2)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(outcomes.map(({ counts }) => counts), outcomes.map(() => [2, 0, 0]))
      for (const key of keys) assert.strictEqual((yield* property(key))["contact_count"], 16)
    })))

  it.live("that meet at one person begin with what the earlier one made of them", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* properties({ key: "p" }, { key: "q" })
      const ada = (title: string, propertyKey: string) => ({
        key: "ada",
        fullName: "Ada Sample",
        title,
        properties: [{ propertyKey }]
      })
      yield* contacts({ key: "ada", fullName: "Ada Sample", title: "Engineer" })
      const earlier = Effect.gen(function*() {
        yield* sql`UPDATE contact SET title = 'Manager' WHERE key = 'ada'`
        yield* sql`INSERT INTO property_contact (property_id, contact_id)
          VALUES (${idOf("properties", "p")}::uuid, ${idOf("contacts", "ada")}::uuid)`
      })
      const { counts } = yield* whileWaitedFor(earlier, contacts(ada("Director", "q")))
      assert.deepStrictEqual(counts, [0, 1, 0])
      assert.deepStrictEqual(
        yield* sql`SELECT before, after FROM property_change`,
        [{ before: { value: "Manager" }, after: { value: "Director" } }]
      )
      assert.deepStrictEqual(yield* sql`SELECT property_id::text AS id FROM property_contact`, [
        { id: idOf("properties", "q") }
      ])
    })))

  it.live("wait for a suppression, and it for them", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const begun = yield* Deferred.make<void>()
      const end = yield* Deferred.make<void>()
      const turn = yield* Effect.forkDetach(sql.withTransaction(Effect.gen(function*() {
        yield* takeTurn(sql)
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(end)
      })))
      yield* Deferred.await(begun)
      const load = yield* Effect.forkDetach(properties({ key: "a" }))
      yield* Effect.repeat(
        sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND NOT granted`,
        {
          until: (found) => found.length > 0,
          schedule: Schedule.spaced("10 millis")
        }
      )
      assert.deepStrictEqual(yield* property("a"), {})
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(turn)
      assert.deepStrictEqual((yield* Fiber.join(load)).counts, [1, 0, 0])
    })))
})

describe("changes that loads find", () => {
  it.live("are recorded once with what they are known by, and taken back when the source takes them back", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const recorded = sql`
        SELECT c.kind, c.source, c.before, c.after, c.effective_date::text AS since,
          EXISTS (SELECT FROM property_change w WHERE w.withdraws = c.id) AS withdrawn
        FROM property_change c WHERE c.kind <> 'withdrawn' ORDER BY c.kind, c.key`
      const lot = { key: "a", recordOwner: "A LLC", lastSaleDate: "2020-01-02", lastSalePrice: 5 }
      const person = { key: "ada", fullName: "Ada Sample", title: "Engineer", employerName: "Sample Managers" }
      const finding = { propertyKey: "a", managementCompany: "Sample Managers", researchedAt: "2026-01-02T00:00:00Z" }
      yield* properties(lot)
      yield* contacts(person)
      yield* research(finding)
      yield* properties(lot)
      yield* properties({ key: "a", recordOwner: "A, L.L.C.", yearBuilt: 1990 })
      assert.deepStrictEqual(yield* recorded, [])

      const sold = { ...lot, recordOwner: "B LLC", lastSaleDate: "2026-03-04", lastSalePrice: 9 }
      for (const _ of [1, 2]) {
        yield* properties(sold)
        yield* contacts({ ...person, title: "Chief Engineer", employerName: "Another Firm" })
        yield* research({ ...finding, managementCompany: "Another Firm", researchedAt: "2026-02-02T00:00:00Z" })
      }
      const stands = { since: null, withdrawn: false }
      const transfer = {
        kind: "ownership_transfer",
        source: "county_record",
        before: { value: "A, L.L.C." },
        after: { value: "B LLC" }
      }
      const sale = {
        kind: "sale",
        source: "county_record",
        before: { date: "2020-01-02", price: 5 },
        after: { date: "2026-03-04", price: 9 }
      }
      const others = [
        {
          kind: "contact_employer_change",
          source: "provider",
          before: { value: "Sample Managers" },
          after: { value: "Another Firm" },
          ...stands
        },
        {
          kind: "contact_title_change",
          source: "provider",
          before: { value: "Engineer" },
          after: { value: "Chief Engineer" },
          ...stands
        },
        {
          kind: "manager_change",
          source: "research",
          before: { value: "Sample Managers" },
          after: { value: "Another Firm" },
          ...stands
        }
      ]
      assert.deepStrictEqual(yield* recorded, [
        ...others,
        { ...transfer, ...stands },
        { ...sale, since: "2026-03-04", withdrawn: false }
      ])

      yield* properties(lot)
      assert.deepStrictEqual(yield* recorded, [
        ...others,
        { ...transfer, ...stands, withdrawn: true },
        { ...sale, since: "2026-03-04", withdrawn: true }
      ])
      yield* properties(sold)
      assert.lengthOf(yield* recorded, 7)
    })))

  it.live("are taken back one after the other", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const transfers = sql`
        SELECT c.before ->> 'value' AS "from", c.after ->> 'value' AS "into"
        FROM property_change c
        WHERE c.kind <> 'withdrawn' AND NOT EXISTS (SELECT FROM property_change w WHERE w.withdraws = c.id)
        ORDER BY c.key`
      const owned = (...owners: ReadonlyArray<string | null>) =>
        Effect.forEach(owners, (recordOwner) => properties({ key: "a", recordOwner }), { discard: true })
      yield* owned("A LLC", "B LLC", "C LLC")
      assert.deepStrictEqual(yield* transfers, [{ from: "A LLC", into: "B LLC" }, { from: "B LLC", into: "C LLC" }])
      yield* owned("B LLC")
      assert.deepStrictEqual(yield* transfers, [{ from: "A LLC", into: "B LLC" }])
      yield* owned("A LLC")
      assert.deepStrictEqual(yield* transfers, [])
      yield* owned("D LLC")
      assert.deepStrictEqual(yield* transfers, [{ from: "A LLC", into: "D LLC" }])
    })))

  it.live("are those of the survivor once the record was merged, which takes back what it told before", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const transfers = sql`
        SELECT told.key AS told, p.key AS "of", c.before ->> 'value' AS "from", c.after ->> 'value' AS "into"
        FROM property_change c
        JOIN property p ON p.id = c.property_id
        JOIN property told ON told.id::text = split_part(c.key, ':', 3)
        WHERE c.kind <> 'withdrawn' AND NOT EXISTS (SELECT FROM property_change w WHERE w.withdraws = c.id)
        ORDER BY c.detected_at`
      const owned = (key: string, ...owners: ReadonlyArray<string>) =>
        Effect.forEach(owners, (recordOwner) => properties({ key, recordOwner }), { discard: true })
      yield* owned("a", "A LLC", "B LLC")
      yield* owned("b", "A LLC")
      const { id: gone } = yield* property("a")
      const { id: heir } = yield* property("b")
      yield* sql.withTransaction(sql`SELECT property_merge(${String(gone)}::uuid, ${String(heir)}::uuid)`)
      yield* owned("a", "C LLC")
      const before = { told: "a", of: "b", from: "A LLC", into: "B LLC" }
      assert.deepStrictEqual(yield* transfers, [before])
      yield* owned("b", "D LLC")
      const own = { told: "b", of: "b", from: "A LLC", into: "D LLC" }
      assert.deepStrictEqual(yield* transfers, [before, own])
      yield* owned("a", "B LLC", "A LLC")
      assert.deepStrictEqual(yield* transfers, [own])
      yield* properties({ key: "a", retiredInto: "b", recordOwner: "E LLC" })
      assert.deepStrictEqual(yield* transfers, [own])
    })))

  it.live("are not told of a record that its row retires", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* properties({ key: "a", recordOwner: "A LLC" }, { key: "b", recordOwner: "A LLC" })
      yield* properties({ key: "a", retiredInto: "b", recordOwner: "B LLC" })
      assert.deepStrictEqual(yield* sql`SELECT kind FROM property_change`, [])
    })))

  it.live("go on when the record comes back, whose former ones stay with the survivor", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      for (const recordOwner of ["A LLC", "B LLC"]) yield* properties({ key: "a", recordOwner })
      yield* properties({ key: "b", recordOwner: "B LLC" })
      yield* properties({ key: "a", retiredInto: "b" })
      yield* properties({ key: "a", retiredInto: null, recordOwner: "C LLC" })
      const found = yield* sql`
        SELECT p.key AS "of", split_part(c.key, ':', 4) AS number, c.after ->> 'value' AS "into"
        FROM property_change c JOIN property p ON p.id = c.property_id ORDER BY number`
      assert.deepStrictEqual(found, [
        { of: "b", number: "1", into: "B LLC" },
        { of: "a", number: "2", into: "C LLC" }
      ])
    })))

  it.live("are told from what an operator named like them", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* properties({ key: "a", recordOwner: "A LLC" })
      const { id } = yield* property("a")
      const own = { kind: "ownership_transfer", propertyKey: "a", detectedAt: "2026-01-01", source: "county_record" }
      yield* changes(
        { ...own, key: "found:by us" },
        { ...own, key: `found:ownership_transfer:${String(id)}:` },
        { ...own, key: `found:ownership_transfer:${String(id)}:1:2` },
        { ...own, key: `found:ownership_transfer:${String(id)}:99999999999` }
      )
      yield* properties({ key: "a", recordOwner: "B LLC" })
      assert.lengthOf(
        yield* sql`SELECT FROM property_change WHERE key = ${`found:ownership_transfer:${String(id)}:1`}`,
        1
      )
    })))
})
