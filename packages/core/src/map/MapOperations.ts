/** What the map of the app asks. */
import { Schema } from "effect"
import { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { NoVisibleTerritory } from "../coverage/CoverageRefusals.ts"
import { ListNotFound, WrongListType } from "../list/ListRefusals.ts"
import * as Operation from "../operation/Operation.ts"
import { Bounds, Filters } from "../property/SearchInput.ts"
import { MissingQueryBoundsOrCounty } from "../property/SearchRefusals.ts"
import { MapState } from "./MapPoints.ts"

const Place = { lat: Schema.Finite, lon: Schema.Finite }

/** Places carry neither id nor name, so that a map, which no limit counts, is no way to take the data. */
export const GetMapPoints = Operation.make("app_map_points", {
  title: "Places for a map",
  description:
    "Free. Where the properties of a search lie: up to 4,000 places with category and state, or counts by the cells of a " +
    "grid when there are more. By a box, by filters, or both.",
  input: Schema.Struct({ bounds: Schema.optionalKey(Bounds), filters: Schema.optionalKey(Filters) }),
  output: Schema.Struct({
    /** All places in the box; of cells, all that lies in those that the box touches. */
    total: Schema.Int,
    /** The smallest box around all places, or around all cells; null: there are none. */
    extent: Schema.NullOr(Bounds),
    points: Schema.Array(Schema.Struct({ ...Place, category: Schema.NullOr(Schema.String), state: MapState })),
    /** The middle of each cell, and how many lie in it. */
    cells: Schema.Array(Schema.Struct({ ...Place, count: Schema.Int }))
  }),
  refusals: [MissingQueryBoundsOrCounty, NoVisibleTerritory, SignalsNotEnabled, ListNotFound, WrongListType],
  access: { scope: "data:read", plan: "team", app: "members" },
  effect: "read",
  tool: false
})
