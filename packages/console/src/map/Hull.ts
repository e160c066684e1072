/** The smallest convex border around places, for a county whose outline nobody has. */

export type Position = readonly [lon: number, lat: number]

const cross = (origin: Position, left: Position, right: Position): number =>
  (left[0] - origin[0]) * (right[1] - origin[1]) - (left[1] - origin[1]) * (right[0] - origin[0])

/** One side, by Andrew's monotone chain. */
const chain = (sorted: ReadonlyArray<Position>): ReadonlyArray<Position> => {
  const side: Array<Position> = []
  for (const position of sorted) {
    for (;;) {
      const last = side.at(-1)
      const before = side.at(-2)
      if (last === undefined || before === undefined || cross(before, last, position) > 0) break
      side.pop()
    }
    side.push(position)
  }
  return side.slice(0, -1)
}

/** A closed ring; null: the places make no area. */
export const hullOf = (positions: ReadonlyArray<Position>): ReadonlyArray<Position> | null => {
  const sorted = positions.toSorted((left, right) => left[0] - right[0] || left[1] - right[1])
  const ring = [...chain(sorted), ...chain(sorted.toReversed())]
  const [first] = ring
  return first === undefined || ring.length < 3 ? null : [...ring, first]
}
