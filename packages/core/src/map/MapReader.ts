/** Reads the places of a map: rounded to a raster, so that they are good for a picture and for nothing else. */
import { Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import * as CountyTable from "../property/CountyTable.ts"
import { type Box, boxAroundAll, type Place } from "../property/Geography.ts"
import * as SearchFilters from "../property/SearchFilters.ts"
import { requireBounds, requireLocation } from "../property/SearchRequest.ts"
import * as MapGrid from "./MapGrid.ts"
import type { GetMapPoints } from "./MapOperations.ts"
import { type MapFinding, MapPoints } from "./MapPoints.ts"

const mostPoints = 4000
/** So that the numbers of cells beside one another can be read where a map is as wide as the half of a screen. */
const cellsAcross = 24
/** Steps of the raster each way. */
const raster = 4096

const rounded = (value: number, from: number, to: number): number => {
  const step = (to - from) / raster
  return step === 0 ? value : Math.min(to, from + Math.round((value - from) / step) * step)
}

const boxOf = ({ lat, lon }: Place): Box => ({ north: lat, south: lat, east: lon, west: lon })

const middleOf = ({ east, north, south, west }: Box): Place => ({ lat: (south + north) / 2, lon: (west + east) / 2 })

const viewOf = (found: MapFinding) => {
  if (found._tag === "Places") {
    const extent = boxAroundAll(found.places.map(boxOf))
    return {
      total: found.places.length,
      extent,
      points: extent === null ? [] : found.places.map(({ category, lat, lon, state }) => ({
        lat: rounded(lat, extent.south, extent.north),
        lon: rounded(lon, extent.west, extent.east),
        category,
        state
      })),
      cells: []
    }
  }
  const cells = found.cells.map(({ column, count, row }) => ({
    box: MapGrid.edgesOf(found.level, { west: column, east: column, south: row, north: row }),
    count
  }))
  return {
    total: cells.reduce((sum, { count }) => sum + count, 0),
    extent: boxAroundAll(cells.map(({ box }) => box)),
    points: [],
    cells: cells.map(({ box, count }) => ({ ...middleOf(box), count }))
  }
}

export const make = Effect.gen(function*() {
  const map = yield* MapPoints
  const search = yield* SearchFilters.make
  const counties = yield* CountyTable.make

  const read: HandlerOf<typeof GetMapPoints> = Effect.fn("MapReader.read")(function*({ bounds, filters = {} }) {
    const caller = yield* Caller
    if (bounds === undefined) yield* Effect.fromResult(requireLocation(filters))
    else yield* Effect.fromResult(requireBounds(bounds))
    const known = yield* counties
    const checked = yield* search.checked(filters, caller, known)
    yield* Territory.requireSome(caller)
    yield* search.requireLists(filters, caller)
    const { found } = yield* search.found(
      checked,
      caller,
      known,
      (conditions) =>
        Effect.map(
          map.find({
            viewer: viewerOf(caller),
            box: bounds ?? null,
            conditions,
            most: mostPoints,
            across: cellsAcross
          }),
          viewOf
        )
    )
    return found
  })

  return { read }
})
