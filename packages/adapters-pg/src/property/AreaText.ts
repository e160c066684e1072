/** An area as a statement takes it: its grid, and what it has of each cell as JSON, written in slices like the grid itself. */
import type { Ring } from "@freehold/core/property/Geography"
import { Effect } from "effect"
import { type CellPart, gridOf, pointsAtOnce } from "./PolygonGrid.ts"

export interface AreaText {
  readonly columns: ReadonlyArray<number>
  readonly rows: ReadonlyArray<number>
  /** An array of `{ cell, borders, holes }`; `borders` is null where the cell lies wholly within. */
  readonly parts: string
}

const polygonText = (ring: Ring): string => `(${ring.map(([lon, lat]) => `(${lon},${lat})`).join(",")})`

/** The parts of one cell. All borders without holes are in one row: comparing with an array is quicker than a row for each. */
const rowsOf = (cell: number, parts: ReadonlyArray<CellPart>): ReadonlyArray<string> => {
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
  const rows: Array<string> = []
  let written = 0
  for (const [cell, parts] of Map.groupBy(grid.parts, (part) => part.cell)) {
    written += parts.reduce((sum, part) => sum + pointsOf(part), 0)
    if (written > pointsAtOnce) {
      written = 0
      yield* Effect.yieldNow
    }
    rows.push(...rowsOf(cell, parts))
  }
  const area: AreaText = { columns: grid.columns, rows: grid.rows, parts: `[${rows.join(",")}]` }
  return area
})
