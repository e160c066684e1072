/** Where a shape is: the centroid of its rings, as one pair of coordinates. */
import { Predicate } from "effect"

export interface Place {
  readonly lat: number
  readonly lon: number
}

type Pair = readonly [x: number, y: number]

const isPair = (value: unknown): value is Pair =>
  Array.isArray(value) && typeof value[0] === "number" && typeof value[1] === "number"

const pairsOf = (value: unknown): ReadonlyArray<Pair> => Array.isArray(value) ? value.filter(isPair) : []

/** The mean of the corners: for what has no area. */
const meanOf = (pairs: ReadonlyArray<Pair>): Place | undefined =>
  pairs.length === 0 ? undefined : {
    lon: pairs.reduce((sum, [x]) => sum + x, 0) / pairs.length,
    lat: pairs.reduce((sum, [, y]) => sum + y, 0) / pairs.length
  }

/**
 * Of rings, those of holes run the other way round and count against the others. The first corner is taken as the origin, so
 * that small shapes far from zero keep their digits.
 */
const ofRings = (rings: ReadonlyArray<ReadonlyArray<Pair>>): Place | undefined => {
  const [origin] = rings.flat()
  if (origin === undefined) return undefined
  const [ox, oy] = origin
  let area = 0
  let x = 0
  let y = 0
  for (const ring of rings) {
    for (const [index, [rawX, rawY]] of ring.entries()) {
      const [nextX, nextY] = ring[(index + 1) % ring.length] ?? origin
      const [ax, ay, bx, by] = [rawX - ox, rawY - oy, nextX - ox, nextY - oy]
      const cross = ax * by - bx * ay
      area += cross
      x += (ax + bx) * cross
      y += (ay + by) * cross
    }
  }
  return Math.abs(area) < 1e-18 ? meanOf(rings.flat()) : { lon: ox + x / (3 * area), lat: oy + y / (3 * area) }
}

const ringsOf = (value: unknown): ReadonlyArray<ReadonlyArray<Pair>> =>
  Array.isArray(value) ? value.map(pairsOf).filter((ring) => ring.length > 0) : []

/** Of an Esri geometry in degrees (`x` and `y`, `rings`, `paths` or `points`). */
export const ofEsri = (geometry: unknown): Place | undefined => {
  if (!Predicate.isObject(geometry)) return undefined
  const { paths, points, rings, x, y } = geometry
  if (typeof x === "number" && typeof y === "number") return { lat: y, lon: x }
  if (rings !== undefined) return ofRings(ringsOf(rings))
  return meanOf(paths === undefined ? pairsOf(points) : ringsOf(paths).flat())
}

/** Of a GeoJSON geometry. */
export const ofGeoJson = (geometry: unknown): Place | undefined => {
  if (!Predicate.isObject(geometry)) return undefined
  const { coordinates, type } = geometry
  switch (type) {
    case "Point":
      return isPair(coordinates) ? { lon: coordinates[0], lat: coordinates[1] } : undefined
    case "Polygon":
      return ofRings(ringsOf(coordinates))
    case "MultiPolygon":
      return ofRings(Array.isArray(coordinates) ? coordinates.flatMap(ringsOf) : [])
    case "MultiPoint":
    case "LineString":
      return meanOf(pairsOf(coordinates))
    default:
      return undefined
  }
}
