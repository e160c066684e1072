/**
 * What every `PropertySearch` must do.
 *
 * `propertySearchContract` states the rules by example. `searchesAsInMemory` compares an adapter with the one in memory,
 * which is the definition, over made-up data and made-up searches.
 */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, Layer, Schema, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Area } from "../coverage/Territory.ts"
import { MemoryState } from "../memory/MemoryState.ts"
import * as PropertyMergesMemory from "../memory/property/PropertyMergesMemory.ts"
import * as PropertySearchMemory from "../memory/property/PropertySearchMemory.ts"
import * as SuppressionsMemory from "../memory/suppression/SuppressionsMemory.ts"
import { defaults } from "../organization/Organization.ts"
import { inPolygons } from "../property/Geography.ts"
import type { PropertySummary } from "../property/Property.ts"
import { propertyFields } from "../property/PropertyField.ts"
import type { PropertyMerges } from "../property/PropertyMerges.ts"
import {
  type After,
  type Condition,
  type LocationSearch,
  PropertySearch,
  type Sort,
  type SortColumn,
  type TextSearch
} from "../property/PropertySearch.ts"
import { sortKinds } from "../property/SearchOrder.ts"
import { Suppressions } from "../suppression/Suppressions.ts"
import {
  AreaDrawn,
  AreaOfLinesDrawn,
  ConditionDrawn,
  conditionOf,
  Drawn,
  ExcludingDrawn,
  few,
  happen,
  HistoryDrawn,
  orgId,
  seedOf,
  Small,
  square
} from "./DrawnRecords.ts"
import { firm, property, type Seed, type Seeder, type SeedProperty, startOver } from "./Seed.ts"
import * as SeederMemory from "./SeederMemory.ts"

const county = "48001"
const everywhere: Area = { nationwide: true, stateFips: [], countyFips: [] }
const nowhere: Area = { nationwide: false, stateFips: [], countyFips: [] }
const viewer = { orgId, visible: everywhere, covered: nowhere }
const byContacts: Sort = { column: "contactCount", direction: "desc" }
const inCounty: Condition = { _tag: "Counties", countyFips: [county] }

/** The `n`-th made-up id. */
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const rows = (given: ReadonlyArray<Partial<SeedProperty>>): ReadonlyArray<SeedProperty> =>
  given.map((values, index) => property({ id: id(index + 1), countyFips: county, ...values }))

/** Research of that time, by which a manager is known. */
const researchedAt = (at: string) => ({
  beneficialOwner: null,
  beneficialOwnerType: null,
  managementCompany: "Sample Management",
  aiRationale: null,
  researchedAt: at,
  tier: "Standard" as const
})

const numbersOf = (found: ReadonlyArray<PropertySummary>): ReadonlyArray<number> =>
  found.map((row) => Number(row.id.slice(-12)))

/** Starts over with this data. */
const seeded = Effect.fnUntraced(function*(seed: Partial<Seed>) {
  yield* startOver({ organizations: [defaults(orgId)], ...seed })
})

const located = Effect.fnUntraced(function*(given: Partial<LocationSearch>) {
  const search = yield* PropertySearch
  return yield* search.byLocation({
    viewer,
    conditions: [inCounty],
    sort: byContacts,
    after: null,
    offset: 0,
    limit: 200,
    full: true,
    ...given
  })
})

const findBy = (...conditions: ReadonlyArray<Condition>) =>
  Effect.map(located({ conditions: [inCounty, ...conditions] }), (page) => numbersOf(page.rows))

const textPage = Effect.fnUntraced(function*(given: Partial<TextSearch> & Pick<TextSearch, "words">) {
  const search = yield* PropertySearch
  return yield* search.byText({
    viewer,
    spellings: [],
    withNames: true,
    sort: byContacts,
    after: null,
    limit: 200,
    full: true,
    ...given
  })
})

const findText = (...words: ReadonlyArray<string>) => Effect.map(textPage({ words }), (page) => numbersOf(page.rows))

interface Page {
  readonly rows: ReadonlyArray<PropertySummary>
  readonly next: After | null
}

/** The pages of a search, one after the other. */
const walkBy = <E, R>(
  pageAfter: (after: After | null) => Effect.Effect<Page, E, R>
): Effect.Effect<ReadonlyArray<ReadonlyArray<PropertySummary>>, E, R> =>
  Effect.gen(function*() {
    const pages: Array<ReadonlyArray<PropertySummary>> = []
    let after: After | null = null
    do {
      const page: Page = yield* pageAfter(after)
      pages.push(page.rows)
      after = page.next
    } while (after !== null && pages.length < 100)
    return pages
  })

const walk = (search: Omit<TextSearch, "after">) =>
  walkBy((after) => PropertySearch.use(({ byText }) => byText({ ...search, after })))

const walkPlaces = (search: Omit<LocationSearch, "after" | "offset">) =>
  walkBy((after) => PropertySearch.use(({ byLocation }) => byLocation({ ...search, after, offset: 0 })))

/** Searches of an area: by nothing else, and without what an organization's own rows exclude. */
export const areaSearches = (within: Condition): ReadonlyArray<ReadonlyArray<Condition>> => {
  const inNoStage: Condition = { _tag: "PipelineStatuses", statuses: ["none"] }
  return [
    [within],
    [within, inNoStage],
    [within, { _tag: "ResearchStates", states: ["locked", "none"] }, inNoStage]
  ]
}

/** `layer` is a store of its own. */
export const propertySearchContract = <E>(name: string, layer: Layer.Layer<PropertySearch | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`PropertySearch: ${name}`, (it) => {
    it.effect("pages in any order through common words that the first of the order have not", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows(Array.from({ length: 300 }, (_, n) => ({
            address: n < 270 ? "1 Harbor Road" : "1 Juniper Road",
            commonName: `Sample ${String(1 + n % 150).padStart(3, "0")}`
          })))
        })
        for (const [direction, spellings] of [["asc", []], ["desc", []], ["asc", [["rd", "road"]]]] as const) {
          const found = yield* walk({
            viewer,
            words: ["juniper", "r"],
            spellings,
            withNames: true,
            sort: { column: "commonName", direction },
            limit: 4,
            full: false
          })
          const inOrder = Array.from({ length: 30 }, (_, n) => 271 + n)
          assert.deepStrictEqual(
            found.flatMap(numbersOf),
            direction === "asc" ? inOrder : inOrder.toReversed()
          )
        }
      }))

    it.effect("a word is a case-insensitive substring of address, city, owner or name", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([
            { address: "12 Juniper Street" },
            { city: "Juniperton" },
            { recordOwner: "OLD JUNIPER LLC" },
            { ownerName: "XJUNIPERX" },
            { commonName: "Juniper Plaza" },
            { zoning: "Juniper" }
          ])
        })
        assert.deepStrictEqual(yield* findText("juniper"), [1, 2, 3, 4, 5])
        assert.deepStrictEqual(yield* findText("juniper", "street"), [1])
        assert.deepStrictEqual(yield* findText("er st"), [1])
        assert.deepStrictEqual(yield* findText("juniper", "nowhere"), [])
      }))

    it.effect("a word in any of its spellings stands in the address by itself", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([
            { address: "1 JUNIPER RD" },
            { address: "2 Juniper Rd., Unit #5" },
            { address: "3 Juniper Road" },
            { address: "4 Juniper Broadway" },
            { address: "5 Juniper Ford", city: "Road" },
            { address: null, city: "Juniper", commonName: "Rd" },
            { address: "7 Road" }
          ])
        })
        const spellings = [["rd", "road"]]
        const page = yield* textPage({ words: ["juniper"], spellings, withNames: false })
        assert.deepStrictEqual(numbersOf(page.rows), [1, 2, 3])
        // Of two letters, beside other words, they need not be told.
        assert.deepStrictEqual(yield* findText("juniper", "rd"), [1, 2, 3, 5, 6])
        assert.deepStrictEqual(yield* findText("rd"), [1, 2, 5, 6])
        const { countByText } = yield* PropertySearch
        assert.strictEqual(yield* countByText({ viewer, words: ["juniper"], spellings, withNames: true }, 10), 3)
      }))

    it.effect("a word in any accents, where that is asked, and an owner always", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([
            { address: "1 Calle Peña", ownerName: "MUÑOZ GARCÍA" },
            { recordOwner: "PENA Y MUNOZ LLC", ownerName: "Munoz Garcia" },
            { city: "Pen\u0303a", commonName: "Torre Muñoz" },
            { address: "4 Penab Street", ownerName: null }
          ])
        })
        const findAny = (words: ReadonlyArray<string>, more: Partial<TextSearch> = {}) =>
          Effect.map(textPage({ words, anyAccents: true, ...more }), (page) => numbersOf(page.rows))
        assert.deepStrictEqual(yield* findText("peña"), [1])
        assert.deepStrictEqual(yield* findAny(["peña"]), [1, 2, 3, 4])
        // As it is written, it is found without asking for accents.
        assert.deepStrictEqual(yield* findAny(["pena"]), [1, 3])
        assert.deepStrictEqual(yield* findText("pena"), [2, 4])
        assert.deepStrictEqual(yield* findAny(["muñoz", "pena"]), [1, 2, 3])
        assert.deepStrictEqual(yield* findAny(["muñoz"], { withNames: false }), [1, 2])
        assert.deepStrictEqual(yield* findAny(["ñ", "torre"]), [3])
        assert.deepStrictEqual(yield* findAny(["muñoz"], { sort: { column: "buildingSqft", direction: "desc" } }), [
          1,
          2,
          3
        ])
        const { countByText } = yield* PropertySearch
        assert.strictEqual(
          yield* countByText({ viewer, words: ["pena"], spellings: [], anyAccents: true, withNames: true }, 10),
          2
        )
        for (const text of ["muñoz garcia", "MUNOZ GARCÍA"]) {
          const owned = yield* findBy({ _tag: "Contains", field: "ownerName", text, orUnknown: false })
          assert.deepStrictEqual(owned, [1, 2])
        }
      }))

    it.effect("names are not looked at where the plan withholds them", () =>
      Effect.gen(function*() {
        yield* seeded({ properties: rows([{ commonName: "Juniper Plaza" }, { address: "1 Juniper Street" }]) })
        const page = yield* textPage({ words: ["juniper"], withNames: false })
        assert.deepStrictEqual(numbersOf(page.rows), [2])
      }))

    it.effect("wildcards, backslashes and NUL in a word mean themselves", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([{ address: "100% Oak" }, { address: "100 Oak" }, { address: "a_b" }, { address: "c\\d" }])
        })
        assert.deepStrictEqual(yield* findText("0%"), [1])
        assert.deepStrictEqual(yield* findText("a_"), [3])
        assert.deepStrictEqual(yield* findText("_b"), [3])
        assert.deepStrictEqual(yield* findText("c\\"), [4])
        assert.deepStrictEqual(yield* findText("\0"), [])
        assert.deepStrictEqual(
          yield* findBy({ _tag: "Contains", field: "ownerName", text: "%", orUnknown: false }),
          []
        )
      }))

    it.effect("a word does not span two fields", () =>
      Effect.gen(function*() {
        yield* seeded({ properties: rows([{ address: "Oak", city: "Elm" }]) })
        assert.deepStrictEqual(yield* findText("oakelm"), [])
        assert.deepStrictEqual(yield* findText("oak", "elm"), [1])
      }))

    it.effect("what lies outside the visible area and what is retired is not found", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([
            { address: "1 Oak" },
            { address: "2 Oak", countyFips: "48003" },
            { address: "3 Oak", countyFips: "06001" },
            { address: "4 Oak", retiredInto: id(1) }
          ])
        })
        const seen = (visible: Area) =>
          Effect.all([
            Effect.map(textPage({ words: ["oak"], viewer: { ...viewer, visible } }), (page) => numbersOf(page.rows)),
            Effect.map(
              located({
                viewer: { ...viewer, visible },
                conditions: [{ _tag: "Counties", countyFips: ["48001", "48003", "06001"] }]
              }),
              (page) => numbersOf(page.rows)
            ),
            Effect.map(
              located({
                viewer: { ...viewer, visible },
                conditions: [{ _tag: "HasContact", which: "any", value: false }]
              }),
              (page) => page.total
            )
          ])
        assert.deepStrictEqual(yield* seen(everywhere), [[1, 2, 3], [1, 2, 3], 3])
        assert.deepStrictEqual(yield* seen({ ...nowhere, stateFips: ["48"] }), [[1, 2], [1, 2], 2])
        assert.deepStrictEqual(yield* seen({ ...nowhere, stateFips: ["06"], countyFips: ["48003"] }), [
          [2, 3],
          [2, 3],
          2
        ])
        assert.deepStrictEqual(yield* seen(nowhere), [[], [], 0])
      }))

    it.effect("a box includes its borders and may cross the antimeridian", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([
            { lat: 10, lon: 179.5 },
            { lat: 10, lon: -179.5 },
            { lat: 10, lon: 0 },
            { lat: null, lon: null },
            { lat: 11, lon: 180 },
            { lat: 11.000001, lon: 179.5 }
          ])
        })
        assert.deepStrictEqual(yield* findBy({ _tag: "Box", north: 11, south: 10, west: 179.5, east: -179.5 }), [
          1,
          2,
          5
        ])
        assert.deepStrictEqual(yield* findBy({ _tag: "Box", north: 11, south: 9, west: -1, east: 0 }), [3])
      }))

    it.effect("near is a distance on the globe, also across the antimeridian and at a pole", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([
            { lat: 40, lon: -75 },
            { lat: 40, lon: -75.0117 },
            { lat: 40, lon: -75.0118 },
            { lat: 0, lon: -179.995 },
            { lat: 89.99, lon: 100 }
          ])
        })
        const near = (lat: number, lon: number, radiusMeters: number) =>
          findBy({ _tag: "Near", lat, lon, radiusMeters })
        // One degree of longitude at 40 degrees north is 85,180 m.
        assert.deepStrictEqual(yield* near(40, -75, 1000), [1, 2])
        assert.deepStrictEqual(yield* near(40, -75, 1010), [1, 2, 3])
        assert.deepStrictEqual(yield* near(0, 179.995, 1200), [4])
        assert.deepStrictEqual(yield* near(89.99, -80, 2300), [5])
        assert.deepStrictEqual(yield* near(89.99, -80, 2200), [])
      }))

    it.effect("an area is its polygons without their holes", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([{ lat: 1, lon: 1 }, { lat: 5, lon: 5 }, { lat: 9, lon: 9 }, { lat: 25, lon: 25 }, {}])
        })
        const area: Condition = {
          _tag: "Within",
          polygons: [[square(0, 0, 10, 10), square(4, 4, 6, 6)], [square(20, 20, 30, 30)]]
        }
        assert.deepStrictEqual(yield* findBy(area), [1, 3, 4])
        const triangle: Condition = { _tag: "Within", polygons: [[[[0, 0], [20, 0], [0, 12], [0, 0]]]] }
        assert.deepStrictEqual(yield* findBy(triangle), [1, 2])
      }))

    it.effect("an area far wider than what is seen of it shows that alone", () =>
      Effect.gen(function*() {
        const at = (degrees: number, countyFips: string) => ({ lat: degrees, lon: degrees, countyFips })
        yield* seeded({ properties: rows([at(10, "48001"), at(10.01, "06001"), at(10.02, "48001"), at(30, "06001")]) })
        const within: Condition = { _tag: "Within", polygons: [[[[-60, -60], [90, -60], [-60, 90], [-60, -60]]]] }
        const seen = (visible: Area) =>
          Effect.map(located({ viewer: { ...viewer, visible }, conditions: [within] }), ({ rows, total }) => [
            numbersOf(rows),
            total
          ])
        assert.deepStrictEqual(yield* seen({ ...nowhere, stateFips: ["48"] }), [[1, 3], 2])
        assert.deepStrictEqual(yield* seen({ ...nowhere, countyFips: ["06001"] }), [[2], 1])
        assert.deepStrictEqual(yield* seen(nowhere), [[], 0])
      }))

    it.effect("an area whose border crosses itself is all that the border goes around", () =>
      Effect.gen(function*() {
        const around = (turn: number, reach: number) => {
          const angle = 2 * Math.PI * turn
          return [15 + reach * Math.cos(angle), 15 + reach * Math.sin(angle)] as const
        }
        const placed = (turn: number, reach: number) => {
          const [lon, lat] = around(turn, reach)
          return { lat, lon }
        }
        // The middle of a star of five points, a point of it, and what lies between two of them.
        yield* seeded({ properties: rows([placed(0, 0), placed(0, 8), placed(0.1, 8), placed(0.1, 3)]) })
        const star = [0, 2, 4, 1, 3, 0].map((corner) => around(corner / 5, 10))
        assert.deepStrictEqual(yield* findBy({ _tag: "Within", polygons: [[star]] }), [1, 2, 4])
      }))

    it.effect("an area of many lines is paged, wherever in the order its properties stand", () =>
      Effect.gen(function*() {
        // Five hundred teeth from the south, up to four degrees north.
        const teeth = Array.from({ length: 998 }, (_, n) => [n * 0.04, n % 2 === 0 ? 0 : 4] as const)
        const within: Condition = { _tag: "Within", polygons: [[[...teeth, [40, -1], [0, -1], [0, 0]]]] }
        const places = Array.from({ length: 300 }, (_, n) => ({ lon: n * 7.31 % 39, lat: n * 0.37 % 6 - 0.4731 }))
        const lastWithin = places.toSorted((one, other) =>
          Number(inPolygons(within.polygons, one)) - Number(inPolygons(within.polygons, other))
        )
        for (const placed of [places, lastWithin, lastWithin.toReversed()]) {
          yield* seeded({ properties: rows(placed.map((place, n) => ({ ...place, yearBuilt: 1900 + n % 2 }))) })
          const held = placed.flatMap((place, n) => inPolygons(within.polygons, place) ? [n + 1] : [])
          const old: Condition = { _tag: "Range", field: "yearBuilt", min: null, max: 1900, orUnknown: false }
          const asked: ReadonlyArray<readonly [ReadonlyArray<Condition>, ReadonlyArray<number>]> = [
            [[within], held],
            [[inCounty, within], held],
            [[within, old], held.filter((n) => n % 2 === 1)]
          ]
          for (const [conditions, expected] of asked) {
            const search = { viewer, conditions, sort: byContacts, full: false }
            const pages = yield* walkPlaces({ ...search, limit: 50 })
            assert.deepStrictEqual(pages.flatMap(numbersOf), expected)
            const page = yield* located({ ...search, offset: 2, limit: 2 })
            assert.deepStrictEqual(numbersOf(page.rows), expected.slice(2, 4))
            assert.deepStrictEqual([page.total, page.categories], [expected.length, [
              { category: null, count: expected.length }
            ]])
          }
        }
      }))

    it.effect("a page far down a large area stands where all of its pages lead", () =>
      Effect.gen(function*() {
        const owners = ["Alder", "Briar", null, "Cedar", "Dogwood"]
        yield* seeded({
          properties: rows(Array.from({ length: 320 }, (_, n) => ({
            lat: n * 0.37 % 6,
            lon: n * 7.31 % 39,
            countyFips: n % 9 === 0 ? "06001" : county,
            address: `${n * 7919 % 320} Oak`,
            city: n % 3 === 0 ? null : "Aldermoor",
            recordOwner: owners[n % owners.length] ?? null,
            yearBuilt: 1900 + n % 4,
            ...n % 29 === 0 ? { lat: null, lon: null } : {}
          })))
        })
        const within: Condition = { _tag: "Within", polygons: [[square(-1, -1, 40, 7)]] }
        const asked: ReadonlyArray<ReadonlyArray<Condition>> = [
          ...areaSearches(within),
          [within, { _tag: "Range", field: "yearBuilt", min: 1900, max: 1902, orUnknown: false }]
        ]
        const columns = ["contactCount", "recordOwner", "rawAddress", "city", "yearBuilt"] as const
        for (const conditions of asked) {
          for (const column of columns) {
            const search = {
              viewer: { orgId, visible: everywhere, covered: nowhere },
              conditions,
              sort: { column, direction: "desc" as const },
              full: false
            }
            const all = (yield* walkPlaces({ ...search, limit: 100 })).flatMap(numbersOf)
            for (const offset of [205, 225, 300]) {
              const page = yield* located({ ...search, offset, limit: 10 })
              assert.deepStrictEqual(numbersOf(page.rows), all.slice(offset, offset + 10), `${column} ${offset}`)
              assert.strictEqual(page.total, all.length)
            }
          }
        }
      }))

    it.effect("ranges include their bounds, and unknown values only when asked for", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([
            { numFloors: 2.5, lastSaleDate: "2020-01-31", research: researchedAt("2026-01-05T23:59:59.999Z") },
            { numFloors: 3, lastSaleDate: "2020-02-01", research: researchedAt("2026-01-06T00:00:00.000Z") },
            {}
          ])
        })
        const range = (
          field: "numFloors" | "lastSaleDate" | "lastEnrichedAt",
          min: number | string | null,
          max: number | string | null,
          orUnknown = false
        ) => findBy({ _tag: "Range", field, min, max, orUnknown })
        assert.deepStrictEqual(yield* range("numFloors", 2.5, 3), [1, 2])
        assert.deepStrictEqual(yield* range("numFloors", 3, null), [2])
        assert.deepStrictEqual(yield* range("numFloors", null, 2.5, true), [1, 3])
        assert.deepStrictEqual(yield* range("lastSaleDate", "2020-01-31", "2020-01-31"), [1])
        assert.deepStrictEqual(yield* range("lastEnrichedAt", null, "2026-01-05T23:59:59.999Z"), [1])
        assert.deepStrictEqual(yield* range("lastEnrichedAt", "2026-01-06T00:00:00.000Z", null), [2])
      }))

    it.effect("categories are counted over all matches, most first, without one as null", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([
            { assetCategory: "Retail" },
            { assetCategory: "Office" },
            {},
            { assetCategory: "Retail" },
            { assetCategory: "Office" },
            {},
            { assetCategory: "Land" }
          ])
        })
        const page = yield* located({ offset: 6, limit: 5 })
        assert.deepStrictEqual(numbersOf(page.rows), [7])
        assert.strictEqual(page.total, 7)
        assert.deepStrictEqual(page.categories, [
          { category: "Office", count: 2 },
          { category: "Retail", count: 2 },
          { category: null, count: 2 },
          { category: "Land", count: 1 }
        ])
        const beyond = yield* located({ offset: 100 })
        assert.deepStrictEqual([beyond.rows.length, beyond.total, beyond.categories.length], [0, 7, 4])
        const none = yield* located({ conditions: [{ _tag: "Counties", countyFips: ["99999"] }] })
        assert.deepStrictEqual(none, { rows: [], next: null, total: 0, categories: [] })
      }))

    it.effect("numbers without a value come last both ways; text without one is the highest", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([
            { buildingSqft: 5, recordOwner: "beta" },
            {},
            { buildingSqft: 7, recordOwner: "Alpha" },
            { buildingSqft: 5, recordOwner: "BETA" },
            { recordOwner: "éclair" },
            { recordOwner: "_x" }
          ])
        })
        const order = (column: SortColumn, direction: "asc" | "desc") =>
          Effect.map(located({ sort: { column, direction } }), (page) => numbersOf(page.rows))
        assert.deepStrictEqual(yield* order("buildingSqft", "asc"), [1, 4, 3, 2, 5, 6])
        assert.deepStrictEqual(yield* order("buildingSqft", "desc"), [3, 1, 4, 2, 5, 6])
        assert.deepStrictEqual(yield* order("recordOwner", "asc"), [6, 3, 1, 4, 5, 2])
        assert.deepStrictEqual(yield* order("recordOwner", "desc"), [2, 5, 1, 4, 3, 6])
      }))

    it.effect("a firm counts by county record, and by research only where that is revealed", () =>
      Effect.gen(function*() {
        const research = researchedAt("2026-01-01T00:00:00.000Z")
        yield* seeded({
          properties: rows([{}, { research }, { research }, {}, { research, countyFips: "48003" }]),
          firms: [firm({ id: id(900) })],
          propertyFirms: [
            { propertyId: id(1), firmId: id(900), role: "owner", attributionType: "county_record" },
            ...[2, 3, 4, 5].map((n) => ({
              propertyId: id(n),
              firmId: id(900),
              role: "property_manager",
              attributionType: "management_research"
            } as const))
          ],
          accesses: [
            { orgId, kind: "property", id: id(2), source: "paid" },
            { orgId, kind: "property", id: id(4), source: "paid" }
          ]
        })
        const found = (role: string | null) =>
          Effect.map(
            located({
              viewer: { ...viewer, covered: { ...nowhere, countyFips: ["48003"] } },
              conditions: [{ _tag: "Firm", firmId: id(900), role }]
            }),
            (page) => numbersOf(page.rows)
          )
        assert.deepStrictEqual(yield* found(null), [1, 2, 5])
        assert.deepStrictEqual(yield* found("property_manager"), [2, 5])
        assert.deepStrictEqual(yield* found("tenant"), [])
        const states = (state: "revealed" | "locked" | "none") => findBy({ _tag: "ResearchStates", states: [state] })
        assert.deepStrictEqual(yield* Effect.all([states("revealed"), states("locked"), states("none")]), [[2], [3], [
          1,
          4
        ]])
      }))

    it.effect("cities of a name are told apart by state, within the visible area", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([
            { city: "Aldermoor", state: "TX" },
            { city: "ALDERMOOR", state: "TX" },
            { city: "Aldermoor", state: "CA", countyFips: "06001" },
            { city: "Briarfield", state: "TX" },
            { city: "Aldermoor" }
          ])
        })
        const search = yield* PropertySearch
        const known = (visible: Area) =>
          Effect.map(search.citiesNamed(["aldermoor", "nowhere"], visible), (found) =>
            found.map(({ state }) => state).sort())
        assert.deepStrictEqual(yield* known(everywhere), ["CA", "TX"])
        assert.deepStrictEqual(yield* known({ ...nowhere, stateFips: ["06"] }), ["CA"])
      }))

    it.effect("a count by text stops where it is told to", () =>
      Effect.gen(function*() {
        yield* seeded({ properties: rows([1, 2, 3].map((number) => ({ address: `${number} Juniper Street` }))) })
        const { countByText } = yield* PropertySearch
        const count = (words: ReadonlyArray<string>, most: number) =>
          countByText({ viewer, words, spellings: [], withNames: true }, most)
        assert.deepStrictEqual(
          yield* Effect.all([count(["juniper"], 10), count(["juniper"], 2), count(["nowhere"], 2)]),
          [3, 2, 0]
        )
      }))

    it.effect("each of several sets of conditions matches something or nothing", () =>
      Effect.gen(function*() {
        yield* seeded({ properties: rows([{ assetCategory: "Office", zip: "75001" }]) })
        const { matchesAny } = yield* PropertySearch
        const office: Condition = { _tag: "OneOf", field: "assetCategory", values: ["Office"], orUnknown: false }
        const elsewhere: Condition = { _tag: "Zips", zipCodes: ["75002"] }
        assert.deepStrictEqual(
          yield* matchesAny(viewer, [[inCounty, office], [inCounty, office, elsewhere], [elsewhere], []]),
          [true, false, false, true]
        )
        assert.deepStrictEqual(yield* matchesAny({ ...viewer, visible: nowhere }, [[inCounty]]), [false])
      }))

    it.effect("words that records have are told of what matches, the most frequent first", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([
            { roofCover: "Metal", zip: "75001" },
            { roofCover: "Tile", zip: "75001" },
            { roofCover: "Metal" },
            { roofCover: "Built-up" },
            { roofCover: "Asphalt", countyFips: "06001" },
            { roofCover: "Slate", retiredInto: id(1) },
            {}
          ])
        })
        const { wordsFor } = yield* PropertySearch
        const zip: Condition = { _tag: "Zips", zipCodes: ["75001"] }
        const found = (conditions: ReadonlyArray<Condition>, most = 9, seen: Area = everywhere) =>
          wordsFor("roofCover", { viewer: { ...viewer, visible: seen }, conditions }, most)
        assert.deepStrictEqual(yield* found([inCounty]), ["Metal", "Built-up", "Tile"])
        assert.deepStrictEqual(yield* found([inCounty], 2), ["Metal", "Built-up"])
        assert.deepStrictEqual(yield* found([inCounty, zip]), ["Metal", "Tile"])
        assert.deepStrictEqual(yield* found([], 9, { ...nowhere, stateFips: ["06"] }), ["Asphalt"])
        assert.deepStrictEqual(yield* found([inCounty], 9, nowhere), [])
        assert.deepStrictEqual(
          yield* wordsFor("roofShape", { viewer: { ...viewer, visible: everywhere }, conditions: [inCounty] }, 9),
          []
        )
      }))

    it.effect("cities are told by their first letters, each once, within the visible area", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([
            { city: "Aldermoor" },
            { city: "ALDERMOOR" },
            { city: "\u00c1lamo" },
            { city: "Aston", countyFips: "06001" },
            { city: "Briarfield" },
            { city: "Zenith" },
            { city: "Zulch" },
            { city: "Azure", retiredInto: id(1) },
            {}
          ])
        })
        const { citiesBeginning } = yield* PropertySearch
        const known = (letters: ReadonlyArray<string>, visible: Area) =>
          Effect.map(citiesBeginning(letters, visible), (found) => found.toSorted())
        assert.deepStrictEqual(yield* known(["a", "z"], everywhere), ["aldermoor", "aston", "zenith", "zulch"])
        assert.deepStrictEqual(yield* known(["a", "b"], { ...nowhere, stateFips: ["06"] }), ["aston"])
        assert.deepStrictEqual(yield* known(["x"], everywhere), [])
      }))

    it.effect("the counties are those that properties lie in", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: rows([{}, { countyFips: "06001" }, { county: "Sample" }])
        })
        const search = yield* PropertySearch
        assert.deepStrictEqual(yield* search.counties, [
          { countyFips: "06001", name: null, state: "CA" },
          { countyFips: "48001", name: "Sample", state: "TX" }
        ])
      }))
  })
}

const SearchDrawn = Schema.Struct({
  visible: AreaDrawn,
  covered: AreaDrawn,
  conditions: few(ConditionDrawn),
  words: few(Schema.Literals(["al", "alder", "_", "%", "é", "tree", "r", "zq", "qé"])),
  withNames: Schema.Boolean,
  anyAccents: Schema.Boolean,
  column: Schema.Literals(Struct.keys(sortKinds)),
  direction: Schema.Literals(["asc", "desc"]),
  offset: Small,
  limit: Schema.Literals([1, 2, 5]),
  full: Schema.Boolean
})

/** Wide areas, of which some hold all that a county has. */
const WideAreaDrawn = Schema.Struct({
  visible: AreaDrawn,
  covered: AreaDrawn,
  area: Schema.Union([
    Schema.Struct({
      _tag: Schema.Literal("Box"),
      north: Schema.Literals([33, 90]),
      south: Schema.Literals([-90, 0, 33]),
      west: Schema.Literals([-180, -97.25]),
      east: Schema.Literals([-97, 33, 180])
    }),
    AreaOfLinesDrawn
  ]),
  excluding: Schema.Array(ExcludingDrawn).check(Schema.isMaxLength(2)),
  column: Schema.Literals(["contactCount", "recordOwner", "ownerName", "rawAddress", "buildingSqft", "city"]),
  direction: Schema.Literals(["asc", "desc"]),
  offset: Small,
  limit: Schema.Literals([1, 2, 5])
})

/** What a compact row shows of a summary. */
const shownCompact = (row: PropertySummary) => ({
  ...Struct.pick(row, [
    "id",
    "key",
    "address",
    "city",
    "state",
    "zip",
    "county",
    "countyFips",
    "lat",
    "lon",
    "recordOwner",
    "commonName",
    "assetCategory",
    "assetSubcategory",
    "buildingSqft",
    "lotSqft",
    "numFloors",
    "totalUnits",
    "yearBuilt",
    "totalParval",
    "contactCounts",
    "hasManagementCompany",
    "hasBeneficialOwner",
    "enrichmentStatus",
    "unlocked"
  ]),
  researched: row.researchedAt !== null
})

/** What a full row shows of a summary. */
const shownFull = (row: PropertySummary) => ({
  ...shownCompact(row),
  ...Struct.pick(row, Struct.keys(propertyFields)),
  ...Struct.pick(row, ["lastEnrichedAt", "researchedAt", "updatedAt"])
})

const memory = Layer.mergeAll(
  PropertySearchMemory.layer,
  PropertyMergesMemory.layer,
  SuppressionsMemory.layer,
  SeederMemory.layer
).pipe(Layer.provideMerge(MemoryState.layer), Layer.provide(SecureRandom.layerWebCrypto))

/**
 * The same data, merges, suppressions and searches give the same pages, totals and categories as in memory. `layer` is a
 * store of its own.
 */
export const searchesAsInMemory = <E>(
  name: string,
  layer: Layer.Layer<PropertySearch | PropertyMerges | Suppressions | Seeder, E>,
  options: { readonly runs: number }
): void => {
  withLayer(layer, { excludeTestServices: true })(`PropertySearch: ${name}`, (it) => {
    it.effect.prop(
      "finds what the search in memory finds, and pages through it row by row, by text and by place (Q1)",
      {
        drawn: Schema.Array(Drawn).check(Schema.isMaxLength(12)),
        history: HistoryDrawn,
        searches: Schema.Array(SearchDrawn).check(Schema.isMinLength(1), Schema.isMaxLength(12))
      },
      ({ drawn, history, searches }) =>
        Effect.gen(function*() {
          const model = yield* Layer.build(Layer.fresh(memory))
          const seed = seedOf(drawn)
          yield* seeded(seed)
          yield* seeded(seed).pipe(Effect.provideContext(model))
          yield* happen(history)
          yield* happen(history).pipe(Effect.provideContext(model))
          for (
            const { column, conditions, covered, direction, full, limit, offset, visible, ...said } of searches
          ) {
            const text = { ...said, spellings: [] }
            const common = { viewer: { orgId, visible, covered }, sort: { column, direction }, limit, full }
            const shown = (rows: ReadonlyArray<PropertySummary>) => rows.map(full ? shownFull : shownCompact)
            const located = Effect.gen(function*() {
              const search = yield* PropertySearch
              const asked = { ...common, conditions: conditions.map(conditionOf), after: null, offset }
              const { next, ...page } = yield* search.byLocation(asked)
              return { ...page, rows: shown(page.rows), more: next !== null }
            })
            const found = yield* located
            assert.deepStrictEqual(found, yield* Effect.provideContext(located, model))
            const places = Effect.map(
              walkPlaces({ ...common, conditions: conditions.map(conditionOf) }),
              (pages) => pages.map(shown)
            )
            const whole = yield* places
            assert.deepStrictEqual(whole, yield* Effect.provideContext(places, model))
            assert.strictEqual(new Set(whole.flat().map((row) => row.id)).size, found.total)
            const walked = Effect.map(walk({ ...common, ...text }), (pages) => pages.map(shown))
            const pages = yield* walked
            assert.deepStrictEqual(pages, yield* Effect.provideContext(walked, model))
            const ids = pages.flat().map((row) => row.id)
            assert.strictEqual(new Set(ids).size, ids.length)
            const { countByLocation, countByText, matchesAny } = yield* PropertySearch
            const asked = { viewer: common.viewer, conditions: conditions.map(conditionOf) }
            const { categories, total } = found
            assert.deepStrictEqual(yield* countByLocation(asked), { categories, total })
            assert.deepStrictEqual(yield* matchesAny(asked.viewer, [asked.conditions]), [total > 0])
            assert.strictEqual(
              yield* countByText({ viewer: asked.viewer, ...text }, 100),
              ids.length
            )
          }
          const { lift } = yield* Suppressions
          for (const subject of history.suppressed) yield* lift(subject)
        }),
      { timeout: 120_000, arbitrary: { runs: options.runs } }
    )

    it.effect.prop(
      "finds, counts and pages through a wide area, alone or without what is excluded, as in memory (Q1)",
      {
        drawn: Schema.Array(Drawn).check(Schema.isMaxLength(12)),
        history: HistoryDrawn,
        searches: Schema.Array(WideAreaDrawn).check(Schema.isMinLength(1), Schema.isMaxLength(12))
      },
      ({ drawn, history, searches }) =>
        Effect.gen(function*() {
          const model = yield* Layer.build(Layer.fresh(memory))
          const seed = seedOf(drawn)
          yield* seeded(seed)
          yield* seeded(seed).pipe(Effect.provideContext(model))
          yield* happen(history)
          yield* happen(history).pipe(Effect.provideContext(model))
          for (const { area, column, covered, direction, excluding, limit, offset, visible } of searches) {
            const common = {
              viewer: { orgId, visible, covered },
              conditions: [area._tag === "Box" ? area : conditionOf(area), ...excluding],
              sort: { column, direction },
              limit,
              full: false
            }
            const found = Effect.map(
              located({ ...common, offset }),
              ({ next, ...page }) => ({ ...page, rows: page.rows.map(shownCompact), more: next !== null })
            )
            const first = yield* found
            assert.deepStrictEqual(first, yield* Effect.provideContext(found, model))
            const { categories, total } = first
            const { countByLocation } = yield* PropertySearch
            assert.deepStrictEqual(yield* countByLocation(common), { categories, total })
            const pages = Effect.map(walkPlaces(common), (each) => each.map((page) => page.map(shownCompact)))
            assert.deepStrictEqual(yield* pages, yield* Effect.provideContext(pages, model))
          }
          const { lift } = yield* Suppressions
          for (const subject of history.suppressed) yield* lift(subject)
        }),
      { timeout: 120_000, arbitrary: { runs: options.runs } }
    )
  })
}
