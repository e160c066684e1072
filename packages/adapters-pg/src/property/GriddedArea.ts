/** An area as a statement takes it: its grid and what it has of each cell, written in slices like the grid itself; and its conditions. */
import type { PgTypes } from "@effect/sql-pg"
import type { Box, Ring } from "@freehold/core/property/Geography"
import type { Condition } from "@freehold/core/property/PropertySearch"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { PolygonArray } from "./PolygonArray.ts"
import { type CellPart, gridOf, type Points, pointsAtOnce, type PolygonGrid, usualSide } from "./PolygonGrid.ts"

type Fragment = Statement.Fragment

export interface GriddedArea extends Pick<PolygonGrid, "columns" | "rows" | "isEven"> {
  /**
   * Of each of the `rings` its cell, whether it is a hole, and with which others it stands: a place lies within the area when it lies in one of the
   * borders that stand together, and in none of their holes.
   */
  readonly cells: ReadonlyArray<number>
  readonly areHoles: ReadonlyArray<boolean>
  readonly groups: ReadonlyArray<number>
  /** `polygon[]` in binary. NULL: a border around the whole cell. */
  readonly rings: PgTypes.Parameter
  /** Whether it is all of its box, of which a statement asks in any case: then it has no cells. */
  readonly isBox: boolean
  /** A byte for each cell, in hex: 1 where it lies wholly within. */
  readonly whole: string
  /** Whether lines cross much of it, so that to compare the properties with them is most of the work. */
  readonly isCrossed: boolean
  /** Whether it touches most of its box: else it is many small places far from each other, and what lies in its counties is most often not in it. */
  readonly isDense: boolean
  /** The visible counties that its box touches, where a statement is planned by them; null: it looks for them itself. */
  readonly counties: ReadonlyArray<string> | null
  /** The smallest box around those; null: it is not known, or there are none. */
  readonly extent: Box | null
  /** Whether those are most of all counties. */
  readonly isMost: boolean
  /** Whether the table is read whole for it, in whatever order it stands there, since no index has all that is asked for besides. */
  readonly isReadWhole: boolean
  /** About how many properties there are in all; 0: that is not known. */
  readonly ofAll: number
  /** The common table of its parts, for a statement that asks for them more than once; null: they are listed where they are asked for. */
  readonly table: string | null
}

/** The areas of a search's conditions; null: there is nothing of it. */
export type Areas = ReadonlyMap<Condition, GriddedArea | null>

/** Whether there is an area of this kind. */
export const has = (areas: Areas, isSuch: (area: GriddedArea) => boolean): boolean =>
  Array.from(areas.values()).some((area) => area !== null && isSuch(area))

/** Whether one of them is looked for in the visible counties that it touches, and so all is. */
export const isByCounties = (areas: Areas): boolean => has(areas, ({ counties }) => counties !== null)

/** The areas beside something of which no index has all: of most of all properties the table is read whole. */
export const readWhole = (areas: Areas): Areas =>
  new Map(
    Array.from(areas, ([condition, area]) => [condition, area?.isMost === true ? { ...area, isReadWhole: true } : area])
  )

/** By how much points are multiplied, since PostgreSQL takes what is nearer than 1e-6 for the same: 1e-6 of a unit is some 0.1 micrometres. */
const unitsInADegree = 2 ** 20

/** Of the cells of a usual area: the others have less than so many on their border. */
const crossedShare = 0.25

/** The smallest box around all of it. */
export const boxOf = ({ columns, rows }: Pick<GriddedArea, "columns" | "rows">): Box => ({
  west: Math.min(...columns),
  east: Math.max(...columns),
  south: Math.min(...rows),
  north: Math.max(...rows)
})

/** The smallest box around all that polygons hold. */
export const boxAroundPolygons = (polygons: ReadonlyArray<ReadonlyArray<Ring>>): Box => {
  const corners = polygons.flatMap(([border = []]) => border)
  return boxOf({ columns: corners.map(([lon]) => lon), rows: corners.map(([, lat]) => lat) })
}

/** Of its box, in square degrees. */
const denseShare = 0.5

const isDense = ({ columns, parts, rows }: PolygonGrid): boolean => {
  const high = rows.length - 1
  const across = (lines: ReadonlyArray<number>, at: number) => (lines[at + 1] ?? Number.NaN) - (lines[at] ?? Number.NaN)
  const touched = Array.from(new Set(parts.map(({ cell }) => cell)))
    .reduce((sum, cell) => sum + across(columns, Math.trunc(cell / high)) * across(rows, cell % high), 0)
  const { east, north, south, west } = boxOf({ columns, rows })
  return touched > denseShare * (east - west) * (north - south)
}

const lengthOf = ({ border, holes }: CellPart): number =>
  holes.reduce((sum, hole) => sum + hole.length, 2 + (border?.length ?? 0)) / 2

/** Whether the corners of a ring, one after the other, are those of a box: the one side of it along an axis, the next along the other. */
const isRectangle = ([one, two, three, four, ...others]: Ring): boolean => {
  if (one === undefined || two === undefined || three === undefined || four === undefined || others.length > 1) {
    return false
  }
  const isAlong = (axis: 0 | 1) =>
    one[axis] === two[axis] && two[1 - axis] === three[1 - axis] && three[axis] === four[axis] &&
    four[1 - axis] === one[1 - axis]
  return (isAlong(0) || isAlong(1)) && one[0] !== three[0] && one[1] !== three[1]
}

/** A rectangle without holes, which is drawn most often, needs no grid. */
const boxGridOf = (polygons: ReadonlyArray<ReadonlyArray<Ring>>): PolygonGrid | null => {
  const [[border, ...holes] = [], ...others] = polygons
  if (border === undefined || holes.length + others.length > 0 || !isRectangle(border)) return null
  const along = (axis: 0 | 1) =>
    Array.from(new Set(border.map((corner) => corner[axis]))).toSorted((one, two) => one - two)
  return { columns: along(0), rows: along(1), isEven: true, parts: [] }
}

/** null: there is nothing of it. `within`: outside nothing is looked for. */
export const make = Effect.fnUntraced(function*(polygons: ReadonlyArray<ReadonlyArray<Ring>>, within?: Box) {
  const rectangle = boxGridOf(polygons)
  const grid = rectangle ?? (yield* gridOf(polygons, within))
  if (grid === null) return null
  const cells: Array<number> = []
  const areHoles: Array<boolean> = []
  const groups: Array<number> = []
  const rings = new PolygonArray(unitsInADegree)
  const whole = Buffer.alloc((grid.columns.length - 1) * (grid.rows.length - 1))
  const add = (cell: number, isHole: boolean, group: number, ring: Points | null) => {
    cells.push(cell)
    areHoles.push(isHole)
    groups.push(group)
    rings.add(ring)
  }
  let written = 0
  for (const [index, part] of grid.parts.entries()) {
    const { border, cell, holes } = part
    written += lengthOf(part)
    if (written > pointsAtOnce) {
      written = 0
      yield* Effect.yieldNow
    }
    // All borders without holes stand together: comparing with an array is quicker than a row for each.
    const group = holes.length === 0 ? 0 : 1 + index
    add(cell, false, group, border)
    for (const hole of holes) add(cell, true, group, hole)
    if (border === null && holes.length === 0) whole[cell] = 1
  }
  const area: GriddedArea = {
    columns: grid.columns,
    rows: grid.rows,
    isEven: grid.isEven,
    cells,
    areHoles,
    groups,
    rings: rings.parameter,
    isBox: rectangle !== null,
    whole: `\\x${whole.toString("hex")}`,
    isCrossed: grid.parts.filter(({ border }) => border !== null).length > usualSide ** 2 * crossedShare,
    isDense: rectangle !== null || isDense(grid),
    counties: null,
    extent: null,
    isMost: false,
    isReadWhole: false,
    ofAll: 0,
    table: null
  }
  return area
})

/** The areas of those conditions that have one, each as it is made of its polygons. */
export const ofConditions = Effect.fnUntraced(function*<E, R>(
  conditions: ReadonlyArray<Condition>,
  areaOf: (polygons: ReadonlyArray<ReadonlyArray<Ring>>) => Effect.Effect<GriddedArea | null, E, R>
) {
  const areas = new Map<Condition, GriddedArea | null>()
  for (const condition of conditions) {
    if (condition._tag === "Within") areas.set(condition, yield* areaOf(condition.polygons))
  }
  return areas
})

/** A box around all that lies in the areas, from the extents of their counties; null: none is known. */
export const extentOf = (areas: Areas): Box | null => {
  const boxes = Array.from(areas.values()).flatMap((area) =>
    area === null || area.extent === null ? [] : [area.extent, boxOf(area)]
  )
  return boxes.length === 0 ? null : {
    west: Math.max(...boxes.map(({ west }) => west)),
    east: Math.min(...boxes.map(({ east }) => east)),
    south: Math.max(...boxes.map(({ south }) => south)),
    north: Math.min(...boxes.map(({ north }) => north))
  }
}

/** The column and the row of a place, whose coordinates are columns: each counted from 0 where the lines are searched, from 1 where they are even. */
const stepsOf = (sql: SqlClient.SqlClient, { columns, isEven, rows }: GriddedArea) => {
  const step = (lines: ReadonlyArray<number>) => (coordinate: string): Fragment =>
    isEven
      ? sql`width_bucket(${sql.literal(coordinate)}, ${lines[0]}::float8, ${lines.at(-1)}::float8, ${
        lines.length - 1
      }::int)`
      : sql`width_bucket(${sql.literal(coordinate)}, ${`{${lines.slice(1, -1).join(",")}}`}::float8[])`
  return { column: step(columns), row: step(rows) }
}

/** The number of a cell, of which `stepsOf` tells the column and the row. */
const cellOf = (sql: SqlClient.SqlClient, { isEven, rows }: GriddedArea, column: Fragment, row: Fragment): Fragment =>
  sql`${column} * ${rows.length - 1}::int + (${row} - ${isEven ? rows.length : 0}::int)`

/** As many cells as the planner may expect: of more it would write what it compares with them to disk and read it again. */
const mostExpected = 100_000

/**
 * What the area has of each cell. The planner is to take them for more than they are: what filters leave of an area is often more than it expects,
 * and for some ten properties it would look through all cells for each, which costs it a hundredth more than to look each up, and so the same. It takes
 * nearly everything for not null, but half of all for true: and in most areas most cells are filled.
 */
const partsOf = (sql: SqlClient.SqlClient, { areHoles, cells, groups, rings }: GriddedArea): Fragment =>
  sql`SELECT cell, nullif(bool_or(ring IS NULL), false) AS filled, array_agg(ring) FILTER (WHERE NOT is_hole) AS borders,
      array_agg(ring) FILTER (WHERE is_hole) AS holes
    FROM unnest(${cells}::int[], ${areHoles}::bool[], ${groups}::int[], ${rings}::polygon[]) AS of (cell, is_hole, together, ring)
    CROSS JOIN generate_series(1, (SELECT 1)) AS once
    GROUP BY cell, together, once LIMIT ${Math.max(mostExpected, cells.length)}::int`

/** The areas for a statement that asks for their parts more than once, and the common tables that it begins with. */
export const asTables = (sql: SqlClient.SqlClient, areas: Areas) => {
  const tables: Array<Fragment> = []
  const tabled: Areas = new Map(Array.from(areas, ([condition, area]) => {
    if (area === null || area.isBox) return [condition, area]
    const table = `part_${tables.length}`
    tables.push(sql`${sql.literal(table)} AS MATERIALIZED (${partsOf(sql, area)})`)
    return [condition, { ...area, table }]
  }))
  return { areas: tabled, tables }
}

/** Of a property `p` in the area's box, but on none of its last lines, where the area is more than its box: each place is compared with what the area has of its cell alone. */
export const holds = (sql: SqlClient.SqlClient, area: GriddedArea): Fragment => {
  const { column, row } = stepsOf(sql, area)
  const place = sql`(point(p.lon, p.lat) * point(${unitsInADegree}::float8, 0))`
  const parts = area.table === null ? sql`(${partsOf(sql, area)})` : sql.literal(area.table)
  return sql`EXISTS (
    SELECT FROM ${parts} AS part
    WHERE part.cell = ${cellOf(sql, area, column("p.lon"), row("p.lat"))}
      AND (part.filled IS NOT NULL OR ${place} <@ ANY(part.borders))
      ${
    area.areHoles.includes(true) ? sql`AND (part.holes IS NULL OR NOT ${place} <@ ANY(part.holes))` : sql.literal("")
  }
  )`
}

/** Of such an extent `e` of a county: it touches only cells that lie wholly within. */
export const holdsExtent = (sql: SqlClient.SqlClient, area: GriddedArea): Fragment => {
  const { column, row } = stepsOf(sql, area)
  return sql`NOT EXISTS (
    SELECT FROM generate_series(${column("e.west")}, ${column("e.east")}) AS column_of (n)
    CROSS JOIN generate_series(${row("e.south")}, ${row("e.north")}) AS row_of (n)
    WHERE get_byte(${area.whole}::bytea, ${cellOf(sql, area, sql.literal("column_of.n"), sql.literal("row_of.n"))}) = 0
  )`
}
