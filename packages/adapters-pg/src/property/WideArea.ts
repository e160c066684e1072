/**
 * Boxes of a map, as conditions; and a search by a wide area alone, a box or what polygons hold, as parts of its statement: of the counties
 * that lie within it as a whole (`inside`) the counts are kept for maps (`map_cell`), and the page is read from their lists in the order;
 * the properties of those that the border crosses are looked at one by one.
 *
 * *Gotchas*
 *
 * - What has no place is in no area, and not in the counts of maps either.
 */
import type { Area } from "@freehold/core/coverage/Territory"
import type { Viewer } from "@freehold/core/coverage/Viewer"
import { type Box, plainBoxes } from "@freehold/core/property/Geography"
import type { Condition } from "@freehold/core/property/PropertySearch"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"
import * as GriddedArea from "./GriddedArea.ts"

type Fragment = Statement.Fragment

/** In square degrees. */
const narrow = 0.02

/**
 * A smaller box is read from the index of places; of a wide one the counties that it touches are read from the indexes in county order, which
 * hold all that a search compares.
 */
export const isWide = ({ east, north, south, west }: Box): boolean => (east - west) * (north - south) >= narrow

/** A wide area that is all a search asks for. */
export interface WideArea {
  readonly box: Box
  /** null: all of the box. */
  readonly within: GriddedArea.GriddedArea | null
}

/** What has cells of it; null: it is all of its box. */
const griddedOf = ({ within }: WideArea): GriddedArea.GriddedArea | null =>
  within === null || within.isBox ? null : within

/** The visible counties that an area touches. */
type Touched = Pick<GriddedArea.GriddedArea, "extent" | "isMost" | "ofAll"> & {
  readonly counties: ReadonlyArray<string>
}

/** What is asked for, and who sees what. */
interface Asked {
  readonly conditions: ReadonlyArray<Condition>
  readonly viewer: Pick<Viewer, "visible">
}

/** null: the condition is about no area, or about one on both sides of the meridian of 180 degrees. */
const areaOf = (condition: Condition, areas: GriddedArea.Areas): WideArea | null => {
  if (condition._tag === "Box") {
    const [box, ...others] = plainBoxes(condition)
    return box === undefined || others.length > 0 ? null : { box, within: null }
  }
  const within = condition._tag === "Within" ? areas.get(condition) ?? null : null
  return within === null ? null : { box: GriddedArea.boxOf(within), within }
}

/** null: the search asks for more, or for no wide area. */
export const of = (conditions: ReadonlyArray<Condition>, areas: GriddedArea.Areas): WideArea | null => {
  const [condition, ...others] = conditions
  const area = condition === undefined || others.length > 0 ? null : areaOf(condition, areas)
  return area !== null && isWide(area.box) ? area : null
}

export const make = (sql: SqlClient.SqlClient) => {
  const { inArea } = Visibility.make(sql, { property: "", county: "e.county_fips" })

  /** Of the extent `e` of a county. */
  const touches = ({ east, north, south, west }: Box): Fragment =>
    sql`(e.south <= ${north}::float8 AND e.north >= ${south}::float8 AND e.west <= ${east}::float8 AND e.east >= ${west}::float8)`

  /** The visible counties that may have something in the box. */
  const touched = (visible: Area, box: Box): Fragment =>
    sql`SELECT e.county_fips FROM county_extent e WHERE ${touches(box)} AND ${inArea(visible)}`

  /** Those, the box around them, whether they are most of all, and how many properties there are, as the planner takes it. */
  const touchedOfAll = (visible: Area, box: Box) =>
    sql<Touched>`SELECT coalesce(array_agg(e.county_fips) FILTER (WHERE e.is_touched), '{}') AS counties,
        CASE WHEN bool_or(e.is_touched) THEN json_build_object(
          'west', min(e.west) FILTER (WHERE e.is_touched), 'east', max(e.east) FILTER (WHERE e.is_touched),
          'south', min(e.south) FILTER (WHERE e.is_touched), 'north', max(e.north) FILTER (WHERE e.is_touched)
        ) END AS extent,
        2 * count(*) FILTER (WHERE e.is_touched) > count(*) AS "isMost",
        (SELECT greatest(c.reltuples, 0)::int FROM pg_class c WHERE c.oid = 'property'::regclass) AS "ofAll"
      FROM (SELECT e.*, ${touches(box)} AND ${inArea(visible)} AS is_touched FROM county_extent e) AS e`

  /**
   * The areas of conditions. The counties of a wide one are looked for first: how the statement is made and planned depends on how many properties
   * they have, and when it is planned nothing is known of a list that it makes itself. `read` runs that statement.
   */
  const ofConditions = <E, R>(
    { conditions, viewer: { visible } }: Asked,
    read: (counties: Statement.Statement<Touched>) => Effect.Effect<ReadonlyArray<Touched>, E, R>
  ) =>
    GriddedArea.ofConditions(
      conditions,
      Effect.fnUntraced(function*(polygons) {
        const box = GriddedArea.boxAroundPolygons(polygons)
        const [found] = isWide(box) ? yield* read(touchedOfAll(visible, box)) : []
        const area = yield* GriddedArea.make(polygons, found?.extent ?? undefined)
        return area === null ? null : { ...area, ...found }
      })
    )

  /** Of the county of the property `p`. `counties`: those that the box touches, if that is known. */
  const mayHold = (visible: Area, box: Box, counties: ReadonlyArray<string> | null): Fragment =>
    counties === null
      ? sql`p.county_fips = ANY(ARRAY(${touched(visible, box)}))`
      : sql`p.county_fips = ANY(${counties}::text[])`

  /** Of the extent `e` of a county. */
  const isInside = (area: WideArea): Fragment => {
    const { east, north, south, west } = area.box
    const gridded = griddedOf(area)
    return sql.and([
      sql`e.south >= ${south}::float8 AND e.north <= ${north}::float8 AND e.west >= ${west}::float8 AND e.east <= ${east}::float8`,
      ...gridded === null
        ? []
        : [sql`e.north < ${north}::float8 AND e.east < ${east}::float8`, GriddedArea.holdsExtent(sql, gridded)]
    ])
  }

  /** Of the property `p`. */
  const holds = ({ east, north, south, west }: Box): Fragment =>
    sql`(p.lat BETWEEN ${south}::float8 AND ${north}::float8 AND p.lon BETWEEN ${west}::float8 AND ${east}::float8)`

  /** The same but for the last lines, on which no place of a grid lies: there is no cell beyond them. */
  const holdsWithin = ({ east, north, south, west }: Box): Fragment =>
    sql`(p.lat >= ${south}::float8 AND p.lat < ${north}::float8 AND p.lon >= ${west}::float8 AND p.lon < ${east}::float8)`

  /** Of the place of the property `p`. */
  const isHeld = (area: WideArea): Fragment => {
    const gridded = griddedOf(area)
    return gridded === null ? holds(area.box) : sql.and([holdsWithin(area.box), GriddedArea.holds(sql, gridded)])
  }

  /** Of the property `p`: it lies in the area, in a visible county that is none of those `inside`. */
  const isAtBorder = (visible: Area, area: WideArea): Fragment =>
    sql.and([
      sql`p.county_fips = ANY(ARRAY(
        ${touched(visible, area.box)} AND e.county_fips NOT IN (SELECT county_fips FROM inside)
      ))`,
      isHeld(area)
    ])

  /** The common table `inside`: the visible counties within the area as a whole. */
  const inside = (visible: Area, area: WideArea): Fragment =>
    sql`inside AS MATERIALIZED (
      SELECT e.county_fips FROM county_extent e WHERE ${inArea(visible)} AND ${isInside(area)}
    )`

  /** How many lie in the area, by category. `atBorder` counts those in counties that are not inside. */
  const counted = (atBorder: Fragment): Fragment =>
    sql`SELECT name, sum(count)::int AS count FROM (
        ${atBorder}
        UNION ALL
        SELECT nullif(k.asset_category, ''), sum(k.count)::int FROM map_cell_now k
        WHERE k.level = 0 AND k.county_fips = ANY(ARRAY(SELECT county_fips FROM inside)) GROUP BY 1
      ) AS part
      GROUP BY 1 HAVING sum(count) > 0`

  /** How many are counted but not taken off again, by category. */
  const except = (counted: Fragment, taken: ReadonlyArray<Fragment>): Fragment =>
    taken.length === 0 ? counted : sql`SELECT name, sum(count)::int AS count FROM (
        ${counted} UNION ALL SELECT name, -count FROM (${sql.join(" UNION ALL ", false)(taken)}) AS taken
      ) AS part
      GROUP BY 1 HAVING sum(count) > 0`

  /** Of each county inside what a select of it answers, which calls it `inside`. */
  const ofEachInside = (select: Fragment): Fragment =>
    sql`SELECT each.* FROM inside CROSS JOIN LATERAL (${select}) AS each`

  return { counted, except, holds, inside, isAtBorder, isHeld, mayHold, ofConditions, ofEachInside }
}
