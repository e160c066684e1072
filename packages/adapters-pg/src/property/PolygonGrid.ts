/**
 * Areas of many points, cut into the cells of a grid, so that whether a place lies within is told by its cell and by the few
 * lines that cross it, and not by every point of every border.
 *
 * The lines of the grid lie at equal distances and where the area has most points, so that no far-off corner makes the
 * cells coarse; at equal distances alone where lines lead all over it. There are more across the direction in which the borders
 * go to and fro. All polygons are cut together, by halves: where one fills what is left, or lies in another, nothing more is
 * cut. So neither the work nor the parts multiply with polygons that overlap.
 *
 * Only where something may lie the area is cut: else the cells of one that reaches far beyond all places would be as many, and each of them wider.
 *
 * A border is cut to a cell that is a little wider than the cell itself: where it is cut, lines along the rim are added, and
 * no place of the cell lies on them. Then it is written with as few points as can be (`ShortenedBorder`), since every place of the cell is
 * compared with all of them.
 *
 * An area of many points takes tens of milliseconds, so it is cut in slices, and others have their turn in between.
 */
import type { Box, Ring } from "@freehold/core/property/Geography"
import { Effect } from "effect"
import { forEachLine, shortened } from "./ShortenedBorder.ts"

/** Where as many columns as rows are best: how many an area has of each, and how many one of many lines. */
export const usualSide = 64
const mostSide = 80

/** Where more lines of the borders would lead through a cell, there are more cells. */
const linesInACell = 8

/** The most columns of cells, and the most rows. */
const mostInARow = 1024

/** The points of a ring one after the other, `lon, lat, lon, lat` and so on; the first is not repeated. */
export type Points = ReadonlyArray<number>

/** What an area has of one cell. */
export interface CellPart {
  readonly cell: number
  /** The part of a polygon's border; null: the cell lies wholly within. */
  readonly border: Points | null
  readonly holes: ReadonlyArray<Points>
}

/** A cell is `column * rows + row`, of all rows and each counted from 0, between a line and the next. */
export interface PolygonGrid {
  readonly columns: ReadonlyArray<number>
  readonly rows: ReadonlyArray<number>
  /** Whether all columns are as wide as each other, and all rows as high: then a place's cell needs no search among the lines. */
  readonly isEven: boolean
  readonly parts: ReadonlyArray<CellPart>
}

type Axis = 0 | 1

/** What lies between two lines of an axis. */
export type Strip = readonly [low: number, high: number]

/** Adds the place where a line between two points crosses another of the grid. */
const addCrossing = (kept: Array<number>, axis: Axis, line: number, x1: number, y1: number, x2: number, y2: number) => {
  if (axis === 0) kept.push(line, y1 + (line - x1) / (x2 - x1) * (y2 - y1))
  else kept.push(x1 + (line - y1) / (y2 - y1) * (x2 - x1), line)
}

/** What of the ring lies in a strip: Sutherland and Hodgman's way of cutting, at both lines in one go. */
const cutTo = (ring: Points, axis: Axis, [low, high]: Strip): Points => {
  const kept: Array<number> = []
  let x1 = ring[ring.length - 2] ?? 0
  let y1 = ring[ring.length - 1] ?? 0
  let from = axis === 0 ? x1 : y1
  for (let index = 0; index < ring.length; index += 2) {
    const x2 = ring[index] ?? 0
    const y2 = ring[index + 1] ?? 0
    const to = axis === 0 ? x2 : y2
    if (from < low && to >= low) addCrossing(kept, axis, low, x1, y1, x2, y2)
    if (from > high !== to > high) addCrossing(kept, axis, high, x1, y1, x2, y2)
    if (from >= low && to < low) addCrossing(kept, axis, low, x1, y1, x2, y2)
    if (to >= low && to <= high) kept.push(x2, y2)
    x1 = x2
    y1 = y2
    from = to
  }
  return kept
}

/** Degrees: nearer to each other are no two lines of a grid. */
const nearest = 1e-5

/** How far a grid reaches along each axis. */
type Reach = readonly [wide: Strip, high: Strip]

/** How far the borders go to and fro along an axis, by how far the grid reaches. */
const travelOf = (polygons: ReadonlyArray<ReadonlyArray<Points>>, axis: Axis, [low, high]: Strip): number => {
  let travel = 0
  for (const ring of polygons.flat()) {
    let before = ring[ring.length - 2 + axis] ?? 0
    for (let index = axis; index < ring.length; index += 2) {
      const at = ring[index] ?? 0
      travel += Math.abs(at - before)
      before = at
    }
  }
  return travel / (high - low)
}

/** How many columns and rows there are at most. */
interface Size {
  readonly columns: number
  readonly rows: number
  /** Whether lines lead all over the area, and not where most of its points are. */
  readonly isEven: boolean
}

/** So many columns and rows that few lines of the borders lead from one cell into another. */
const sizeOf = (polygons: ReadonlyArray<ReadonlyArray<Points>>, [wide, high]: Reach): Size => {
  const across = travelOf(polygons, 0, wide)
  const up = travelOf(polygons, 1, high)
  const wanted = (across + up) / linesInACell
  const cells = Math.min(mostSide, Math.max(usualSide, wanted)) ** 2
  const columns = Math.round(
    Math.min(mostInARow, Math.max(cells / mostInARow, Math.sqrt(cells * (up / across || 1))))
  )
  return { columns, rows: Math.floor(cells / columns), isEven: wanted > usualSide }
}

/** At equal distances; the first and last at the ends. */
const evenLines = ([low, high]: Strip, most: number): ReadonlyArray<number> => {
  const steps = Math.max(1, Math.min(most, Math.floor((high - low) / nearest)))
  return Array.from({ length: steps + 1 }, (_, n) => n === steps ? high : low + n / steps * (high - low))
}

/** Half of the lines at equal distances, half between as many of the coordinates each; the first and last at the ends. */
const linesOf = (coordinates: ReadonlyArray<number>, reach: Strip, most: number): ReadonlyArray<number> => {
  const [low, high] = reach
  const half = Math.floor(most / 2)
  const sorted = coordinates.filter((at) => at > low && at < high).sort((one, other) => one - other)
  const among = Array.from({ length: half }, (_, n) => sorted[Math.floor((n + 0.5) / half * sorted.length)] ?? high)
  const lines = [low]
  let last = low
  for (const line of [...evenLines(reach, half).slice(1, -1), ...among].sort((one, other) => one - other)) {
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

/** Degrees: no rim is narrower, so that it is there when its points are written (`GriddedArea`). */
const narrowestRim = 1e-6

/** With its rims. */
const widened = ([low, high]: Strip): Strip => {
  const rim = Math.max(narrowestRim, (high - low) * rimShare)
  return [low - rim, high + rim]
}

/** Where a span begins and ends, rims included. */
const ends = (lines: ReadonlyArray<number>, { first, last }: Span): Strip =>
  widened([lines[first] ?? 0, lines[last] ?? 0])

const halves = ({ first, last }: Span): ReadonlyArray<Span> => {
  const middle = Math.floor((first + last) / 2)
  return [{ first, last: middle }, { first: middle, last }]
}

/** Whether a ring that was cut to the rim is the rim itself. */
const fills = (ring: Points, [left, right]: Strip, [low, high]: Strip): boolean => {
  if (ring.length !== 8) return false
  const corners = new Set<number>()
  for (let index = 0; index < ring.length; index += 2) {
    const x = ring[index]
    const y = ring[index + 1]
    if (x !== left && x !== right || y !== low && y !== high) return false
    corners.add((x === left ? 0 : 2) + (y === low ? 0 : 1))
  }
  return corners.size === 4
}

/** Twice the area; below zero when the points go round clockwise. */
const areaOf = (ring: Points): number => {
  let sum = 0
  forEachLine(ring, (x1, y1, x2, y2) => {
    sum += x1 * y2 - x2 * y1
  })
  return sum
}

/** What is left of a polygon within a rectangle. */
interface Piece {
  readonly border: Points
  readonly holes: ReadonlyArray<Points>
}

/** Degrees that rounding may move a point by. */
const rounding = 1e-9

/** Whether a ring lies to the inner side of every line of a border of this area, and thus within it. */
const covers = (border: Points, area: number, ring: Points): boolean => {
  if (area === 0) return false
  let x1 = border[border.length - 2] ?? 0
  let y1 = border[border.length - 1] ?? 0
  for (let index = 0; index < border.length; index += 2) {
    const east = (border[index] ?? 0) - x1
    const north = (border[index + 1] ?? 0) - y1
    const slack = rounding * Math.hypot(east, north)
    for (let other = 0; other < ring.length; other += 2) {
      const toTheLeft = east * ((ring[other + 1] ?? 0) - y1) - north * ((ring[other] ?? 0) - x1)
      if (toTheLeft * Math.sign(area) < -slack) return false
    }
    x1 += east
    y1 += north
  }
  return true
}

/** With how many others a piece is compared: every one with every other would be more work than is saved. */
const mostCompared = 4

/** Leaves out what lies in one of the largest. */
const uncovered = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> => {
  if (pieces.length < 2) return pieces
  const kept: Array<Piece> = []
  const large: Array<{ readonly border: Points; readonly area: number }> = []
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
  pieces.reduce((sum, { border, holes }) => holes.reduce((all, hole) => all + hole.length, sum + border.length), 0) / 2

/** The coordinates of one axis. */
const along = (axis: Axis, points: Points): ReadonlyArray<number> => points.filter((_, index) => index % 2 === axis)

/** As far as the borders reach within a box along an axis, and a little further: the last line is none of a place. Of nothing the ends are the wrong way round. */
const reachOf = (points: Points, axis: Axis, [low, high]: Strip): Strip => {
  let least = Infinity
  let most = -Infinity
  for (let index = axis; index < points.length; index += 2) {
    least = Math.min(least, points[index] ?? least)
    most = Math.max(most, points[index] ?? most)
  }
  return [Math.max(least, low), Math.min(most, high) + nearest]
}

const everywhere: Box = { west: -180, south: -90, east: 180, north: 90 }

/** null: there is nothing of it. The rings are closed; the first of a polygon is its border. `within`: outside nothing is looked for. */
export const gridOf = Effect.fnUntraced(function*(areas: ReadonlyArray<ReadonlyArray<Ring>>, within: Box = everywhere) {
  const drawn = areas.map((rings) => rings.map((ring) => ring.slice(0, -1).flat()))
  const corners = drawn.flatMap(([border]) => border ?? [])
  const reach = [
    reachOf(corners, 0, [within.west, within.east]),
    reachOf(corners, 1, [within.south, within.north])
  ] as const
  if (reach.some(([low, high]) => low > high)) return null
  const polygons = drawn.map((rings) =>
    rings.map((ring) => cutTo(cutTo(ring, 0, widened(reach[0])), 1, widened(reach[1])))
  ).filter(([border = []]) => border.length >= 6)
  const points = polygons.flatMap(([border]) => border ?? [])
  if (points.length === 0) return null
  const size = sizeOf(polygons, reach)
  const lines = (axis: Axis, most: number) =>
    size.isEven ? evenLines(reach[axis], most) : linesOf(along(axis, points), reach[axis], most)
  const columns = lines(0, size.columns)
  const rows = lines(1, size.rows)
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
    const filled = (ring: Points) => fills(ring, ...sides)
    const left = uncovered(pieces.flatMap((piece) => {
      const border = cutTo(piece.border, axis, sides[axis])
      const holes = piece.holes.map((hole) => cutTo(hole, axis, sides[axis])).filter((hole) => hole.length >= 6)
      return border.length < 6 || holes.some(filled) ? [] : [{ border, holes }]
    }))
    if (left.some(({ border, holes }) => filled(border) && holes.length === 0)) {
      addCells(across, up, { border: null, holes: [] })
      return []
    }
    if (left.length === 0) return []
    const wide = across.last - across.first
    const high = up.last - up.first
    if (wide === 1 && high === 1) {
      for (const piece of left) {
        const border = shortened(piece.border, ...sides)
        const holes = piece.holes.map((hole) => shortened(hole, ...sides)).filter((hole) => hole.length > 0)
        if (border.length === 0 || holes.some(filled)) continue
        addCells(across, up, { border: filled(border) ? null : border, holes })
      }
      return []
    }
    return high === 1 || wide > 1 && wide * size.rows >= high * size.columns
      ? halves(across).map((half) => ({ pieces: left, axis: 0, across: half, up }))
      : halves(up).map((half) => ({ pieces: left, axis: 1, across, up: half }))
  }

  const divisions: Array<Division> = [{
    pieces: polygons.flatMap(([border, ...holes]) => border === undefined ? [] : [{ border, holes }]),
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
  const grid: PolygonGrid = { columns, rows, isEven: size.isEven, parts }
  return grid
})
