/**
 * A map from the counts that are kept: as many rows are read as cells are shown, for each county and category of these.
 *
 * They tell of searches by box, counties and categories, where many lie; what else a search asks, and what is looked at closely, is in the
 * properties alone.
 */
import type { Viewer } from "@freehold/core/coverage/Viewer"
import { type CellRange, edgesOf, type Level, levelOf, rangesOf } from "@freehold/core/map/MapGrid"
import type { MapCell, MapSearch } from "@freehold/core/map/MapPoints"
import { assetCategoryNamed } from "@freehold/core/property/AssetCategory"
import type { Condition } from "@freehold/core/property/PropertySearch"
import type { SqlClient, Statement } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"
import { finestKept } from "./MapFunctions.ts"

type Fragment = Statement.Fragment

/** Cells with the level that they are of. */
export interface LeveledCell extends MapCell {
  readonly level: Level
}

export const make = (sql: SqlClient.SqlClient) => {
  const kept = Visibility.make(sql, { property: "", county: "k.county_fips" })
  const extents = Visibility.make(sql, { property: "", county: "e.county_fips" })

  const asCounted = (condition: Condition): ReadonlyArray<Fragment> => {
    if (condition._tag === "Counties") return [sql`k.county_fips = ANY(${condition.countyFips}::text[])`]
    if (condition._tag !== "OneOf" || condition.field !== "assetCategory") return []
    const names = condition.values.flatMap((name) => assetCategoryNamed(name) ?? [])
    return [sql`k.asset_category = ANY(${condition.orUnknown ? [...names, ""] : names}::text[])`]
  }

  /** The conditions on counts; null: they cannot tell. */
  const conditionsOf = ({ conditions, viewer }: MapSearch): Fragment | null => {
    const counted = conditions.map(asCounted)
    return counted.some((each) => each.length === 0) ? null : sql.and([kept.inArea(viewer.visible), ...counted.flat()])
  }

  const inRanges = (ranges: ReadonlyArray<CellRange>): Fragment =>
    sql.or(
      ranges.map(({ east, north, south, west }) =>
        sql`(k.x BETWEEN ${west}::int AND ${east}::int AND k.y BETWEEN ${south}::int AND ${north}::int)`
      )
    )

  /** Counties of which something may lie there. */
  const countiesAt = (viewer: Viewer, level: Level, ranges: ReadonlyArray<CellRange>): Fragment =>
    sql`k.county_fips = ANY(ARRAY(SELECT e.county_fips FROM county_extent e WHERE ${
      extents.inArea(viewer.visible)
    } AND ${
      sql.or(ranges.map((range) => {
        const { east, north, south, west } = edgesOf(level, range)
        return sql`(e.west <= ${east}::float8 AND e.east >= ${west}::float8
          AND e.south <= ${north}::float8 AND e.north >= ${south}::float8)`
      }))
    }))`

  const cellsWhere = (level: Fragment, where: Fragment): Fragment =>
    sql`SELECT k.x AS "column", k.y AS row, sum(k.count)::int AS count FROM map_cell_now k
      WHERE k.level = ${level} AND ${where} GROUP BY k.x, k.y HAVING sum(k.count) > 0`

  const ofBox = (search: MapSearch, box: NonNullable<MapSearch["box"]>, where: Fragment): Fragment | null => {
    const level = levelOf(search.across, (each) => rangesOf(each, box))
    if (level > finestKept) return null
    const ranges = rangesOf(level, box)
    return sql`SELECT ${level}::int AS level, cell.* FROM (${
      cellsWhere(
        sql`${level}::int`,
        sql.and([where, inRanges(ranges), countiesAt(search.viewer, level, ranges)])
      )
    }) AS cell ORDER BY row, "column"`
  }

  /** From level to level, as long as the next one can have no more cells side by side than are wanted; none where it is not kept. */
  const ofAll = ({ across }: MapSearch, where: Fragment): Fragment => {
    const span = (level: Fragment) =>
      sql`SELECT min("column") AS west, max("column") AS east, min(row) AS south, max(row) AS north
        FROM (${cellsWhere(level, where)}) AS cell`
    const mayBeFiner =
      sql`greatest(descent.east - descent.west, descent.north - descent.south) * 4 - 2 <= ${across}::int`
    return sql`
      WITH RECURSIVE descent AS (
        SELECT 0 AS level, coarsest.* FROM (${span(sql`0`)}) AS coarsest
        UNION ALL
        SELECT descent.level + 1, finer.* FROM descent CROSS JOIN LATERAL (${span(sql`descent.level + 1`)}) AS finer
        WHERE descent.level < ${finestKept}::int AND ${mayBeFiner}
      ),
      chosen AS (
        SELECT coalesce(max(level), 0) AS level FROM descent WHERE greatest(east - west, north - south) < ${across}::int
        HAVING NOT EXISTS (SELECT FROM descent WHERE level = ${finestKept}::int AND ${mayBeFiner})
      )
      SELECT chosen.level, cell.* FROM chosen CROSS JOIN LATERAL (${cellsWhere(sql`chosen.level`, where)}) AS cell
      ORDER BY row, "column"`
  }

  /** The statement that answers the cells of a search; null: the counts cannot tell of it, and neither can they if it finds nothing. */
  return (search: MapSearch): Fragment | null => {
    const where = conditionsOf(search)
    if (where === null) return null
    return search.box === null ? ofAll(search, where) : ofBox(search, search.box, where)
  }
}
