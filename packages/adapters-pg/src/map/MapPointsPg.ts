/**
 * `MapPoints` over PostgreSQL, on a reading connection.
 *
 * Whether there are too many places to be shown is read from the counts that are kept (`KeptCells`), where these can tell, or else from so
 * many places and one more. Then either these are shown or the properties are counted in one pass, which keeps no row of them. How a
 * property stands with the organization is looked up for places that are shown, not for those that are counted.
 *
 * Without a box the level hangs on where the places lie. In a wide area it is taken from the extents of its counties, and if the places lie closer
 * together, they are counted again there in the finest cells: so many that to count a whole country in them takes as long as to find it.
 */
import type { Viewer } from "@freehold/core/coverage/Viewer"
import { type CellRange, edgesOf, finest, type Level, levelOf, rangesOf } from "@freehold/core/map/MapGrid"
import { type MapFinding, type MapPlace, MapPoints, type MapSearch } from "@freehold/core/map/MapPoints"
import { type Box, boxAroundAll } from "@freehold/core/property/Geography"
import { Effect, Layer } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { areasFor } from "../property/CountyIndexes.ts"
import * as GriddedArea from "../property/GriddedArea.ts"
import * as PropertyConditions from "../property/PropertyConditions.ts"
import * as WideArea from "../property/WideArea.ts"
import * as KeptCells from "./KeptCells.ts"
import { cellOf } from "./MapFunctions.ts"

type Fragment = Statement.Fragment

const isOf = (level: Level, { east, north, south, west }: CellRange, sql: SqlClient.SqlClient): Fragment => {
  const [column, row] = cellOf(level, "p.lat", "p.lon")
  return sql`(${sql.literal(column)} BETWEEN ${west}::int AND ${east}::int
    AND ${sql.literal(row)} BETWEEN ${south}::int AND ${north}::int)`
}

/** The box with the whole of the cells that it touches. */
const grown = (level: Level, box: Box): Box => {
  const [first, last = first] = rangesOf(level, box).map((range) => edgesOf(level, range))
  return first === undefined || last === undefined ? box : { ...first, west: first.west, east: last.east }
}

const make = (sql: SqlClient.SqlClient) => {
  const { inArea } = Visibility.make(sql)
  const { held, researched } = Visibility.make(sql, { property: "shown.id", county: "shown.county_fips" })
  const { matches } = PropertyConditions.make(sql)

  const state = (viewer: Viewer) =>
    sql`CASE
      WHEN EXISTS (SELECT FROM customer_account own
        WHERE own.org_id = ${viewer.orgId} AND own.property_id = shown.id AND own.status = 'active') THEN 'customer'
      WHEN EXISTS (SELECT FROM lead own WHERE own.org_id = ${viewer.orgId} AND own.property_id = shown.id
        AND own.status NOT IN ('lost', 'disqualified')) THEN 'lead'
      WHEN NOT ${researched} THEN 'none'
      WHEN ${held(viewer)} THEN 'revealed'
      ELSE 'locked' END`

  /** What meets the conditions, of a box in the whole of the cells that it touches. */
  const meets = ({ box, conditions, viewer }: MapSearch, level: Level, given: GriddedArea.Areas): Fragment => {
    const areas = areasFor(conditions, null, given)
    const matching = matches(viewer, null, areas)
    return sql.and([
      sql`p.retired_into IS NULL AND p.lat IS NOT NULL AND p.lon IS NOT NULL`,
      ...GriddedArea.isByCounties(areas) ? [] : [inArea(viewer.visible)],
      ...conditions.map(matching),
      ...box === null ? [] : [
        matching({ _tag: "Box", ...grown(level, box) }),
        sql.or(rangesOf(level, box).map((range) => isOf(level, range, sql)))
      ]
    ])
  }

  /** Of what lies in the box, in whatever county of it. */
  const within = ({ viewer }: MapSearch, box: Box): Fragment =>
    matches(viewer, null, new Map())({ _tag: "Box", ...box })

  const inside = (box: Box | null): Fragment =>
    box === null ? sql.literal("true") : sql`shown.lat BETWEEN ${box.south}::float8 AND ${box.north}::float8
      AND (shown.lon >= ${box.west}::float8 ${
      sql.literal(box.west <= box.east ? "AND" : "OR")
    } shown.lon <= ${box.east}::float8)`

  /**
   * `places` null: there are too many. Beside something else what is looked for is planned for as a whole: where it is less than expected, all of the table is
   * read, and in the order of an index that would take twice as long.
   */
  const places = (search: MapSearch, where: Fragment) =>
    sql<{ readonly places: ReadonlyArray<MapPlace> | null }>`
      WITH hit AS MATERIALIZED (
        SELECT p.* FROM (SELECT OFFSET 0) AS once CROSS JOIN (
          SELECT p.id, p.lat, p.lon, p.county_fips, p.asset_category FROM property p WHERE ${where} OFFSET 0
        ) AS p LIMIT ${search.most + 1}::int
      )
      SELECT CASE WHEN (SELECT count(*) FROM hit) <= ${search.most}::int THEN (
        SELECT coalesce(json_agg(
          json_build_object('lat', shown.lat, 'lon', shown.lon, 'category', shown.asset_category, 'state', ${
      state(search.viewer)
    })
          ORDER BY shown.lat, shown.lon, coalesce(shown.asset_category, '') COLLATE "C", shown.id
        ), '[]')
        FROM hit AS shown WHERE ${inside(search.box)}
      ) END AS places`.unprepared

  /**
   * The cells of a level; null: of the finest that has no more side by side than are wanted. That level is chosen once: taken for few, the
   * cells would each choose it anew from all of them.
   */
  const cells = ({ across }: MapSearch, level: Level | null, where: Fragment) => {
    const [column, row] = cellOf(level ?? finest, "p.lat", "p.lon")
    const counted = sql`SELECT ${sql.literal(column)} AS "column", ${sql.literal(row)} AS row, count(*)::int AS count
      FROM property p WHERE ${where} GROUP BY 1, 2`
    return level === null
      ? sql<KeptCells.LeveledCell>`
        WITH fine AS MATERIALIZED (${counted}),
        chosen AS MATERIALIZED (
          SELECT coalesce(max(level), 0) AS level, 2 * (${finest}::int - coalesce(max(level), 0)) AS shift
          FROM (SELECT min("column") AS west, max("column") AS east, min(row) AS south, max(row) AS north FROM fine) AS edge
          CROSS JOIN generate_series(0, ${finest}::int) AS level
          WHERE greatest((east >> 2 * (${finest}::int - level)) - (west >> 2 * (${finest}::int - level)),
            (north >> 2 * (${finest}::int - level)) - (south >> 2 * (${finest}::int - level))) < ${across}::int
        )
        SELECT chosen.level, fine."column" >> chosen.shift AS "column", fine.row >> chosen.shift AS row,
          sum(fine.count)::int AS count
        FROM fine CROSS JOIN chosen GROUP BY 1, 2, 3 ORDER BY 3, 2`.unprepared
      : sql<KeptCells.LeveledCell>`
        SELECT ${level}::int AS level, cell.* FROM (${counted}) AS cell ORDER BY row, "column"`.unprepared
  }

  return { cells, kept: KeptCells.make(sql), meets, places, within }
}

const finding = (cells: ReadonlyArray<KeptCells.LeveledCell>): MapFinding => ({
  _tag: "Cells",
  level: cells[0]?.level ?? 0,
  cells: cells.map(({ column, count, row }) => ({ column, row, count }))
})

/** The range of cells that they lie in; null: there are none. */
const rangeOf = (cells: ReadonlyArray<KeptCells.LeveledCell>): CellRange | null =>
  boxAroundAll(cells.map(({ column, row }) => ({ west: column, east: column, south: row, north: row })))

/** Whether a finer level can have no more cells side by side than are wanted. */
const mayBeFiner = ({ east, north, south, west }: CellRange, level: Level, across: number): boolean =>
  level < finest && Math.max(east - west, north - south) * 4 - 2 <= across

const sum = (cells: ReadonlyArray<KeptCells.LeveledCell>): number =>
  cells.reduce((total, { count }) => total + count, 0)

export const layer: Layer.Layer<MapPoints, never, Database.Reads> = Layer.effect(
  MapPoints,
  Effect.map(Database.Reads, (sql) => {
    const statements = make(sql)
    const wideArea = WideArea.make(sql)
    return MapPoints.of({
      find: Effect.fn("MapPoints.find")(function*(search) {
        const { across, box, most } = search
        const kept = statements.kept(search)
        if (kept !== null) {
          const cells = yield* sql<KeptCells.LeveledCell>`${kept}`.unprepared
          if (sum(cells) > most) return finding(cells)
        }
        const areas = yield* wideArea.ofConditions(search, (counties) => counties.unprepared)
        const around = box ?? GriddedArea.extentOf(areas)
        const level = around === null ? null : levelOf(across, (each) => rangesOf(each, around))
        const where = statements.meets(search, level ?? finest, areas)
        const [found] = yield* statements.places(search, where)
        const places = found?.places ?? null
        if (places !== null) return { _tag: "Places" as const, places }
        const cells = yield* statements.cells(search, level, where)
        const range = box === null && level !== null ? rangeOf(cells) : null
        return finding(
          level !== null && range !== null && mayBeFiner(range, level, across)
            ? yield* statements.cells(search, null, sql.and([where, statements.within(search, edgesOf(level, range))]))
            : cells
        )
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
