/** Searches within areas of many counties and many lines, against what each property alone tells. */
import { assert, layer as withLayer } from "@effect/vitest"
import * as PropertySearchPg from "@freehold/adapters-pg/property/PropertySearchPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import type { Area } from "@freehold/core/coverage/Territory"
import * as Spare from "@freehold/core/load/Spare"
import { compareText } from "@freehold/core/operation/TextOrder"
import { defaults } from "@freehold/core/organization/Organization"
import { inPolygons, type Ring } from "@freehold/core/property/Geography"
import { type After, type Condition, PropertySearch, type Sort } from "@freehold/core/property/PropertySearch"
import { sortKinds } from "@freehold/core/property/SearchOrder"
import { property, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer, Struct } from "effect"
import { SqlClient } from "effect/sql"

const layer = Layer.mergeAll(PropertySearchPg.layer, SeederPg.layer).pipe(Layer.provideMerge(TestDatabase.layer))

const orgId = "sample-org"
const listId = "30000000-0000-4000-8000-000000000001"
const everywhere: Area = { nationwide: true, stateFips: [], countyFips: [] }

interface Known {
  readonly id: string
  readonly lat: number
  readonly lon: number
  readonly county: string
  readonly isResearched: boolean
  readonly city: string
  readonly yearBuilt: number | null
}

/** Up and down, askew, over all properties and as far beyond; a thousand points in all for one of them. */
const comb = (points: number, angle: number): Ring => {
  const corners = Array.from({ length: points - 1 }, (_, n) => {
    const [along, side] = [50 * n / points - 25, n % 2 === 0 ? 25 : -25]
    return [
      -104 + along * Math.cos(angle) - side * Math.sin(angle),
      35.5 + 0.5 * (along * Math.sin(angle) + side * Math.cos(angle))
    ] as const
  })
  return [...corners, ...corners.slice(0, 1)]
}

const sixCorners: Ring = [0, 1, 2, 3, 4, 5, 0].map((corner) => [
  -104 + 12 * Math.cos(Math.PI * corner / 3),
  35.5 + 7 * Math.sin(Math.PI * corner / 3)
])

const areas: Readonly<Record<string, ReadonlyArray<ReadonlyArray<Ring>>>> = {
  "a comb": [[comb(1000, Math.PI / 5)]],
  "two combs that cross": [[comb(500, Math.PI / 4)], [comb(500, -Math.PI / 4)]],
  "a comb without another": [[comb(500, Math.PI / 4), comb(500, -Math.PI / 4)]],
  "six corners": [[sixCorners]]
}

/** Where a second processor may be kept busy, which is asked of what touches so many counties, that is found in two halves. */
let halved = 0
const inHalves = Effect.provideService(
  Spare.Take,
  Effect.sync(() => {
    halved++
    return true
  })
)

/** Every so many of the properties. */
const every = (step: number, of: ReadonlyArray<Known>) => of.filter((_, n) => n % step === 0).map(({ id }) => id)

interface Order {
  readonly sort: Sort
  readonly compare: (one: Known, other: Known) => number
  /** How far down its page is: there are more before it than are looked for among the first of all. */
  readonly offset: number
}

const orders: ReadonlyArray<Order> = [
  { sort: { column: "contactCount", direction: "desc" }, compare: () => 0, offset: 0 },
  {
    sort: { column: "city", direction: "asc" },
    compare: (one, other) => compareText(one.city, other.city),
    offset: 0
  },
  {
    sort: { column: "yearBuilt", direction: "asc" },
    compare: (one, other) => (one.yearBuilt ?? Infinity) - (other.yearBuilt ?? Infinity),
    offset: 230
  }
]

withLayer(layer, { excludeTestServices: true, timeout: "2 minutes" })("PropertySearch: areas of many lines", (it) => {
  it.effect("hold what each property alone tells, in any order, whatever is excluded", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { byLocation, countByLocation } = yield* PropertySearch
      yield* SyntheticProperties.load({ count: 4000, counties: 200 })
      const known = yield* sql<Known>`
        SELECT id, lat, lon, county_fips AS county, last_enriched_at IS NOT NULL AS "isResearched", lower(city) AS city,
          year_built AS "yearBuilt"
        FROM property ORDER BY id`
      const [listed, led, paid] = [every(5, known), every(7, known), every(11, known)]
      yield* Seeder.use(({ add }) =>
        add({
          organizations: [defaults(orgId)],
          lists: [{ orgId, id: listId, propertyIds: listed }],
          leads: led.map((propertyId) => ({
            orgId,
            propertyId,
            status: "qualified",
            dealValue: null,
            qualifiedAt: "2026-01-01T00:00:00.000Z",
            qualifiedBy: { kind: "agent", id: null, name: "Sample" },
            statusChangedAt: "2026-01-01T00:00:00.000Z",
            version: 1
          })),
          accesses: paid.map((id) => ({ orgId, kind: "property", id, source: "paid" }))
        })
      )
      yield* sql`ANALYZE`

      const nothing: Area = { nationwide: false, stateFips: [], countyFips: [] }
      const some: Area = { nationwide: false, stateFips: ["48"], countyFips: [SyntheticProperties.countyFips(1)] }
      const isCovered = ({ countyFips, nationwide, stateFips }: Area, { county }: Known) =>
        nationwide || countyFips.includes(county) || stateFips.includes(county.slice(0, 2))
      const excluding: ReadonlyArray<readonly [Condition, (property: Known, covered: Area) => boolean]> = [
        [{ _tag: "List", listId, member: false }, ({ id }) => !listed.includes(id)],
        [{ _tag: "PipelineStatuses", statuses: ["none"] }, ({ id }) => !led.includes(id)],
        [
          { _tag: "ResearchStates", states: ["locked", "none"] },
          (property, covered) =>
            !(property.isResearched && (isCovered(covered, property) || paid.includes(property.id)))
        ]
      ]
      const old: Condition = { _tag: "Range", field: "yearBuilt", min: null, max: 1960, orUnknown: false }

      const asked = [
        { covered: some, chosen: [], isOld: false },
        { covered: some, chosen: excluding.slice(0, 2), isOld: false },
        { covered: nothing, chosen: excluding, isOld: false },
        { covered: some, chosen: excluding, isOld: true },
        { covered: everywhere, chosen: excluding, isOld: false }
      ]

      for (const [name, polygons] of Object.entries(areas)) {
        const within = known.filter((place) => inPolygons(polygons, place))
        assert.isAbove(within.length, 300, name)
        for (const { chosen, covered, isOld } of asked) {
          const viewer = { orgId, visible: everywhere, covered }
          const conditions: ReadonlyArray<Condition> = [
            { _tag: "Within", polygons },
            ...chosen.map(([condition]) => condition),
            ...isOld ? [old] : []
          ]
          const expected = within
            .filter((property) => chosen.every(([, isLeft]) => isLeft(property, covered)))
            .filter(({ yearBuilt }) => !isOld || yearBuilt !== null && yearBuilt <= 1960)
          const count = yield* countByLocation({ viewer, conditions })
          assert.strictEqual(count.total, expected.length, name)
          assert.deepStrictEqual(yield* inHalves(countByLocation({ viewer, conditions })), count, name)
          for (const { compare, offset, sort } of orders) {
            const ids = expected.toSorted(compare).map(({ id }) => id)
            const find = byLocation({ viewer, conditions, sort, after: null, offset, limit: 20, full: false })
            const page = yield* find
            const said = `${name}, ${JSON.stringify({ sort, covered, isOld, chosen: chosen.length })}`
            assert.strictEqual(page.total, ids.length, said)
            assert.deepStrictEqual(page.rows.map(({ id }) => id), ids.slice(offset, offset + 20), said)
            if (offset > 0) assert.deepStrictEqual(yield* inHalves(find), page, said)
          }
        }
      }
      // All but the six corners alone, whose counties tell most of it.
      assert.strictEqual(halved, 2 * (Object.keys(areas).length * asked.length - 1))
    }))
})

withLayer(layer, { excludeTestServices: true })("PropertySearch: a large area in halves", (it) => {
  it.effect("is ordered as a whole by any column, page by page, and may hold nothing", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { byLocation } = yield* PropertySearch
      yield* SyntheticProperties.load({ count: 2000, counties: 200 })
      yield* sql`ANALYZE`
      const builtSince = (year: number): Condition => ({
        _tag: "Range",
        field: "yearBuilt",
        min: year,
        max: null,
        orUnknown: false
      })
      const page = (sort: Sort, after: After | null, year: number) =>
        byLocation({
          viewer: { orgId, visible: everywhere, covered: everywhere },
          conditions: [{ _tag: "Within", polygons: [[sixCorners]] }, builtSince(year)],
          sort,
          after,
          offset: 3,
          limit: 40,
          full: true
        })
      for (const column of Struct.keys(sortKinds)) {
        for (const direction of ["asc", "desc"] as const) {
          const first = yield* page({ column, direction }, null, 1900)
          for (const after of [null, first.next]) {
            const whole = page({ column, direction }, after, 1900)
            assert.deepStrictEqual(yield* inHalves(whole), yield* whole, `${column} ${direction}`)
          }
          assert.isNotNull(first.next)
        }
      }
      const nothing = yield* inHalves(page({ column: "commonName", direction: "asc" }, null, 3000))
      assert.deepStrictEqual(nothing, { rows: [], next: null, total: 0, categories: [] })
    }))
})

withLayer(layer, { excludeTestServices: true })("PropertySearch: areas of many lines, of few properties", (it) => {
  it.effect("hold nothing on the last lines of their grids, which are beyond them", () =>
    Effect.gen(function*() {
      const [countyFips, north, east] = ["09001", 45, -69]
      const corners: Ring = [[-80, 30], [east, 30], [east, north], [-80, north], [-80, 30]]
      // As many lines as are cut into even cells, along one another.
      const polygons = Array.from({ length: 200 }, () => [corners])
      const places = [[40, -75], [north, -75], [north + 1e-5, -75], [40, east + 1e-5], [north + 1, east + 1]] as const
      const properties = places.map(([lat, lon], n) =>
        property({ id: `00000000-0000-4000-a000-00000000000${n}`, key: `on a line ${n}`, countyFips, lat, lon })
      )
      yield* Seeder.use(({ add }) => add({ properties }))
      const { byLocation } = yield* PropertySearch
      const page = yield* byLocation({
        viewer: { orgId, visible: everywhere, covered: everywhere },
        conditions: [{ _tag: "Within", polygons }, { _tag: "Counties", countyFips: [countyFips] }],
        sort: { column: "rawAddress", direction: "asc" },
        after: null,
        offset: 0,
        limit: 10,
        full: false
      })
      assert.deepStrictEqual(page.rows.map(({ id }) => id), properties.slice(0, 2).map(({ id }) => id))
      assert.strictEqual(page.total, 2)
    }))
})
