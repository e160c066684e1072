/**
 * Where properties lie, for a map: places without ids and names, and counts where there are too many of them.
 *
 * A query comes fully checked and narrowed to what the caller may see, as one of `PropertySearch` does.
 */
import { Context, type Effect, Schema } from "effect"
import type { Viewer } from "../coverage/Viewer.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Box } from "../property/Geography.ts"
import type { Condition } from "../property/PropertySearch.ts"

/**
 * How a property stands with the organization, the first that holds from the end: an active customer, a lead that is
 * neither lost nor disqualified, or its research (`Research`).
 */
export const MapState = Schema.Literals(["none", "locked", "revealed", "lead", "customer"])
export type MapState = typeof MapState.Type

export interface MapPlace {
  readonly lat: number
  readonly lon: number
  readonly category: string | null
  readonly state: MapState
}

/** So many lie in a cell of the extent, which is cut into equal columns from the west and rows from the south. */
export interface MapCell {
  readonly column: number
  readonly row: number
  readonly count: number
}

export interface MapSearch {
  readonly viewer: Viewer
  readonly conditions: ReadonlyArray<Condition>
  /** At most so many places; when there are more, they are counted by cells. */
  readonly most: number
  /** Columns, and rows, of the cells. */
  readonly cells: number
}

export interface MapFinding {
  /** All matches that have a place. */
  readonly total: number
  /** The smallest box of longitudes and latitudes that holds them; null: there are none. */
  readonly extent: Box | null
  /** By latitude, longitude, then category. */
  readonly places: ReadonlyArray<MapPlace>
  /** By row, then column; empty where there are places. */
  readonly cells: ReadonlyArray<MapCell>
}

/** Port: where the properties lie that meet conditions. */
export class MapPoints extends Context.Service<MapPoints, {
  find(search: MapSearch): Effect.Effect<MapFinding, TemporarilyUnavailable>
}>()("@freehold/core/map/MapPoints") {}
