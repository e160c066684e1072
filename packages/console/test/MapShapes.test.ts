/** The shapes of the map: outlines read from files, and borders made around places. */
import { assert, describe, it } from "vitest"
import { hullOf } from "../src/map/Hull.ts"
import { outlinesOf } from "../src/map/Topology.ts"

describe("a hull", () => {
  it("goes once around the outermost places, and is closed", () => {
    const ring = hullOf([[0, 0], [2, 0], [1, 1], [2, 2], [0, 2], [1, 0], [0, 0]])
    assert.deepStrictEqual(ring, [[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]])
  })

  it("is none around places in a line, at one place, and nowhere", () => {
    assert.isNull(hullOf([[0, 0], [1, 1], [2, 2]]))
    assert.isNull(hullOf([[1, 1], [1, 1]]))
    assert.isNull(hullOf([]))
  })
})

describe("outlines", () => {
  it("share their borders, each walked forwards or backwards", () => {
    const topology = {
      transform: { scale: [0.5, 0.5], translate: [10, 20] },
      arcs: [[[0, 0], [0, 2]], [[0, 2], [-2, 0], [0, -2], [2, 0]], [[0, 0], [2, 0], [0, 2], [-2, 0]]],
      objects: {
        areas: {
          geometries: [
            { type: "Polygon", id: "01", arcs: [[0, 1]] },
            { type: "MultiPolygon", id: 2, arcs: [[[2, ~0]]] },
            { type: null }
          ]
        }
      }
    } as const
    assert.deepStrictEqual(outlinesOf(topology, "areas"), [
      { id: "01", polygons: [[[[10, 20], [10, 21], [9, 21], [9, 20], [10, 20]]]] },
      { id: "2", polygons: [[[[10, 20], [11, 20], [11, 21], [10, 21], [10, 20]]]] }
    ])
    assert.deepStrictEqual(outlinesOf(topology, "others"), [])
  })
})
