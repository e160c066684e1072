import { assert, describe, it } from "@effect/vitest"
import { type Building, derive, noAttributes } from "@freehold/core/property/BuildingAttributes"
import * as fc from "fast-check"

const building = (values: Partial<Building>): Building => ({
  ...noAttributes,
  sqft: null,
  footprintSqft: null,
  isPrimary: null,
  ...values
})

const orNull = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: null })
const area = orNull(fc.integer({ min: 0, max: 1_000_000 }))
const material = orNull(fc.constantFrom("Brick", "Steel", "Wood", "Glass", "Stone", "Stucco", "Vinyl"))

const buildings = fc.array(
  fc.record({
    sqft: area,
    footprintSqft: area,
    isPrimary: orNull(fc.boolean()),
    yearBuilt: orNull(fc.integer({ min: 1850, max: 2026 })),
    numFloors: orNull(fc.integer({ min: 1, max: 60 })),
    exteriorWallMaterial: material,
    hasPool: orNull(fc.boolean())
  }).map(building),
  { maxLength: 30 }
)
const parcels = fc.record({
  yearBuilt: orNull(fc.integer({ min: 1850, max: 2026 })),
  numFloors: orNull(fc.integer({ min: 1, max: 60 })),
  exteriorWallMaterial: material,
  hasPool: orNull(fc.boolean())
}).map((values) => ({ ...noAttributes, ...values }))

describe("derive", () => {
  it("gives shares that sum to 1, most area first, then by value", () => {
    fc.assert(fc.property(buildings, parcels, (given, parcel) => {
      const detail = derive(parcel, given).details.exteriorWallMaterialDetail
      if (detail === null || detail.buildings === 0) return
      const sum = detail.values.reduce((total, { areaShare }) => total + areaShare, 0)
      assert.isBelow(Math.abs(sum - 1), 1e-4)
      for (const [index, value] of detail.values.entries()) {
        assert.strictEqual(value.areaShare, Number(value.areaShare.toFixed(4)))
        const next = detail.values[index + 1]
        if (next === undefined) continue
        assert.isTrue(
          value.areaShare > next.areaShare || (value.areaShare === next.areaShare && value.value < next.value)
        )
      }
      assert.strictEqual(detail.values.reduce((total, value) => total + value.buildings, 0), detail.buildings)
    }))
  })

  it("has a detail exactly where it has a value, and counts buildings that know it", () => {
    fc.assert(fc.property(buildings, parcels, (given, parcel) => {
      const { details, values } = derive(parcel, given)
      for (
        const [value, detail, known] of [
          [values.yearBuilt, details.yearBuiltDetail, given.filter((b) => b.yearBuilt !== null).length],
          [values.numFloors, details.numFloorsDetail, given.filter((b) => b.numFloors !== null).length],
          [values.hasPool, details.hasPoolDetail, given.filter((b) => b.hasPool !== null).length],
          [
            values.exteriorWallMaterial,
            details.exteriorWallMaterialDetail,
            given.filter((b) => b.exteriorWallMaterial !== null).length
          ]
        ] as const
      ) {
        assert.strictEqual(value === null, detail === null)
        assert.strictEqual(detail?.buildings ?? 0, known)
        if (detail === null) continue
        assert.strictEqual(detail.buildingsTotal, given.length)
        assert.strictEqual(detail.basis === "parcel_record", known === 0)
      }
    }))
  })

  it("never invents a value: it stands in a building or in the parcel", () => {
    fc.assert(fc.property(buildings, parcels, (given, parcel) => {
      const { values } = derive(parcel, given)
      for (const name of ["yearBuilt", "numFloors", "exteriorWallMaterial"] as const) {
        const known = [parcel[name], ...given.map((b) => b[name])]
        assert.isTrue(values[name] === null || known.includes(values[name]))
      }
    }))
  })

  it("does not depend on the order of the buildings when one is the assessor's primary", () => {
    fc.assert(fc.property(buildings, parcels, (given, parcel) => {
      const marked = given.map((b, index) => ({ ...b, isPrimary: index === 0 }))
      assert.deepStrictEqual(derive(parcel, marked), derive(parcel, marked.toReversed()))
    }))
  })

  it("takes the value of the only building", () => {
    const { basis, details, values } = derive(noAttributes, [
      building({ yearBuilt: 1931, numFloors: 102, hasPool: true })
    ])
    assert.strictEqual(basis, "assessor_buildings")
    assert.strictEqual(values.yearBuilt, 1931)
    assert.deepStrictEqual(details.yearBuiltDetail, {
      basis: "single_building",
      oldest: 1931,
      newest: 1931,
      primaryBuildingBasis: "only_building",
      buildings: 1,
      buildingsTotal: 1
    })
    assert.strictEqual(details.numFloorsDetail?.basis, "single_building")
    assert.deepStrictEqual(details.hasPoolDetail, {
      basis: "single_building",
      count: 1,
      buildings: 1,
      buildingsTotal: 1
    })
    assert.strictEqual(details.roofCoverDetail, null)
  })

  it("derives each attribute of several buildings by its own rule", () => {
    const { details, values } = derive({ ...noAttributes, qualityGrade: "B+" }, [
      building({ sqft: 1000, yearBuilt: 1990, numFloors: 2, roofCover: "Metal", hasPool: false }),
      building({ sqft: 3000, yearBuilt: 1950, numFloors: 10, roofCover: "Tile", hasPool: true }),
      building({ sqft: 2000, yearBuilt: 2001, roofCover: "Metal" })
    ])
    assert.strictEqual(values.yearBuilt, 1950)
    assert.deepInclude(details.yearBuiltDetail, {
      basis: "primary_building",
      oldest: 1950,
      newest: 2001,
      primaryBuildingBasis: "largest_building_sqft"
    })
    assert.deepStrictEqual(details.numFloorsDetail, {
      basis: "max",
      max: 10,
      areaWeightedMean: 8,
      primaryBuilding: 10,
      primaryBuildingBasis: "largest_building_sqft",
      buildings: 2,
      buildingsTotal: 3
    })
    assert.deepStrictEqual(details.roofCoverDetail, {
      basis: "area_weighted",
      areaShare: 0.5,
      values: [{ value: "Metal", buildings: 2, areaShare: 0.5 }, { value: "Tile", buildings: 1, areaShare: 0.5 }],
      buildings: 3,
      buildingsTotal: 3
    })
    assert.strictEqual(values.hasPool, true)
    assert.deepStrictEqual(details.hasPoolDetail, { basis: "any", count: 1, buildings: 2, buildingsTotal: 3 })
    assert.deepStrictEqual(details.qualityGradeDetail, {
      basis: "parcel_record",
      areaShare: null,
      values: [],
      buildings: 0,
      buildingsTotal: 3
    })
  })

  it("says that the basis is unknown when there is no area to weigh by and no primary building", () => {
    const { details, values } = derive(noAttributes, [
      building({ roofCover: "Metal", sqft: 100 }),
      building({ roofCover: "Tile" }),
      building({ roofCover: "Tile" })
    ])
    assert.strictEqual(values.roofCover, "Tile")
    assert.deepInclude(details.roofCoverDetail, { basis: "unknown", areaShare: 0.6667 })
  })
})
