/** Reads the places of a map: rounded to a raster, so that they are good for a picture and for nothing else. */
import { Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import * as CountyTable from "../property/CountyTable.ts"
import type { Box } from "../property/Geography.ts"
import * as SearchFilters from "../property/SearchFilters.ts"
import { boundsCondition, requireBounds, requireLocation } from "../property/SearchRequest.ts"
import type { GetMapPoints } from "./MapOperations.ts"
import { type MapCell, MapPoints } from "./MapPoints.ts"

const mostPoints = 4000
const cellsEachWay = 48
/** Steps of the raster each way. */
const raster = 4096

const rounded = (value: number, from: number, to: number): number => {
  const step = (to - from) / raster
  return step === 0 ? value : Math.min(to, from + Math.round((value - from) / step) * step)
}

const middleOf = ({ column, count, row }: MapCell, { east, north, south, west }: Box) => ({
  lat: south + (row + 0.5) / cellsEachWay * (north - south),
  lon: west + (column + 0.5) / cellsEachWay * (east - west),
  count
})

export const make = Effect.gen(function*() {
  const map = yield* MapPoints
  const search = yield* SearchFilters.make
  const counties = yield* CountyTable.make

  const read: HandlerOf<typeof GetMapPoints> = Effect.fn("MapReader.read")(function*({ bounds, filters = {} }) {
    const caller = yield* Caller
    if (bounds === undefined) yield* Effect.fromResult(requireLocation(filters))
    else yield* Effect.fromResult(requireBounds(bounds))
    const known = yield* counties
    const conditions = yield* search.conditions(filters, caller, known)
    yield* Territory.requireSome(caller)
    yield* search.requireLists(filters, caller)
    const { cells, extent, places, total } = yield* map.find({
      viewer: viewerOf(caller),
      conditions: bounds === undefined ? conditions : [boundsCondition(bounds), ...conditions],
      most: mostPoints,
      cells: cellsEachWay
    })
    return {
      total,
      extent,
      points: extent === null ? [] : places.map(({ category, lat, lon, state }) => ({
        lat: rounded(lat, extent.south, extent.north),
        lon: rounded(lon, extent.west, extent.east),
        category,
        state
      })),
      cells: extent === null ? [] : cells.map((cell) => middleOf(cell, extent))
    }
  })

  return { read }
})
