/** Whether an area cut into cells holds the same places as the area. */
import { assert, describe, it } from "@effect/vitest"
import { inPolygons, type Place, type Ring } from "@freehold/core/property/Geography"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as AreaText from "../../src/property/AreaText.ts"
import * as PolygonGrid from "../../src/property/PolygonGrid.ts"

const { gridSize } = PolygonGrid

const gridOf = (polygons: ReadonlyArray<ReadonlyArray<Ring>>) => Effect.runPromise(PolygonGrid.gridOf(polygons))

/** A thousand points, up and down from left to right. */
const combPoints = Array.from({ length: 499 }, (_, tooth): ReadonlyArray<readonly [number, number]> => [
  [tooth * 0.01, 5],
  [tooth * 0.01 + 0.005, 0.001]
]).flat()

const closed = (points: ReadonlyArray<readonly [number, number]>): Ring => [...points, ...points.slice(0, 1)]

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
  const cell = step(columns, place.lon) * gridSize + step(rows, place.lat)
  return parts.some((part) =>
    part.cell === cell && (part.border === null || inPolygons([[closed(part.border)]], place)) &&
    !part.holes.some((hole) => inPolygons([[closed(hole)]], place))
  )
}

const reaches = fc.array(fc.double({ min: 0.1, max: 20, noNaN: true }), { minLength: 3, maxLength: 40 })
const coordinate = fc.double({ min: -30, max: 30, noNaN: true })

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

  it("leaves few lines to each cell, and none to those that lie wholly within", async () => {
    const combed = (await gridOf([[closed([[0, 0], ...combPoints])]]))?.parts ?? []
    assert.isAbove(combed.length, gridSize)
    assert.isBelow(Math.max(...combed.map(({ border }) => border?.length ?? 0)), 80)
    const square = (await gridOf([[closed([[0, 0], [10, 0], [10, 10], [0, 10]])]]))?.parts ?? []
    const side = gridSize / 2
    assert.lengthOf(square, side ** 2)
    assert.lengthOf(square.filter(({ border }) => border === null), (side - 2) ** 2)
  })

  it("leaves one of many polygons that overlap, wherever a far-off corner lies", async () => {
    const turned = (angle: number, at: number): Ring =>
      closed([0, 1, 2].map((corner) => [
        at + 20 * Math.cos(angle + 2 * Math.PI * corner / 3),
        at + 20 * Math.sin(angle + 2 * Math.PI * corner / 3)
      ]))
    const many = async (shape: (n: number) => Ring) =>
      (await gridOf(Array.from({ length: 250 }, (_, n) => [shape(n)])))?.parts ?? []
    assert.isBelow((await many(() => turned(0, 0))).length, gridSize ** 2)
    assert.isBelow((await many((n) => turned(0, n / 1000))).length, gridSize ** 2)
    assert.isBelow((await many((n) => turned(n, 0))).length, 2 * gridSize ** 2)
    const far = await many((n) => n === 0 ? closed([[170, 80], [171, 80], [171, 81]]) : turned(0, n / 1000))
    assert.isAbove(far.filter(({ border }) => border === null).length, 200)
    assert.isBelow(far.length, gridSize ** 2)
  })

  it("of many points is cut and written while others have their turns", async () => {
    let turns = 0
    let counter = setImmediate(function count() {
      turns++
      counter = setImmediate(count)
    })
    await Effect.runPromise(PolygonGrid.gridOf([[closed([[0, 0], ...combPoints])]]))
    const cut = turns
    await Effect.runPromise(AreaText.make([[closed([[0, 0], ...combPoints])]]))
    clearImmediate(counter)
    assert.isAbove(cut, 10)
    assert.isAbove(turns - cut, cut)
  })
})
