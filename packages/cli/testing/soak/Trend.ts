/**
 * Whether what is measured again and again stays as it is.
 *
 * Judged is the slope of all samples, and that by Theil and Sen: the middle one of the slopes between any two of them, which a
 * few odd samples do not move.
 */

export interface Point {
  /** In seconds. */
  readonly at: number
  readonly value: number
}

const middle = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2
}

/** How much the value grows in a second; 0 where fewer than two samples tell. */
export const slopeOf = (points: ReadonlyArray<Point>): number => {
  const slopes = points.flatMap((one, place) =>
    points.slice(place + 1).flatMap((other) =>
      other.at === one.at ? [] : [(other.value - one.value) / (other.at - one.at)]
    )
  )
  return slopes.length === 0 ? 0 : middle(slopes)
}

export interface Tolerance {
  /** Of the middle value. */
  readonly share: number
  /** What is nothing, however small the value is. */
  readonly least: number
}

export interface Trend {
  readonly middle: number
  /** By the slope, from the first sample to the last. */
  readonly growth: number
  readonly tolerated: number
  readonly flat: boolean
}

/** What shrinks is flat. */
export const trendOf = (points: ReadonlyArray<Point>, { least, share }: Tolerance): Trend => {
  const times = points.map(({ at }) => at)
  const usual = middle(points.map(({ value }) => value))
  const growth = slopeOf(points) * (Math.max(...times) - Math.min(...times))
  const tolerated = Math.max(least, share * usual)
  return { middle: usual, growth, tolerated, flat: growth <= tolerated }
}

export interface TableSample {
  readonly at: number
  readonly bytes: number
  readonly rows: number
}

/** So many rows tell what one of them takes. */
const fewRows = 1000

/** Bytes that a row may take where too few tell. */
const usualRow = 1024

/**
 * What a table has grown by beyond what its new rows take, at each sample: a history grows with what happens, and only with
 * that.
 */
export const unexplained = (samples: ReadonlyArray<TableSample>): ReadonlyArray<Point> => {
  const [first] = samples
  if (first === undefined) return []
  const row = first.rows < fewRows ? usualRow : Math.max(usualRow, first.bytes / first.rows)
  return samples.map(({ at, bytes, rows }) => ({ at, value: bytes - row * Math.max(0, rows - first.rows) }))
}
