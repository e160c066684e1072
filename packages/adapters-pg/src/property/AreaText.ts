/** An area as a statement takes it: its grid, and what it has of each cell as JSON, written in slices like the grid itself; and its conditions. */
import type { Box, Ring } from "@freehold/core/property/Geography"
import type { Condition } from "@freehold/core/property/PropertySearch"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { type CellPart, gridOf, pointsAtOnce } from "./PolygonGrid.ts"

type Fragment = Statement.Fragment

export interface AreaText {
  readonly columns: ReadonlyArray<number>
  readonly rows: ReadonlyArray<number>
  /** An array of `{ cell, borders, holes }`, in units; `borders` is null where the cell lies wholly within. */
  readonly parts: string
  /** A byte for each cell, in hex: 1 where it lies wholly within. */
  readonly whole: string
}

/** The areas of a search's conditions; null: there is nothing of it. */
export type Areas = ReadonlyMap<Condition, AreaText | null>

/** Along each side of its box, so that points are whole numbers, which are short and quick to write; of the whole globe some 4 cm. */
const unitsAcross = 2 ** 30

const unitOf = (lines: ReadonlyArray<number>) => {
  const low = Math.min(...lines)
  return { low, perDegree: unitsAcross / (Math.max(...lines) - low) }
}

/** Writes the points of a polygon, in units from the corner of the box in the south and west. */
const writerOf = ({ columns, rows }: Pick<AreaText, "columns" | "rows">) => {
  const east = unitOf(columns)
  const north = unitOf(rows)
  return (ring: Ring): string =>
    ring.map(([lon, lat]) =>
      `${Math.round((lon - east.low) * east.perDegree)},${Math.round((lat - north.low) * north.perDegree)}`
    ).join(",")
}

/** The parts of one cell. All borders without holes are in one row: comparing with an array is quicker than a row for each. */
const rowsOf = (
  cell: number,
  parts: ReadonlyArray<CellPart>,
  polygonText: (ring: Ring) => string
): ReadonlyArray<string> => {
  const solid = parts.filter(({ holes }) => holes.length === 0)
  const borders = solid.flatMap(({ border }) => border === null ? [] : [polygonText(border)])
  return [
    ...solid.length === 0 ? [] : [{ cell, borders: borders.length < solid.length ? null : borders, holes: null }],
    ...parts.filter(({ holes }) => holes.length > 0).map(({ border, holes }) => ({
      cell,
      borders: border === null ? null : [polygonText(border)],
      holes: holes.map(polygonText)
    }))
  ].map((row) => JSON.stringify(row))
}

const pointsOf = ({ border, holes }: CellPart): number =>
  holes.reduce((sum, hole) => sum + hole.length, 1 + (border?.length ?? 0))

/** null: there is nothing of it. */
export const make = Effect.fnUntraced(function*(polygons: ReadonlyArray<ReadonlyArray<Ring>>) {
  const grid = yield* gridOf(polygons)
  if (grid === null) return null
  const polygonText = writerOf(grid)
  const rows: Array<string> = []
  const whole = Buffer.alloc((grid.columns.length - 1) * (grid.rows.length - 1))
  let written = 0
  for (const [cell, parts] of Map.groupBy(grid.parts, (part) => part.cell)) {
    written += parts.reduce((sum, part) => sum + pointsOf(part), 0)
    if (written > pointsAtOnce) {
      written = 0
      yield* Effect.yieldNow
    }
    rows.push(...rowsOf(cell, parts, polygonText))
    if (parts.some(({ border, holes }) => border === null && holes.length === 0)) whole[cell] = 1
  }
  const area: AreaText = {
    columns: grid.columns,
    rows: grid.rows,
    parts: `[${rows.join(",")}]`,
    whole: `\\x${whole.toString("hex")}`
  }
  return area
})

export const ofConditions = Effect.fnUntraced(function*(conditions: ReadonlyArray<Condition>) {
  const areas = new Map<Condition, AreaText | null>()
  for (const condition of conditions) {
    if (condition._tag === "Within") areas.set(condition, yield* make(condition.polygons))
  }
  return areas
})

/** The smallest box around all of it. */
export const boxOf = ({ columns, rows }: AreaText): Box => ({
  west: Math.min(...columns),
  east: Math.max(...columns),
  south: Math.min(...rows),
  north: Math.max(...rows)
})

/** The cell of a place, whose coordinates are columns. */
const cellOf = (sql: SqlClient.SqlClient, { columns, rows }: AreaText) => {
  const step = (lines: ReadonlyArray<number>) => (coordinate: string): Fragment =>
    sql`width_bucket(${sql.literal(coordinate)}, ${`{${lines.slice(1, -1).join(",")}}`}::float8[])`
  return { column: step(columns), row: step(rows) }
}

/** Of a property `p` in the area's box: each place is compared with what the area has of its cell alone. */
export const holds = (sql: SqlClient.SqlClient, area: AreaText): Fragment => {
  const { column, row } = cellOf(sql, area)
  const across = (coordinate: string, lines: ReadonlyArray<number>): Fragment => {
    const { low, perDegree } = unitOf(lines)
    return sql`(${sql.literal(coordinate)} - ${low}::float8) * ${perDegree}::float8`
  }
  const place = sql`point(${across("p.lon", area.columns)}, ${across("p.lat", area.rows)})`
  return sql`EXISTS (
    SELECT FROM jsonb_to_recordset(${area.parts}::jsonb) AS part (cell int, borders polygon[], holes polygon[])
    WHERE part.cell = (${column("p.lon")}) * ${area.rows.length - 1}::int + ${row("p.lat")}
      AND (part.borders IS NULL OR ${place} <@ ANY(part.borders))
      AND (part.holes IS NULL OR NOT ${place} <@ ANY(part.holes))
  )`
}

/** Of the extent `e` of a county in the area's box: it touches only cells that lie wholly within. */
export const holdsExtent = (sql: SqlClient.SqlClient, area: AreaText): Fragment => {
  const { column, row } = cellOf(sql, area)
  return sql`NOT EXISTS (
    SELECT FROM generate_series(${column("e.west")}, ${column("e.east")}) AS column_of (n)
    CROSS JOIN generate_series(${row("e.south")}, ${row("e.north")}) AS row_of (n)
    WHERE get_byte(${area.whole}::bytea, column_of.n * ${area.rows.length - 1}::int + row_of.n) = 0
  )`
}
