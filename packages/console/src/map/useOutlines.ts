/** Puts the outlines of states and counties on the map, and how many properties each county has. */
import { useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { number } from "../part/Wording.ts"
import type { Counties } from "./Counties.ts"
import { hullsOf } from "./Hulls.ts"
import { pointFeatures } from "./MapFeatures.ts"
import { countyZoom } from "./MapStyle.ts"
import * as Outlines from "./Outlines.ts"
import type { Outline } from "./Topology.ts"
import type { DrawnMap, Feature } from "./useMapLibre.ts"

const areaFeature = ({ id, polygons }: Outline): Feature => ({
  type: "Feature",
  properties: { id },
  geometry: { type: "MultiPolygon", coordinates: polygons }
})

/** The middle of the box around positions. */
const middleOf = (positions: ReadonlyArray<ReadonlyArray<number>>) => {
  const lons = positions.map(([lon = 0]) => lon)
  const lats = positions.map(([, lat = 0]) => lat)
  return {
    lon: (Math.min(...lons) + Math.max(...lons)) / 2,
    lat: (Math.min(...lats) + Math.max(...lats)) / 2
  }
}

const never = { staleTime: Infinity, gcTime: Infinity }

export const useOutlines = (map: DrawnMap | null, zoom: number, counties: Counties) => {
  const states = useQuery({
    queryKey: ["outlines", "states"],
    queryFn: Outlines.states,
    enabled: map !== null,
    ...never
  })
  const borders = useQuery({
    queryKey: ["outlines", "counties"],
    queryFn: Outlines.counties,
    enabled: map !== null && zoom >= countyZoom,
    ...never
  })
  const known = borders.data
  const missing = known === undefined
    ? []
    : counties.map(({ fips }) => fips).filter((fips) => !known.some(({ id }) => id === fips))
  const hulls = useQuery({
    queryKey: ["outlines", "hulls", missing],
    queryFn: () => hullsOf(missing),
    enabled: known !== undefined,
    ...never
  })
  useEffect(() => {
    if (states.data !== undefined) map?.show("states", states.data.map(areaFeature))
  }, [map, states.data])
  useEffect(() => {
    if (known !== undefined) map?.show("counties", known.map(areaFeature))
  }, [known, map])
  useEffect(() => {
    if (known === undefined || hulls.data === undefined) return
    map?.show(
      "hulls",
      hulls.data.map(({ fips, ring }) => ({
        type: "Feature",
        properties: { id: fips },
        geometry: { type: "LineString", coordinates: ring.map(([lon, lat]) => [lon, lat]) }
      }))
    )
    const middles = new Map([
      ...known.map(({ id, polygons }) => [id, middleOf(polygons.flatMap(([border = []]) => border))] as const),
      ...hulls.data.map(({ fips, ring }) => [fips, middleOf(ring)] as const)
    ])
    const counted = counties.flatMap(({ fips, name, properties }) => {
      const middle = middles.get(fips)
      return middle === undefined ? [] : [{ ...middle, text: `${name ?? fips}\n${number(properties)}` }]
    })
    map?.show("counts", pointFeatures(counted, ({ text }) => ({ text })))
  }, [counties, hulls.data, known, map])
  return { hulls: hulls.data, error: states.error ?? borders.error ?? hulls.error }
}
