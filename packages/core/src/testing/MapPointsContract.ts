/** What every `MapPoints` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Area } from "../coverage/Territory.ts"
import { MapPoints, type MapSearch } from "../map/MapPoints.ts"
import * as MapPointsMemory from "../memory/map/MapPointsMemory.ts"
import { MemoryState } from "../memory/MemoryState.ts"
import * as PropertyMergesMemory from "../memory/property/PropertyMergesMemory.ts"
import * as SuppressionsMemory from "../memory/suppression/SuppressionsMemory.ts"
import { defaults } from "../organization/Organization.ts"
import type { Box } from "../property/Geography.ts"
import type { PropertyMerges } from "../property/PropertyMerges.ts"
import type { Condition } from "../property/PropertySearch.ts"
import { Suppressions } from "../suppression/Suppressions.ts"
import {
  AreaDrawn,
  CategoryDrawn,
  ConditionDrawn,
  conditionOf,
  CountiesDrawn,
  Drawn,
  few,
  happen,
  HistoryDrawn,
  orgId,
  orNull,
  seedOf
} from "./DrawnRecords.ts"
import { property, type Seed, type Seeder, startOver } from "./Seed.ts"
import * as SeederMemory from "./SeederMemory.ts"

const other = "other-org"
const county = "48001"
const everywhere: Area = { nationwide: true, stateFips: [], countyFips: [] }
const nowhere: Area = { nationwide: false, stateFips: [], countyFips: [] }
const box: Box = { north: 33, south: 32, east: -96, west: -97 }
const ofCounty: Condition = { _tag: "Counties", countyFips: [county] }
/** Of every property, whatever it is: so a search that asks it cannot be answered from counts of what it is. */
const ofAny: Condition = { _tag: "Range", field: "yearBuilt", min: null, max: null, orUnknown: true }

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const at = (n: number, lat: number | null, lon: number | null, countyFips = county) =>
  property({ id: id(n), countyFips, lat, lon })

const find = Effect.fnUntraced(function*(given: Partial<MapSearch> = {}) {
  const map = yield* MapPoints
  return yield* map.find({
    viewer: { orgId, visible: everywhere, covered: nowhere },
    box,
    conditions: [],
    most: 100,
    across: 8,
    ...given
  })
})

const placesOf = Effect.fnUntraced(function*(given: Partial<MapSearch> = {}) {
  const found = yield* find(given)
  assert(found._tag === "Places")
  return found.places
})

const cellsOf = Effect.fnUntraced(function*(given: Partial<MapSearch>) {
  const found = yield* find(given)
  assert(found._tag === "Cells")
  return { level: found.level, cells: found.cells.map(({ column, count, row }) => [column, row, count]) }
})

const counties = [county, "48113", "06001"] as const
const Placed = Schema.Struct({
  lat: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 300, maximum: 330 }))),
  lon: Schema.Int.check(Schema.isBetween({ minimum: -980, maximum: -950 })),
  county: Schema.Literals(counties),
  category: Schema.NullOr(Schema.Literals(["Office", "Retail"]))
})

const Asked = Schema.Struct({
  most: Schema.Literals([0, 3, 20]),
  across: Schema.Literals([2, 8, 24]),
  box: Schema.NullOr(Schema.Literals([0, 1, 2])),
  counties: Schema.NullOr(Schema.Array(Schema.Literals(counties))),
  category: Schema.NullOr(Schema.Literals(["Office", "Retail"])),
  orUnknown: Schema.Boolean,
  visible: Schema.Literals(["all", "some", "none"])
})

const boxes: ReadonlyArray<Box> = [box, { north: 31.5, south: 30.2, east: -96.05, west: -97.5 }, {
  north: 32,
  south: 31,
  east: -97,
  west: -95
}]

const seen: Readonly<Record<(typeof Asked.Type)["visible"], Area>> = {
  all: everywhere,
  some: { nationwide: false, stateFips: ["06"], countyFips: [county] },
  none: nowhere
}

const searchOf = (asked: typeof Asked.Type): Partial<MapSearch> => ({
  viewer: { orgId, visible: seen[asked.visible], covered: nowhere },
  most: asked.most,
  across: asked.across,
  box: asked.box === null ? null : boxes[asked.box] ?? null,
  conditions: [
    ...asked.counties === null ? [] : [{ _tag: "Counties" as const, countyFips: asked.counties }],
    ...asked.category === null ? [] : [{
      _tag: "OneOf" as const,
      field: "assetCategory" as const,
      values: [asked.category],
      orUnknown: asked.orUnknown
    }]
  ]
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
    it.effect("places within the box are told, retired and placeless ones are not", () =>
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
        assert.deepStrictEqual(yield* placesOf(), [
          { lat: 32.25, lon: -96.75, category: "Office", state: "none" },
          { lat: 32.5, lon: -96.5, category: null, state: "none" }
        ])
        assert.deepStrictEqual((yield* placesOf({ box: null, conditions: [ofCounty] })).length, 3)
      }))

    it.effect("nothing found is no place", () =>
      Effect.gen(function*() {
        yield* seeded({})
        assert.deepStrictEqual(yield* placesOf(), [])
        assert.deepStrictEqual(yield* placesOf({ box: null, conditions: [ofCounty] }), [])
      }))

    it.effect("what lies outside the visible area is not told, nor counted", () =>
      Effect.gen(function*() {
        yield* seeded({ properties: [at(1, 32.5, -96.5), at(2, 32.6, -96.6, "48113")] })
        const visible: Area = { nationwide: false, stateFips: [], countyFips: ["48113"] }
        const viewer = { orgId, visible, covered: nowhere }
        assert.deepStrictEqual((yield* placesOf({ viewer })).map(({ lat }) => lat), [32.6])
        assert.deepStrictEqual((yield* cellsOf({ viewer, most: 0 })).cells.map(([, , count]) => count), [1])
        assert.deepStrictEqual(yield* placesOf({ viewer, conditions: [ofCounty], most: 0 }), [])
      }))

    it.effect("more than the most are counted by the cells that the box touches, whole", () =>
      Effect.gen(function*() {
        yield* seeded({
          properties: [at(1, 32, -97), at(2, 32.05, -96.95), at(3, 32.5, -96.5), at(4, 33.2, -96), at(5, 33.25, -96)]
        })
        const quarters = { level: 1, cells: [[332, 488, 2], [334, 490, 1], [336, 492, 1]] }
        assert.deepStrictEqual(yield* cellsOf({ most: 3 }), quarters)
        assert.deepStrictEqual(yield* cellsOf({ most: 3, conditions: [ofAny] }), quarters)
        assert.deepStrictEqual((yield* placesOf({ most: 4 })).length, 3, "and as many as are wanted are places")
        assert.deepStrictEqual(yield* cellsOf({ most: 3, across: 4 }), {
          level: 0,
          cells: [[83, 122, 3], [84, 123, 2]]
        })
      }))

    it.effect("without a box the cells are as fine as what was found allows", () =>
      Effect.gen(function*() {
        yield* seeded({ properties: [at(1, 32, -97), at(2, 32, -97), at(3, 32.1, -97.1), at(4, 40, -90, "17001")] })
        for (const also of [[], [ofAny]]) {
          const asked = { box: null, most: 1 }
          assert.deepStrictEqual(yield* cellsOf({ ...asked, conditions: [ofCounty, ...also] }), {
            level: 3,
            cells: [[5312, 7808, 2], [5305, 7814, 1]]
          })
          assert.strictEqual((yield* cellsOf({ ...asked, conditions: also })).level, 0)
        }
      }))

    it.effect("a box across the antimeridian is looked at on both sides", () =>
      Effect.gen(function*() {
        yield* seeded({ properties: [at(1, 52, 179.5), at(2, 52, -179.5), at(3, 52, 0)] })
        const across = { box: { north: 53, south: 51, west: 179, east: -179 } }
        assert.deepStrictEqual((yield* placesOf(across)).map(({ lon }) => lon), [-179.5, 179.5])
        for (const conditions of [[], [ofAny]]) {
          assert.deepStrictEqual((yield* cellsOf({ ...across, conditions, most: 1 })).cells.map(([column]) => column), [
            0,
            359
          ])
        }
      }))

    it.effect.prop(
      "counts are those of the properties themselves, whatever is asked",
      {
        placed: Schema.Array(Placed).check(Schema.isMaxLength(60)),
        searches: Schema.Array(Asked).check(Schema.isMinLength(1), Schema.isMaxLength(12))
      },
      ({ placed, searches }) =>
        Effect.gen(function*() {
          yield* seeded({
            properties: placed.map(({ category, county: fips, lat, lon }, n) => ({
              ...at(n, lat === null ? null : lat / 10, lat === null ? null : lon / 10, fips),
              assetCategory: category
            }))
          })
          for (const search of searches.map(searchOf)) {
            assert.deepStrictEqual(
              yield* find(search),
              yield* find({ ...search, conditions: [...search.conditions ?? [], ofAny] })
            )
          }
        }),
      { timeout: 120_000, arbitrary: { runs: 10 } }
    )

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
        const states = (yield* placesOf()).map(({ state }) => state)
        assert.deepStrictEqual(states, ["none", "locked", "revealed", "lead", "locked", "customer", "locked"])
        const covered = yield* placesOf({ viewer: { orgId, visible: everywhere, covered: everywhere } })
        assert.strictEqual(covered[1]?.state, "revealed")
      }))
  })
}

const MapDrawn = Schema.Struct({
  visible: AreaDrawn,
  covered: AreaDrawn,
  box: orNull(Schema.Struct({
    north: Schema.Literals([33, 34]),
    south: Schema.Literals([-40, 0, 33]),
    west: Schema.Literals([-100, -97, 0, 179]),
    east: Schema.Literals([-179, -97, 33])
  })),
  conditions: Schema.Union([
    Schema.Array(Schema.Union([CountiesDrawn, CategoryDrawn])).check(Schema.isMaxLength(2)),
    few(ConditionDrawn)
  ]),
  most: Schema.Literals([0, 1, 3, 100]),
  across: Schema.Literals([2, 24, 800])
})

const memory = Layer.mergeAll(
  MapPointsMemory.layer,
  PropertyMergesMemory.layer,
  SuppressionsMemory.layer,
  SeederMemory.layer
).pipe(Layer.provideMerge(MemoryState.layer), Layer.provide(SecureRandom.layerWebCrypto))

/**
 * The same data, merges, suppressions and searches by whatever a search may ask give the same places and cells as in memory. `layer` is a
 * store of its own.
 */
export const mapsAsInMemory = <E>(
  name: string,
  layer: Layer.Layer<MapPoints | PropertyMerges | Suppressions | Seeder, E>,
  options: { readonly runs: number }
): void => {
  withLayer(layer, { excludeTestServices: true })(`MapPoints: ${name}`, (it) => {
    it.effect.prop(
      "draws what the map in memory draws, in every territory and by every filter (Q4)",
      {
        drawn: Schema.Array(Drawn).check(Schema.isMaxLength(12)),
        history: HistoryDrawn,
        searches: Schema.Array(MapDrawn).check(Schema.isMinLength(1), Schema.isMaxLength(16))
      },
      ({ drawn, history, searches }) =>
        Effect.gen(function*() {
          const model = yield* Layer.build(Layer.fresh(memory))
          const made = Effect.andThen(seeded(seedOf(drawn)), happen(history))
          yield* made
          yield* made.pipe(Effect.provideContext(model))
          for (const { across, box, conditions, covered, most, visible } of searches) {
            const drawing = find({
              viewer: { orgId, visible, covered },
              box,
              conditions: conditions.map(conditionOf),
              most,
              across
            })
            assert.deepStrictEqual(yield* drawing, yield* Effect.provideContext(drawing, model))
          }
          const { lift } = yield* Suppressions
          for (const subject of history.suppressed) yield* lift(subject)
        }),
      { timeout: 120_000, arbitrary: { runs: options.runs } }
    )
  })
}
