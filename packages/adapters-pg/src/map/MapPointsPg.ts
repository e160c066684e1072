/**
 * `MapPoints` over PostgreSQL, on a reading connection: one statement.
 *
 * What is only asked by a box comes from the index of places alone, which carries county and category. How a property stands with
 * the organization is looked up for places that are shown, not for those that are counted.
 */
import type { Viewer } from "@freehold/core/coverage/Viewer"
import { type MapCell, type MapPlace, MapPoints, type MapSearch } from "@freehold/core/map/MapPoints"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import * as PropertyConditions from "../property/PropertyConditions.ts"

interface Found {
  readonly total: number
  readonly north: number | null
  readonly south: number | null
  readonly east: number | null
  readonly west: number | null
  readonly places: ReadonlyArray<MapPlace> | null
  readonly cells: ReadonlyArray<MapCell> | null
}

/** Which of the equal parts between two ends a value lies in. */
const partOf = (value: string, from: string, to: string, parts: string): string =>
  `CASE WHEN ${to} = ${from} THEN 0
    ELSE least(${parts} - 1, floor((${value} - ${from}) / (${to} - ${from}) * ${parts}))::int END`

const make = (sql: SqlClient.SqlClient) => {
  const { inArea } = Visibility.make(sql)
  const { held, researched } = Visibility.make(sql, { property: "shown.id", county: "shown.county_fips" })
  const matches = PropertyConditions.make(sql)

  const state = (viewer: Viewer) =>
    sql`CASE
      WHEN EXISTS (SELECT FROM customer_account own
        WHERE own.org_id = ${viewer.orgId} AND own.property_id = shown.id AND own.status = 'active') THEN 'customer'
      WHEN EXISTS (SELECT FROM lead own WHERE own.org_id = ${viewer.orgId} AND own.property_id = shown.id
        AND own.status NOT IN ('lost', 'disqualified')) THEN 'lead'
      WHEN NOT ${researched} THEN 'none'
      WHEN ${held(viewer)} THEN 'revealed'
      ELSE 'locked' END`

  return ({ cells, conditions, most, viewer }: MapSearch, areas: PropertyConditions.Areas) => {
    const where = sql.and([
      sql`p.retired_into IS NULL AND p.lat IS NOT NULL AND p.lon IS NOT NULL`,
      inArea(viewer.visible),
      ...conditions.map(matches(viewer, null, areas))
    ])
    return sql<Found>`
      WITH hit AS MATERIALIZED (SELECT p.id, p.lat, p.lon, p.county_fips, p.asset_category FROM property p WHERE ${where}),
      around AS (
        SELECT count(*)::int AS total, max(lat) AS north, min(lat) AS south, max(lon) AS east, min(lon) AS west FROM hit
      )
      SELECT around.*,
        CASE WHEN total <= ${most}::int THEN (
          SELECT json_agg(
            json_build_object('lat', shown.lat, 'lon', shown.lon, 'category', shown.asset_category, 'state', ${
      state(viewer)
    })
            ORDER BY shown.lat, shown.lon, coalesce(shown.asset_category, '') COLLATE "C"
          )
          FROM hit AS shown
        ) END AS places,
        CASE WHEN total > ${most}::int THEN (
          SELECT json_agg(json_build_object('column', cell.x, 'row', cell.y, 'count', cell.count) ORDER BY cell.y, cell.x)
          FROM (
            SELECT ${sql.literal(partOf("hit.lon", "west", "east", "asked.cells"))} AS x,
              ${sql.literal(partOf("hit.lat", "south", "north", "asked.cells"))} AS y, count(*)::int AS count
            FROM hit, (VALUES (${cells}::int)) AS asked (cells) GROUP BY 1, 2
          ) AS cell
        ) END AS cells
      FROM around`.unprepared
  }
}

export const layer: Layer.Layer<MapPoints, never, Database.Reads> = Layer.effect(
  MapPoints,
  Effect.map(Database.Reads, (sql) => {
    const find = make(sql)
    return MapPoints.of({
      find: Effect.fn("MapPoints.find")(function*(search) {
        const [found] = yield* find(search, yield* PropertyConditions.areasOf(search.conditions))
        if (found === undefined) return yield* Effect.die("an aggregate answers one row")
        const { cells, east, north, places, south, total, west } = found
        const extent = north === null || south === null || east === null || west === null
          ? null
          : { north, south, east, west }
        return { total, extent, places: places ?? [], cells: cells ?? [] }
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
