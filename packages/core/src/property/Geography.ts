/**
 * Places on the globe: boxes, distances and areas, in WGS84 degrees.
 *
 * *Gotcha*: the edges of an area are straight lines of longitude and latitude, and a place closer than about ten
 * centimetres to an edge may count on either side of it.
 */

export interface Place {
  readonly lat: number
  readonly lon: number
}

/** `west > east` crosses the antimeridian. */
export interface Box {
  readonly north: number
  readonly south: number
  readonly east: number
  readonly west: number
}

/** The smallest box around all of the boxes; null: there are none. */
export const boxAroundAll = (boxes: ReadonlyArray<Box>): Box | null =>
  boxes.reduce<Box | null>((box, { east, north, south, west }) =>
    box === null ? { north, south, east, west } : {
      north: Math.max(box.north, north),
      south: Math.min(box.south, south),
      east: Math.max(box.east, east),
      west: Math.min(box.west, west)
    }, null)

/** The mean radius of the earth. */
const earthRadiusMeters = 6_371_008.8

const radians = (degrees: number) => degrees * Math.PI / 180

/** Metres between two places on the mean sphere, by the haversine formula. */
export const greatCircleMeters = (from: Place, to: Place): number =>
  2 * earthRadiusMeters * Math.asin(Math.sqrt(Math.min(
    1,
    Math.sin(radians(to.lat - from.lat) / 2) ** 2 +
      Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(radians(to.lon - from.lon) / 2) ** 2
  )))

/** The same box as one that does not cross the antimeridian, or as two. */
export const plainBoxes = (box: Box): ReadonlyArray<Box> =>
  box.west <= box.east ? [box] : [{ ...box, east: 180 }, { ...box, west: -180 }]

/** A box that holds every place within the radius, and some more. */
export const boxAround = (center: Place, radiusMeters: number): Box => {
  const margin = radiusMeters / earthRadiusMeters * 180 / Math.PI * 1.001 + 1e-6
  const north = Math.min(90, center.lat + margin)
  const south = Math.max(-90, center.lat - margin)
  const narrowest = Math.cos(radians(Math.max(Math.abs(north), Math.abs(south))))
  const width = narrowest < 1e-6 ? 180 : margin / narrowest
  if (width >= 180) return { north, south, west: -180, east: 180 }
  const wrap = (lon: number) => lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon
  return { north, south, west: wrap(center.lon - width), east: wrap(center.lon + width) }
}

/** Borders included. */
export const inBox = (box: Box, place: Place): boolean =>
  plainBoxes(box).some(({ east, north, south, west }) =>
    place.lat >= south && place.lat <= north && place.lon >= west && place.lon <= east
  )

/** A closed line of longitude and latitude. */
export type Ring = ReadonlyArray<readonly [number, number]>

/**
 * Whether the ring goes around the place, by how often a ray to the east is crossed upwards and downwards. So what a ring that
 * crosses itself encloses twice is within it, as PostgreSQL has it.
 */
const inRing = (ring: Ring, { lat, lon }: Place): boolean =>
  ring.reduce((turns, [lon1, lat1], index) => {
    const [lon2, lat2] = ring[index + 1] ?? ring[0] ?? [lon1, lat1]
    const crosses = lat1 > lat !== lat2 > lat && lon < lon1 + (lat - lat1) / (lat2 - lat1) * (lon2 - lon1)
    return !crosses ? turns : lat2 > lat1 ? turns + 1 : turns - 1
  }, 0) !== 0

/** Within the first ring of any polygon and in none of that polygon's other rings. */
export const inPolygons = (polygons: ReadonlyArray<ReadonlyArray<Ring>>, place: Place): boolean =>
  polygons.some(([border, ...holes]) =>
    border !== undefined && inRing(border, place) && !holes.some((hole) => inRing(hole, place))
  )
