/**
 * Areas of many points, cut into the cells of a grid, so that whether a place lies within is told by its cell and by the few
 * lines that cross it, and not by every point of every border.
 *
 * A border is cut to a cell that is a little wider than the cell itself: where it is cut, lines along the rim are added, and
 * no place of the cell lies on them.
 */
import type { Box, Ring } from "@freehold/core/property/Geography"

/** Cells in each direction. */
export const gridSize = 64

/** What an area has of one cell. */
export interface CellPart {
  readonly cell: number
  /** The part of a polygon's border; null: the cell lies wholly within. */
  readonly border: Ring | null
  readonly holes: ReadonlyArray<Ring>
}

export interface PolygonGrid {
  readonly box: Box
  /** Degrees of a cell. */
  readonly width: number
  readonly height: number
  readonly parts: ReadonlyArray<CellPart>
}

type Point = readonly [number, number]
type Axis = 0 | 1

/** The place between two where the coordinate has the value. */
const crossing = (axis: Axis, value: number, from: Point, to: Point): Point => {
  const share = (value - from[axis]) / (to[axis] - from[axis])
  return axis === 0
    ? [value, from[1] + share * (to[1] - from[1])]
    : [from[0] + share * (to[0] - from[0]), value]
}

/** What of the ring lies on one side of a line: Sutherland and Hodgman's way of cutting. */
const cutAt = (ring: Ring, axis: Axis, value: number, isInside: (coordinate: number) => boolean): Ring => {
  const kept: Array<Point> = []
  let before = ring.at(-1)
  for (const point of ring) {
    if (before !== undefined && isInside(before[axis]) !== isInside(point[axis])) {
      kept.push(crossing(axis, value, before, point))
    }
    if (isInside(point[axis])) kept.push(point)
    before = point
  }
  return kept
}

/** Equal steps along one coordinate, each seen with a rim on both sides. */
interface Steps {
  readonly axis: Axis
  readonly start: number
  readonly length: number
}

const rimShare = 0.01

/** Where the steps from `first` up to `last` begin and end, rims included. */
const spanOf = ({ length, start }: Steps, first: number, last: number): readonly [number, number] => [
  start + (first - rimShare) * length,
  start + (last + rimShare) * length
]

/** Cuts the rings step by step, by halves, so that no point is looked at for every step. */
const eachStep = (
  rings: ReadonlyArray<Ring>,
  steps: Steps,
  found: (step: number, rings: ReadonlyArray<Ring>) => void,
  first = 0,
  last = gridSize
): void => {
  const { axis } = steps
  const [low, high] = spanOf(steps, first, last)
  const cut = rings.map((ring) =>
    cutAt(
      cutAt(ring, axis, low, (coordinate) => coordinate >= low),
      axis,
      high,
      (coordinate) => coordinate <= high
    )
  )
  if ((cut[0]?.length ?? 0) < 3) return
  if (last - first === 1) return found(first, cut)
  const middle = (first + last) / 2
  eachStep(cut, steps, found, first, middle)
  eachStep(cut, steps, found, middle, last)
}

/** Whether a ring that was cut to the rim is the rim itself. */
const fills = (ring: Ring, low: Point, high: Point): boolean =>
  ring.length === 4 && ring.every(([x, y]) => (x === low[0] || x === high[0]) && (y === low[1] || y === high[1])) &&
  new Set(ring.map(([x, y]) => `${x === low[0]} ${y === low[1]}`)).size === 4

const extent = (values: ReadonlyArray<number>): readonly [number, number] =>
  values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity])

/** null: there is nothing of it. The rings are closed; the first of a polygon is its border. */
export const gridOf = (polygons: ReadonlyArray<ReadonlyArray<Ring>>): PolygonGrid | null => {
  const borders = polygons.flatMap(([border]) => border === undefined ? [] : [border]).flat()
  if (borders.length === 0) return null
  const [west, east] = extent(borders.map(([lon]) => lon))
  const [south, north] = extent(borders.map(([, lat]) => lat))
  const width = Math.max((east - west) / gridSize, 1e-9)
  const height = Math.max((north - south) / gridSize, 1e-9)
  const columns: Steps = { axis: 0, start: west, length: width }
  const rows: Steps = { axis: 1, start: south, length: height }
  const parts: Array<CellPart> = []
  for (const rings of polygons) {
    eachStep(
      rings.map((ring) => ring.slice(0, -1)),
      columns,
      (column, strips) =>
        eachStep(strips, rows, (row, [border = [], ...holes]) => {
          const [left, right] = spanOf(columns, column, column + 1)
          const [low, high] = spanOf(rows, row, row + 1)
          parts.push({
            cell: column * gridSize + row,
            border: fills(border, [left, low], [right, high]) ? null : border,
            holes: holes.filter((hole) => hole.length >= 3)
          })
        })
    )
  }
  // Once a polygon fills a cell, no other part of the cell decides anything.
  const filled = new Map(
    parts.flatMap((part) => part.border === null && part.holes.length === 0 ? [[part.cell, part]] : [])
  )
  return {
    box: { north, south, east, west },
    width,
    height,
    parts: parts.filter((part) => (filled.get(part.cell) ?? part) === part)
  }
}
