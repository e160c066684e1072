/**
 * The border of an area within a rectangle, by few points.
 *
 * What was cut to a rectangle runs along its rim from where a line leaves to where the next comes in: two points for each line, and more for
 * what the border does outside. But whether a place within the rectangle lies in the area depends on the lines through it alone, and on how often the
 * border goes around all of it. So the lines are taken in another order, and joined outside: two that meet there share that one point. What
 * this changes is how often the border goes around the rectangle, and as often it is led around the rim.
 */
import type { Points, Strip } from "./PolygonGrid.ts"

/** Against the clock. Corner `n` lies between side `n` and the next. */
const [bottom, right, top, left] = [0, 1, 2, 3]
const sides = 4

/** In widths of the rectangle: two lines that meet further outside are not joined there, so that no number becomes too large to be exact. */
const farthest = 1000

/** Where a line comes in or leaves. */
interface End {
  readonly x: number
  readonly y: number
  readonly side: number
  /** Where on the side, in the direction of its axis. */
  readonly at: number
  /** How far the line gets along the side with each step away from the rectangle; NaN: it runs along the rim. */
  readonly slope: number
}

/** Lines one after the other through the rectangle. */
interface Chain {
  readonly entry: End
  readonly exit: End
  /** The points in between. */
  readonly inner: Points
}

/** From a chain to the next. */
interface Link {
  readonly from: Chain
  /** How far outside both lines meet; NaN: the way is along the rim. */
  readonly distance: number
  /** How many corners lie on the way, against the clock; below zero with it. */
  readonly turns: number
}

/** Calls with each line of the ring. */
export const forEachLine = (ring: Points, call: (x1: number, y1: number, x2: number, y2: number) => void): void => {
  let x1 = ring[ring.length - 2] ?? 0
  let y1 = ring[ring.length - 1] ?? 0
  for (let index = 0; index < ring.length; index += 2) {
    const x2 = ring[index] ?? 0
    const y2 = ring[index + 1] ?? 0
    call(x1, y1, x2, y2)
    x1 = x2
    y1 = y2
  }
}

/** Where a line of the ring passes a height: upwards 1, downwards -1. */
interface Crossing {
  readonly x: number
  readonly step: number
}

const crossingsAt = (ring: Points, y: number): ReadonlyArray<Crossing> => {
  const crossings: Array<Crossing> = []
  forEachLine(ring, (x1, y1, x2, y2) => {
    if (y1 <= y !== y2 <= y) crossings.push({ x: x1 + (y - y1) / (y2 - y1) * (x2 - x1), step: y1 <= y ? 1 : -1 })
  })
  return crossings
}

/** How often the ring goes around the place against the clock, by what it crosses at that height. The place lies on none of its lines. */
const windingOf = (crossings: ReadonlyArray<Crossing>, x: number): number =>
  crossings.reduce((winding, crossing) => crossing.x > x ? winding + crossing.step : winding, 0)

/** In the middle of the widest gap between the lines, so that no rounding puts it on their other side. */
const betweenLines = (crossings: ReadonlyArray<Crossing>, [low, high]: Strip): number => {
  let widest = 0
  let middle = low
  let before = low
  for (const x of [...crossings.map((crossing) => crossing.x), high].sort((one, other) => one - other)) {
    if (x - before > widest) {
      widest = x - before
      middle = (before + x) / 2
    }
    before = x
  }
  return middle
}

/** Of the sides, from any on. */
const sideFrom = (side: number): number => (side % sides + sides) % sides

class Rectangle {
  readonly across: Strip
  readonly up: Strip
  readonly #mostDistant: number

  constructor(across: Strip, up: Strip) {
    this.across = across
    this.up = up
    this.#mostDistant = farthest * Math.max(across[1] - across[0], up[1] - up[0])
  }

  /** The one after a side. */
  corner(place: number): readonly [x: number, y: number] {
    const side = sideFrom(place)
    return [this.across[side === bottom || side === right ? 1 : 0], this.up[side === bottom || side === left ? 0 : 1]]
  }

  isAlongRim(x1: number, y1: number, x2: number, y2: number): boolean {
    return x1 === x2 && (x1 === this.across[0] || x1 === this.across[1]) ||
      y1 === y2 && (y1 === this.up[0] || y1 === this.up[1])
  }

  /** The end, at the rim, of a line from a point within. */
  end(x: number, y: number, fromX: number, fromY: number): End {
    if (x === this.across[0]) {
      return { x, y, side: left, at: y, slope: x < fromX ? (y - fromY) / (fromX - x) : Number.NaN }
    }
    if (x === this.across[1]) {
      return { x, y, side: right, at: y, slope: x > fromX ? (y - fromY) / (x - fromX) : Number.NaN }
    }
    if (y === this.up[0]) {
      return { x, y, side: bottom, at: x, slope: y < fromY ? (x - fromX) / (fromY - y) : Number.NaN }
    }
    return { x, y, side: top, at: x, slope: y > fromY ? (x - fromX) / (y - fromY) : Number.NaN }
  }

  /** How far outside the lines meet that end at the same side; NaN: nowhere near. */
  distance(one: End, other: End): number {
    const distance = (other.at - one.at) / (one.slope - other.slope)
    return distance >= 0 && distance * Math.max(1, Math.abs(one.slope)) <= this.#mostDistant ? distance : Number.NaN
  }

  /** So far outside on the line. */
  beyond({ at, side, slope }: End, distance: number): readonly [x: number, y: number] {
    const along = at + distance * slope
    if (side === left) return [this.across[0] - distance, along]
    if (side === right) return [this.across[1] + distance, along]
    return side === bottom ? [along, this.up[0] - distance] : [along, this.up[1] + distance]
  }
}

/** null: nothing of the ring runs along the rim. */
const chainsOf = (ring: Points, rectangle: Rectangle): ReadonlyArray<Chain> | null => {
  const { length } = ring
  const isRim = (points: Points, index: number) =>
    rectangle.isAlongRim(
      points[index] ?? 0,
      points[index + 1] ?? 0,
      points[(index + 2) % length] ?? 0,
      points[(index + 3) % length] ?? 0
    )
  let first = 0
  while (first < length && !isRim(ring, first)) first += 2
  if (first === length) return null
  // From a line along the rim to where it begins.
  const turned = [...ring.slice(first), ...ring.slice(0, first + 2)]
  const at = (index: number): number => turned[index] ?? 0
  const chains: Array<Chain> = []
  let start = 2
  for (let index = 2; index <= length; index += 2) {
    if (index < length && !isRim(turned, index)) continue
    if (start < index) {
      chains.push({
        entry: rectangle.end(at(start), at(start + 1), at(start + 2), at(start + 3)),
        exit: rectangle.end(at(index), at(index + 1), at(index - 2), at(index - 1)),
        inner: turned.slice(start + 2, index)
      })
    }
    start = index + 2
  }
  return chains
}

/** In the direction that passes fewer corners. */
const turnsBetween = (exit: End, entry: End): number => {
  const turns = sideFrom(entry.side - exit.side)
  return turns > sides / 2 ? turns - sides : turns
}

/** From a side: itself, its neighbours, and the one across. */
const nearSides = [0, 1, -1, 2]

/** All chains one after the other, each before one that it meets if any is left, or that is near; and the last before the first, along the rim. */
const linksOf = ([first, ...others]: ReadonlyArray<Chain>, rectangle: Rectangle): Array<Link> => {
  const links: Array<Link> = []
  if (first === undefined) return links
  const entering: ReadonlyArray<Array<Chain>> = [[], [], [], []]
  for (const chain of others) entering[chain.entry.side]?.push(chain)
  let from = first
  for (let count = 0; count < others.length; count++) {
    const { exit } = from
    const beside = entering[exit.side] ?? []
    let nearest = Number.NaN
    let found = 0
    for (let index = 0; index < beside.length; index++) {
      const distance = rectangle.distance(exit, beside[index]?.entry ?? exit)
      // Nothing is less than what is no number.
      if (!(distance >= nearest) && !Number.isNaN(distance)) {
        nearest = distance
        found = index
      }
    }
    const side = nearSides.map((step) => sideFrom(exit.side + step)).find((each) => (entering[each]?.length ?? 0) > 0)
    const among = entering[side ?? exit.side] ?? []
    const to = among[found]
    const last = among.pop()
    if (to === undefined || last === undefined) break
    if (to !== last) among[found] = last
    links.push({ from, distance: nearest, turns: Number.isNaN(nearest) ? turnsBetween(exit, to.entry) : 0 })
    from = to
  }
  links.push({ from, distance: Number.NaN, turns: turnsBetween(from.exit, first.entry) })
  return links
}

const ringOf = (links: ReadonlyArray<Link>, rectangle: Rectangle): Points => {
  const ring: Array<number> = []
  let isMet = false
  for (const { distance, from: { entry, exit, inner }, turns } of links) {
    if (!isMet) ring.push(entry.x, entry.y)
    for (const coordinate of inner) ring.push(coordinate)
    isMet = !Number.isNaN(distance)
    if (isMet) {
      ring.push(...rectangle.beyond(exit, distance))
      continue
    }
    ring.push(exit.x, exit.y)
    for (let turn = 0; turn < turns; turn++) ring.push(...rectangle.corner(exit.side + turn))
    for (let turn = 0; turn > turns; turn--) ring.push(...rectangle.corner(exit.side - 1 + turn))
  }
  return ring
}

/** The same links, but led around the rim so many times more: where that adds the fewest corners. */
const ledAround = (links: ReadonlyArray<Link>, times: number): ReadonlyArray<Link> => {
  const led = [...links]
  const more = Math.sign(times) * sides
  for (let time = 0; time < Math.abs(times); time++) {
    // The last is along the rim.
    let best = led.length - 1
    for (const [index, { distance, turns }] of led.entries()) {
      if (Number.isNaN(distance) && Math.abs(turns + more) < Math.abs((led[best]?.turns ?? 0) + more)) best = index
    }
    const link = led[best]
    if (link !== undefined) led[best] = { ...link, turns: link.turns + more }
  }
  return led
}

/** How many of the lines have the place to their left, and how many to their right. */
const sidesOf = (chains: ReadonlyArray<Chain>, x: number, y: number) => {
  let toLeft = 0
  let toRight = 0
  for (const { entry, exit, inner } of chains) {
    let { x: x1, y: y1 } = entry
    for (let index = 0; index <= inner.length; index += 2) {
      const x2 = inner[index] ?? exit.x
      const y2 = inner[index + 1] ?? exit.y
      if ((x2 - x1) * (y - y1) > (y2 - y1) * (x - x1)) toLeft++
      else toRight++
      x1 = x2
      y1 = y2
    }
  }
  return { toLeft, toRight }
}

/** The same within the rectangle, to which the ring was cut: the rim itself where all of it lies within, nothing where none of it does. */
export const shortened = (ring: Points, across: Strip, up: Strip): Points => {
  const rectangle = new Rectangle(across, up)
  const chains = chainsOf(ring, rectangle)
  if (chains === null) return ring
  const y = (up[0] + up[1]) / 2
  const crossings = crossingsAt(ring, y)
  const x = betweenLines(crossings, across)
  const winding = windingOf(crossings, x)
  const { toLeft, toRight } = sidesOf(chains, x, y)
  // On the way to any other place a line is crossed once at most, and out of those that have this place to their left.
  if (winding > toLeft || -winding > toRight) {
    return [bottom, right, top, left].flatMap((side) => rectangle.corner(side))
  }
  if (chains.length === 0) return []
  const links = linksOf(chains, rectangle)
  const joined = ringOf(links, rectangle)
  const missing = winding - windingOf(crossingsAt(joined, y), x)
  const found = missing === 0 ? joined : ringOf(ledAround(links, missing), rectangle)
  return found.length < ring.length ? found : ring
}
