/**
 * The grid by which a map counts what is too much to be shown one by one.
 *
 * It is the same for everybody and every search: cells of equal degrees from the south-western corner of the globe, in levels, each
 * four times as fine as the one before. So a count belongs to a cell and not to what somebody looks at, may be kept, and stays where
 * it is when the map is moved.
 */
import { type Box, type Place, plainBoxes } from "../property/Geography.ts"

/** Cells in a degree, by level. All are powers of two, so that dividing is exact. */
export const perDegree = [1, 4, 16, 64, 256] as const

export type Level = 0 | 1 | 2 | 3 | 4

/** From the coarsest on. */
export const levels: ReadonlyArray<Level> = [0, 1, 2, 3, 4]
export const finest: Level = 4

/** Columns from the west and rows from the south, both ends included. */
export interface CellRange {
  readonly west: number
  readonly east: number
  readonly south: number
  readonly north: number
}

export const columnOf = (level: Level, lon: number): number => Math.floor((lon + 180) * perDegree[level])
export const rowOf = (level: Level, lat: number): number => Math.floor((lat + 90) * perDegree[level])

const rangeOf = (level: Level) => ({ east, north, south, west }: Box): CellRange => ({
  west: columnOf(level, west),
  east: columnOf(level, east),
  south: rowOf(level, south),
  north: rowOf(level, north)
})

/** The cells that a box touches: one range, or two across the antimeridian. */
export const rangesOf = (level: Level, box: Box): ReadonlyArray<CellRange> => plainBoxes(box).map(rangeOf(level))

export const inRange = (level: Level, { east, north, south, west }: CellRange, { lat, lon }: Place): boolean => {
  const [column, row] = [columnOf(level, lon), rowOf(level, lat)]
  return column >= west && column <= east && row >= south && row <= north
}

/** The edges of cells, in degrees. */
export const edgesOf = (level: Level, { east, north, south, west }: CellRange): Box => ({
  west: west / perDegree[level] - 180,
  east: Math.min(180, (east + 1) / perDegree[level] - 180),
  south: south / perDegree[level] - 90,
  north: Math.min(90, (north + 1) / perDegree[level] - 90)
})

/** The finest level at which ranges are at most so many cells wide and high; the coarsest: none is. */
export const levelOf = (across: number, ranges: (level: Level) => ReadonlyArray<CellRange>): Level =>
  levels.findLast((level) => {
    const all = ranges(level)
    return all.reduce((sum, { east, west }) => sum + east - west + 1, 0) <= across &&
      all.every(({ north, south }) => north - south < across)
  }) ?? 0
