/** What every `MapPoints` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { Area } from "../coverage/Territory.ts"
import { MapPoints, type MapSearch } from "../map/MapPoints.ts"
import { defaults } from "../organization/Organization.ts"
import type { Condition } from "../property/PropertySearch.ts"
import { property, type Seed, type Seeder, startOver } from "./Seed.ts"

const orgId = "sample-org"
const other = "other-org"
const county = "48001"
const everywhere: Area = { nationwide: true, stateFips: [], countyFips: [] }
const nowhere: Area = { nationwide: false, stateFips: [], countyFips: [] }
const box: Condition = { _tag: "Box", north: 33, south: 32, east: -96, west: -97 }

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const at = (n: number, lat: number | null, lon: number | null, countyFips = county) =>
  property({ id: id(n), countyFips, lat, lon })

const find = Effect.fnUntraced(function*(given: Partial<MapSearch> = {}) {
  const map = yield* MapPoints
  return yield* map.find({
    viewer: { orgId, visible: everywhere, covered: nowhere },
    conditions: [box],
    most: 100,
    cells: 4,
    ...given
  })
})

const seeded = (seed: Partial<Seed>) => startOver({ organizations: [defaults(orgId), defaults(other)], ...seed })

const research = {
  beneficialOwner: null,
  beneficialOwnerType: null,
  managementCompany: null,
  aiRationale: null,
  researchedAt: "2026-01-01T00:00:00.000Z",
  tier: "Standard"
} as const

const lead = (org: string, n: number, status: "qualified" | "lost") => ({
  orgId: org,
  propertyId: id(n),
  status,
  dealValue: null,
  qualifiedAt: "2026-01-01T00:00:00.000Z",
  qualifiedBy: { kind: "agent" as const, id: null, name: "Sample" },
  statusChangedAt: "2026-01-01T00:00:00.000Z",
  version: 1
})

/** `layer` is a store of its own. */
export const mapPointsContract = <E>(name: string, layer: Layer.Layer<MapPoints | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`MapPoints: ${name}`, (it) => {
    it.effect("places within the box come with the smallest box around them, retired and placeless ones do not", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: [
            at(1, 32.5, -96.5),
            { ...at(2, 32.25, -96.75), assetCategory: "Office" },
            at(3, 34, -96.5),
            at(4, null, null),
            { ...at(5, 32.5, -96.5), retiredInto: id(1) }
          ]
        })
        assert.deepStrictEqual(yield* find(), {
          total: 2,
          extent: { north: 32.5, south: 32.25, east: -96.5, west: -96.75 },
          places: [
            { lat: 32.25, lon: -96.75, category: "Office", state: "none" },
            { lat: 32.5, lon: -96.5, category: null, state: "none" }
          ],
          cells: []
        })
      }))

    it.effect("nothing found is no extent", () =>
      Effect.gen(function*() {
        yield* seeded({})
        assert.deepStrictEqual(yield* find(), { total: 0, extent: null, places: [], cells: [] })
      }))

    it.effect("what lies outside the visible area is not told, nor counted", () =>
      Effect.gen(function*() {
        yield* seeded({ properties: [at(1, 32.5, -96.5), at(2, 32.6, -96.6, "48113")] })
        const visible: Area = { nationwide: false, stateFips: [], countyFips: ["48113"] }
        const found = yield* find({ viewer: { orgId, visible, covered: nowhere } })
        assert.deepStrictEqual(found.places.map(({ lat }) => lat), [32.6])
        assert.strictEqual(found.total, 1)
        const asked: Condition = { _tag: "Counties", countyFips: [county] }
        const outside = yield* find({ viewer: { orgId, visible, covered: nowhere }, conditions: [asked] })
        assert.strictEqual(outside.total, 0)
      }))

    it.effect("more than the most are counted by cells of their extent, borders included", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: [at(1, 32, -97), at(2, 32.05, -96.95), at(3, 32.5, -96.5), at(4, 33, -96)]
        })
        const found = yield* find({ most: 3 })
        assert.strictEqual(found.total, 4)
        assert.deepStrictEqual(found.places, [])
        assert.deepStrictEqual(found.cells, [
          { column: 0, row: 0, count: 2 },
          { column: 2, row: 2, count: 1 },
          { column: 3, row: 3, count: 1 }
        ])
      }))

    it.effect("many at one place are one cell", () =>
      Effect.gen(function*() {
        yield* seeded({ properties: [at(1, 32.5, -96.5), at(2, 32.5, -96.5)] })
        assert.deepStrictEqual((yield* find({ most: 1 })).cells, [{ column: 0, row: 0, count: 2 }])
      }))

    it.effect("each place tells how it stands with the organization, and nothing of another", () =>
      Effect.gen(function*() {
        const placed = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
          ...at(n, 32 + n / 10, -96.5),
          research: n === 1 ? null : research
        }))
        yield* seeded({
          properties: placed,
          accesses: [{ orgId, kind: "property", id: id(3), source: "paid" }],
          leads: [lead(orgId, 4, "qualified"), lead(orgId, 5, "lost"), lead(other, 7, "qualified")],
          customers: [{ orgId, propertyId: id(6), status: "active" }, {
            orgId: other,
            propertyId: id(7),
            status: "active"
          }]
        })
        const states = (yield* find()).places.map(({ state }) => state)
        assert.deepStrictEqual(states, ["none", "locked", "revealed", "lead", "locked", "customer", "locked"])
        const covered = yield* find({ viewer: { orgId, visible: everywhere, covered: everywhere } })
        assert.strictEqual(covered.places[1]?.state, "revealed")
      }))
  })
}
