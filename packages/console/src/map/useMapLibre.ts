/** The map itself, as long as its place is on the page. Nothing else knows the library. */
import { type GeoJSONSource, Map as MapLibre, type MapMouseEvent, setWorkerUrl } from "maplibre-gl"
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url"
import { type RefObject, useCallback, useEffect, useRef, useState } from "react"
import type { Bounds } from "../search/SearchUrl.ts"
import { addShapes, type SourceName, styleOf } from "./MapStyle.ts"
import { allowOwnScripts } from "./TrustedScripts.ts"

allowOwnScripts()
setWorkerUrl(workerUrl)

type Data = Parameters<GeoJSONSource["setData"]>[0]
export type Features = Extract<Data, { readonly type: "FeatureCollection" }>["features"]
export type Feature = Features[number]

export interface DrawnMap {
  /** Shows features in place of those before. */
  readonly show: (source: SourceName, features: ReadonlyArray<Feature>) => void
}

export interface MapHandlers {
  /** Clicks and taps that follow each other closely do not look more closely. */
  readonly isDrawing: boolean
  /** `isByHand`: whoever looks at the map moved it. */
  readonly onMoved: (view: Bounds, isByHand: boolean) => void
  /** `around`: the box so many pixels around the place. `isCell`: there are many there, counted. */
  readonly onClick: (
    place: { readonly lat: number; readonly lon: number },
    around: (pixels: number) => Bounds,
    isCell: boolean
  ) => void
  /** While somebody draws; its first click was told before. */
  readonly onDoubleClick: () => void
}

const byHand = { isByHand: true }

const viewOf = (map: MapLibre): Bounds => {
  const bounds = map.getBounds()
  const longitude = (value: number) => Math.min(180, Math.max(-180, value))
  return {
    north: Math.min(90, bounds.getNorth()),
    south: Math.max(-90, bounds.getSouth()),
    east: longitude(bounds.getEast()),
    west: longitude(bounds.getWest())
  }
}

const noWebGl =
  "The map needs WebGL 2, which this browser does not offer or has switched off. The list has everything that the map has."

const isSupported = (): boolean => document.createElement("canvas").getContext("webgl2") !== null

const wholeCountry: [number, number, number, number] = [-125, 24, -66, 50]

export const useMapLibre = (container: RefObject<HTMLDivElement | null>, handlers: MapHandlers) => {
  const current = useRef(handlers)
  useEffect(() => {
    current.current = handlers
  })
  const { isDrawing } = handlers
  const library = useRef<MapLibre>(null)
  const [map, setMap] = useState<DrawnMap | null>(null)
  const [view, setView] = useState<Bounds | null>(null)
  const [zoom, setZoom] = useState(0)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    if (container.current === null) return
    if (!isSupported()) {
      setProblem(noWebGl)
      return
    }
    const made = new MapLibre({
      container: container.current,
      style: styleOf(),
      bounds: wholeCountry,
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      fadeDuration: 0,
      maxZoom: 18
    })
    library.current = made
    made.touchZoomRotate.disableRotation()
    const scheme = matchMedia("(prefers-color-scheme: dark)")
    const repaint = () => {
      made.setStyle(styleOf(), {
        transformStyle: (before, next) => ({ ...next, sources: before?.sources ?? next.sources })
      })
      addShapes(made)
    }
    made.on("load", () => {
      addShapes(made)
      scheme.addEventListener("change", repaint)
      setMap({
        show: (source, features) => {
          const found = made.getSource<GeoJSONSource>(source)
          void found?.setData({ type: "FeatureCollection", features: [...features] })
        }
      })
    })
    made.on("moveend", (event) => {
      const seen = viewOf(made)
      setView(seen)
      setZoom(made.getZoom())
      current.current.onMoved(seen, event.originalEvent !== undefined || "isByHand" in event)
    })
    made.on("dblclick", (event) => {
      if (!current.current.isDrawing) return
      event.preventDefault()
      current.current.onDoubleClick()
    })
    made.on("click", ({ lngLat, originalEvent, point }: MapMouseEvent) => {
      if (originalEvent.detail > 1) return
      const around = (pixels: number): Bounds => {
        const northWest = made.unproject([point.x - pixels, point.y - pixels])
        const southEast = made.unproject([point.x + pixels, point.y + pixels])
        return { north: northWest.lat, south: southEast.lat, east: southEast.lng, west: northWest.lng }
      }
      const isCell = made.queryRenderedFeatures(point, { layers: ["cells"] }).length > 0
      current.current.onClick({ lat: lngLat.lat, lon: lngLat.lng }, around, isCell)
    })
    return () => {
      scheme.removeEventListener("change", repaint)
      library.current = null
      setMap(null)
      made.remove()
    }
  }, [container])

  useEffect(() => {
    const zoom = library.current?.doubleClickZoom
    if (isDrawing) zoom?.disable()
    else zoom?.enable()
  }, [isDrawing])

  /** Shows a box whole. */
  const fit = useCallback(({ east, north, south, west }: Bounds, isByHand: boolean) => {
    library.current?.fitBounds(
      [west, south, east, north],
      { animate: false, padding: 40, maxZoom: 15 },
      isByHand ? byHand : {}
    )
  }, [])
  const zoomBy = useCallback((steps: number) => {
    const now = library.current
    now?.zoomTo(now.getZoom() + steps, {}, byHand)
  }, [])
  return { fit, map, problem, view, zoom, zoomBy }
}
