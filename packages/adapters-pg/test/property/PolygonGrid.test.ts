/** Whether an area cut into cells holds the same places as the area. */
import { assert, describe, it } from "@effect/vitest"
import { type Box, inBox, inPolygons, type Place, type Ring } from "@freehold/core/property/Geography"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as GriddedArea from "../../src/property/GriddedArea.ts"
import * as PolygonGrid from "../../src/property/PolygonGrid.ts"

/** Of an area of few lines. */
const usualCells = PolygonGrid.usualSide ** 2

const gridOf = (polygons: ReadonlyArray<ReadonlyArray<Ring>>, within?: Box) =>
  Effect.runPromise(PolygonGrid.gridOf(polygons, within))

/** A thousand points, up and down from left to right. */
const combPoints = Array.from({ length: 499 }, (_, tooth): ReadonlyArray<readonly [number, number]> => [
  [tooth * 0.01, 5],
  [tooth * 0.01 + 0.005, 0.001]
]).flat()

const closed = (points: ReadonlyArray<readonly [number, number]>): Ring => [...points, ...points.slice(0, 1)]

/** As a ring, which is closed. */
const ringOf = (points: PolygonGrid.Points): Ring =>
  closed(points.flatMap((lon, index) => index % 2 === 0 ? [[lon, points[index + 1] ?? Number.NaN] as const] : []))

/** A ring around a place that does not cross itself. */
const star = (lon: number, lat: number, reaches: ReadonlyArray<number>): Ring =>
  closed(reaches.map((reach, index) => {
    const angle = 2 * Math.PI * index / reaches.length
    return [lon + reach * Math.cos(angle), lat + reach * Math.sin(angle)]
  }))

/** As the statement decides. */
const holds = ({ columns, parts, rows }: PolygonGrid.PolygonGrid, place: Place): boolean => {
  const step = (lines: ReadonlyArray<number>, at: number) => lines.slice(1, -1).filter((line) => line <= at).length
  const within = (lines: ReadonlyArray<number>, at: number) => Math.min(...lines) <= at && at <= Math.max(...lines)
  if (!within(columns, place.lon) || !within(rows, place.lat)) return false
  const cell = step(columns, place.lon) * (rows.length - 1) + step(rows, place.lat)
  return parts.some((part) =>
    part.cell === cell && (part.border === null || inPolygons([[ringOf(part.border)]], place)) &&
    !part.holes.some((hole) => inPolygons([[ringOf(hole)]], place))
  )
}

const reaches = fc.array(fc.double({ min: 0.1, max: 20, noNaN: true }), { minLength: 3, maxLength: 40 })
const coordinate = fc.double({ min: -30, max: 30, noNaN: true })

const corner = fc.tuple(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -300, max: 300 })).map(
  ([lon, lat]) => [lon / 10, lat / 10] as const
)

/** On no line between corners that are whole tenths. */
const amongCorners = corner.map(([lon, lat]) => ({ lon: lon + 0.0271828, lat: lat + 0.0314159 }))

describe("PolygonGrid", () => {
  it("holds the places that the area holds", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ lon: coordinate, lat: coordinate, border: reaches, hole: fc.option(reaches) }), {
          minLength: 1,
          maxLength: 4
        }),
        fc.array(fc.record({ lat: coordinate, lon: coordinate }), { minLength: 1, maxLength: 200 }),
        async (shapes, places) => {
          const polygons = shapes.map(({ border, hole, lat, lon }) => [
            star(lon, lat, border),
            ...hole === null ? [] : [star(lon, lat, hole)]
          ])
          const grid = await gridOf(polygons)
          if (grid === null) throw new Error("there are borders")
          for (const place of places) assert.strictEqual(holds(grid, place), inPolygons(polygons, place))
        }
      ),
      { numRuns: 200 }
    ))

  it("holds the places that a border goes around in any direction, however often it crosses itself", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(corner, { minLength: 3, maxLength: 60 }),
        fc.option(fc.array(corner, { minLength: 3, maxLength: 20 })),
        fc.array(amongCorners, { minLength: 1, maxLength: 200 }),
        async (border, hole, places) => {
          const polygon = [closed(border), ...hole === null ? [] : [closed(hole)]]
          const grid = await gridOf([polygon])
          if (grid === null) throw new Error("there is a border")
          for (const place of places) assert.strictEqual(holds(grid, place), inPolygons([polygon], place))
        }
      ),
      { numRuns: 200 }
    ))

  it("holds of a box the places of it that the area holds", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(corner, { minLength: 3, maxLength: 60 }),
        fc.option(fc.array(corner, { minLength: 3, maxLength: 20 })),
        fc.tuple(corner, corner),
        fc.array(amongCorners, { minLength: 1, maxLength: 200 }),
        async (border, hole, [[lon1, lat1], [lon2, lat2]], places) => {
          const polygon = [closed(border), ...hole === null ? [] : [closed(hole)]]
          const box = {
            west: Math.min(lon1, lon2),
            east: Math.max(lon1, lon2),
            south: Math.min(lat1, lat2),
            north: Math.max(lat1, lat2)
          }
          const grid = await gridOf([polygon], box)
          for (const place of places.filter((each) => inBox(box, each))) {
            assert.strictEqual(grid !== null && holds(grid, place), inPolygons([polygon], place))
          }
        }
      ),
      { numRuns: 200 }
    ))

  it("cuts an area of many lines into even cells, of what is asked for of it", async () => {
    const zigzag = closed(Array.from({ length: 1000 }, (_, n) => [n % 2 === 0 ? -30 : 30, 1 + n / 499] as const))
    const grid = await gridOf([[zigzag]], { west: 1, east: 2, south: 1, north: 3 })
    assert.isTrue(grid?.isEven)
    for (const [lines, low, high] of [[grid?.columns ?? [], 1, 2], [grid?.rows ?? [], 1, 3]] as const) {
      assert.approximately(lines[0] ?? 0, low, 1e-4)
      assert.approximately(lines.at(-1) ?? 0, high, 1e-4)
      const step = (high - low) / (lines.length - 1)
      for (const [n, line] of lines.entries()) assert.approximately(line, low + n * step, 1e-4)
    }
  })

  it("leaves few lines to each cell, and none to those that lie wholly within", async () => {
    const turned = combPoints.map(([lon, lat]) => [lat, lon] as const)
    for (const comb of [combPoints, turned]) {
      const combed = (await gridOf([[closed([[0, 0], ...comb])]]))?.parts ?? []
      assert.isAbove(combed.length, Math.sqrt(usualCells))
      assert.isBelow(Math.max(...combed.map(({ border }) => (border?.length ?? 0) / 2)), 12)
    }
    const square = (await gridOf([[closed([[0, 0], [10, 0], [10, 10], [0, 10]])]]))?.parts ?? []
    const side = Math.sqrt(usualCells) / 2
    assert.lengthOf(square, side ** 2)
    assert.lengthOf(square.filter(({ border }) => border === null), (side - 2) ** 2)
  })

  it("leaves one of many polygons that overlap, wherever a far-off corner lies", async () => {
    const turned = (angle: number, at: number): Ring =>
      closed([0, 1, 2].map((corner) => [
        at + 20 * Math.cos(angle + 2 * Math.PI * corner / 3),
        at + 20 * Math.sin(angle + 2 * Math.PI * corner / 3)
      ]))
    const many = async (shape: (n: number) => Ring) => {
      const grid = await gridOf(Array.from({ length: 250 }, (_, n) => [shape(n)]))
      if (grid === null) throw new Error("there are borders")
      return { parts: grid.parts, cells: (grid.columns.length - 1) * (grid.rows.length - 1) }
    }
    const same = await many(() => turned(0, 0))
    assert.isBelow(same.parts.length, same.cells)
    const moved = await many((n) => turned(0, n / 1000))
    assert.isBelow(moved.parts.length, moved.cells)
    const around = await many((n) => turned(n, 0))
    assert.isBelow(around.parts.length, 2 * around.cells)
    const far = await many((n) => n === 0 ? closed([[170, 80], [171, 80], [171, 81]]) : turned(0, n / 1000))
    assert.isAbove(far.parts.filter(({ border }) => border === null).length, 200)
    assert.isBelow(far.parts.length, far.cells)
  })

  it("that is a rectangle along the axes has no cells: it is its box", async () => {
    const square = [[0, 1], [4, 1], [4, 3], [0, 3]] as const
    const [one, two, three, four] = square
    const made = (...polygons: ReadonlyArray<ReadonlyArray<Ring>>) => Effect.runPromise(GriddedArea.make(polygons))
    for (const points of [square, square.toReversed(), [two, three, four, one]]) {
      const area = await made([closed(points)])
      assert.deepInclude(area, { isBox: true, columns: [0, 4], rows: [1, 3], cells: [] })
    }
    const hole = closed([[1, 1.5], [2, 1.5], [2, 2.5]])
    const others = [
      [[closed([one, three, two, four])]],
      [[closed([one, two, three, [0, 2.5]])]],
      [[closed([one, two, three])]],
      [[closed([...square, [0, 2]])]],
      [[closed(square), hole]],
      [[closed(square)], [hole]]
    ]
    for (const polygons of others) assert.isFalse((await made(...polygons))?.isBox, JSON.stringify(polygons))
  })

  it("of many points is cut and written while others have their turns", async () => {
    let turns = 0
    let counter = setImmediate(function count() {
      turns++
      counter = setImmediate(count)
    })
    await Effect.runPromise(PolygonGrid.gridOf([[closed([[0, 0], ...combPoints])]]))
    const cut = turns
    await Effect.runPromise(GriddedArea.make([[closed([[0, 0], ...combPoints])]]))
    clearImmediate(counter)
    assert.isAbove(cut, 10)
    assert.isAbove(turns - cut, cut)
  })
})
