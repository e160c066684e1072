/** Shapes for the map, as GeoJSON. */

interface Place {
  readonly lat: number
  readonly lon: number
}

/** So many corners make a circle. */
const corners = 64
const metersInDegree = 111_195

export const circle = ({ lat, lon, radiusMeters }: Place & { readonly radiusMeters: number }) => ({
  type: "Polygon" as const,
  coordinates: [
    Array.from({ length: corners + 1 }, (_, index) => {
      const angle = index / corners * 2 * Math.PI
      const degrees = radiusMeters / metersInDegree
      return [lon + Math.cos(angle) * degrees / Math.cos(lat * Math.PI / 180), lat + Math.sin(angle) * degrees]
    })
  ]
})

/** An area while it is drawn: its corners, and the line between them. */
export const drawing = (places: ReadonlyArray<Place>) => {
  const positions = places.map(({ lat, lon }) => [lon, lat])
  return [
    ...positions.map((coordinates) => ({ type: "Point" as const, coordinates })),
    ...positions.length > 1 ? [{ type: "LineString" as const, coordinates: positions }] : []
  ]
}

export const pointFeatures = <A extends Place>(
  places: ReadonlyArray<A>,
  properties: (place: A) => Readonly<Record<string, string | number>>
) =>
  places.map((place) => ({
    type: "Feature" as const,
    properties: properties(place),
    geometry: { type: "Point" as const, coordinates: [place.lon, place.lat] }
  }))
