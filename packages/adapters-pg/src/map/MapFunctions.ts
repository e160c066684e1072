/**
 * SQL functions that keep how many properties lie in each cell of the grid of maps (core's `MapGrid`), by county and category, as
 * `database/KeptCounts` does.
 */
import { type Level, perDegree } from "@freehold/core/map/MapGrid"
import * as KeptCounts from "../database/KeptCounts.ts"

/** The more changes are added at once, the fewer cells are counted anew and the nearer together they lie. */
const manyAtFirst = 100_000

/** As many as may wait when a first load has ended. */
export const mostAtFirst = 2 * manyAtFirst

/**
 * The finest level that is kept, of cells of some seven kilometres. What is looked at more closely is small enough to be counted, and a
 * record that is written changes as many counts as there are levels.
 */
export const finestKept: Level = 2

/** The column and the row of the cell of a place, as SQL. */
export const cellOf = (level: Level, lat: string, lon: string): readonly [column: string, row: string] => [
  `floor((${lon} + 180) * ${perDegree[level]})::int`,
  `floor((${lat} + 90) * ${perDegree[level]})::int`
]

/** What is counted of rows of `property`, so often. */
export const countedOf = (rows: string, times: string): string => {
  const [column, row] = cellOf(finestKept, "lat", "lon")
  return `SELECT county_fips, ${column} AS x, ${row} AS y, coalesce(asset_category, '') AS asset_category, ${times} AS count
    FROM ${rows} WHERE retired_into IS NULL AND lat IS NOT NULL AND lon IS NOT NULL`
}

export const counts: KeptCounts.KeptCounts = {
  table: "map_cell",
  key: ["county_fips", "level", "x", "y", "asset_category"],
  changeKey: ["county_fips", "x", "y", "asset_category"],
  added: (changes) => `
    SELECT county_fips, level, x >> 2 * (${finestKept} - level) AS x, y >> 2 * (${finestKept} - level) AS y, asset_category, count
    FROM ${changes}, generate_series(0, ${finestKept}) AS level`,
  after: "",
  lock: "freehold map",
  manyAtFirst
}

const append = (changes: string): string => KeptCounts.append(counts, changes)

const triggers: Readonly<Record<string, string>> = {
  map_cell_inserted: append(`${countedOf("inserted", "count(*)")} GROUP BY 1, 2, 3, 4`),
  map_cell_deleted: append(`${countedOf("deleted", "-count(*)")} GROUP BY 1, 2, 3, 4`),
  map_cell_moved: append(
    `${countedOf("(SELECT OLD.*) AS was", "-1")} UNION ALL ${countedOf("(SELECT NEW.*) AS became", "1")}`
  ),
  map_cell_emptied: "BEGIN TRUNCATE map_cell, map_cell_change; RETURN NULL; END"
}

export const functions = KeptCounts.functions(counts, {
  counts: "the counts of cells",
  triggers,
  ofTrigger: "Trigger of property: keeps the counts of cells."
})
