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
import type { Level } from "./MapGrid.ts"

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

/** So many lie in a cell of the grid. */
export interface MapCell {
  readonly column: number
  readonly row: number
  readonly count: number
}

export interface MapSearch {
  readonly viewer: Viewer
  /** What is looked at; null: all that meets the conditions. */
  readonly box: Box | null
  readonly conditions: ReadonlyArray<Condition>
  /** At most so many places; when there are more in the cells that the box touches, they are counted by these. */
  readonly most: number
  /**
   * At most so many cells side by side, of the finest level that has no more: of the box, or else of what was found. What is wider
   * than that at the coarsest level has more of these.
   */
  readonly across: number
}

export type MapFinding =
  /** Those in the box, by latitude, longitude, then category. */
  | { readonly _tag: "Places"; readonly places: ReadonlyArray<MapPlace> }
  /** Whole cells, with all that meets the conditions in each; by row, then column. */
  | { readonly _tag: "Cells"; readonly level: Level; readonly cells: ReadonlyArray<MapCell> }

/** Port: where the properties lie that meet conditions. */
export class MapPoints extends Context.Service<MapPoints, {
  find(search: MapSearch): Effect.Effect<MapFinding, TemporarilyUnavailable>
}>()("@freehold/core/map/MapPoints") {}
