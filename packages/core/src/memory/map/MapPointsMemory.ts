/** `MapPoints` in memory. */
import { Effect, Layer } from "effect"
import type { Viewer } from "../../coverage/Viewer.ts"
import * as MapGrid from "../../map/MapGrid.ts"
import { MapPoints, type MapSearch, type MapState } from "../../map/MapPoints.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { inBox, type Place } from "../../property/Geography.ts"
import type { Property } from "../../property/Property.ts"
import { MemoryState, type State } from "../MemoryState.ts"
import { matching, placeOf, revealTo } from "../property/PropertyMatching.ts"
import { compareBy } from "../property/PropertyReading.ts"
import { standingOf } from "../property/PropertyStates.ts"

const stateOf = (state: State, viewer: Viewer, property: Property): MapState => {
  const { customer, lead } = standingOf(state, viewer.orgId, property.id)
  return customer ? "customer" : lead ? "lead" : revealTo(viewer, property).researchState
}

/** The cells of all that was found, as one range; none: nothing was. */
const rangeAround = (places: ReadonlyArray<Place>) => (level: MapGrid.Level): ReadonlyArray<MapGrid.CellRange> => {
  if (places.length === 0) return []
  const columns = places.map(({ lon }) => MapGrid.columnOf(level, lon))
  const rows = places.map(({ lat }) => MapGrid.rowOf(level, lat))
  return [{
    west: Math.min(...columns),
    east: Math.max(...columns),
    south: Math.min(...rows),
    north: Math.max(...rows)
  }]
}

const counted = (level: MapGrid.Level, places: ReadonlyArray<Place>) =>
  Array.from(
    Map.groupBy(
      places.map(({ lat, lon }) => ({ column: MapGrid.columnOf(level, lon), row: MapGrid.rowOf(level, lat) })),
      ({ column, row }) => `${column} ${row}`
    ).values()
  ).flatMap(([cell, ...others]) => cell === undefined ? [] : [{ ...cell, count: others.length + 1 }])
    .sort((left, right) => left.row - right.row || left.column - right.column)

/** `MapPoints` in memory. */
export const layer: Layer.Layer<MapPoints, never, MemoryState> = Layer.effect(
  MapPoints,
  Effect.map(MemoryState, (state) =>
    MapPoints.of({
      find: Effect.fn("MapPoints.find")(({ across, box, conditions, most, viewer }: MapSearch) =>
        Effect.sync(() => {
          const all = matching(state, viewer, conditions).flatMap((property) => {
            const place = placeOf(property)
            return place === null ? [] : [{ property, ...place }]
          })
          const ranges = box === null ? rangeAround(all) : (level: MapGrid.Level) => MapGrid.rangesOf(level, box)
          const level = MapGrid.levelOf(across, ranges)
          const found = all.filter((place) => ranges(level).some((range) => MapGrid.inRange(level, range, place)))
          if (found.length > most) return { _tag: "Cells" as const, level, cells: counted(level, found) }
          return {
            _tag: "Places" as const,
            places: found.filter((place) => box === null || inBox(box, place)).toSorted(compareBy(
              (left, right) => left.lat - right.lat,
              (left, right) => left.lon - right.lon,
              (left, right) => compareText(left.property.assetCategory ?? "", right.property.assetCategory ?? ""),
              (left, right) => compareText(left.property.id, right.property.id)
            )).map(({ lat, lon, property }) => ({
              lat,
              lon,
              category: property.assetCategory,
              state: stateOf(state, viewer, property)
            }))
          }
        })
      )
    }))
)
