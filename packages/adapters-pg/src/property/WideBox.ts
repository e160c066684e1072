/**
 * Boxes of a map, as conditions; and a search by a wide one alone, as parts of its statement: of the counties that lie within the box as a
 * whole (`inside`) the counts are kept for maps (`map_cell`), and the page is read from their lists in the order; the properties of
 * those that the border crosses are looked at one by one.
 *
 * *Gotchas*
 *
 * - What has no place is in no box, and not in the counts of maps either.
 */
import type { Area } from "@freehold/core/coverage/Territory"
import { type Box, plainBoxes } from "@freehold/core/property/Geography"
import type { Condition } from "@freehold/core/property/PropertySearch"
import type { SqlClient, Statement } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"

type Fragment = Statement.Fragment

/** In square degrees. */
const narrow = 0.02

/**
 * A smaller box is read from the index of places; of a wide one the counties that it touches are read from the indexes in county order, which
 * hold all that a search compares.
 */
export const isWide = ({ east, north, south, west }: Box): boolean => (east - west) * (north - south) >= narrow

/** The box that is all a search asks for, if it is a wide one and does not go over the meridian of 180 degrees; null: it is not so. */
export const of = (conditions: ReadonlyArray<Condition>): Box | null => {
  const [box, ...others] = conditions.flatMap((condition) => condition._tag === "Box" ? plainBoxes(condition) : [])
  return box === undefined || others.length > 0 || conditions.length > 1 || !isWide(box) ? null : box
}

export const make = (sql: SqlClient.SqlClient) => {
  const { inArea } = Visibility.make(sql, { property: "", county: "e.county_fips" })

  /** Of the extent `e` of a county. */
  const touches = ({ east, north, south, west }: Box): Fragment =>
    sql`(e.south <= ${north}::float8 AND e.north >= ${south}::float8 AND e.west <= ${east}::float8 AND e.east >= ${west}::float8)`

  /** Of the extent `e` of a county. */
  const isInside = ({ east, north, south, west }: Box): Fragment =>
    sql`(e.south >= ${south}::float8 AND e.north <= ${north}::float8 AND e.west >= ${west}::float8 AND e.east <= ${east}::float8)`

  /** Of the property `p`. */
  const holds = ({ east, north, south, west }: Box): Fragment =>
    sql`(p.lat BETWEEN ${south}::float8 AND ${north}::float8 AND p.lon BETWEEN ${west}::float8 AND ${east}::float8)`

  /** Of the property `p`: it lies in the box, in a visible county that the border crosses. */
  const isAtBorder = (visible: Area, box: Box): Fragment =>
    sql`(p.county_fips = ANY(ARRAY(
      SELECT e.county_fips FROM county_extent e WHERE ${touches(box)} AND NOT ${isInside(box)} AND ${inArea(visible)}
    )) AND ${holds(box)})`

  /** The common table `inside`: the visible counties within the box as a whole. */
  const inside = (visible: Area, box: Box): Fragment =>
    sql`inside AS MATERIALIZED (
      SELECT e.county_fips FROM county_extent e WHERE ${isInside(box)} AND ${inArea(visible)}
    )`

  /** How many lie in the counties inside, by category. */
  const countedInside: Fragment =
    sql`SELECT nullif(k.asset_category, '') AS name, sum(k.count)::int AS count FROM map_cell_now k
      WHERE k.level = 0 AND k.county_fips = ANY(ARRAY(SELECT county_fips FROM inside)) GROUP BY 1`

  /** Of each county inside what a select of it answers, which calls it `inside`. */
  const ofEachInside = (select: Fragment): Fragment =>
    sql`SELECT each.* FROM inside CROSS JOIN LATERAL (${select}) AS each`

  return { countedInside, holds, inside, isAtBorder, ofEachInside, touches }
}
