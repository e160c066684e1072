/**
 * Areas of many points, cut into the cells of a grid, so that whether a place lies within is told by its cell and by the few
 * lines that cross it, and not by every point of every border.
 *
 * The lines of the grid lie at equal distances and where the area has most points, so that no far-off corner makes the
 * cells coarse, and there are more across the direction in which the borders go to and fro. All polygons are cut together, by
 * halves: where one fills what is left, or lies in another, nothing more is cut. So neither the work nor the parts multiply with
 * polygons that overlap.
 *
 * A border is cut to a cell that is a little wider than the cell itself: where it is cut, lines along the rim are added, and
 * no place of the cell lies on them.
 *
 * An area of many points takes tens of milliseconds, so it is cut in slices, and others have their turn in between.
 */
import type { Ring } from "@freehold/core/property/Geography"
import { Effect } from "effect"

/** The most cells. */
export const mostCells = 64 ** 2

/** The most columns of cells, and the most rows. */
const mostInARow = 1024

/** What an area has of one cell. */
export interface CellPart {
  readonly cell: number
  /** The part of a polygon's border; null: the cell lies wholly within. */
  readonly border: Ring | null
  readonly holes: ReadonlyArray<Ring>
}

/** A cell is `column * rows + row`, of all rows and each counted from 0, between a line and the next. */
export interface PolygonGrid {
  readonly columns: ReadonlyArray<number>
  readonly rows: ReadonlyArray<number>
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

/** Degrees: nearer to each other are no two lines of a grid. */
const nearest = 1e-5

/** How far the borders go to and fro along an axis, by how far they reach. */
const travelOf = (polygons: ReadonlyArray<ReadonlyArray<Ring>>, axis: Axis): number => {
  let travel = 0
  let low = Infinity
  let high = -Infinity
  for (const ring of polygons.flat()) {
    let before = ring.at(-1)?.[axis] ?? 0
    for (const point of ring) {
      travel += Math.abs(point[axis] - before)
      before = point[axis]
      low = Math.min(low, before)
      high = Math.max(high, before)
    }
  }
  return travel / Math.max(high - low, nearest)
}

/** How many columns and rows there are at most: so many of each that few lines of the borders lead from one cell into another. */
const sizeOf = (polygons: ReadonlyArray<ReadonlyArray<Ring>>): readonly [columns: number, rows: number] => {
  const wanted = Math.sqrt(mostCells * travelOf(polygons, 1) / travelOf(polygons, 0))
  const columns = Math.round(Math.min(mostInARow, Math.max(mostCells / mostInARow, wanted)))
  return [columns, Math.floor(mostCells / columns)]
}

/** Half of the lines at equal distances, half between as many of the coordinates each; the first and last at the ends. */
const linesOf = (coordinates: ReadonlyArray<number>, most: number): ReadonlyArray<number> => {
  const sorted = coordinates.toSorted((one, other) => one - other)
  const low = sorted[0] ?? 0
  const high = Math.max(sorted.at(-1) ?? 0, low + nearest)
  const half = Math.floor(most / 2)
  const between = Array.from({ length: half - 1 }, (_, n) => [
    low + (n + 1) / half * (high - low),
    sorted[Math.floor((n + 1) / half * sorted.length)] ?? high
  ]).flat().toSorted((one, other) => one - other)
  const lines = [low]
  let last = low
  for (const line of between) {
    if (line - last < nearest || high - line < nearest) continue
    lines.push(line)
    last = line
  }
  return [...lines, high]
}

/** From a line up to another, by their places among the lines of a direction. */
interface Span {
  readonly first: number
  readonly last: number
}

const rimShare = 0.01

/** Degrees: no rim is narrower, so that it is there when its points are written (`AreaText`). */
const narrowestRim = 1e-6

/** Where a span begins and ends, rims included. */
const ends = (lines: ReadonlyArray<number>, { first, last }: Span): Point => {
  const low = lines[first] ?? 0
  const high = lines[last] ?? 0
  const rim = Math.max(narrowestRim, (high - low) * rimShare)
  return [low - rim, high + rim]
}

const halves = ({ first, last }: Span): ReadonlyArray<Span> => {
  const middle = Math.floor((first + last) / 2)
  return [{ first, last: middle }, { first: middle, last }]
}

/** Whether a ring that was cut to the rim is the rim itself. */
const fills = (ring: Ring, [left, right]: Point, [low, high]: Point): boolean =>
  ring.length === 4 && ring.every(([x, y]) => (x === left || x === right) && (y === low || y === high)) &&
  new Set(ring.map(([x, y]) => `${x === left} ${y === low}`)).size === 4

/** Whether the place is to the left of the line, to the right, or on it: above zero, below, or zero. */
const side = ([x1, y1]: Point, [x2, y2]: Point, [x, y]: Point): number => (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)

/** Twice the area; below zero when the points go round clockwise. */
const areaOf = (ring: Ring): number =>
  ring.reduce((sum, [x1, y1], index) => {
    const [x2, y2] = ring[index + 1] ?? ring[0] ?? [x1, y1]
    return sum + x1 * y2 - x2 * y1
  }, 0)

/** What is left of a polygon within a rectangle; the border is not closed. */
interface Piece {
  readonly border: Ring
  readonly holes: ReadonlyArray<Ring>
}

const cutTo = (ring: Ring, axis: Axis, [low, high]: Point): Ring =>
  cutAt(
    cutAt(ring, axis, low, (coordinate) => coordinate >= low),
    axis,
    high,
    (coordinate) => coordinate <= high
  )

/** Degrees that rounding may move a point by. */
const rounding = 1e-9

/** Whether a ring lies to the inner side of every line of a border of this area, and thus within it. */
const covers = (border: Ring, area: number, ring: Ring): boolean =>
  area !== 0 && border.every((from, index) => {
    const to = border[index + 1] ?? border[0] ?? from
    const slack = rounding * Math.hypot(to[0] - from[0], to[1] - from[1])
    return ring.every((point) => side(from, to, point) * Math.sign(area) >= -slack)
  })

/** With how many others a piece is compared: every one with every other would be more work than is saved. */
const mostCompared = 4

/** Leaves out what lies in one of the largest. */
const uncovered = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> => {
  if (pieces.length < 2) return pieces
  const kept: Array<Piece> = []
  const large: Array<{ readonly border: Ring; readonly area: number }> = []
  const bySize = pieces.map((piece) => ({ piece, area: areaOf(piece.border) }))
  for (const { area, piece } of bySize.sort((one, other) => Math.abs(other.area) - Math.abs(one.area))) {
    if (large.some((other) => covers(other.border, other.area, piece.border))) continue
    kept.push(piece)
    if (large.length < mostCompared && piece.holes.length === 0) large.push({ border: piece.border, area })
  }
  return kept
}

/** What of the pieces is left to be divided, within a rectangle that was last cut along the axis. */
interface Division {
  readonly pieces: ReadonlyArray<Piece>
  readonly axis: Axis
  readonly across: Span
  readonly up: Span
}

/** So many points are looked at before others have their turn: a fraction of a millisecond. */
export const pointsAtOnce = 2000

const pointsOf = (pieces: ReadonlyArray<Piece>): number =>
  pieces.reduce((sum, { border, holes }) => holes.reduce((all, hole) => all + hole.length, sum + border.length), 0)

/** null: there is nothing of it. The rings are closed; the first of a polygon is its border. */
export const gridOf = Effect.fnUntraced(function*(polygons: ReadonlyArray<ReadonlyArray<Ring>>) {
  const points = polygons.flatMap(([border]) => border ?? [])
  if (points.length === 0) return null
  const [mostColumns, mostRows] = sizeOf(polygons)
  const columns = linesOf(points.map(([lon]) => lon), mostColumns)
  const rows = linesOf(points.map(([, lat]) => lat), mostRows)
  const parts: Array<CellPart> = []

  const addCells = (across: Span, up: Span, { border, holes }: Omit<CellPart, "cell">) => {
    for (let column = across.first; column < across.last; column++) {
      for (let row = up.first; row < up.last; row++) {
        parts.push({ cell: column * (rows.length - 1) + row, border, holes })
      }
    }
  }

  /** Cuts to the rectangle, and answers with what is to be divided further. */
  const divide = ({ across, axis, pieces, up }: Division): ReadonlyArray<Division> => {
    const sides = [ends(columns, across), ends(rows, up)] as const
    const filled = (ring: Ring) => fills(ring, ...sides)
    const left = uncovered(pieces.flatMap((piece) => {
      const border = cutTo(piece.border, axis, sides[axis])
      const holes = piece.holes.map((hole) => cutTo(hole, axis, sides[axis])).filter((hole) => hole.length >= 3)
      return border.length < 3 || holes.some(filled) ? [] : [{ border, holes }]
    }))
    if (left.some(({ border, holes }) => filled(border) && holes.length === 0)) {
      addCells(across, up, { border: null, holes: [] })
      return []
    }
    if (left.length === 0) return []
    const wide = across.last - across.first
    const high = up.last - up.first
    if (wide === 1 && high === 1) {
      for (const { border, holes } of left) addCells(across, up, { border: filled(border) ? null : border, holes })
      return []
    }
    return high === 1 || wide > 1 && wide * mostRows >= high * mostColumns
      ? halves(across).map((half) => ({ pieces: left, axis: 0, across: half, up }))
      : halves(up).map((half) => ({ pieces: left, axis: 1, across, up: half }))
  }

  const divisions: Array<Division> = [{
    pieces: polygons.flatMap(([border, ...holes]) =>
      border === undefined ? [] : [{ border: border.slice(0, -1), holes: holes.map((hole) => hole.slice(0, -1)) }]
    ),
    axis: 0,
    across: { first: 0, last: columns.length - 1 },
    up: { first: 0, last: rows.length - 1 }
  }]
  let looked = 0
  for (let next = divisions.pop(); next !== undefined; next = divisions.pop()) {
    looked += pointsOf(next.pieces)
    if (looked > pointsAtOnce) {
      looked = 0
      yield* Effect.yieldNow
    }
    divisions.push(...divide(next))
  }
  const grid: PolygonGrid = { columns, rows, parts }
  return grid
})
