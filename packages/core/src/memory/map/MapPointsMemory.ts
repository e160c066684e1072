/** `MapPoints` in memory. */
import { Effect, Layer } from "effect"
import type { Viewer } from "../../coverage/Viewer.ts"
import { MapPoints, type MapState } from "../../map/MapPoints.ts"
import { compareText } from "../../operation/TextOrder.ts"
import type { Property } from "../../property/Property.ts"
import { MemoryState, type State } from "../MemoryState.ts"
import { matching, placeOf, revealTo } from "../property/PropertyMatching.ts"
import { compareBy } from "../property/PropertyReading.ts"
import { standingOf } from "../property/PropertyStates.ts"

const stateOf = (state: State, viewer: Viewer, property: Property): MapState => {
  const { customer, lead } = standingOf(state, viewer.orgId, property.id)
  return customer ? "customer" : lead ? "lead" : revealTo(viewer, property).researchState
}

/** Which of the equal parts between two ends a value lies in. */
const partOf = (value: number, from: number, to: number, parts: number): number =>
  to === from ? 0 : Math.min(parts - 1, Math.floor((value - from) / (to - from) * parts))

/** `MapPoints` in memory. */
export const layer: Layer.Layer<MapPoints, never, MemoryState> = Layer.effect(
  MapPoints,
  Effect.map(MemoryState, (state) =>
    MapPoints.of({
      find: Effect.fn("MapPoints.find")(({ cells, conditions, most, viewer }) =>
        Effect.sync(() => {
          const found = matching(state, viewer, conditions).flatMap((property) => {
            const place = placeOf(property)
            return place === null ? [] : [{ property, ...place }]
          })
          if (found.length === 0) return { total: 0, extent: null, places: [], cells: [] }
          const lats = found.map(({ lat }) => lat)
          const lons = found.map(({ lon }) => lon)
          const extent = {
            north: Math.max(...lats),
            south: Math.min(...lats),
            east: Math.max(...lons),
            west: Math.min(...lons)
          }
          const places = found.map(({ lat, lon, property }) => ({
            lat,
            lon,
            category: property.assetCategory,
            state: stateOf(state, viewer, property)
          })).sort(compareBy(
            (left, right) => left.lat - right.lat,
            (left, right) => left.lon - right.lon,
            (left, right) => compareText(left.category ?? "", right.category ?? "")
          ))
          if (places.length <= most) return { total: places.length, extent, places, cells: [] }
          const counts = Map.groupBy(
            found,
            ({ lat, lon }) =>
              partOf(lat, extent.south, extent.north, cells) * cells + partOf(lon, extent.west, extent.east, cells)
          )
          return {
            total: places.length,
            extent,
            places: [],
            cells: Array.from(counts, ([cell, { length: count }]) => ({
              column: cell % cells,
              row: Math.floor(cell / cells),
              count
            })).sort((left, right) => left.row - right.row || left.column - right.column)
          }
        })
      )
    }))
)
